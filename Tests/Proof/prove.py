#!/usr/bin/env python3
"""Runs the proofs: the bridge against the programs that it is made for.

    prove.py [NAME…]              all of them, or these
    prove.py --list
    prove.py --without NAME       passes although this one does not run here
    prove.py --write              writes proved.json and the pages; without it they are checked against the runs

Exit status: 0 all proved; 1 something is not as it must be; 3 a proof did not run.
Variables: PROGRAMS (where the built programs are), HOME_ASSISTANTS (where installations are kept), KEEP (a folder
for what runs leave behind).
"""

import argparse
import importlib
import json
import sys
import time
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
        found += importlib.import_module(f"{file.parent.name}.proof").proofs()
    return found


def run(proof):
    """Its result, as the pages take it."""
    print(f"{proof.name}: {proof.title}", flush=True)
    record = Record(say=lambda line: print(line, flush=True))
    started = time.monotonic()
    reason = None
    try:
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
    results = []
    for proof in proofs:
        if options.names and proof.name not in options.names:
            continue
        result = run(proof)
        (RESULTS / f"{proof.name}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False))
        results.append(result)

    outdated = check(results, [proof.name for proof in proofs], options.write)
    print()
    for result in results:
        state = "NOT RUN" if result["not_run"] else "FAILED" if result["failed"] else "proved"
        proved = len(result["steps"]) - result["failed"]
        versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
        print(f"{state:8} {result['name']}: {proved} of {len(result['steps'])} steps in "
              f"{result['seconds']} s{f' ({versions})' if versions else ''} {result['not_run'] or ''}")
    for line in outdated:
        print(line)
    if outdated or any(result["failed"] for result in results):
        return 1
    missing = [result["name"] for result in results if result["not_run"]]
    return 3 if set(missing) - set(options.without) else 0


if __name__ == "__main__":
    sys.exit(main())
