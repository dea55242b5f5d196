"""Programs that a proof starts, on ports of 127.0.0.1."""

import contextlib
import ctypes
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

from .record import Failed, NotRun
from .waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parents[3]
"""Of the repository."""

MAKING = 1800
"""Seconds for whatever is fetched and built once."""


def built(name):
    """A program of this package."""
    program = Path(os.environ.get("PROGRAMS", ROOT / ".build/release")) / name
    if not program.exists():
        raise NotRun(f"{program} is not built")
    return str(program)


def installed(name):
    """A program of this machine; servers often are not in everyone's PATH."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
    found = shutil.which(name, path=path)
    if not found:
        raise NotRun(f"{name} is not installed")
    return found


def cache(variable, name):
    """A folder for what is worth keeping between runs: where the variable leads, or one of the user's cache."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get(variable) or home / "sketch2mqtt" / name)


def unpacked(name, package, path):
    """A program of this machine, or else out of Debian's package, fetched and unpacked without an installation."""
    with contextlib.suppress(NotRun):
        return installed(name)
    folder = cache("PROGRAM_CACHE", "programs") / package
    program = folder / path
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f"{package}-") as place:
            os.chmod(place, 0o755)
            for command in ("download", package), ("update",), ("download", package):
                subprocess.run(["apt-get", "-qq", *command], cwd=place)
                if files := list(Path(place).glob("*.deb")):
                    break
            else:
                raise NotRun(f"{name} is not installed, and apt-get cannot fetch the package {package}")
            subprocess.run(["dpkg-deb", "--extract", files[0], folder], check=True)
            if not program.exists():
                raise NotRun(f"the package {package} has no {path}")
    return str(program)


making = set()
"""What makes something now, by the ids of their groups."""


def made(command, otherwise):
    """Runs what makes something that a proof needs, which is quick when it was made before. Proofs that run meanwhile
    come first."""
    process = subprocess.Popen(["nice", "-n", "15", *command], stdin=subprocess.DEVNULL, start_new_session=True)
    making.add(process.pid)
    try:
        status = process.wait(MAKING)
    except subprocess.TimeoutExpired:
        raise NotRun(f"{otherwise} within {MAKING} s") from None
    finally:
        making.discard(process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    if status != 0:
        raise NotRun(otherwise)


def end_making():
    """Ends all that still makes something."""
    for group in list(making):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGTERM)


taken_ports = set()


def free_port():
    """None of those from which the system takes the near ends of connections: it would not always stay free."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            if port not in taken_ports:
                taken_ports.add(port)
                return port


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


@contextlib.contextmanager
def scratch(name):
    """A folder for one run; kept below KEEP when that is set, to look into afterwards."""
    keep = os.environ.get("KEEP")
    if keep:
        folder = Path(keep).resolve() / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix=f"{name}-") as folder:
        yield Path(folder)


def end_with_parent():
    """In a child before its program: when the proof is killed, so is what it started."""
    with contextlib.suppress(Exception):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class Process:
    """A program with its output in a file."""

    def __init__(self, arguments, log, **options):
        self.name = Path(arguments[0]).name
        self.log = Path(log)
        options.setdefault("stdin", subprocess.DEVNULL)
        with open(self.log, "ab") as output:
            options.setdefault("stdout", output)
            self.popen = subprocess.Popen(
                arguments, stderr=output, preexec_fn=end_with_parent, **options)

    @property
    def pid(self):
        return self.popen.pid

    @property
    def is_running(self):
        return self.popen.poll() is None

    def text(self):
        return self.log.read_text(errors="replace")

    def wait_for_port(self, port, seconds=PATIENCE):
        if not until(lambda: listens(port) or not self.is_running, seconds) or not self.is_running:
            raise Failed(f"{self.name} does not listen on {port}: {self.text()[-500:]}")

    def stop(self, number=signal.SIGTERM, seconds=PATIENCE):
        """Ends it; returns its exit status."""
        if self.is_running:
            self.popen.send_signal(number)
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
            raise Failed(f"{self.name} did not end within {seconds} s") from None

    def kill(self):
        """As a power cut does it."""
        self.stop(signal.SIGKILL)
