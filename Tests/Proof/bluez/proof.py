"""The real bluetoothd, in a machine of its own whose kernel has Bluetooth, with virtual boards in the air."""

import json
import subprocess
import sys
import time
from pathlib import Path

from proving.processes import built, cache, installed, made, scratch
from proving.record import CutShort, NotRun

HERE = Path(__file__).parent
MACHINE = HERE / "machine.sh"
SECONDS = 1800
"""For all that happens in the machine: 400 on an idle one."""
SECONDS_TO_END = 120
NOT_FINISHED = 124
NO_MACHINE = 125


class BlueZProof:
    name = "bluez"
    title = "BlueZ's bluetoothd with virtual boards behind a virtual adapter"

    @property
    def folder(self):
        """Where the kernel and the Python environment stay."""
        return cache("BLUEZ_MACHINE", "bluez")

    def prepare(self):
        made([MACHINE, "prepare", self.folder], f"the machine for it cannot be made in {self.folder}")

    def run(self, record):
        bridge = Path(built("sketch2mqtt")).resolve()
        installed("mosquitto")
        with scratch(self.name) as folder:
            sys.stdout.flush()
            left = record.deadline - time.monotonic()
            seconds = int(min(SECONDS, max(left, 0) + SECONDS_TO_END))
            status = subprocess.run(
                [MACHINE, "run", self.folder, folder, str(seconds), "/usr/bin/env", f"PROGRAMS={bridge.parent}",
                 "PYTHONDONTWRITEBYTECODE=1", self.folder.resolve() / "venv/bin/python", HERE / "inside.py", folder,
                 str(record.failures), str(left)]).returncode
            if status == NO_MACHINE:
                raise NotRun("the machine does not start")
            result = folder / "result.json"
            found = json.loads(result.read_text()) if result.exists() else {"steps": [], "versions": {}}
            record.steps += found["steps"]
            record.versions.update(found["versions"])
            if status == NOT_FINISHED and seconds < SECONDS:
                raise CutShort("the time was over")
            if "cut_short" in found:
                raise CutShort(found["cut_short"])
            if "not_run" in found:
                raise NotRun(found["not_run"])
            if status != 0:
                with record.step("the machine comes to its end"):
                    raise RuntimeError(f"it ended with {status}")


def proofs():
    return [BlueZProof()]
