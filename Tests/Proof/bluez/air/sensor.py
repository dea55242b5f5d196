"""A board with services of the standard and one of its own."""

from bumble.core import UUID
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service

from .board import BOTH, NOTIFY, READ, Board

LAMP = "F0C10001-7A2B-4D5E-9B1C-2F6A8E3D4C5B"
WRITE = Characteristic.Properties.WRITE


class Sensor(Board):
    def services(self):
        self.lamp = b"\x00"
        self.battery = Characteristic(UUID("2A19"), READ | NOTIFY, BOTH, b"\x57")
        temperature = Characteristic(
            UUID("2A6E"), READ, BOTH, b"\x66\x08",
            [Descriptor(UUID("2901"), BOTH, b"outside")])
        lamp = Characteristic(
            LAMP, READ | WRITE, BOTH,
            CharacteristicValue(read=lambda _connection: self.lamp, write=self.switch_lamp))
        return [
            Service(UUID("180F"), [self.battery]), Service(UUID("181A"), [temperature]),
            Service("F0C10000-7A2B-4D5E-9B1C-2F6A8E3D4C5B", [lamp])]

    def switch_lamp(self, _connection, value):
        self.lamp = value
        self.received.append(value)

    async def charge(self, percent):
        """Its battery has another value, which subscribers are told."""
        await self.device.notify_subscribers(self.battery, bytes([percent]))
