"""A broker, a board of each kind, the bridge, and a Home Assistant."""

import contextlib
import copy
import json

from proving.boards import Boards
from proving.bridge import Bridge
from proving.matching import differences
from proving.mosquitto import Mosquitto
from proving.observer import Observer, retained
from proving.record import Failed
from proving.waiting import eventually

from .client import HomeAssistant
from .entity import BRIDGE
from .kinds import all_kinds

BRIDGE_DEVICE = "sketch2mqtt_main_bridge"


class House:
    def __init__(self, folder, python, form, record):
        self.record = record
        self.form = form
        self.kinds = all_kinds()
        self.broker = Mosquitto(folder)
        self.boards = Boards(folder)
        self.bridge = Bridge(folder, self.broker.port)
        self.bridge.home_assistant = {"discovery": form}
        self.bridge.top = {"bluetooth": {"bus": self.boards.bus}}
        self.home = HomeAssistant(python, folder, self.broker.port)
        self.observer = None

    def move_in(self):
        self.broker.start()
        self.observer = Observer(self.broker.port)
        for kind in self.kinds:
            self.bridge.devices[kind.slug] = kind.configuration(kind.move_in(self))
        self.configuration = copy.deepcopy((self.bridge.home_assistant, self.bridge.devices))

    def close(self):
        """Ends all that runs, whatever became of it."""
        for end in (self.bridge.stop, self.home.stop, self.boards.stop, self.broker.stop):
            try:
                end()
            except Failed as failed:
                self.record.say(f"  at the end: {failed}")
        if self.observer:
            self.observer.close()

    @contextlib.contextmanager
    def step(self, claim):
        """A step, after whose failure the house is put in order for the next one."""
        failed = len(self.record.failed)
        with self.record.step(claim):
            yield
        if len(self.record.failed) > failed:
            with self.record.step(f"in order again, after: {claim}"):
                self.put_in_order()

    def put_in_order(self):
        self.bridge.home_assistant, self.bridge.devices = copy.deepcopy(self.configuration)
        self.form = self.bridge.home_assistant["discovery"]
        if self.broker.process is None:
            self.broker.start()
        if self.home.process is None:
            self.home.start()
        for kind in self.kinds:
            kind.come_back(self)
            kind.settle(self)
        if self.bridge.process is not None:
            self.bridge.kill()
        self.bridge.start()
        self.expect_settled()

    # ---- the bridge's topics

    def expect_online(self):
        """On the broker as it is now: it may have forgotten what it was told before."""
        def wrong():
            state = retained(self.broker.port).get("sketch2mqtt/bridge/main/state")
            return [] if state == "online" else [f"the bridge is {state}"]
        eventually(wrong)

    def expect_refusal(self, device, key, since):
        """A command that failed is told on the bridge's event topic."""
        def missing():
            events = [json.loads(text) for text in
                      self.observer.payloads("sketch2mqtt/bridge/main/event", since)]
            return [] if any(
                event.get("event_type") == "command_failed" and event.get("device") == device
                and event.get("property") == key for event in events) else [f"no refusal but {events}"]
        eventually(missing)

    def discovery_topics(self):
        """What the broker holds for Home Assistant, under any prefix."""
        return {topic for topic in retained(self.broker.port) if topic.endswith("/config")}

    # ---- what Home Assistant has

    def expect_inventory(self, kinds=None):
        """Exactly the devices and entities of these kinds and of the bridge, each as it must be."""
        kinds = self.kinds if kinds is None else kinds

        def wrong():
            entities, devices = self.home.ask("entities"), self.home.ask("devices")
            expected = {f"{BRIDGE_DEVICE}_{entity.key}": (entity, "sketch2mqtt_main", BRIDGE_DEVICE)
                        for entity in BRIDGE}
            for kind in kinds:
                for entity in kind.all_entities(self):
                    expected[kind.unique_id(entity.key)] = (entity, kind.slug, kind.identifier)
            lines = [f"there is no entity {one}" for one in sorted(set(expected) - set(entities))]
            lines += [f"nobody expects entity {one}" for one in sorted(set(entities) - set(expected))]
            for one in set(expected) & set(entities):
                entity, device, identifier = expected[one]
                lines += entity.unlike(device, identifier, entities[one], self.form)
            wanted = {BRIDGE_DEVICE, *(kind.identifier for kind in kinds)}
            lines += [f"there is no device {one}" for one in sorted(wanted - set(devices))]
            lines += [f"nobody expects device {one}" for one in sorted(set(devices) - wanted)]
            for kind in kinds:
                lines += differences(
                    {"name": kind.name, "model": kind.model, "area": kind.area, "via": BRIDGE_DEVICE,
                     "connections": kind.connections}, devices.get(kind.identifier, {}), kind.slug)
            lines += differences(
                {"name": "sketch2mqtt main", "manufacturer": "sketch2mqtt", "model": "Bridge"},
                devices.get(BRIDGE_DEVICE, {}), "bridge")
            return lines
        eventually(wrong)

    def expect_available(self, is_available, kinds=None):
        self.home.expect_availability(
            [kind.unique_id(entity.key) for kind in (self.kinds if kinds is None else kinds)
             for entity in kind.followers(self)
             if not (is_available and entity.hides_unknown and self.form == "components")], is_available)

    def expect_settled(self, kinds=None):
        """All available, each in the state of a board that was left alone."""
        self.expect_available(True, kinds)
        for kind in self.kinds if kinds is None else kinds:
            kind.expect(self, **kind.settled)
        self.home.expect(f"{BRIDGE_DEVICE}_connection", state="on")
