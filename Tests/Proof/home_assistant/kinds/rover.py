"""The rover."""

from ..entity import SIGNAL_STRENGTH, Entity
from .kind import Kind


def number(key, name, least, most, icon):
    return Entity(
        "number", key, name, unit="%", icon=icon, is_assumed=True,
        capabilities={"min": least, "max": most, "step": 1, "mode": "auto"})


def measured(key, name, unit, icon):
    return Entity("sensor", key, name, unit=unit, state_class="measurement", icon=icon)


class Rover(Kind):
    kind = "rover"
    name = "Rover"
    area = "Garage"
    model = "Rover"
    extras = [SIGNAL_STRENGTH]
    entities = [
        Entity(
            "select", "direction", "Direction", icon="mdi:swap-vertical", is_assumed=True,
            capabilities={"options": ["forward", "backward"]}),
        number("throttle", "Throttle", 0, 100, "mdi:speedometer"),
        number("steering", "Steering", -100, 100, "mdi:steering"),
        Entity("button", "stop", "Stop", icon="mdi:stop-circle"),
        Entity(
            "text", "voice", "Voice", icon="mdi:microphone",
            capabilities={"min": 0, "max": 40, "mode": "text", "pattern": None}),
        measured("tilt_x", "Tilt across", "m/s²", "mdi:axis-x-arrow"),
        measured("tilt_y", "Tilt along", "m/s²", "mdi:axis-y-arrow"),
        measured("pitch", "Pitch", "°", "mdi:angle-acute"),
        measured("roll", "Roll", "°", "mdi:angle-acute"),
        Entity("binary_sensor", "tipping", "Tipping", device_class="problem"),
        Entity(
            "switch", "stop_on_tipping", "Stop on tipping", category="config", icon="mdi:car-brake-alert"),
        Entity(
            "select", "speed_profile", "Speed profile", category="config", icon="mdi:car-speed-limiter",
            capabilities={"options": ["slow", "normal", "fast"]}),
        Entity("event", "event", "Event", capabilities={"event_types": ["stopped"]})]
    without_entity = ["attitude", "driver"]
    # It stands after each connection, whatever it did before.
    settled = {"throttle": 0, "steering": 0, "tilt_x": 0, "tilt_y": 0, "tipping": "off"}

    def follow(self, house):
        with house.step("the rover's tilt, and that it tips"):
            self.tell(house, "tilt -0.31 4.905")
            self.expect(house, tilt_x=-0.31, tilt_y=4.91, roll=-1.8, pitch=30, tipping="on")
            self.tell(house, "tilt 0 0")
            self.expect(house, **self.settled)

    def serve(self, house):
        with house.step("drive the rover by sliders: its wheels turn as they say"):
            self.call(house, "number.set_value", "throttle", "wheels forward 102 102", value=40)
            self.expect(house, throttle=40, direction="forward")
            self.call(house, "number.set_value", "steering", "received R=50", value=50)
            self.expect(house, steering=50)
            self.call(house, "select.select_option", "direction", "received B", option="backward")
            self.expect(house, direction="backward", throttle=0, steering=0)
        with house.step("drive it by words, and stop it"):
            self.call(house, "text.set_value", "voice", "received T=80", value="fast forward")
            self.expect(house, voice="FAST FORWARD", throttle=80, direction="forward")
            self.call(house, "button.press", "stop", "received T=0")
            self.expect(house, throttle=0)
        with house.step("the speed profile scales what is sent"):
            self.call(house, "number.set_value", "throttle", "received T=60", value=60)
            self.call(house, "select.select_option", "speed_profile", "received T=30", option="slow")
            self.expect(house, speed_profile="slow", throttle=60)
            self.call(house, "select.select_option", "speed_profile", "received T=60", option="normal")
            self.call(house, "button.press", "stop", "received T=0")
            self.expect(house, throttle=0, speed_profile="normal")
        with house.step("it stops when it tips, if that is wished, and an event says why"):
            house.home.call("switch.turn_on", self.unique_id("stop_on_tipping"))
            self.services.setdefault("stop_on_tipping", []).append("switch.turn_on")
            self.expect(house, stop_on_tipping="on")
            self.call(house, "number.set_value", "throttle", "received T=40", value=40)
            self.tell(house, "tilt 2 0")
            self.expect(house, throttle=0, tipping="on")
            self.tell(house, "tilt 0 0")
            house.home.call("switch.turn_off", self.unique_id("stop_on_tipping"))
            self.expect(house, stop_on_tipping="off", **self.settled)

    def change_unseen(self, house):
        self.tell(house, "tilt 1 0")
        return {"tilt_x": 1, "throttle": 0}

    def settle(self, house):
        self.tell(house, "tilt 0 0")
