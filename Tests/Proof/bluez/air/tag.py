"""A beacon: it advertises, and takes no connection."""

import asyncio
import itertools

from bumble import hci

UUID = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"


class Tag:
    """Everything here runs on the loop of the world."""

    numbers = itertools.count(1)

    def __init__(self, world, major=1, minor=2):
        self.world = world
        self.is_here = False
        self.rssi = -60
        self.data = (
            b"\x02\x01\x06\x1a\xff\x4c\x00\x02\x15" + bytes.fromhex(UUID.replace("-", ""))
            + major.to_bytes(2, "big") + minor.to_bytes(2, "big") + b"\xc5")
        self.move()
        world.soon(self.run())

    def move(self):
        """To another address, private and not resolvable."""
        number = next(self.numbers)
        self.address = hci.Address(
            f"0A:BE:AC:00:{number >> 8:02X}:{number & 0xFF:02X}", hci.Address.RANDOM_DEVICE_ADDRESS)

    async def run(self):
        while True:
            if self.is_here and self.world.radio is not None:
                self.world.radio.overhear(self.address, self.data, self.rssi)
            await asyncio.sleep(0.1)
