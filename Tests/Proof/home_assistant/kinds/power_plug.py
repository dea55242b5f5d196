"""The Wi-Fi power plug."""

import time
from datetime import datetime, timezone

from proving.matching import Holds
from proving.record import Failed

from ..entity import Entity
from .kind import Kind

HOUR = 3600


class PowerPlug(Kind):
    kind = "power_plug"
    name = "Garden plug"
    area = "Garden"
    model = "Wi-Fi power plug"
    entities = [
        Entity("switch", "power", device_class="outlet"),
        Entity(
            "select", "mode", "Mode", icon="mdi:calendar-clock",
            capabilities={"options": ["automatic", "manual"]}),
        Entity(
            "sensor", "next_switch", "Next switch", device_class="timestamp", icon="mdi:clock-outline"),
        Entity("sensor", "running", "Running", icon="mdi:calendar-check"),
        Entity("binary_sensor", "clash", "Clash", device_class="problem"),
        Entity("binary_sensor", "drift", "Drift", device_class="problem")]
    without_entity = ["schedule"]
    settled = {
        "power": "off", "mode": "automatic", "next_switch": "unknown", "running": "none", "clash": "off",
        "drift": "off"}

    def move_in(self, house):
        port = house.boards.add(self.slug, self.kind)
        return {"tcp": f"127.0.0.1:{port}", "session": "polled", "poll": "1s"}

    def follow(self, house):
        now = int(time.time())
        with house.step("the plug's schedule: next switching, then what runs, and the switch"):
            self.tell(house, f"slot 0 lamp {now + 2 * HOUR} 30 0")
            self.expect(house, power="off", running="none", next_switch=moment(now + 2 * HOUR))
            house.home.expect(
                self.unique_id("power"), attributes={"schedule": Holds({"name": "lamp", "length": 30})})
            self.tell(house, f"slot 0 lamp {now - 60} 30 0")
            self.expect(house, power="on", running="lamp", next_switch=moment(now - 60 + 1800))
        with house.step("the plug's clash"):
            self.tell(house, f"slot 1 pump {now} 10 0")
            self.expect(house, clash="on")
            self.tell(house, "clear 1")
            self.expect(house, clash="off")
        with house.step("the plug's schedule is empty again"):
            self.tell(house, "clear 0")
            self.expect(house, **self.settled)

    def serve(self, house):
        with house.step("switch the plug on, off, and over"):
            self.call(house, "switch.turn_on", "power", "received state 1")
            self.expect(house, power="on", mode="manual")
            self.call(house, "switch.turn_off", "power", "received state 0")
            self.expect(house, power="off", mode="automatic")
            self.call(house, "switch.toggle", "power", "received state 1")
            self.expect(house, power="on", mode="manual")
        with house.step("select the plug's mode"):
            self.call(house, "select.select_option", "mode", "received state 0", option="automatic")
            self.expect(house, power="off", mode="automatic")
            self.tell(house, f"slot 0 lamp {int(time.time()) - 60} 600 0")
            self.expect(house, power="on", mode="automatic")
            self.call(house, "select.select_option", "mode", "received state 1", option="manual")
            self.expect(house, power="on", mode="manual", running="none", next_switch="unknown")
            self.settle(house)
            self.call(house, "select.select_option", "mode", "received state 0", option="automatic")
            self.expect(house, **self.settled)
        with house.step("a mode that the plug cannot have is refused, and Home Assistant shows what is"):
            since, seen = house.observer.count, house.boards.count
            house.home.call("select.select_option", self.unique_id("mode"), option="manual")
            house.expect_refusal(self.slug, "mode", since)
            self.expect(house, power="off", mode="automatic")
            if any("received" in line for line in house.boards.lines[seen:]):
                raise Failed("the board got it all the same")

    def change_unseen(self, house):
        self.tell(house, f"slot 0 lamp {int(time.time()) - 60} 600 0")
        return {"power": "on", "mode": "automatic", "running": "lamp"}

    def settle(self, house):
        self.tell(house, "clear 0")


def moment(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat()
