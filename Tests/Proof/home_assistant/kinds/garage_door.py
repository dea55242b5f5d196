"""The garage door, with two persons who come home."""

import time

from proving.matching import Matches
from proving.record import Failed

from ..entity import SIGNAL_STRENGTH, Entity
from .kind import Kind

CLOSING_INTERVAL = 10
TRAVEL_TIME = 4
"""As Tests/Simulate/GarageDoor.swift has them."""


def of_person(name):
    key = name.lower()
    return [
        Entity("binary_sensor", f"armed_{key}", f"{name} opens on arrival", icon="mdi:home-import-outline"),
        Entity(
            "button", f"simulate_exit_{key}", f"Simulate exit of {name}", category="diagnostic",
            icon="mdi:home-export-outline"),
        Entity(
            "binary_sensor", f"in_home_{key}", f"{name} at home", device_class="presence", category="diagnostic"),
        Entity(
            "binary_sensor", f"in_beacon_{key}", f"{name} near the garage", device_class="presence",
            category="diagnostic")]


class GarageDoor(Kind):
    kind = "garage_door"
    name = "Garage"
    area = "Drive"
    model = "Garage door"
    extras = [SIGNAL_STRENGTH]
    entities = [
        Entity("cover", "door", device_class="garage", is_assumed=True),
        Entity("sensor", "last_opened_by", "Last opened by", icon="mdi:account-key"),
        Entity("sensor", "last_opened", "Last opened", device_class="timestamp"),
        *of_person("Anna"), *of_person("Ben"),
        Entity("event", "event", "Event", capabilities={"event_types": [
            "opened", "refused", "locked_out", "region_entered", "region_left"]})]
    without_entity = ["presence/anna", "presence/ben"]
    # Whoever nothing is known of is in. The door is closed only once no opening before the start can last any more.
    settled = {"armed_anna": "off", "armed_ben": "off"}

    def configuration(self, link):
        return super().configuration(link | {"session": "held"}) | {"options": {
            "persons": [
                {"name": "Anna", "pin": "48151", "owntracks": "anna/phone"}, {"name": "Ben", "pin": "62342"}],
            "open_as": "Anna", "master_pin": "90909",
            "closing_interval": f"{CLOSING_INTERVAL}s", "travel_time": f"{TRAVEL_TIME}s"}}

    def follow(self, house):
        with house.step("a phone's OwnTracks tells who leaves home and comes back: the garage opens for them"):
            self.expect(house, door="closed")
            self.cross(house, "leave", "home")
            self.expect(house, in_home_anna="off", armed_anna="on")
            self.expect_event(house, "region_left")
            since = house.boards.count
            self.cross(house, "enter", "garage")
            house.boards.expect(f"{self.slug} received 48151O=1", since)
            self.expect(house, in_beacon_anna="on", armed_anna="off", last_opened_by="Anna")
            self.expect_event(house, "opened")
            self.expect(house, door="closed")
            if (count := self.openings(house, since)) != 1:
                raise Failed(f"the board was told {count} times to open")

    def serve(self, house):
        with house.step("open the garage door: it pulses once, and the door's way is shown until it is closed"):
            since = house.boards.count
            self.call(house, "cover.open_cover", "door", "received 48151O=1")
            self.expect(house, door="opening", last_opened_by="Anna")
            house.home.expect(self.unique_id("last_opened"), state=Matches(r"^20\d\d-"))
            self.expect(house, door="open")
            self.expect(house, door="closing")
            self.expect(house, door="closed")
            if (count := self.openings(house, since)) != 1:
                raise Failed(f"the board was told {count} times to open")
        with house.step("who comes home while the garage is open is let in, and it is not told to open again"):
            since, seen = house.boards.count, house.observer.count
            self.press(house, "simulate_exit_ben")
            self.expect(house, armed_ben="on")
            self.call(house, "cover.open_cover", "door", "received 48151O=1")
            house.observer.publish(f"sketch2mqtt/{self.slug}/presence/ben/set", "enter")
            self.expect(house, armed_ben="off", in_beacon_ben="on")
            house.home.call("cover.open_cover", self.unique_id("door"))
            house.expect_refusal(self.slug, "door", seen)
            self.expect(house, door="closed", last_opened_by="Anna")
            if (count := self.openings(house, since)) != 1:
                raise Failed(f"the board was told {count} times to open")
        with house.step("try an arrival out: the garage opens for whoever has left by the button"):
            self.press(house, "simulate_exit_ben")
            self.expect(house, armed_ben="on")
            since = house.boards.count
            house.observer.publish(f"sketch2mqtt/{self.slug}/presence/ben/set", "enter")
            house.boards.expect(f"{self.slug} received 62342O=1", since)
            self.expect(house, armed_ben="off", last_opened_by="Ben")
            self.press(house, "simulate_exit_anna")
            self.expect(house, armed_anna="on")
            house.observer.publish(f"sketch2mqtt/{self.slug}/presence/anna/set", "enter")
            self.expect(house, door="closed", **self.settled)

    # ---- for the steps

    def cross(self, house, event, region):
        """As OwnTracks tells it."""
        house.observer.publish("owntracks/anna/phone/event", {
            "_type": "transition", "event": event, "desc": region, "tst": int(time.time()), "wtst": 1,
            "acc": 20, "lat": 52.0, "lon": 5.0, "t": "c", "tid": "an"})

    def expect_event(self, house, kind):
        house.home.expect(self.unique_id("event"), attributes={"event_type": kind})

    def press(self, house, key):
        """A button that is not the board's."""
        house.home.call("button.press", self.unique_id(key))
        self.services.setdefault(key, []).append("button.press")

    def openings(self, house, since):
        return sum(line.startswith(f"{self.slug} received") for line in house.boards.lines[since:])
