"""Home Assistant with its own start-up code, told by lines of JSON what to do. Runs in Home Assistant's Python.

    python -m home_assistant.worker SETTINGS     settings as JSON: folder, port of the broker, descriptors
"""

import asyncio
import json
import logging
import os
import sys

from . import installation
from .complaints import Complaints
from .inventory import Inventory


class Worker:
    def __init__(self, settings):
        self.settings = settings
        self.complaints = Complaints()
        self.hass = self.inventory = None
        self.seen = []

    async def run(self):
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=2**26)
        requests = os.fdopen(self.settings["requests"], "rb")
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), requests)
        await self.answer(self.start())
        while line := await reader.readline():
            request = json.loads(line)
            await self.answer(getattr(self, request.pop("request"))(**request))
            if self.hass is None:
                return
        await self.stop()

    async def answer(self, result):
        try:
            answer = {"result": await result}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        data = (json.dumps(answer) + "\n").encode()
        while data:
            data = data[os.write(self.settings["answers"], data):]

    async def start(self):
        logging.getLogger().addHandler(self.complaints)
        self.hass = await installation.start(self.settings)
        self.inventory = Inventory(self.hass)
        return {"version": installation.version(), "python": sys.version.split()[0]}

    async def stop(self):
        await self.hass.async_stop()
        self.hass = None

    async def entity(self, unique_id):
        with self.complaints.ignored():
            return self.inventory.entity(unique_id)

    async def entities(self):
        with self.complaints.ignored():
            return self.inventory.entities()

    async def devices(self):
        with self.complaints.ignored():
            return self.inventory.devices()

    async def call(self, service, unique_id, data):
        domain, name = service.split(".")
        await self.hass.services.async_call(
            domain, name, data, blocking=True, target={"entity_id": self.inventory.entity_id(unique_id)})

    async def send_infrared(self, unique_id, timings, modulation):
        from homeassistant.components import infrared

        class Code(infrared.InfraredCommand):
            def get_raw_timings(self):
                return timings

        await infrared.async_send_command(
            self.hass, self.inventory.entity_id(unique_id), Code(modulation=modulation, repeat_count=0))

    async def watch_infrared(self, unique_id):
        from homeassistant.components import infrared
        self.seen = []
        infrared.async_subscribe_receiver(
            self.hass, self.inventory.entity_id(unique_id),
            lambda signal: self.seen.append([signal.timings, signal.modulation]))

    async def seen_infrared(self):
        return self.seen

    async def complaints_since(self, index):
        return self.complaints.records[index:]

    async def issues(self):
        return self.inventory.issues()


def main(worker=Worker):
    settings = json.loads(sys.argv[1])
    installation.write_configuration(settings)
    asyncio.set_event_loop(loop := installation.event_loop())
    loop.run_until_complete(worker(settings).run())
    os._exit(0)  # whatever threads Home Assistant leaves


if __name__ == "__main__":
    main()
