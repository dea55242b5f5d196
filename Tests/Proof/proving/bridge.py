"""The bridge as a process, with a configuration that a proof writes."""

import json
import os
import signal

from .processes import Process, built
from .record import Failed

STATUS_OF_A_CLEAN_END = 0


class Bridge:
    """`sketch2mqtt run`. What is set here stands in its configuration at the next start or reload."""

    def __init__(self, folder, *ports):
        self.folder = folder
        self.ports = ports
        self.home_assistant = {}
        self.top = {}
        self.devices = {}
        self.process = None

    def write(self):
        """The file; JSON is YAML too."""
        content = {
            "mqtt": {"servers": [f"mqtt://127.0.0.1:{port}" for port in self.ports]},
            "homeassistant": self.home_assistant, **self.top, "devices": list(self.devices.values())}
        (self.folder / "sketch2mqtt.yaml").write_text(json.dumps(content, indent=1, ensure_ascii=False))

    def start(self):
        if self.process is not None:
            raise Failed("the bridge runs already")
        self.write()
        environment = {**os.environ, "STATE_DIRECTORY": str(self.folder / "state")}
        self.process = Process(
            [built("sketch2mqtt"), "run", "--config", str(self.folder / "sketch2mqtt.yaml")],
            self.folder / "bridge.log", env=environment)

    def reload(self):
        self.write()
        self.process.popen.send_signal(signal.SIGHUP)

    def stop(self):
        if self.process is None:
            return
        status = self.process.stop()
        self.process = None
        if status != STATUS_OF_A_CLEAN_END:
            raise Failed(f"the bridge ended with {status}")

    def kill(self):
        """As a power cut does it."""
        if self.process is not None:
            self.process.kill()
            self.process = None
