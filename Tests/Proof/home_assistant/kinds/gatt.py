"""A board with Bluetooth services: values of the standard, and of its own."""

from ..entity import SIGNAL_STRENGTH, Entity
from .kind import Kind

LAMP = "f0c10001-7a2b-4d5e-9b1c-2f6a8e3d4c5b"
LABEL = "f0c10002-7a2b-4d5e-9b1c-2f6a8e3d4c5b"


class GATT(Kind):
    kind = "gatt"
    name = "Greenhouse"
    area = "Garden"
    extras = [SIGNAL_STRENGTH]
    entities = [
        Entity(
            "sensor", "battery", "Battery", device_class="battery", unit="%", state_class="measurement"),
        Entity(
            "sensor", "temperature", "Temperature", device_class="temperature", unit="°C",
            state_class="measurement"),
        Entity("switch", "lamp", "Lamp"),
        Entity(
            "text", "label", "Label",
            capabilities={"min": 0, "max": 255, "mode": "text", "pattern": None})]
    settled = {"battery": 87, "temperature": 21.5, "lamp": "off", "label": "attic"}

    def configuration(self, link):
        return super().configuration(link) | {"options": {
            "services": ["battery"],
            "characteristics": [
                {"characteristic": "2A6E"},
                {"name": "Lamp", "characteristic": LAMP, "format": "bit", "writable": True},
                {"name": "Label", "characteristic": LABEL, "format": "utf8", "writable": True}]}}

    def follow(self, house):
        with house.step("a characteristic's value, notified"):
            self.tell(house, "temperature 1800")
            self.expect(house, temperature=18)
            self.settle(house)
            self.expect(house, **self.settled)

    def serve(self, house):
        with house.step("switch a bit of a characteristic"):
            self.call(house, "switch.turn_on", "lamp", "received 01")
            self.expect(house, lamp="on")
            self.call(house, "switch.turn_off", "lamp", "received 00")
            self.expect(house, lamp="off")
        with house.step("set a characteristic's text"):
            self.call(house, "text.set_value", "label", "received 726f6f66", value="roof")
            self.expect(house, label="roof")
            self.call(house, "text.set_value", "label", "received 6174746963", value="attic")
            self.expect(house, label="attic")

    def change_unseen(self, house):
        self.tell(house, "battery 50")
        return {"battery": 50}

    def settle(self, house):
        self.tell(house, "battery 87")
        self.tell(house, "temperature 2150")
