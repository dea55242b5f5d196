"""A board that describes itself: nothing of it is configured but its link."""

from ..entity import Entity
from .kind import Kind


class SelfDescribing(Kind):
    kind = "self_describing"
    name = "Glass house"
    area = "Garden"
    model = "UNO"
    entities = [
        Entity(
            "sensor", "temperature", "Temperature", device_class="temperature", unit="°C",
            state_class="measurement"),
        Entity("sensor", "phase", "Phase"),
        Entity(
            "sensor", "wind", "Wind", device_class="enum", capabilities={"options": ["calm", "breeze", "storm"]}),
        Entity("sensor", "next_watering", "Next watering", device_class="timestamp", category="diagnostic"),
        Entity("binary_sensor", "window", "Window", device_class="window"),
        Entity("switch", "pump", "Pump"),
        Entity(
            "number", "target", "Target temperature", device_class="temperature", unit="°C", category="config",
            capabilities={"min": 5, "max": 30, "step": 0.5, "mode": "auto"}),
        Entity(
            "select", "mode", "Mode", capabilities={"options": ["automatic", "manual", "away"]}),
        Entity("button", "water", "Water now", icon="mdi:watering-can"),
        Entity("text", "message", "Message", capabilities={"min": 0, "max": 16, "mode": "text", "pattern": None}),
        Entity("event", "bell", "Bell", capabilities={"event_types": ["short", "long"]}),
        Entity("lock", "door", "Door"),
        Entity("cover", "roof", "Roof", device_class="window")]
    without_entity = ["timers"]
    settled = {
        "temperature": 21.5, "phase": "ripening", "wind": "calm", "window": "off", "pump": "off", "target": 20,
        "mode": "automatic", "door": "locked", "roof": "closed",
        "next_watering": "2026-11-30T00:53:20+00:00"}

    def move_in(self, house):
        port = house.boards.add(self.slug, self.kind)
        return {"tcp": f"127.0.0.1:{port}"}

    def follow(self, house):
        with house.step("what a self-describing board tells, by every kind of entity it has described"):
            self.tell(house, "set temperature -3.5")
            self.tell(house, "set phase \"ripe")
            self.tell(house, "set wind 2")
            self.tell(house, "set window 1")
            self.tell(house, "set door 4")
            self.tell(house, "set roof 2")
            self.expect(
                house, temperature=-3.5, phase="ripe", wind="storm", window="on", door="jammed", roof="opening")
            self.tell(house, "set temperature ?")
            self.expect(house, temperature="unknown")
            self.settle(house)
            self.expect(house, **self.settled)

    def serve(self, house):
        with house.step("command every kind of entity that the board has described"):
            self.call(house, "switch.turn_on", "pump", "received pump=1")
            self.expect(house, pump="on")
            self.call(house, "switch.turn_off", "pump", "received pump=0")
            self.expect(house, pump="off")
            self.call(house, "number.set_value", "target", "received target=7.5", value=7.5)
            self.expect(house, target=7.5)
            self.call(house, "select.select_option", "mode", "received mode=2", option="away")
            self.expect(house, mode="away")
            self.call(house, "button.press", "water", "received water=")
            self.call(house, "text.set_value", "message", "received message=\"hello", value="hello")
            self.expect(house, message="hello")
            self.call(house, "lock.unlock", "door", "received door=0")
            self.expect(house, door="unlocked")
            self.call(house, "lock.lock", "door", "received door=1")
            self.expect(house, door="locked")
            self.call(house, "cover.open_cover", "roof", "received roof=1")
            self.expect(house, roof="open")
            self.call(house, "cover.close_cover", "roof", "received roof=0")
            self.expect(house, roof="closed")
            self.settle(house)
            self.expect(house, **self.settled)

    def change_unseen(self, house):
        self.tell(house, "set wind 1")
        self.tell(house, "set pump 1")
        return {"wind": "breeze", "pump": "on"}

    def settle(self, house):
        for words in [
                "temperature 21.5", "phase \"ripening", "wind 0", "window 0", "pump 0", "target 20", "mode 0",
                "message \"", "door 1", "roof 0"]:
            self.tell(house, f"set {words}")
