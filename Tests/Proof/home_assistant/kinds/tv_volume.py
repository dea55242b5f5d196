"""The TV volume leveller."""

from ..entity import SIGNAL_STRENGTH, Entity
from .kind import Kind


class TVVolume(Kind):
    kind = "tv_volume"
    name = "TV"
    area = "Living room"
    model = "TV volume leveller"
    extras = [SIGNAL_STRENGTH]
    entities = [
        Entity("switch", "levelling", "Levelling", icon="mdi:tune-vertical"),
        Entity(
            "number", "target", "Target", unit="dB", icon="mdi:target",
            capabilities={"min": -50, "max": 0, "step": 1, "mode": "auto"}),
        Entity("button", "volume_up", "Volume up", icon="mdi:volume-plus"),
        Entity("button", "volume_down", "Volume down", icon="mdi:volume-minus"),
        Entity("sensor", "level", "Level", unit="dB", state_class="measurement", icon="mdi:volume-high"),
        Entity(
            "sensor", "last_key", "Last key", device_class="enum", icon="mdi:remote-tv",
            capabilities={"options": ["up", "down", "none"]}),
        Entity("event", "event", "Event", capabilities={"event_types": ["limit_reached", "microphone_lost"]})]
    settled = {"levelling": "off", "target": -25, "level": "unknown"}

    def serve(self, house):
        with house.step("play the TV's keys: its volume follows"):
            self.call(house, "button.press", "volume_up", "volume 31")
            self.expect(house, last_key="up")
            self.call(house, "button.press", "volume_down", "volume 29")
            self.expect(house, last_key="down")
        with house.step("set the level that is wanted, and switch levelling on and off"):
            for service, key, data, states in (
                    ("number.set_value", "target", {"value": -30}, {"target": -30}),
                    ("switch.turn_on", "levelling", {}, {"levelling": "on"}),
                    ("switch.turn_off", "levelling", {}, {"levelling": "off"}),
                    ("number.set_value", "target", {"value": -25}, {"target": -25})):
                house.home.call(service, self.unique_id(key), **data)
                self.services.setdefault(key, []).append(service)
                self.expect(house, **states)
