"""The drone."""

import json
import threading

from proving.record import Failed
from proving.waiting import eventually

from ..entity import Entity
from .kind import Kind


def button(key, name, icon=None, **other):
    return Entity("button", key, name, icon=icon, **other)


def sensor(key, name, unit, device_class=None, state_class=None, icon=None, **other):
    return Entity(
        "sensor", key, name, unit=unit, device_class=device_class, state_class=state_class, icon=icon, **other)


class Drone(Kind):
    kind = "drone"
    name = "Drone"
    area = "Meadow"
    model = "AR.Drone"
    entities = [
        Entity(
            "sensor", "activity", "Activity", device_class="enum", icon="mdi:quadcopter",
            capabilities={"options": ["landed", "flying", "hovering", "landing", "emergency", "taking_off"]}),
        button("take_off", "Take off", "mdi:airplane-takeoff"),
        button("land", "Land", "mdi:airplane-landing"),
        button("hover", "Hover", "mdi:pause"),
        sensor("distance", "Distance", "m", "distance", "measurement"),
        sensor("bearing", "Bearing", "°", icon="mdi:compass"),
        sensor("battery", "Battery", "%", "battery", "measurement", category="diagnostic"),
        sensor("altitude", "Altitude", "m", "distance", "measurement", icon="mdi:altimeter"),
        sensor("heading", "Heading", "°", icon="mdi:compass-outline"),
        Entity("device_tracker", "location", "Location"),
        button("reset", "Reset", device_class="restart", category="config"),
        button("shut_down", "Shut down", "mdi:power", category="config"),
        button("emergency", "Emergency", "mdi:alert-octagon", category="config", is_disabled=True),
        Entity("event", "event", "Event", capabilities={"event_types": [
            "arrived", "position_lost", "position_found", "target_too_far", "telemetry_lost", "battery_low", "landing",
            "emergency"]})]
    without_entity = ["target"]
    # Where it is, is known to nobody after a restart of the bridge.
    settled = {"activity": "landed", "battery": 90, "altitude": 0, "distance": "unknown"}

    def move_in(self, house):
        commands, telemetry = house.boards.add(self.slug, self.kind).split()
        self.ports = {"board": commands, "telemetry": telemetry}
        return None

    def configuration(self, link):
        entry = super().configuration(link)
        del entry["link"]
        return entry | {"links": {role: {"udp": f"127.0.0.1:{port}"} for role, port in self.ports.items()}}

    def follow(self, house):
        with house.step("the drone's battery, and where it is told to be: it is on the map"):
            self.tell(house, "battery 55")
            self.expect(house, battery=55)
            self.settle(house)
            self.publish(house, "location", {"latitude": 52.5, "longitude": 13.4, "heading": 90, "accuracy": 4})
            house.home.expect(self.unique_id("location"), attributes={
                "source_type": "gps", "latitude": 52.5, "longitude": 13.4, "gps_accuracy": 4})
            self.expect(house, heading=90)

    def serve(self, house):
        with house.step("the drone takes off, flies to a target by the phone on board, and lands there"):
            self.call(house, "button.press", "take_off", "stage flying")
            self.expect(house, activity="hovering")
            with Phone(self, house):
                self.publish(house, "target", {"latitude": 52.50005, "longitude": 13.4})
                self.expect(house, activity="flying")
                self.expect_event(house, "arrived")
                self.expect(house, activity="hovering")
                self.press(house, "hover")
                self.expect(house, distance="unknown")
            self.call(house, "button.press", "land", "stage landed")
            self.expect(house, activity="landed", altitude=0)
        with house.step("it is shut down in the air, and takes off again"):
            self.call(house, "button.press", "take_off", "stage flying")
            self.call(house, "button.press", "shut_down", "stage landed")
            self.expect(house, activity="landed")
            self.call(house, "button.press", "take_off", "stage flying")
            self.call(house, "button.press", "land", "stage landed")
            self.expect(house, activity="landed")
        with house.step("a low battery keeps it on the ground, and it says so"):
            self.tell(house, "battery 15")
            self.expect(house, battery=15)
            since, seen = house.observer.count, house.boards.count
            self.press(house, "take_off")
            house.expect_refusal(self.slug, "take_off", since)
            if any("stage" in line for line in house.boards.lines[seen:]):
                raise Failed("it rose all the same")
            self.settle(house)
            self.expect(house, **self.settled)
        with house.step("an emergency is ended by a reset"):
            self.publish(house, "emergency", "PRESS")
            self.expect(house, activity="emergency")
            self.expect_event(house, "emergency")
            self.press(house, "reset")
            self.expect(house, **self.settled)

    def change_unseen(self, house):
        self.tell(house, "battery 40")
        return {"battery": 40, "activity": "landed"}

    def settle(self, house):
        self.tell(house, "battery 90")

    # ---- for the steps

    def publish(self, house, key, payload):
        house.observer.publish(f"sketch2mqtt/{self.slug}/{key}/set", payload)

    def press(self, house, key):
        house.home.call("button.press", self.unique_id(key))
        self.services.setdefault(key, []).append("button.press")

    def expect_event(self, house, kind):
        def missing():
            events = [json.loads(text) for text in house.observer.payloads(f"sketch2mqtt/{self.slug}/event")]
            return [] if any(event["event_type"] == kind for event in events) else [f"no {kind} but {events}"]
        eventually(missing)


class Phone:
    """On board: tells where the drone is as long as it is there."""

    def __init__(self, drone, house):
        self.drone, self.house = drone, house
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.tell, daemon=True)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def tell(self):
        mark = f"{self.drone.slug} location "
        while not self.is_over.wait(0.25):
            places = [line.removeprefix(mark) for line in self.house.boards.lines[-50:] if line.startswith(mark)]
            if places:
                self.drone.publish(self.house, "location", places[-1])
