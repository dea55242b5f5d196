"""A Home Assistant as a child process, asked over two pipes."""

import json
import os
import threading
import time

from proving.matching import differences
from proving.processes import ROOT, Process, free_port
from proving.record import Failed
from proving.waiting import eventually

START_LIMIT = 600
ANSWER_LIMIT = 180


class HomeAssistant:
    worker = "home_assistant.worker"
    """The module that runs in Home Assistant's Python."""

    def __init__(self, python, folder, broker_port):
        self.python = str(python)
        self.folder = folder
        self.broker_port = broker_port
        self.http_port = free_port()
        self.process = None
        self.complaints = []
        self.issues = set()
        self.broker_outages = []
        self.version = None

    # ---- life

    def start(self):
        requests, self.requests = os.pipe()
        self.answers, answers = os.pipe()
        settings = {
            "folder": str(self.folder / "config"), "broker_port": self.broker_port, "http_port": self.http_port,
            "requests": requests, "answers": answers, **self.settings()}
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "Tests/Proof"), "PYTHONUNBUFFERED": "1"}
        # Compiling all of it anew takes seconds each time.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.process = Process(
            [self.python, "-m", self.worker, json.dumps(settings)], self.folder / "output.log",
            pass_fds=(requests, answers), env=environment)
        os.close(requests)
        os.close(answers)
        self.reader = os.fdopen(self.answers, "r")
        self.seen_complaints = 0
        self.version = self._answer(START_LIMIT)["version"]

    def settings(self):
        """What the worker is told besides."""
        return {}

    def stop(self):
        if self.process is None:
            return
        self.collect_complaints()
        try:
            self.ask("stop")
            self.process.stop()
        finally:
            self._end()

    def kill(self):
        """As a power cut does it."""
        self.collect_complaints()
        self._end()

    def forget(self):
        """A new one takes its place."""
        (self.folder / "config").rename(self.folder / f"config-{len(list(self.folder.glob('config-*')))}")

    def _end(self):
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            os.close(self.requests)
            self.reader.close()

    # ---- asking

    def ask(self, request, **arguments):
        if self.process is None:
            raise Failed("Home Assistant does not run")
        os.write(self.requests, (json.dumps({"request": request, **arguments}) + "\n").encode())
        return self._answer()

    def _answer(self, seconds=ANSWER_LIMIT):
        lines = []
        thread = threading.Thread(target=lambda: lines.append(self.reader.readline()), daemon=True)
        thread.start()
        thread.join(seconds)
        if not lines or not lines[0]:
            text = self.process.text()[-2000:]
            self._end()
            raise Failed(f"Home Assistant does not answer: {text}")
        answer = json.loads(lines[0])
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["result"]

    def call(self, service, unique_id, **data):
        self.ask("call", service=service, unique_id=unique_id, data=data)

    def send_infrared(self, unique_id, timings, modulation):
        """As the integrations of TVs send a code by the emitter that they were set up with."""
        self.ask("send_infrared", unique_id=unique_id, timings=timings, modulation=modulation)

    def watch_infrared(self, unique_id):
        """From now on what the receiver tells is kept for `seen_infrared`."""
        self.ask("watch_infrared", unique_id=unique_id)

    def seen_infrared(self):
        """Timings, and the modulation."""
        return self.ask("seen_infrared")

    # ---- expecting

    def expect(self, unique_id, **expected):
        """Waits for an entity to be so: `state="on"`, or any other of its fields."""
        def unlike():
            found = self.ask("entity", unique_id=unique_id)
            return [f"{unique_id}: there is none"] if found is None else differences(expected, found, unique_id)
        eventually(unlike)

    def expect_availability(self, unique_ids, is_available):
        """Waits until all of them are there, or all `unavailable`."""
        def wrong():
            entities = self.ask("entities")
            states = {one: entities[one]["state"] if one in entities else "absent" for one in unique_ids}
            return [
                f"{one} is {state}" for one, state in states.items()
                if (state not in ("unavailable", "absent")) != is_available
                or (state == "absent" and not is_available)]
        eventually(wrong)

    # ---- what it complains of

    def collect_complaints(self):
        """Takes over what it said so far, and the repairs it asks for."""
        new = self.ask("complaints_since", index=self.seen_complaints)
        self.seen_complaints += len(new)
        self.complaints += [one for one in new if not self._is_about_an_outage(one)]
        self.issues.update(self.ask("issues"))

    def broker_goes(self):
        self.broker_outages.append([time.time(), None])

    def broker_is_back(self):
        """Called when the entities are back: it may complain until then."""
        self.broker_outages[-1][1] = time.time()

    def _is_about_an_outage(self, complaint):
        return any(words in complaint["text"] for words in ("MQTT server", "talking to MQTT")) and any(
            start <= complaint["time"] <= (end or time.time()) for start, end in self.broker_outages)
