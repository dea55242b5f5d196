"""Proofs, one after the other, and what came of each."""

import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from .processes import end_making
from .record import CutShort, NotRun, Record


class Limits:
    """How long proofs may begin and go on, in times of `time.monotonic`, and how many steps of one may fail."""

    def __init__(self, minutes=float("inf"), failures=float("inf")):
        now = time.monotonic()
        self.minutes = minutes
        self.last_begin = now + 60 * minutes
        self.end = now + 1.5 * 60 * minutes
        self.failures = failures

    @property
    def are_over(self):
        return time.monotonic() > self.last_begin

    @property
    def reason(self):
        return f"{self.minutes:g} minutes were over before it could begin"


def prepared(proofs, limits):
    """Makes what the proofs need, side by side: one fetches while another compiles, and another runs already. Each
    proof as soon as that is done, in their order where several are, with the reason for which it cannot run."""
    def reason(proof):
        try:
            getattr(proof, "prepare", lambda: None)()
        except NotRun as not_run:
            return str(not_run)
        except Exception as error:
            return f"what it needs cannot be made: {type(error).__name__}: {error}"
        return None

    with ThreadPoolExecutor(max(1, len(proofs))) as pool:
        try:
            making = {pool.submit(reason, proof): proof for proof in proofs}
            while making:
                left = limits.last_begin - time.monotonic()
                done, _ = wait(making, min(max(left, 0), 10**6), FIRST_COMPLETED)
                if not done:
                    break
                first = next(one for one in making if one in done)
                yield making.pop(first), first.result()
            for proof in making.values():
                yield proof, limits.reason
        finally:
            end_making()


def run(proof, reason, limits):
    """Its result, as the pages take it; that it did not run, when there is a reason."""
    print(f"{proof.name}: {proof.title}", flush=True)
    record = Record(lambda line: print(line, flush=True), limits.failures, limits.end)
    started = time.monotonic()
    try:
        if reason:
            raise NotRun(reason)
        proof.run(record)
    except NotRun as not_run:
        reason = str(not_run)
    except CutShort as cut:
        print(f"  {cut}", flush=True)
        reason = None if record.failed else str(cut)
    except KeyboardInterrupt:
        raise
    except Exception as error:
        record.add("the proof comes to its end", error)
    if reason:
        print(f"\n  NOT RUN: {reason}\n", flush=True)
    return {
        "name": proof.name, "title": proof.title, "not_run": reason, "steps": record.steps,
        "failed": len(record.failed), "versions": record.versions, "facts": record.facts,
        "seconds": round(time.monotonic() - started)}


def run_all(proofs, limits, keep):
    """By their order; `keep` takes each result when it is there."""
    results = {}
    for proof, reason in prepared(proofs, limits):
        if not reason and limits.are_over:
            reason = limits.reason
        results[proof.name] = run(proof, reason, limits)
        keep(results[proof.name])
    return [results[proof.name] for proof in proofs]


def run_again(proofs, results, limits, keep):
    """Those that failed for a second time: one that fails only where the machine was busy passes. The results, where
    each says in `first` how it failed before, and in `again` why it could not be run again."""
    by_name = {proof.name: proof for proof in proofs}
    told = []
    for first in results:
        if first["failed"]:
            print(f"\n{first['name']} has failed, and is run a second time\n", flush=True)
            reason = "the time was over" if time.monotonic() > limits.end else None
            second = run(by_name[first["name"]], reason, limits)
            keep(second)
            kept = {key: first[key] for key in ("failed", "seconds", "steps")}
            told.append({**first, "again": second["not_run"]} if second["not_run"] else {**second, "first": kept})
        else:
            told.append(first)
    return told
