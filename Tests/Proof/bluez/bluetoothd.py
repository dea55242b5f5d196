"""The system bus and the real bluetoothd on it, and what the bus shows of it."""

import asyncio
import contextlib
import re
import subprocess

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from proving.processes import Process
from proving.record import Failed
from proving.waiting import until

PROGRAM = "/usr/libexec/bluetooth/bluetoothd"
ADAPTER = "/org/bluez/hci0"


class Bluetoothd:
    def __init__(self, folder):
        self.folder = folder
        self.process = None
        self.options = []
        self.bus = Process(
            ["/usr/bin/dbus-daemon", "--system", "--nofork", "--nopidfile"], folder / "dbus.log")

    @property
    def version(self):
        told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout
        return re.search(r"\S+", told)[0]

    def start(self):
        self.process = Process([PROGRAM, "-n", "-d", *self.options], self.folder / "bluetoothd.log")

    def expect_powered(self):
        def is_powered():
            with contextlib.suppress(OSError, RuntimeError, EOFError):
                return objects().get(ADAPTER, {}).get("org.bluez.Adapter1", {}).get("Powered")
        if not until(is_powered, every=0.2):
            raise Failed("bluetoothd shows no adapter that is on")

    def close(self):
        if self.process:
            self.process.kill()
        self.bus.kill()


async def call(bus, path, interface, member, signature="", body=()):
    reply = await bus.call(Message(
        destination="org.bluez", path=path, interface=interface, member=member, signature=signature,
        body=list(body)))
    if reply.message_type == MessageType.ERROR:
        raise RuntimeError(f"{member}: {reply.error_name} {reply.body}")
    return reply.body


async def connected():
    return await MessageBus(bus_type=BusType.SYSTEM).connect()


async def tree(bus):
    found, = await call(bus, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    return {
        path: {interface: {name: variant.value for name, variant in properties.items()}
               for interface, properties in interfaces.items()}
        for path, interfaces in found.items()}


def objects():
    async def ask():
        bus = await connected()
        try:
            return await tree(bus)
        finally:
            bus.disconnect()
    return asyncio.run(ask())


def power(is_on):
    async def ask():
        bus = await connected()
        await call(bus, ADAPTER, "org.freedesktop.DBus.Properties", "Set", "ssv",
                   ("org.bluez.Adapter1", "Powered", Variant("b", is_on)))
        bus.disconnect()
    asyncio.run(ask())


def device_path(board):
    address = board.address.to_string(with_type_qualifier=False)
    return f"{ADAPTER}/dev_{address.replace(':', '_')}"


def characteristic(board, uuid, found=None):
    """Its path and properties, or nothing."""
    for path, interfaces in (found or objects()).items():
        one = interfaces.get("org.bluez.GattCharacteristic1")
        if one and path.startswith(device_path(board) + "/") and one["UUID"].lower() == uuid.lower():
            return path, one
    return None, {}


class Listener:
    """Another central program, that asked for a board's notifications before the bridge does."""

    def __init__(self, board, uuid):
        self.loop = asyncio.new_event_loop()
        self.bus = self.loop.run_until_complete(self.listen(board, uuid))

    async def listen(self, board, uuid):
        bus = await connected()
        device = device_path(board)
        await call(bus, ADAPTER, "org.bluez.Adapter1", "StartDiscovery")
        for _ in range(450):
            if device in await tree(bus):
                break
            await asyncio.sleep(0.2)
        await call(bus, ADAPTER, "org.bluez.Adapter1", "StopDiscovery")
        await call(bus, device, "org.bluez.Device1", "Connect")
        for _ in range(450):
            found = await tree(bus)
            path, _ = characteristic(board, uuid, found)
            if path and found[device]["org.bluez.Device1"]["ServicesResolved"]:
                await call(bus, path, "org.bluez.GattCharacteristic1", "StartNotify")
                return bus
            await asyncio.sleep(0.2)
        raise Failed("the other program does not get the board's services")

    def close(self):
        self.bus.disconnect()
        self.loop.close()
