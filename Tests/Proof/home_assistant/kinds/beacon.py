"""A tag on keys."""

from ..entity import Entity
from .kind import Kind

PROXIMITIES = ["immediate", "near", "far", "unknown"]


class Beacon(Kind):
    kind = "beacon"
    name = "Keys"
    area = "Hall"
    model = "Beacon"
    # Out of reach it is not home; it is not there only when nobody can hear it.
    entities = [
        Entity("device_tracker", "presence", icon="mdi:key-wireless", outlives_board=True),
        Entity(
            "sensor", "proximity", "Proximity", device_class="enum", icon="mdi:map-marker-distance",
            capabilities={"options": PROXIMITIES}, outlives_board=True),
        Entity(
            "sensor", "distance", "Distance", device_class="distance", unit="m", state_class="measurement",
            outlives_board=True),
        Entity(
            "sensor", "rssi", "Signal strength", device_class="signal_strength", unit="dBm",
            state_class="measurement", category="diagnostic", outlives_board=True),
        Entity(
            "event", "event", "Event", capabilities={"event_types": ["left_behind", "returned"]},
            outlives_board=True)]
    # Distance and strength are smoothed: they depend on what was heard before.
    settled = {"presence": "home", "proximity": "near"}

    def move_in(self, house):
        house.boards.add(self.slug, self.kind)
        return None

    def configuration(self, link):
        entry = super().configuration(link) | {"options": {
            "uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0", "major": 1, "minor": 2, "silence": "2s"}}
        del entry["link"]
        return entry

    def follow(self, house):
        with house.step("the beacon is carried away, and back: not home once, home once"):
            self.tell(house, "power off")
            self.expect(house, presence="not_home", proximity="unknown", distance="unknown")
            house.home.expect(self.unique_id("event"), attributes={"event_type": "left_behind"})
            self.tell(house, "power on")
            self.expect(house, distance=1.1, rssi=-60, **self.settled)
            house.home.expect(self.unique_id("event"), attributes={"event_type": "returned"})
        with house.step("the beacon is near, and far"):
            self.tell(house, "rssi -90")
            self.expect(house, proximity="far")
            self.settle(house)
            self.expect(house, proximity="near")

    def settle(self, house):
        self.tell(house, "rssi -60")
