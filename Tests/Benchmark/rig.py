"""One bridge with all that it talks to: a bus, the simulated BlueZ, a broker and the measuring client."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import busy_seconds, cpu_seconds, microseconds

HERE = Path(__file__).resolve().parent
PRODUCTS = HERE.parent.parent / ".build"
TOOLS = PRODUCTS / "benchmark"
PATIENCE = 60

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
"""
# Nothing that a bridge sends may be dropped by the broker, and nothing is to wait for Nagle's algorithm.
BROKER = """listener {port} 127.0.0.1
allow_anonymous true
persistence false
set_tcp_nodelay true
max_queued_messages 0
max_inflight_messages 0
log_type error
"""


class Failure(Exception):
    pass


class Bridge:
    """How one bridge is started, and where it publishes and listens."""

    def __init__(self, name):
        self.name = name

    def command(self, rig):
        tool = [TOOLS / "floor"] if self.name == "floor" else [TOOLS / "python/bin/python", HERE / "python_bridge.py"]
        return [*tool, str(rig.port), *rig.addresses]

    def topics(self, rig):
        return [f"{self.name}/{address}/tx" for address in rig.addresses]

    @property
    def data(self):
        return f"{self.name}/+/rx"

    def throttle_topic(self, rig):
        return f"{self.name}/{rig.addresses[0]}/tx"

    throttle_prefix = "T="
    """What stands before a throttle in a payload: a bridge without logic is told the board's own words."""


class Sketch2MQTT(Bridge):
    """Everything as it is by default; discovery is on."""

    def __init__(self, kind="uart"):
        super().__init__("sketch2mqtt")
        self.kind = kind

    def command(self, rig):
        lines = ["mqtt:", f"  server: mqtt://127.0.0.1:{rig.port}", "devices:"]
        for number, address in enumerate(rig.addresses):
            lines += [f"  - name: Board {number}", f"    kind: {self.kind}", f"    {self.place(number, address)}"]
        configuration = rig.folder / "sketch2mqtt.yaml"
        configuration.write_text("\n".join(lines) + "\n")
        return [PRODUCTS / "release/sketch2mqtt", "run", "--config", configuration]

    def place(self, number, address):
        return f'link: {{ ble: "{address}" }}'

    def topics(self, rig):
        return [f"sketch2mqtt/board_{number}/tx" for number in range(len(rig.addresses))]

    def throttle_topic(self, rig):
        return "sketch2mqtt/board_0/throttle/set"

    throttle_prefix = ""


class Beacons(Sketch2MQTT):
    def __init__(self):
        super().__init__("beacon")

    def place(self, number, address):
        return f"options: {{ uuid: {'ab' * 16}, major: 0, minor: {number} }}"

    @property
    def data(self):
        return "sketch2mqtt/+"


class Tool:
    """A program of ours that takes a command by line and answers each with a line of JSON."""

    def __init__(self, process):
        self.process = process

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise Failure(f"{self.process.args[0]} has ended")
        return json.loads(answer)


class Rig:
    def __init__(self, bridge, boards):
        self.bridge, self.boards = bridge, boards
        self.processes = {}
        self.folder = Path(tempfile.mkdtemp(prefix="benchmark."))
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _start(self):
        bus = self.folder / "bus"
        self.environment = {
            **os.environ,
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={bus}",
            "XDG_STATE_HOME": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.folder / "bus.conf").write_text(BUS.format(socket=bus))
        (self.folder / "broker.conf").write_text(BROKER.format(port=self.port))
        self.spawn("bus", "dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile")
        self.spawn("broker", shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", self.folder / "broker.conf")
        self.wait(bus.exists, "no bus")
        self.wait(self._broker_listens, "no broker")
        self.bluez = self._spawn_tool("bluez", TOOLS / "bluez", self.boards)
        self.bluez.ask("status")
        self.probe = self._spawn_tool("probe", TOOLS / "probe", self.port)
        self.probe.ask("subscribe", self.bridge.data)
        self.addresses = [f"C0:DE:00:00:{i >> 8:02X}:{i & 255:02X}" for i in range(self.boards)]
        self.probe.ask("topics", *self.bridge.topics(self))

    def _broker_listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        except OSError:
            return False

    def spawn(self, name, *command, **options):
        errors = open(self.folder / f"{name}.log", "wb")
        process = subprocess.Popen(
            list(map(str, command)), env=self.environment, stderr=errors,
            **{"stdin": subprocess.DEVNULL, "stdout": errors, **options})
        self.processes[name] = process
        return process

    def _spawn_tool(self, name, *command):
        return Tool(self.spawn(name, *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))

    def start_bridge(self):
        """Starts the bridge while its boards speak; returns microseconds from there to the first message."""
        self.bluez.ask("notify", 10**9, max(100, 2 * self.boards))
        start = microseconds()
        process = self.spawn("bridge", *self.bridge.command(self))

        def has_begun():
            if process.poll() is not None:
                raise Failure(f"{self.bridge.name} ended: {self.log('bridge')}")
            return self.probe.ask("status")["all"] > 0

        self.wait(has_begun, f"{self.bridge.name} publishes nothing")
        first = self.probe.ask("status")["first"] - start
        self.wait(lambda: self.bluez.ask("status")["notifying"] == self.boards, "not all boards are connected")
        self.bluez.ask("notify", 0, 1)
        return first

    @property
    def bridge_pid(self):
        return self.processes["bridge"].pid

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")[-2000:]

    def wait(self, condition, otherwise, patience=PATIENCE):
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                raise Failure(f"{otherwise}\n{self.log('bridge') if 'bridge' in self.processes else ''}")
            time.sleep(0.005)

    def close(self):
        for name in reversed(self.processes):
            process = self.processes[name]
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Account:
    """What the processes of a rig and all others have used since it was opened."""

    def __init__(self, rig):
        self.rig = rig
        self.start, self.time, self.busy = self._used(), time.monotonic(), busy_seconds()

    def _used(self):
        used = {name: cpu_seconds(process.pid) for name, process in self.rig.processes.items()}
        return {**used, "driver": cpu_seconds(os.getpid())}

    @property
    def bridge(self):
        """CPU seconds of the bridge."""
        return self._used()["bridge"] - self.start["bridge"]

    @property
    def seconds(self):
        return time.monotonic() - self.time

    @property
    def other_cores(self):
        """Cores that processes outside the rig have kept busy."""
        own = sum(self._used().values()) - sum(self.start.values())
        return max(0, (busy_seconds() - self.busy - own) / self.seconds)
