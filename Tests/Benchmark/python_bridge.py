"""The bridge that an owner of these boards would write: bleak for Bluetooth, paho for MQTT.

What a board notifies is published on python/ADDRESS/rx; what arrives on python/ADDRESS/tx is written to it.

    python_bridge.py PORT ADDRESS...
"""

import asyncio
import sys

from bleak import BleakClient, BleakScanner
from paho.mqtt import client as paho

UART_WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
UART_NOTIFY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"


async def find(addresses):
    """The boards of these addresses, as soon as all have advertised."""
    wanted, found, complete = set(addresses), {}, asyncio.Event()

    def heard(device, _):
        if device.address in wanted:
            found[device.address] = device
            if len(found) == len(wanted):
                complete.set()

    async with BleakScanner(heard):
        await complete.wait()
    return found


async def serve(address, device, mqtt, clients):
    """Holds the connection to one board."""
    topic = f"python/{address}/rx"
    while True:
        gone = asyncio.Event()
        try:
            async with BleakClient(device, disconnected_callback=lambda _: gone.set()) as client:
                await client.start_notify(UART_NOTIFY, lambda _, value: mqtt.publish(topic, bytes(value)))
                clients[address] = client
                await gone.wait()
        except Exception as error:
            print(f"{address}: {error!r}", file=sys.stderr)
        clients.pop(address, None)
        await asyncio.sleep(1)


async def main(port, addresses):
    loop, commands, clients = asyncio.get_running_loop(), asyncio.Queue(), {}
    mqtt = paho.Client(paho.CallbackAPIVersion.VERSION2)
    mqtt.on_connect = lambda *_: mqtt.subscribe("python/+/tx")
    mqtt.on_message = lambda _, __, message: loop.call_soon_threadsafe(commands.put_nowait, message)
    mqtt.connect("127.0.0.1", port)
    mqtt.loop_start()
    found = await find(addresses)
    async with asyncio.TaskGroup() as group:
        for address, device in found.items():
            group.create_task(serve(address, device, mqtt, clients))
        while True:
            message = await commands.get()
            if client := clients.get(message.topic.split("/")[1]):
                await client.write_gatt_char(UART_WRITE, message.payload, response=False)


asyncio.run(main(int(sys.argv[1]), sys.argv[2:]))
