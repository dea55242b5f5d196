"""Simulated boards, told by words what happens to them: Tests/Simulate."""

import queue
import re
import subprocess
import threading

from .processes import Process, built
from .record import Failed
from .waiting import PATIENCE, eventually


class Boards:
    """One process with all boards of a house."""

    def __init__(self, folder):
        self.process = Process(
            [built("simulate")], folder / "boards.log", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, bufsize=1)
        self.lines = []
        self.answers = queue.Queue()
        first = self.process.popen.stdout.readline().rstrip("\n")
        if not first.startswith("bus "):
            raise Failed(f"the simulated boards: {first}")
        self.bus = first.removeprefix("bus ")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.popen.stdout:
            line = line.rstrip("\n")
            if line == "ok" or line.startswith("refused "):
                self.answers.put(line)
            else:
                self.lines.append(line)

    def tell(self, command):
        """Carries a command out; returns the lines written since."""
        since = self.count
        self.process.popen.stdin.write(command + "\n")
        answer = self.answers.get(timeout=PATIENCE)
        if answer != "ok":
            raise Failed(f"{command}: {answer}")
        return self.lines[since:]

    def add(self, name, kind):
        """A new board; returns what it is reached by."""
        return self.tell(f"add {name} {kind}")[0].removeprefix(f"{name} ").split(" ", 1)[1]

    @property
    def count(self):
        return len(self.lines)

    def expect(self, pattern, since):
        """Waits for a line that matches the whole pattern."""
        def missing():
            seen = self.lines[since:]
            return [] if any(re.fullmatch(pattern, line) for line in seen) else [f"no {pattern} but {seen}"]
        eventually(missing)

    def stop(self):
        self.process.popen.stdin.close()
        self.process.stop()
