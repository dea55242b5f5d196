"""What nobody connects to for good: beacons, and devices that somebody looks at."""

import asyncio
import json

from proving.record import Failed
from proving.waiting import eventually

from .air.radio import ACTIVE, PASSIVE
from .air.sensor import LAMP, Sensor
from .air.tag import UUID, Tag
from .bluetoothd import objects

PATIENCE = 90
"""Seconds: the adapter tells a beacon once in each scan, of 10 s with pauses between."""


class Nearby:
    """A part of the course, for a house."""

    def watch_beacons(self):
        self.tag = tag = Tag(self.world)
        self.bridge.devices["keys"] = {
            "name": "Keys", "kind": "beacon", "options": {"uuid": UUID, "major": 1, "silence": "45s"}}
        self.bridge.reload()
        with self.step("a beacon that is not there is not home"):
            self.expect_state("keys", presence="not_home")
        with self.step("a beacon comes: it is home, and near"):
            since = self.observer.count
            tag.is_here = True
            self.expect_state("keys", presence="home", proximity="near")
            self.expect_event("keys", "returned", since)
        with self.step("the beacon changes its address all the time: it stays home, and BlueZ forgets the old ones"):
            since = self.observer.count
            before = self.devices_of_bluez()
            for _ in range(60):
                self.world.do(self.later(tag.move))
            eventually(lambda: [] if self.devices_of_bluez() > before else ["no new address was heard"], PATIENCE)
            eventually(lambda: [
                f"{self.devices_of_bluez()} devices, {before} before" for _ in range(1)
                if self.devices_of_bluez() > before + 5], PATIENCE)
            if self.observer.payloads("sketch2mqtt/keys/event", since):
                raise Failed("it came or went")
        with self.step("the beacon is carried away: left behind, once"):
            since = self.observer.count
            tag.is_here = False
            self.expect_event("keys", "left_behind", since)
            self.expect_state("keys", presence="not_home", proximity="unknown")
        with self.step("the boards that are connected have not noticed"):
            for board in (self.door, self.meter):
                self.converse(board)

    def watch_by_monitors(self):
        with self.step("bluetoothd is started anew with --experimental: a monitor hears the beacon, scans are few"):
            self.restart_the_daemon("--experimental")
            self.bridge.devices["keys"]["options"]["silence"] = "10s"
            self.bridge.reload()
            self.tag.is_here = True
            self.expect_state("keys", presence="home")
            overheard = self.world.radio.overheard
            overheard.clear()
            # Ten a second.
            eventually(lambda: [] if overheard[PASSIVE] >= 300 else [f"{overheard}"], PATIENCE)
            if not 30 <= overheard[ACTIVE] <= 120:
                raise Failed(f"{overheard} advertisements in passive and active scans")
        with self.step("how strongly it is heard follows"):
            for rssi in (-80, -50):
                self.tag.rssi = rssi
                self.expect_strength("keys", rssi)
        with self.step("it stays home while a board is tried again and again that never answers"):
            since = self.observer.count
            before = self.attempts(self.meter)
            self.meter.is_deaf = True
            self.world.do(self.world.lose(self.meter))
            self.observer.expect("sketch2mqtt/meter/availability", "offline", since, PATIENCE)
            eventually(lambda: [] if self.attempts(self.meter) >= before + 4
                       else [f"{self.attempts(self.meter) - before} attempts"], PATIENCE)
            self.meter.is_deaf = False
            self.expect_home(self.meter, since=since)
            if self.observer.payloads("sketch2mqtt/keys/event", since):
                raise Failed("it came or went")
        with self.step("it is carried away: left behind, once"):
            since = self.observer.count
            self.tag.is_here = False
            self.expect_event("keys", "left_behind", since)
        with self.step("bluetoothd is started anew without: it goes on by scans"):
            self.restart_the_daemon()
            self.tag.is_here = True
            self.expect_state("keys", presence="home")
            self.tag.is_here = False

    def explore(self):
        with self.step("a device that nobody declared is heard in a scan"):
            self.sensor = self.world.do(self.new_sensor("Sensor", "C4:4F:33:00:00:09"))
            found = self.ask("ble/scan", {"seconds": 12, "name_prefix": "Sensor"})["devices"]
            if [one["address"] for one in found] != ["C4:4F:33:00:00:09"]:
                raise Failed(f"{found}")
        here = {"address": "C4:4F:33:00:00:09"}
        with self.step("its services, characteristics and descriptors are listed"):
            services = {one["uuid"]: one for one in self.ask("ble/explore", here)["services"]}
            outside, = [
                one["value"] for one in services["181a"]["characteristics"][0]["descriptors"]
                if one["uuid"] == "2901"]
            if bytes.fromhex(outside) != b"outside" or services["180f"]["name"] != "Battery":
                raise Failed(f"{services}")
        with self.step("a value is read, written and notified"):
            battery = here | {"characteristic": "2a19"}
            if self.ask("ble/read", battery)["value"] != "57":
                raise Failed("the battery has another value")
            self.ask("ble/write", here | {"characteristic": LAMP, "value": "01"})
            if self.sensor.received != [b"\x01"]:
                raise Failed(f"{self.sensor.received}")
            self.ask("ble/notify", battery | {"on": True})
            since = self.observer.count
            self.world.do(self.sensor.charge(42))
            topic = "sketch2mqtt/bridge/main/ble/C4:4F:33:00:00:09/2a19"
            eventually(lambda: [] if [json.loads(one)["value"] for one in self.observer.payloads(topic, since)]
                       == ["2a"] else [f"{self.observer.payloads(topic, since)}"])
        with self.step("what it does not offer, and a board of the bridge's own, is refused"):
            for request, members in (
                    ("ble/write", here | {"characteristic": "2a6e", "value": "00"}),
                    ("ble/notify", here | {"characteristic": "2a6e", "on": True}),
                    ("ble/connect", {"address": str(self.meter.address).split("/")[0]})):
                if "error" not in self.answer(request, members):
                    raise Failed(f"{request} {members} is carried out")
        with self.step("it is let go, and the bridge's own boards have not noticed"):
            self.ask("ble/disconnect", here)
            eventually(lambda: ["it is still connected"] if self.sensor.connection else [])
            self.world.do(self.sensor.switch(False))
            for board in (self.door, self.meter):
                self.converse(board)

    def keep_values(self):
        with self.step("a device's characteristics as entities: read, notified, and one that is set"):
            sensor = self.world.do(self.new_sensor("Shed", "C4:4F:33:00:00:0A"))
            self.bridge.devices["shed"] = {
                "name": "Shed", "kind": "gatt", "link": {"ble": "C4:4F:33:00:00:0A"}, "options": {
                    "services": ["battery", "environmental_sensing"],
                    "characteristics": [
                        {"name": "Lamp", "characteristic": LAMP, "format": "bit", "writable": True}]}}
            self.bridge.reload()
            self.expect_state("shed", battery=87, temperature=21.5, lamp="OFF")
            self.world.do(sensor.charge(42))
            self.expect_state("shed", battery=42)
            self.observer.publish("sketch2mqtt/shed/lamp/set", "ON")
            self.expect_state("shed", lamp="ON")
            if sensor.received != [b"\x01"]:
                raise Failed(f"{sensor.received}")
        with self.step("nothing of it stays"):
            del self.bridge.devices["shed"], self.bridge.devices["keys"]
            self.bridge.reload()
            eventually(lambda: ["it is still connected"] if sensor.connection else [])
            self.world.do(sensor.switch(False))
            self.world.boards = [board for board in self.world.boards if not isinstance(board, Sensor)]

    # ---- for the steps

    async def new_sensor(self, name, address):
        sensor = Sensor(self.world, name, address, None, mtu=23)
        self.world.boards.append(sensor)
        await sensor.start()
        return sensor

    def restart_the_daemon(self, *options):
        self.daemon.options = list(options)
        self.expect_return(self.daemon.process.stop, *self.world.boards, then=self.daemon.start)

    def attempts(self, board):
        """Of bluetoothd, to connect it."""
        address = board.address.to_string(with_type_qualifier=False)
        return self.daemon.process.text().count(f"Connection attempt to: {address}")

    async def later(self, happen):
        await asyncio.sleep(0.3)
        happen()

    def devices_of_bluez(self):
        return sum("org.bluez.Device1" in interfaces for interfaces in objects().values())

    def expect_state(self, device, **values):
        def wrong():
            states = self.observer.payloads(f"sketch2mqtt/{device}")
            state = json.loads(states[-1]) if states and states[-1] else {}
            return [f"{device}.{key}: {state.get(key)!r}, not {value!r}"
                    for key, value in values.items() if state.get(key) != value]
        eventually(wrong, PATIENCE)

    def expect_strength(self, device, rssi):
        def wrong():
            states = self.observer.payloads(f"sketch2mqtt/{device}")
            found = json.loads(states[-1]).get("rssi")
            return [] if found is not None and abs(found - rssi) <= 4 else [f"{found} dBm, not {rssi}"]
        eventually(wrong, PATIENCE)

    def expect_event(self, device, kind, since):
        """Exactly one."""
        def events():
            return [json.loads(one)["event_type"]
                    for one in self.observer.payloads(f"sketch2mqtt/{device}/event", since)]
        eventually(lambda: [] if events() == [kind] else [f"{events()}, not one {kind}"], PATIENCE)

    def answer(self, request, members):
        since = self.observer.count
        self.observer.publish(f"sketch2mqtt/bridge/main/request/{request}", members)
        topic = f"sketch2mqtt/bridge/main/response/{request}"
        eventually(lambda: [] if self.observer.payloads(topic, since) else ["no answer"], PATIENCE)
        return json.loads(self.observer.payloads(topic, since)[0])

    def ask(self, request, members):
        answer = self.answer(request, members)
        if "error" in answer:
            raise Failed(f"{request} {members}: {answer['error']}")
        return answer["data"]
