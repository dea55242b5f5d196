"""The example's dashboard and automations, in the real Home Assistant, looked at and pressed in a real browser."""

from proving.pages import PICTURES
from proving.processes import ROOT, cache, made, scratch

from .browser import expect_installed
from .course import PICTURES_OF_VIEWS, live
from .house import House

INSTALL = ROOT / "Tests/Proof/home_assistant/install.sh"
INTEGRATIONS = [
    "frontend", "automation", "script", "person", "sun", "zone", "owntracks",
    # What the pages ask for when they list all services.
    "ai_task", "alarm_control_panel", "calendar", "camera", "conversation", "media_player", "notify", "remote", "siren",
    "stt", "todo", "tts", "vacuum", "wake_word", "water_heater"]


class DashboardProof:
    is_for_ci = False
    """A browser beside Home Assistant is much for a machine that others use too."""

    def __init__(self, version, suite, python):
        self.name = f"dashboard-{version}"
        self.title = "The example's dashboard and automations in Home Assistant's pages"
        self.version = version
        self.suite = suite
        self.python = python

    @property
    def folder(self):
        return cache("HOME_ASSISTANTS", "home-assistants") / f"{self.version}-frontend"

    def prepare(self):
        expect_installed()
        made([INSTALL, self.folder, self.version, self.suite, self.python, *INTEGRATIONS],
             f"Home Assistant {self.version} cannot be installed into {self.folder}")

    def run(self, record):
        PICTURES.mkdir(parents=True, exist_ok=True)
        with scratch(self.name) as place:
            house = House(place, self.folder / "venv/bin/python", record)
            try:
                live(house)
                record.versions["Home Assistant"] = house.home.version
                record.versions["Chromium"] = house.browser.version
                record.versions["mosquitto"] = house.broker.version
                record.facts["pictures"] = PICTURES_OF_VIEWS
            finally:
                house.close()


def proofs():
    return [DashboardProof("2026.11.0", "forky", "3.14")]
