"""A board with a serial port over Bluetooth LE, as ArduinoBLE and its like have it."""

from bumble import hci
from bumble.att import ATT_Error, Attribute
from bumble.controller import Controller
from bumble.core import UUID
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from .radio import Radio

SERVICE = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
WRITTEN = "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"
NOTIFIED = "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"
READ_NOT_PERMITTED, WRITE_NOT_PERMITTED = 0x02, 0x03
BOTH = Attribute.Permissions.READABLE | Attribute.Permissions.WRITEABLE
READ, NOTIFY, INDICATE = (
    Characteristic.Properties.READ, Characteristic.Properties.NOTIFY, Characteristic.Properties.INDICATE)
WRITES = {
    "both": Characteristic.Properties.WRITE | Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
    "request": Characteristic.Properties.WRITE}


class Board:
    """Everything here runs on the loop of the world."""

    def __init__(self, world, name, address, sketch, mtu=247, writes="both", is_on=True):
        self.world = world
        self.name = name
        self.address = hci.Address(address, hci.Address.RANDOM_DEVICE_ADDRESS)
        self.sketch = sketch
        self.mtu = mtu
        self.writes = writes
        self.rssi = -60
        self.is_on = is_on
        self.is_mute = False
        self.is_deaf = False
        self.breaks_off = False
        self.services_before = 0
        self.connection = None
        self.is_subscribed = False
        self.connections = 0
        self.subscriptions = 0
        self.received = []
        complete_name = name.encode()
        self.advertisement = b"\x02\x01\x06\x11\x07" + bytes.fromhex(SERVICE.replace("-", ""))[::-1]
        self.scan_response = bytes([len(complete_name) + 1, 0x09]) + complete_name
        self.build()

    def build(self):
        self.controller = Controller(f"{self.name}-controller", link=self.world.ether)
        self.controller.le_features = Radio.le_features
        configuration = DeviceConfiguration(name=self.name, address=self.address, gatt_service_enabled=False)
        configuration.advertising_interval_min = configuration.advertising_interval_max = 62.5
        host = Host(self.controller, AsyncPipeSink(self.controller))
        self.device = Device(config=configuration, host=host)
        self.device.gatt_server.max_mtu = self.mtu
        self.device.add_services(self.services())
        self.device.on("connection", self.connected)

    def services(self):
        changed = Characteristic(
            UUID("2A05"), INDICATE, BOTH,
            CharacteristicValue(read=refuse(READ_NOT_PERMITTED), write=refuse(WRITE_NOT_PERMITTED)))
        others = [
            Service(UUID(f"FFE{number}"), [Characteristic(UUID(f"FFF{number}"), READ, BOTH, b"\x01")])
            for number in range(self.services_before)]
        written = Characteristic(
            WRITTEN, WRITES[self.writes], BOTH,
            CharacteristicValue(read=refuse(READ_NOT_PERMITTED), write=self.written))
        self.notified = Characteristic(
            NOTIFIED, NOTIFY, BOTH,
            CharacteristicValue(read=refuse(READ_NOT_PERMITTED), write=refuse(WRITE_NOT_PERMITTED)))
        self.notified.on("subscription", self.subscribed)
        return [Service(UUID("1801"), [changed]), *others, Service(SERVICE, [written, self.notified])]

    async def start(self):
        await self.device.power_on()
        await self.switch(self.is_on)

    async def switch(self, is_on):
        """Its power."""
        self.is_on = is_on
        if not is_on:
            await self.device.stop_advertising()
            self.world.cut(self, 0x08)
        elif self.connection is None:
            await self.advertise()

    async def advertise(self):
        await self.device.start_advertising(
            own_address_type=hci.OwnAddressType.RANDOM, advertising_data=self.advertisement,
            scan_response_data=self.scan_response)

    async def flash(self, services_before):
        """Another program: the same service behind other ones, at other handles."""
        await self.switch(False)
        self.world.ether.remove_controller(self.controller)
        self.services_before = services_before
        self.connection = None
        self.build()
        self.is_on = True
        await self.start()

    # ---- what the central does

    def connected(self, connection):
        self.connection = connection
        self.connections += 1
        connection.on("disconnection", self.disconnected)

    def disconnected(self, _reason):
        self.connection = None
        self.is_subscribed = False
        if self.is_on:
            self.world.soon(self.advertise())

    def subscribed(self, _bearer, notifies, _indicates):
        self.is_subscribed = notifies
        if notifies:
            self.subscriptions += 1
            self.world.soon(self.sketch.greet(self))

    async def written(self, _connection, value):
        self.received.append(value)
        await self.sketch.take(self, value)

    # ---- what it does

    @property
    def room(self):
        """Bytes of a notification."""
        return self.connection.att_mtu - 3 if self.connection else 0

    async def say(self, text, size=None):
        """A text, cut into notifications of at most `size` bytes."""
        if not self.is_subscribed:
            return
        size = size or self.room
        for start in range(0, len(text), size):
            await self.device.notify_subscriber(self.connection, self.notified, text[start:start + size])

    async def hang_up(self):
        await self.connection.disconnect(0x13)


def refuse(code):
    # The library checks no permissions.
    def function(*_arguments):
        raise ATT_Error(code)
    return function
