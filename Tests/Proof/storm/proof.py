"""Faults from all sides at once, for minutes: BridgeTests' storm, longer than `make test` has time for.

Its seeds are other ones each time, and printed with what replays them.
"""

import contextlib
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

from proving.processes import ROOT, Process, scratch
from proving.record import Failed, NotRun

SECONDS = 60
LIMIT = 900
"""Seconds for a storm with the calm before and after it."""
BUILDING = 1800
DISK = "128k"


class StormProof:
    name = "storm"
    title = "Broker, radio, boards, disk and process failing at once, at random"
    claims = [
        (0, "the bridge lives through a storm of faults: after it every retained topic is right, no command ran "
            "twice or late, every board is back, memory and descriptors are level"),
        (1, "the bridge is killed too in a storm of faults, at any instant: the same")]

    def prepare(self):
        if not shutil.which("swift"):
            raise NotRun("there is no swift to build the tests with")

    def run(self, record):
        with scratch(self.name) as folder, self.environment(folder) as environment:
            # Says itself what is wrong, and takes seconds when all is built.
            built = subprocess.run(
                ["swift", "build", "--build-tests"], cwd=ROOT, timeout=BUILDING, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True)
            if built.returncode != 0:
                raise Failed("the tests cannot be built", *built.stdout.splitlines()[-12:])
            for parity, claim in self.claims:
                with record.step(claim):
                    seed = 2 * random.randrange(500_000) + parity
                    replay = f"STORM_SEED={seed} STORM_SECONDS={SECONDS}"
                    record.say(f"         {replay} make storm")
                    self.storm(folder / f"storm-{seed}.log", replay, environment)

    @contextlib.contextmanager
    def environment(self, _folder):
        yield {}

    @staticmethod
    def storm(log, replay, environment):
        settings = dict(setting.split("=") for setting in replay.split())
        test = Process(
            ["swift", "test", "--skip-build", "--filter", "BridgeTests.*comes out of it"], log, cwd=ROOT,
            env={**os.environ, **environment, **settings})
        try:
            status = test.popen.wait(LIMIT)
        except subprocess.TimeoutExpired:
            test.kill()
            raise Failed(f"{replay} is not over after {LIMIT} s") from None
        text = test.text()
        if status != 0:
            lines = [line for line in text.splitlines() if re.search("✘|storm:|error:", line)]
            raise Failed(f"{replay} make storm shows it again", *lines[-12:], *text.splitlines()[-40:])
        # What ran is told in its own words: a filter that matches nothing passes too.
        if f"storm: {replay}" not in text or "numbered commands" not in text:
            raise Failed("no storm was run", *text.splitlines()[-12:])


class FullDiskProof(StormProof):
    name = "storm-full-disk"
    title = "The same with the bridge's memory on a small disk that fills up"
    claims = [
        (0, "the disk is full again and again in a storm of faults: the bridge goes on, and when there is room its "
            "memory is whole")]

    @contextlib.contextmanager
    def environment(self, folder):
        disk = Path(folder) / "disk"
        disk.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=700", "tmpfs", disk], capture_output=True, text=True)
        if mounted.returncode != 0:
            raise NotRun(f"no file system can be mounted: {mounted.stderr.strip()}")
        try:
            yield {"STORM_DISK": str(disk)}
        finally:
            subprocess.run(["umount", "--lazy", disk])


def proofs():
    return [StormProof(), FullDiskProof()]
