#!/usr/bin/env python3
"""Runs the proofs: the bridge against the programs that it is made for.

    prove.py [NAME…]              all of them, or these
    prove.py --list
    prove.py --without NAME       passes although this one does not run here
    prove.py --write              writes proved.json and the pages; without it they are checked against the runs
    prove.py --ci                 passes although proofs do not run here, or the pages are of other runs; says so
    prove.py --minutes 30         begins no proof later than so many minutes after the start

Exit status: 0 all proved; 1 something is not as it must be; 3 a proof did not run.
Variables: PROGRAMS (where the built programs are), HOME_ASSISTANTS, BLUEZ_MACHINE and PROGRAM_CACHE (where what is
made once is kept), KEEP (a folder for what runs leave behind).
"""

import argparse
import importlib
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from proving import pages, proved  # noqa: E402
from proving.processes import ROOT  # noqa: E402
from proving.record import NotRun, Record  # noqa: E402

RESULTS = ROOT / ".build/proof"


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


def prepare(proofs):
    """Makes what the proofs need, side by side: one fetches while another compiles. By names, why one cannot run."""
    def reason(proof):
        try:
            proof.prepare()
        except NotRun as not_run:
            return str(not_run)
        return None

    with ThreadPoolExecutor(max(1, len(proofs))) as pool:
        return dict(zip([proof.name for proof in proofs], pool.map(reason, proofs)))


def run(proof, reason):
    """Its result, as the pages take it; that it did not run, when there is a reason."""
    print(f"{proof.name}: {proof.title}", flush=True)
    record = Record(say=lambda line: print(line, flush=True))
    started = time.monotonic()
    try:
        if reason:
            raise NotRun(reason)
        proof.run(record)
    except NotRun as not_run:
        reason = str(not_run)
    except KeyboardInterrupt:
        raise
    except Exception as error:
        with record.step("the proof comes to its end"):
            raise error
    if reason:
        print(f"\n  NOT RUN: {reason}\n", flush=True)
    return {
        "name": proof.name, "title": proof.title, "not_run": reason, "steps": record.steps,
        "failed": len(record.failed), "versions": record.versions, "facts": record.facts,
        "seconds": round(time.monotonic() - started)}


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
    deadline = time.monotonic() + 60 * options.minutes
    wanted = [proof for proof in proofs if not options.names or proof.name in options.names]
    reasons = prepare([proof for proof in wanted if hasattr(proof, "prepare")])
    results = []
    for proof in wanted:
        reason = reasons.get(proof.name)
        if time.monotonic() > deadline:
            reason = f"{options.minutes:g} minutes were over before it could begin"
        result = run(proof, reason)
        (RESULTS / f"{proof.name}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False))
        results.append(result)
    outdated = check(results, known, options.write)
    tell(results, outdated)
    if any(result["failed"] for result in results):
        return 1
    if options.ci:
        return 0
    missing = {result["name"] for result in results if result["not_run"]}
    return 1 if outdated else 3 if missing - set(options.without) else 0


def tell(results, outdated):
    print()
    for result in results:
        state = "NOT RUN" if result["not_run"] else "FAILED" if result["failed"] else "proved"
        count = len(result["steps"]) - result["failed"]
        versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
        print(f"{state:8} {result['name']}: {count} of {len(result['steps'])} steps in "
              f"{result['seconds']} s{f' ({versions})' if versions else ''} {result['not_run'] or ''}")
    for line in outdated:
        print(line)


if __name__ == "__main__":
    sys.exit(main())
