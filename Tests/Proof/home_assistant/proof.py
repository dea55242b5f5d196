"""A real Home Assistant Core lives with the bridge: the newest, and the oldest that is supported."""

import os
import subprocess
from pathlib import Path

from proving.processes import scratch
from proving.record import NotRun

from .house import House
from .life import live
from .table import rows

INSTALL = Path(__file__).parent / "install.sh"


def cache():
    """Where installations stay: HOME_ASSISTANTS, or a folder of the user's cache."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("HOME_ASSISTANTS") or home / "sketch2mqtt" / "home-assistants")


class HomeAssistantProof:
    def __init__(self, version, suite, python, form):
        self.name = f"home-assistant-{version}"
        self.title = f"Home Assistant Core, {'device' if form == 'device' else 'per-entity'} discovery"
        self.version = version
        self.suite = suite
        self.python = python
        self.form = form

    def run(self, record):
        folder = cache() / self.version
        installed = subprocess.run([INSTALL, folder, self.version, self.suite, self.python])
        if installed.returncode != 0:
            raise NotRun(f"Home Assistant {self.version} cannot be installed into {folder}")
        with scratch(self.name) as place:
            house = House(place, folder / "venv/bin/python", self.form, record)
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
