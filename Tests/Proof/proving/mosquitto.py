"""A mosquitto of a proof's own."""

import os
import re
import subprocess

from .processes import Process, free_port, installed


class Mosquitto:
    """On a free port, keeping what is retained over a restart."""

    def __init__(self, folder):
        self.port = free_port()
        self.program = installed("mosquitto")
        self.folder = folder / "mosquitto"
        self.folder.mkdir()
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\n"
            f"persistence true\npersistence_location {self.folder}/\n"
            + ("user root\n" if os.geteuid() == 0 else ""))
        self.process = None

    @property
    def version(self):
        told = subprocess.run([self.program, "-h"], capture_output=True, text=True).stdout
        return re.search(r"version (\S+)", told)[1]

    def start(self):
        self.process = Process(
            [self.program, "-c", str(self.folder / "mosquitto.conf")], self.folder / "log")
        self.process.wait_for_port(self.port)

    def stop(self, forgets=False):
        """Ends it. Forgetful, it comes back as one without persistence does."""
        if self.process is None:
            return
        self.process.stop()
        self.process = None
        if forgets:
            (self.folder / "mosquitto.db").unlink(missing_ok=True)
