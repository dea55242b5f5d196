"""A broker, bluetoothd, boards in the air, the bridge, and what is expected of them."""

import json
import os
from importlib import metadata

from proving.bridge import Bridge
from proving.mosquitto import Mosquitto
from proving.observer import Observer
from proving.record import Failed, NotRun
from proving.waiting import eventually, until

from .air.world import World
from .bluetoothd import Bluetoothd

PATIENCE = 300
"""Seconds for a board to be back: pauses between attempts grow to a minute."""


class House:
    def __init__(self, record, folder):
        self.record = record
        self.step = record.step
        self.daemon = Bluetoothd(folder)
        self.broker = Mosquitto(folder)
        self.bridge = Bridge(folder, self.broker.port)
        self.world = World()
        self.observer = None
        self.door = None
        self.words = 0
        self.sent = {}

    def move_in(self):
        self.daemon.start()
        try:
            self.world.do(self.world.plug())
            self.daemon.expect_powered()
        except (Failed, OSError) as error:
            raise NotRun(f"there is no virtual adapter: {error}") from error
        self.broker.start()
        self.observer = Observer(self.broker.port)
        self.record.versions.update({
            "BlueZ": self.daemon.version, "Linux": os.uname().release.split("-")[0],
            "Bumble": metadata.version("bumble"), "mosquitto": self.broker.version})

    def close(self):
        self.bridge.kill()
        self.broker.stop()
        self.daemon.close()

    def add(self, slug, kind, address, sketch, **options):
        self.bridge.devices[slug] = {
            "name": slug.capitalize(), "id": slug, "kind": kind, "link": {"ble": address},
            **({"options": {"framing": "line"}} if kind == "uart" else {})}
        board = self.world.add(slug, address, sketch, **options)
        self.sent[board] = []
        return board

    # ---- boards come and go

    def expect_return(self, happen, *boards, then=None):
        """The boards are told away, then back, and understood again."""
        since = self.observer.count
        happen()
        for board in boards:
            self.observer.expect(f"sketch2mqtt/{board.name}/availability", "offline", since, PATIENCE)
        if then:
            since = self.observer.count
            then()
        self.expect_home(*boards, since=since)
        for board in boards:
            self.converse(board)

    def expect_home(self, *boards, since=0):
        for board in boards:
            self.observer.expect(f"sketch2mqtt/{board.name}/availability", "online", since, PATIENCE)

    # ---- what is said

    def expect_door(self, **values):
        def wrong():
            states = self.observer.payloads("sketch2mqtt/door")
            state = json.loads(states[-1]) if states else {}
            return [f"{key}: {state.get(key)!r}, not {value!r}"
                    for key, value in values.items() if state.get(key) != value]
        eventually(wrong)

    def expect_refusal(self, device, since):
        def missing():
            events = [json.loads(text) for text in
                      self.observer.payloads("sketch2mqtt/bridge/main/event", since)]
            return [] if any(
                event.get("event_type") == "command_failed" and event.get("device") == device
                for event in events) else [f"no refusal but {events}"]
        eventually(missing)

    def send(self, board, topic, payload, *packets):
        """A command, whose packets the board gets once."""
        before = len(board.received)
        self.sent[board] += packets
        self.observer.publish(f"sketch2mqtt/{board.name}/{topic}", payload)
        until(lambda: len(board.received) >= before + len(packets))
        if board.received[before:] != list(packets):
            raise Failed(f"{board.name} has received {board.received[before:]}, not {list(packets)}")

    def converse(self, board):
        """Once there and back."""
        if board is self.door:
            is_lock = not board.sketch.is_locked
            self.send(board, "lock/set", "LOCK" if is_lock else "UNLOCK", b"1" if is_lock else b"0")
            self.expect_door(lock="LOCKED" if is_lock else "UNLOCKED")
            return
        self.words += 1
        since = self.observer.count
        self.send(board, "tx", f"word {self.words}", f"word {self.words}\n".encode())
        self.expect_once(board, f"echo word {self.words}", since)

    def expect_nothing_else(self):
        """Over the whole time, boards have got what was sent, once; and words came back once."""
        wrong = [f"{board.name} has received {len(board.received)} packets, not the {len(packets)} that were sent"
                 for board, packets in self.sent.items() if board.received != packets]
        for board in self.sent:
            heard = self.observer.payloads(f"sketch2mqtt/{board.name}/rx")
            wrong += [f"{board.name}: {word!r} came {heard.count(word)} times" for word in sorted(set(heard))
                      if word.startswith("echo word") and heard.count(word) != 1]
        if wrong:
            raise Failed(*wrong)

    def burst(self, count):
        """Lines of the meter, in as few notifications as hold them."""
        lines = [f"line {number}" for number in range(count)]
        since = self.observer.count
        self.world.do(self.meter.say("".join(f"{line}\n" for line in lines).encode()))
        topic = "sketch2mqtt/meter/rx"
        until(lambda: lines[-1] in self.observer.payloads(topic, since))
        found = [line for line in self.observer.payloads(topic, since) if not line.startswith("echo ")]
        if found != lines:
            raise Failed(f"{len(found)} lines, not these {count} in their order: {found[:3]} …")

    def expect_once(self, board, line, since):
        topic = f"sketch2mqtt/{board.name}/rx"
        self.observer.expect(topic, line, since)
        count = self.observer.payloads(topic, since).count(line)
        if count != 1:
            raise Failed(f"{line}: {count} times")
