"""Boards that move something: they get what was ordered once, and stand when nobody drives."""

from proving.record import Failed
from proving.waiting import eventually

from .air.sketches import Rover, Silent
from .house import PATIENCE


class Movers:
    """A part of the course, for a house."""

    def move(self):
        self.drive()
        self.open_the_garage()
        self.play_keys()

    def drive(self):
        with self.step("a rover is told to stand before anything else, then drives as it is told"):
            rover = self.bring("rover", "rover", "C4:4F:33:00:00:11", Rover())
            self.expect_home(rover)
            self.expect_state("rover", throttle=0, tilt_x=-0.31, tilt_y=1.2)
            if rover.received[:1] != [b"T=0"]:
                raise Failed(f"it has received {rover.received}")
            self.observer.publish("sketch2mqtt/rover/throttle/set", 40)
            self.expect_throttle(rover, 40)
        with self.step("a stop overtakes 200 orders, of which the newest count"):
            before = len(rover.received)
            for number in range(200):
                self.observer.publish("sketch2mqtt/rover/throttle/set", 1 + number % 100)
            self.observer.publish("sketch2mqtt/rover/stop/set", "PRESS")
            self.expect_throttle(rover, 0)
            self.expect_state("rover", throttle=0)
            if len(rover.received) - before > 100:
                raise Failed(f"it has received {len(rover.received) - before} packets")
            if rover.received[-1] != b"T=0":
                raise Failed(f"it has received {rover.received[-5:]} at the end")
        with self.step("its link drops while it drives: it stands as soon as it is back"):
            self.observer.publish("sketch2mqtt/rover/throttle/set", 30)
            self.expect_throttle(rover, 30)
            since = self.observer.count
            before = len(rover.received)
            self.world.do(self.world.lose(rover))
            self.observer.expect("sketch2mqtt/rover/availability", "offline", since, PATIENCE)
            self.expect_home(rover, since=since)
            self.expect_throttle(rover, 0)
            if rover.received[before:before + 1] != [b"T=0"]:
                raise Failed(f"it has received {rover.received[before:]}")
            self.observer.publish("sketch2mqtt/rover/throttle/set", 20)
            self.expect_throttle(rover, 20)
        with self.step("it is taken out of the configuration while it drives: it stands"):
            self.take_away("rover", rover)
            if rover.sketch.throttle != 0:
                raise Failed(f"it drives at {rover.sketch.throttle}")

    def open_the_garage(self):
        with self.step("a garage door that is visited only for a command is opened by one order"):
            garage = self.bring(
                "garage", "garage_door", "C4:4F:33:00:00:12", Silent(),
                persons=[{"name": "Anna", "pin": "48151"}], open_as="Anna", closing_interval="10s",
                travel_time="4s")
            # An opening before the start may last until then.
            self.expect_state("garage", door="closed")
            since = self.observer.count
            self.observer.publish("sketch2mqtt/garage/door/set", "OPEN")
            eventually(lambda: [] if garage.received else ["it has received nothing"])
            self.expect_event("garage", "opened", since)
            eventually(lambda: ["it is still connected"] if garage.connection else [])
        with self.step("while the door is presumed open, it is not told to open again"):
            since = self.observer.count
            self.observer.publish("sketch2mqtt/garage/door/set", "OPEN")
            self.expect_refusal("garage", since)
            self.take_away("garage", garage)
            if garage.received != [b"48151O=1"]:
                raise Failed(f"it has received {garage.received}")

    def play_keys(self):
        with self.step("a TV's board plays each key that is pressed once"):
            tv = self.bring("tv", "tv_volume", "C4:4F:33:00:00:13", Silent())
            self.expect_home(tv)
            for key, packet in (("up", b"I"), ("down", b"D"), ("up", b"I")):
                before = len(tv.received)
                self.observer.publish(f"sketch2mqtt/tv/volume_{key}/set", "PRESS")
                self.expect_state("tv", last_key=key)
                if tv.received[before:] != [packet]:
                    raise Failed(f"it has received {tv.received[before:]}, not {packet}")
            self.take_away("tv", tv)

    # ---- for the steps

    def bring(self, slug, kind, address, sketch, **options):
        self.bridge.devices[slug] = {
            "name": slug.capitalize(), "id": slug, "kind": kind, "link": {"ble": address}, "options": options}
        board = self.world.add(slug, address, sketch, mtu=23)
        self.bridge.reload()
        return board

    def take_away(self, slug, board):
        del self.bridge.devices[slug]
        self.bridge.reload()
        eventually(lambda: ["it is still connected"] if board.connection else [])
        self.world.do(board.switch(False))
        self.world.boards.remove(board)

    def expect_throttle(self, board, percent):
        eventually(lambda: [] if board.sketch.throttle == percent
                   else [f"{board.sketch.throttle} %, not {percent}: {board.received[-8:]}"])
