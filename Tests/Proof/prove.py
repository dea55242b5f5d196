#!/usr/bin/env python3
"""Runs the proofs: the bridge against the programs that it is made for.

    prove.py [NAME…]              all of them, or these
    prove.py --list
    prove.py --without NAME       passes although this one does not run here
    prove.py --write              writes proved.json and the pages; without it they are checked against the runs
    prove.py --ci                 passes although proofs do not run here, or the pages are of other runs; says so.
                                  A proof that fails is run a second time, and only one that fails twice counts
    prove.py --minutes 30         begins no proof later than so many minutes after the start, and ends after half as
                                  many more

Exit status: 0 all proved; 1 something is not as it must be; 3 a proof did not run.
Variables: PROGRAMS (where the built programs are), HOME_ASSISTANTS, BLUEZ_MACHINE and PROGRAM_CACHE (where what is
made once is kept), KEEP (a folder for what runs leave behind).
"""

import argparse
import importlib
import json
import os
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from proving import pages, proved  # noqa: E402
from proving.processes import ROOT, end_making  # noqa: E402
from proving.record import NotRun  # noqa: E402
from proving.runs import Limits, run, run_again, run_all  # noqa: E402

RESULTS = ROOT / ".build/proof"
FAILURES_IN_CI = 3
"""Steps that may fail before a proof is given up: each of them waits until its deadline."""


def all_proofs():
    """Of every folder with a `proof.py`, whose `proofs()` lists them."""
    found = []
    for file in sorted(HERE.glob("*/proof.py")):
        try:
            found += importlib.import_module(f"{file.parent.name}.proof").proofs()
        except ModuleNotFoundError as error:
            found.append(Missing(file.parent.name, str(error)))
    return found


class Missing:
    """In place of proofs that this machine's Python cannot even read."""

    title = "not known here"

    def __init__(self, name, reason):
        self.name = name
        self.reason = reason

    def run(self, _record):
        raise NotRun(self.reason)


def check(results, names, write):
    """What the files of the repository say and the runs do not."""
    shown = [result for result in results if not result["not_run"] and not result["failed"]]
    known = proved.load()
    if write:
        known.update({result["name"]: proved.entry(result) for result in shown})
        known = {name: known[name] for name in names if name in known}
        proved.store(known)
        pages.write(known)
    lines = proved.differences(shown, known) + pages.outdated(known)
    return lines + (["make proof PROOF=--write writes them anew"] if lines else [])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--without", action="append", default=[], metavar="NAME")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--ci", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="MINUTES")
    options = parser.parse_args()
    proofs = all_proofs()
    known = [proof.name for proof in proofs]
    if options.list:
        print("\n".join(known))
        return 0
    for name in [*options.names, *options.without]:
        if name not in known:
            parser.error(f"there is no proof {name}, only {', '.join(known)}")

    RESULTS.mkdir(parents=True, exist_ok=True)
    wanted = [proof for proof in proofs if not options.names or proof.name in options.names]
    limits = Limits(options.minutes, FAILURES_IN_CI if options.ci else float("inf"))
    if options.ci and options.minutes < float("inf"):
        give_up(2 * options.minutes)
    left_out = []
    if options.ci:
        left_out = [proof for proof in wanted if not options.names and not getattr(proof, "is_for_ci", True)]
        wanted = [proof for proof in wanted if proof not in left_out]
    results = run_all(wanted, limits, keep)
    if options.ci:
        results = run_again(wanted, results, limits, keep)
    results += [run(proof, "it wants a quiet machine, and CI has none", limits) for proof in left_out]
    outdated = check(results, known, options.write)
    tell(results, outdated)
    if any(result["failed"] and not result.get("again") for result in results):
        return 1
    if options.ci:
        return 0
    missing = {result["name"] for result in results if result["not_run"]}
    return 1 if outdated else 3 if missing - set(options.without) else 0


def give_up(minutes):
    """After so many the proofs are over even if one of them hangs."""
    def end():
        print(f"\nNOT RUN  whatever is missing above: {minutes:g} minutes are over", flush=True)
        end_making()
        os._exit(0)
    timer = threading.Timer(60 * minutes, end)
    timer.daemon = True
    timer.start()


def keep(result):
    (RESULTS / f"{result['name']}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False))


def tell(results, outdated):
    print()
    for result in results:
        count = len(result["steps"]) - result["failed"]
        versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
        print(f"{state(result)} {result['name']}: {count} of {len(result['steps'])} steps in "
              f"{result['seconds']} s{f' ({versions})' if versions else ''} {result['not_run'] or ''}")
        for time, steps in ("first", result.get("first", {}).get("steps", [])), ("last", result["steps"]):
            for step in steps:
                for difference in step["differences"]:
                    print(f"         the {time} time: {step['claim']}: {difference}")
    for line in outdated:
        print(line)


def state(result):
    if result["not_run"]:
        return "NOT RUN "
    if result.get("again"):
        return f"FAILED ONCE, NOT RUN AGAIN ({result['again']})"
    if result.get("first"):
        return "FAILED TWICE" if result["failed"] else "FAILED ONCE, then proved"
    return "FAILED  " if result["failed"] else "proved  "


if __name__ == "__main__":
    sys.exit(main())
