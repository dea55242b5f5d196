#!/usr/bin/env python3
"""Compares the bridge with the least that C can do and with what an owner would write in Python.

Needs what the Makefile beside this file builds, and the release build of sketch2mqtt.
"""

import argparse
import collections
import contextlib
import os
import re
import statistics
import sys
import time
from pathlib import Path

import steps
import table
from machine import wait_until_quiet
from rig import Beacons, Bridge, Rig, Sketch2MQTT

BEACONS = 50
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of each measurement, for each bridge (5)")
    parser.add_argument("--boards", default="10,50", help="numbers of boards (10,50)")
    parser.add_argument("--bridges", default="floor,sketch2mqtt,python")
    parser.add_argument("--steps", default="start,latency,writes,throttle,burst,memory,unchanged,beacons")
    parser.add_argument(
        "--max-other", type=float, default=0.2,
        help="cores that others may use; a measurement during which they use more is repeated (0.2)")
    parser.add_argument("--tries", type=int, default=4, help="of a disturbed measurement (4)")
    parser.add_argument("--patience", type=float, default=10, help="seconds to wait for quiet before each (10)")
    parser.add_argument("--into", type=Path, help="a page that gets the table between its two comments")
    return parser.parse_args()


class Bench:
    def __init__(self, options):
        self.options = options
        self.steps = options.steps.split(",")
        self.counts = [int(count) for count in options.boards.split(",")]
        self.results = collections.defaultdict(list)

    def run(self):
        for number in range(self.options.rounds):
            for boards in self.counts:
                self.round(number, boards)
            if "throttle" in self.steps:
                self.throttle(number)
        if "unchanged" in self.steps and "sketch2mqtt" in self.options.bridges:
            with Rig(Sketch2MQTT("pet_door"), 1) as rig:
                rig.spawn("bridge", *rig.bridge.command(rig))
                rig.wait(lambda: rig.bluez.ask("status")["notifying"] == 1, "the door is not connected")
                self.measure(rig, "unchanged", lambda: steps.unchanged_value(rig, 10))
        if "beacons" in self.steps and "sketch2mqtt" in self.options.bridges:
            with Rig(Beacons(), BEACONS) as rig:
                rig.bluez.ask("beacons", steps.BEACON_RATE)
                rig.spawn("bridge", *rig.bridge.command(rig))
                rig.wait(lambda: rig.probe.ask("status")["all"] >= BEACONS, "not all beacons are heard")
                time.sleep(5)
                self.measure(rig, "beacons", lambda: steps.beacons(rig, 20))

    def round(self, number, boards):
        """All bridges at once, each alone at work, so that what changes on the machine meets all of them."""
        with contextlib.ExitStack() as stack:
            rigs = [stack.enter_context(Rig(bridge(name), boards)) for name in self.options.bridges.split(",")]
            rigs = rigs[number % len(rigs):] + rigs[: number % len(rigs)]
            for rig in rigs:
                wait_until_quiet(self.options.max_other, self.options.patience)
                self.keep(rig, "start", {"milliseconds": rig.start_bridge() / 1000, "others": 0})
            time.sleep(2)
            for rig in rigs:
                steps.notifications(rig, 200, 1000)
                self.keep(rig, "memory", {**steps.memory(rig), "others": 0})
            if "latency" in self.steps:
                for rig in rigs:
                    self.measure(rig, "latency", lambda rig=rig: steps.notifications(rig, 3000, steps.LATENCY_RATE))
            if "writes" in self.steps:
                for rig in rigs:
                    self.measure(rig, "writes", lambda rig=rig: steps.writes(rig, 300))
            if "burst" in self.steps:
                for rig in rigs:
                    self.measure(rig, "burst", lambda rig=rig: steps.notifications(rig, 100_000))
            if "memory" in self.steps and number == 0 and boards == self.counts[-1]:
                for rig in rigs:
                    wrong = steps.notifications(rig, 1_000_000)["wrong"]
                    self.keep(rig, "memory after", {**steps.memory(rig), "others": 0, "wrong": wrong})

    def throttle(self, number):
        """One rover for each bridge that has one; the floor passes its bytes on."""
        bridges = {"floor": Bridge("floor"), "sketch2mqtt": Sketch2MQTT("rover")}
        with contextlib.ExitStack() as stack:
            rigs = [
                stack.enter_context(Rig(bridge, 1)) for name, bridge in bridges.items()
                if name in self.options.bridges.split(",")]
            for rig in rigs if number % 2 == 0 else reversed(rigs):
                rig.spawn("bridge", *rig.bridge.command(rig))
                rig.wait(lambda rig=rig: rig.bluez.ask("status")["notifying"] == 1, "the rover is not connected")
                self.measure(rig, "throttle", lambda rig=rig: steps.throttle(rig, 100))

    def measure(self, rig, step, body):
        """Repeats what others disturb."""
        for _ in range(self.options.tries):
            wait_until_quiet(self.options.max_other, self.options.patience)
            figures = body()
            figures["disturbed"] = figures["others"] > self.options.max_other
            self.keep(rig, step, figures)
            if not figures["disturbed"]:
                return

    def keep(self, rig, step, figures):
        self.results[rig.bridge.name, rig.boards, step].append(figures)
        text = ", ".join(f"{name} {value:.4g}" for name, value in figures.items())
        print(f"{rig.bridge.name} with {rig.boards}: {step}: {text}", file=sys.stderr, flush=True)

    def page(self):
        runs = [run for runs in self.results.values() for run in runs if "disturbed" in run]
        quiet = sum(not run["disturbed"] for run in runs)
        others = statistics.median(run["others"] for run in runs) if runs else 0
        return (
            f"{table.markdown(self.results, self.counts)}\n"
            f"{self.options.rounds} rounds on {os.cpu_count()} cores; {quiet} of {len(runs)} measurements were "
            f"undisturbed, and others used {others:.2f} cores (median) meanwhile.\n")


def bridge(name):
    return Sketch2MQTT() if name == "sketch2mqtt" else Bridge(name)


def main():
    options = arguments()
    bench = Bench(options)
    bench.run()
    page = bench.page()
    print(page)
    if options.into:
        old = options.into.read_text()
        pattern = f"(?s){re.escape(BEGIN)}.*{re.escape(END)}"
        options.into.write_text(re.sub(pattern, lambda _: f"{BEGIN}\n\n{page}\n{END}", old))


if __name__ == "__main__":
    main()
