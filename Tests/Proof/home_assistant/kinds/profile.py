"""A board of an owner's own making, described by a profile."""

from ..entity import SIGNAL_STRENGTH, Entity
from .kind import Kind

PROFILE = {
    "model": "Terrace",
    "messages": {"reading": {"pairs": {}}},
    "properties": {
        "temperature": {"kind": "sensor", "from": "t", "unit": "°C", "class": "temperature", "precision": 1},
        "lamp": {"kind": "switch", "from": "l", "set": {"send": "L{value}", "expect": "value"}},
        "brightness": {
            "kind": "number", "minimum": 0, "maximum": 255, "category": "config", "icon": "mdi:brightness-6",
            "assumed": True,
            "set": "D{value}"},
        "restart": {"kind": "button", "class": "restart", "category": "config", "set": "R"}},
    "polling": [{"send": "?", "every": "2s", "expect": "reading", "within": "2s"}]}


class Profile(Kind):
    kind = "profile"
    name = "Terrace"
    area = "Terrace"
    model = "Terrace"
    extras = [SIGNAL_STRENGTH]
    entities = [
        Entity(
            "sensor", "temperature", "Temperature", device_class="temperature", unit="°C",
            state_class="measurement"),
        Entity("switch", "lamp", "Lamp"),
        Entity(
            "number", "brightness", "Brightness", category="config", icon="mdi:brightness-6", is_assumed=True,
            capabilities={"min": 0, "max": 255, "step": 1, "mode": "auto"}),
        Entity("button", "restart", "Restart", device_class="restart", category="config")]
    settled = {"temperature": 21.5, "lamp": "off"}

    def configuration(self, link):
        return super().configuration(link) | {"options": {"profile": PROFILE}}

    def follow(self, house):
        with house.step("a board with a profile: what it says, and what it cannot say"):
            self.tell(house, "temperature -3.5")
            self.expect(house, temperature=-3.5)
            self.tell(house, "temperature broken")
            self.expect(house, temperature="unknown")
            self.tell(house, "lamp on")
            self.expect(house, lamp="on")
            self.settle(house)
            self.expect(house, **self.settled)

    def serve(self, house):
        with house.step("switch the lamp of a board with a profile, and press its button"):
            self.call(house, "switch.turn_on", "lamp", "received L1")
            self.expect(house, lamp="on")
            self.call(house, "switch.turn_off", "lamp", "received L0")
            self.expect(house, lamp="off")
            self.call(house, "switch.toggle", "lamp", "received L1")
            self.expect(house, lamp="on")
            self.call(house, "switch.toggle", "lamp", "received L0")
            self.expect(house, lamp="off")
            self.call(house, "button.press", "restart", "received R")
        with house.step("a number that the board does not tell is what was sent"):
            self.call(house, "number.set_value", "brightness", "received D40", value=40)
            self.expect(house, brightness=40)

    def change_unseen(self, house):
        self.tell(house, "temperature 5")
        return {"temperature": 5}

    def settle(self, house):
        self.tell(house, "temperature 21.5")
        self.tell(house, "lamp off")
