"""A house with a board of each kind, the bridge, a Home Assistant with the example's files, and somebody who looks at
it in a browser.
"""

import json
import time

from home_assistant.kinds import all_kinds
from proving.boards import Boards
from proving.bridge import Bridge
from proving.mosquitto import Mosquitto
from proving.observer import Observer
from proving.record import Failed
from proving.waiting import eventually

from .browser import Browser
from .home import OWNER, PASSWORD, Home

PIN = "48151"


class House:
    def __init__(self, folder, python, record):
        self.record = record
        self.broker = Mosquitto(folder)
        self.boards = Boards(folder)
        self.bridge = Bridge(folder, self.broker.port)
        self.bridge.top = {"bluetooth": {"bus": self.boards.bus}}
        self.home = Home(python, folder, self.broker.port)
        self.folder = folder
        self.kinds = {kind.kind: kind for kind in all_kinds()}
        self.observer = self.browser = None

    def move_in(self):
        self.broker.start()
        self.observer = Observer(self.broker.port)
        for kind in self.kinds.values():
            if kind.kind != "garage_door":
                self.bridge.devices[kind.slug] = kind.configuration(kind.move_in(self))
        self.bridge.devices["garage"] = {
            "name": "Garage", "kind": "garage_door", "area": "Garage",
            "link": {"ble": self.boards.add("garage", "garage_door")},
            # The board closes sooner, and says nothing of it.
            "options": {
                "persons": [{"name": "Anna", "pin": PIN}], "open_as": "Anna", "closing_interval": "150s",
                "travel_time": "4s"}}
        tv = self.bridge.devices["tv"]
        tv["options"] = {**tv.get("options", {}), "most_keys": 3}
        self.home.install_examples()
        self.home.start()
        self.bridge.start()
        self.home.ask("add_owner", name=OWNER, password=PASSWORD)

    def log_in(self):
        self.browser = Browser(self.folder)
        self.browser.log_in(self.home.address, OWNER, PASSWORD)

    def show(self, view):
        """One of the dashboard."""
        self.browser.open(f"{self.home.address}/boards-dashboard/{view}")
        self.browser.find("shownCards")

    def press(self, card, selector, label, board):
        """A part of a card, or all of it; a line that matches `board` must come from a board."""
        since = self.boards.count
        element = self.browser.find("part", card, selector, label) if selector else self.browser.find("card", card)
        self.browser.press(element)
        if board:
            self.boards.expect(board, since)

    def close(self):
        """Ends all that runs, whatever became of it."""
        if self.browser:
            self.browser.close()
        for end in (self.bridge.stop, self.home.stop, self.boards.stop, self.broker.stop):
            try:
                end()
            except Failed as failed:
                self.record.say(f"  at the end: {failed}")
        if self.observer:
            self.observer.close()

    def phone_is_at(self, place):
        """Anna's phone tells it by OwnTracks, again and again, as one does that was not heard yet."""
        def unknown():
            found = self.home.ask("states").get("device_tracker.anna_phone", {"attributes": {}})["attributes"]
            if all(found.get(key) == value for key, value in place.items()):
                return []
            self.observer.publish("owntracks/anna/phone", json.dumps({
                "_type": "location", "lat": place["latitude"], "lon": place["longitude"], "acc": 5,
                "tst": int(time.time()), "tid": "an", "batt": 80}))
            return [f"Anna's phone is at {found}, not at {place}"]
        eventually(unknown, every=0.3)
