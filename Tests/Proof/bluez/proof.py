"""The real bluetoothd, in a machine of its own whose kernel has Bluetooth, with virtual boards in the air."""

import json
import os
import subprocess
import sys
from pathlib import Path

from proving.processes import built, installed, scratch
from proving.record import NotRun

HERE = Path(__file__).parent
MACHINE = HERE / "machine.sh"
SECONDS = 600
NO_MACHINE = 125


def cache():
    """Where the kernel and the Python environment stay: BLUEZ_MACHINE, or a folder of the user's cache."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("BLUEZ_MACHINE") or home / "sketch2mqtt" / "bluez")


class BlueZProof:
    name = "bluez"
    title = "BlueZ's bluetoothd with virtual boards behind a virtual adapter"

    def run(self, record):
        bridge = Path(built("sketch2mqtt")).resolve()
        installed("mosquitto")
        if subprocess.run([MACHINE, "prepare", cache()]).returncode != 0:
            raise NotRun(f"the machine for it cannot be made in {cache()}")
        with scratch(self.name) as folder:
            sys.stdout.flush()
            status = subprocess.run(
                [MACHINE, "run", cache(), folder, str(SECONDS), "/usr/bin/env", f"PROGRAMS={bridge.parent}",
                 "PYTHONDONTWRITEBYTECODE=1", cache().resolve() / "venv/bin/python", HERE / "inside.py", folder],
            ).returncode
            if status == NO_MACHINE:
                raise NotRun("the machine does not start")
            result = folder / "result.json"
            found = json.loads(result.read_text()) if result.exists() else {"steps": [], "versions": {}}
            record.steps += found["steps"]
            record.versions.update(found["versions"])
            if status != 0:
                with record.step("the machine comes to its end"):
                    raise RuntimeError(f"it ended with {status}")


def proofs():
    return [BlueZProof()]
