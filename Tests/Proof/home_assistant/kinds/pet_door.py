"""The pet door's lock."""

from ..entity import SIGNAL_STRENGTH, Entity
from .kind import Kind


class PetDoor(Kind):
    kind = "pet_door"
    name = "Pet door"
    area = "Kitchen"
    model = "Pet door lock"
    extras = [SIGNAL_STRENGTH]
    entities = [
        Entity("lock", "lock", icon="mdi:paw"),
        Entity("switch", "manual_lock", "Manual lock", icon="mdi:lock-outline", is_assumed=True),
        Entity("binary_sensor", "latch", "Latch", device_class="lock"),
        Entity(
            "sensor", "temperature", "Temperature", device_class="temperature", unit="°C",
            state_class="measurement")]
    # Whether it is locked by hand, the board tells nobody who comes later.
    settled = {"lock": "unlocked", "latch": "on", "temperature": 20}

    def follow(self, house):
        with house.step("the door's latch, by light and by cold"):
            self.tell(house, "light 100")
            self.expect(house, latch="off", lock="locked")
            self.tell(house, "light 900")
            self.expect(house, latch="on", lock="unlocked")
            self.tell(house, "temperature 1.5")
            self.expect(house, temperature=1.5, latch="off", lock="locked")
            self.tell(house, "temperature 20")
            self.expect(house, **self.settled)
        with house.step("the door's thermometer fails: its value is unknown, not a made-up one"):
            self.tell(house, "thermometer broken")
            self.expect(house, temperature="unknown", lock="locked")
            self.tell(house, "thermometer whole")
            self.expect(house, **self.settled)

    def serve(self, house):
        with house.step("lock and unlock the door"):
            self.call(house, "lock.lock", "lock", "received 1")
            self.expect(house, lock="locked", manual_lock="on", latch="off")
            self.call(house, "lock.unlock", "lock", "received 0")
            self.expect(house, lock="unlocked", manual_lock="off", latch="on")
        with house.step("a jammed latch"):
            self.tell(house, "latch jammed")
            self.call(house, "lock.lock", "lock", "received 1")
            self.expect(house, lock="locking")
            self.expect(house, lock="jammed", latch="on")
            self.tell(house, "latch free")
            self.expect(house, lock="locked", latch="off")
        with house.step("unlock while it is dark: the latch stays, and the lock says so"):
            self.tell(house, "light 100")
            self.call(house, "lock.unlock", "lock", "received 0")
            self.expect(house, manual_lock="off", latch="off")
            self.expect(house, lock="locked")
            self.tell(house, "light 900")
            self.expect(house, lock="unlocked", latch="on")
        with house.step("switch the door's manual lock on, off, and over"):
            self.call(house, "switch.turn_on", "manual_lock", "received 1")
            self.expect(house, manual_lock="on", lock="locked")
            self.call(house, "switch.turn_off", "manual_lock", "received 0")
            self.expect(house, manual_lock="off", lock="unlocked")
            self.call(house, "switch.toggle", "manual_lock", "received 1")
            self.expect(house, manual_lock="on", lock="locked")
            self.call(house, "switch.toggle", "manual_lock", "received 0")
            self.expect(house, manual_lock="off", lock="unlocked")

    def change_unseen(self, house):
        self.tell(house, "light 100")
        return {"latch": "off", "lock": "locked"}

    def settle(self, house):
        self.tell(house, "light 900")
