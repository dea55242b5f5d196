"""The bridge lives with bluetoothd: what happens to boards, adapter and daemon, one after the other."""

import signal

from proving.record import Failed
from proving.waiting import eventually, until

from .air.board import NOTIFIED, WRITTEN
from .air.sketches import Echo, PetDoor
from .bluetoothd import Listener, characteristic, power
from .house import PATIENCE, House
from .movers import Movers
from .nearby import Nearby


class Course(Movers, Nearby, House):
    def run(self):
        self.set_up()
        self.talk()
        self.watch_beacons()
        self.watch_by_monitors()
        self.explore()
        self.keep_values()
        self.move()
        self.flash()
        self.lose_the_adapter()
        self.lose_the_daemon()
        self.share()
        self.break_links()
        with self.step("the bridge stops: the boards are let go, and it says so"):
            since = self.observer.count
            self.bridge.stop()
            self.observer.expect("sketch2mqtt/bridge/main/state", "offline", since)
            eventually(lambda: [
                f"{board.name} is still connected" for board in self.world.boards if board.connection])
            if self.world.failures:
                raise Failed(*self.world.failures)
        with self.step("over the whole time, every board got every command once, and nothing else"):
            self.expect_nothing_else()

    def set_up(self):
        self.move_in()
        self.door = self.add("door", "pet_door", "C4:4F:33:00:00:01", PetDoor(), mtu=23)
        self.meter = self.add("meter", "uart", "C4:4F:33:00:00:02", Echo())
        self.attic = self.add(
            "attic", "uart", "C4:4F:33:00:00:03", Echo(), mtu=23, writes="request", is_on=False)
        with self.step("two boards are found and connected at once, and a third that is absent holds nobody up"):
            self.bridge.start()
            self.expect_home(self.door, self.meter)
            self.observer.expect("sketch2mqtt/attic/availability", "offline")
            self.expect_door(lock="UNLOCKED", manual_lock="OFF", temperature=20)
        with self.step("the absent board comes"):
            self.world.do(self.attic.switch(True))
            self.expect_home(self.attic)

    def talk(self):
        with self.step("notifications and writes go by descriptor (AcquireNotify, AcquireWrite)"):
            for board in (self.door, self.meter):
                for uuid, name in ((NOTIFIED, "NotifyAcquired"), (WRITTEN, "WriteAcquired")):
                    if characteristic(board, uuid)[1].get(name) is not True:
                        raise Failed(f"{board.name}: {characteristic(board, uuid)}")
        with self.step("commands to the door arrive once each, and the state that follows comes back"):
            for command, state, manual in (("LOCK", "LOCKED", "ON"), ("UNLOCK", "UNLOCKED", "OFF")) * 3:
                self.send(self.door, "lock/set", command, b"1" if command == "LOCK" else b"0")
                self.expect_door(lock=state, manual_lock=manual)
        with self.step("a board that takes requests only is written by WriteValue"):
            if characteristic(self.attic, WRITTEN)[1].get("WriteAcquired"):
                raise Failed("its writes are acquired")
            self.converse(self.attic)
        with self.step("the MTU: a line goes in one packet where it fits, in packets of 20 bytes where it does not"):
            line = "0123456789" * 12
            sent = f"{line}\n".encode()
            for board, size in ((self.meter, 244), (self.attic, 20)):
                self.send(board, "tx", line, *[sent[at:at + size] for at in range(0, len(sent), size)])
        with self.step("a line of the board in fragments of 20, 7 or 1 bytes is one message"):
            for size in (20, 7, 1):
                since = self.observer.count
                text = f"in pieces of {size}: " + "abcdefghij" * 5
                self.world.do(self.meter.say(text.encode() + b"\n", size))
                self.expect_once(self.meter, text, since)
        with self.step("200 lines of a board in a burst, and 200 commands, each arrive once and in order"):
            self.burst(200)
            lines = [f"command {number}" for number in range(200)]
            before = len(self.meter.received)
            self.sent[self.meter] += [f"{line}\n".encode() for line in lines]
            for line in lines:
                self.observer.publish("sketch2mqtt/meter/tx", line)
            until(lambda: len(self.meter.received) >= before + len(lines))
            if self.meter.received[before:] != [f"{line}\n".encode() for line in lines]:
                raise Failed(f"{len(self.meter.received) - before} packets, not these 200 in their order")

    def flash(self):
        for claim, services in (("three services more before its own", 3), ("without them again", 0)):
            with self.step(f"a board is flashed with another GATT table, {claim}"):
                path = characteristic(self.meter, NOTIFIED)[0]
                self.expect_return(lambda: self.world.do(self.meter.flash(services)), self.meter)
                if characteristic(self.meter, NOTIFIED)[0] == path:
                    raise Failed(f"its characteristic is still {path}")

    def lose_the_adapter(self):
        with self.step("the adapter is switched off and on"):
            self.expect_return(lambda: power(False), *self.world.boards, then=lambda: power(True))
        with self.step("the adapter is pulled out and put in again"):
            self.expect_return(
                lambda: self.world.do(self.world.unplug()), *self.world.boards,
                then=lambda: self.world.do(self.world.plug()))

    def lose_the_daemon(self):
        for claim, number in (("restarted", signal.SIGTERM), ("killed and started anew", signal.SIGKILL)):
            with self.step(f"bluetoothd is {claim}"):
                self.expect_return(
                    lambda: self.daemon.process.stop(number), *self.world.boards, then=self.daemon.start)

    def share(self):
        with self.step("a program has the board's notifications already: the bridge takes signals (StartNotify)"):
            self.bridge.stop()
            listener = Listener(self.meter, NOTIFIED)
            since = self.observer.count
            self.bridge.start()
            self.expect_home(*self.world.boards, since=since)
            if characteristic(self.meter, NOTIFIED)[1].get("NotifyAcquired"):
                raise Failed("its notifications are acquired")
            # bluetoothd signals a value once for each program that is subscribed, to all of them.
            self.send(self.meter, "tx", "shared", b"shared\n")
            self.observer.expect("sketch2mqtt/meter/rx", "echo shared", since)
            listener.close()
        with self.step("that program leaves: what comes by signals comes once"):
            # Answered after bluetoothd has heard that the program left.
            if characteristic(self.meter, NOTIFIED)[1].get("Notifying") is not True:
                raise Failed("the bridge has no notifications any more")
            self.burst(50)
            self.converse(self.meter)

    def break_links(self):
        for claim, happen in (
                ("a board hangs up", self.meter.hang_up),
                ("a board gets out of reach (supervision time-out)", lambda: self.world.lose(self.meter))):
            with self.step(f"{claim}: it is away, then back, and commands arrive once"):
                self.expect_return(lambda: self.world.do(happen()), self.meter)
        with self.step("two boards are lost at once, and come back"):
            self.expect_return(
                lambda: [self.world.do(self.world.lose(board)) for board in (self.door, self.meter)],
                self.door, self.meter)
        with self.step("a board is switched off for a while: a command meanwhile is refused and never done"):
            since = self.observer.count
            self.world.do(self.meter.switch(False))
            self.observer.expect("sketch2mqtt/meter/availability", "offline", since, PATIENCE)
            before = len(self.meter.received)
            self.observer.publish("sketch2mqtt/meter/tx", "too late")
            self.expect_refusal("meter", since)
            self.converse(self.door)
            self.world.do(self.meter.switch(True))
            self.expect_home(self.meter, since=since)
            self.converse(self.meter)
            if b"too late\n" in self.meter.received[before:]:
                raise Failed("the board got it")
        for claim, fault, attempts in (
                ("connections of a board break off at once (0x3e), three times", "breaks_off", 3),
                ("a connected board answers nothing", "is_mute", 1)):
            with self.step(f"{claim}: the other board goes on, and this one comes back"):
                self.fail(fault, attempts)

    def fail(self, fault, attempts):
        since = self.observer.count
        connections = self.meter.connections
        setattr(self.meter, fault, True)
        self.world.do(self.world.lose(self.meter))
        self.observer.expect("sketch2mqtt/meter/availability", "offline", since, PATIENCE)
        if not until(lambda: self.meter.connections >= connections + attempts, PATIENCE):
            raise Failed(f"{self.meter.connections - connections} attempts only")
        self.converse(self.door)
        setattr(self.meter, fault, False)
        self.expect_home(self.meter, since=since)
        self.converse(self.meter)
