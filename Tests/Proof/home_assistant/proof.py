"""A real Home Assistant Core lives with the bridge: the newest, and the oldest that is supported."""

from pathlib import Path

from proving.processes import cache, made, scratch

from .house import House
from .life import live
from .table import rows

INSTALL = Path(__file__).parent / "install.sh"


class HomeAssistantProof:
    def __init__(self, version, suite, python, form):
        self.name = f"home-assistant-{version}"
        self.title = f"Home Assistant Core, {'device' if form == 'device' else 'per-entity'} discovery"
        self.version = version
        self.suite = suite
        self.python = python
        self.form = form

    @property
    def folder(self):
        return cache("HOME_ASSISTANTS", "home-assistants") / self.version

    def prepare(self):
        made([INSTALL, self.folder, self.version, self.suite, self.python],
             f"Home Assistant {self.version} cannot be installed into {self.folder}")

    def run(self, record):
        with scratch(self.name) as place:
            house = House(place, self.folder / "venv/bin/python", self.form, record)
            try:
                house.move_in()
                live(house)
                record.versions["Home Assistant"] = house.home.version
                record.versions["mosquitto"] = house.broker.version
                record.facts["kinds"] = rows(house)
            finally:
                house.close()


def proofs():
    return [
        HomeAssistantProof("2026.11.0", "forky", "3.14", "device"),
        HomeAssistantProof("2024.3.3", "bookworm", "3.11", "components")]
