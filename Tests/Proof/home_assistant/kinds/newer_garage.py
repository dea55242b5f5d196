"""The garage door with a newer sketch: it tells of its door, and obeys the answer to its challenge alone."""

from ..entity import SIGNAL_STRENGTH, Entity
from .garage_door import of_person
from .kind import Kind

CLOSING_INTERVAL = 20
TRAVEL_TIME = 2
KEY = bytes((37 * place ** 2 + 101 * place + 59) % 256 for place in range(32)).hex()
"""As Tests/Simulate/NewerGarage.swift has them."""


class NewerGarage(Kind):
    kind = "garage_door (newer)"
    name = "Carport"
    area = "Street"
    model = "Garage door"
    extras = [SIGNAL_STRENGTH]
    entities = [
        Entity("cover", "door", device_class="garage"),
        Entity("sensor", "last_opened_by", "Last opened by", icon="mdi:account-key"),
        Entity("sensor", "last_opened", "Last opened", device_class="timestamp"),
        Entity(
            "number", "closing_interval", "Closing interval", device_class="duration", unit="s", category="config",
            capabilities={"min": 5, "max": 600, "step": 1, "mode": "auto"}),
        Entity("switch", "light", "Light", icon="mdi:lightbulb"),
        *of_person("Anna"),
        Entity("event", "event", "Event", capabilities={"event_types": [
            "opened", "refused", "locked_out", "region_entered", "region_left", "left_open"]})]
    without_entity = ["presence/anna"]
    settled = {"door": "closed", "closing_interval": CLOSING_INTERVAL, "light": "off", "armed_anna": "off"}

    def move_in(self, house):
        self.address = house.boards.add(self.slug, "newer_garage")
        return {"ble": self.address}

    def configuration(self, link):
        return super().configuration(link | {"session": "held"}) | {"kind": "garage_door", "options": {
            "persons": [{"name": "Anna", "pin": "48151"}], "open_as": "Anna", "master_pin": "90909", "key": KEY,
            "closing_interval": f"{CLOSING_INTERVAL}s", "travel_time": f"{TRAVEL_TIME}s"}}

    def follow(self, house):
        with house.step("the newer garage's board tells of its light, and that its door was left open"):
            self.tell(house, "light on")
            self.expect(house, light="on")
            self.tell(house, "light off")
            self.expect(house, light="off")
            self.tell(house, "alert")
            house.home.expect(self.unique_id("event"), attributes={"event_type": "left_open"})

    def serve(self, house):
        with house.step("open the newer garage and close it again: the board tells the door's way"):
            self.call(house, "cover.open_cover", "door", "pulse, the door is opening")
            self.expect(house, door="opening", last_opened_by="Anna")
            self.expect(house, door="open")
            self.call(house, "cover.close_cover", "door", "pulse, the door is closing")
            self.expect(house, door="closing")
            self.expect(house, door="closed")
        with house.step("switch the garage's light, and set when the board closes the door"):
            self.call(house, "switch.turn_on", "light", "received light=1")
            self.expect(house, light="on")
            self.call(house, "switch.turn_off", "light", "received light=0")
            self.expect(house, light="off")
            self.call(house, "number.set_value", "closing_interval", "received closing_interval=30", value=30)
            self.expect(house, closing_interval=30)
            self.call(
                house, "number.set_value", "closing_interval", f"received closing_interval={CLOSING_INTERVAL}",
                value=CLOSING_INTERVAL)
            self.expect(house, **self.settled)

    def change_unseen(self, house):
        self.tell(house, "light on")
        return {"light": "on"}

    def settle(self, house):
        self.tell(house, "light off")
