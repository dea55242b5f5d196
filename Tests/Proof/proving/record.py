"""What a proof has shown so far."""

import contextlib
import time
import traceback


SAID = 12
"""Differences of a step that are told; its result has all."""


class Failed(Exception):
    """Something is not as it must be; one line for each difference."""

    def __init__(self, *differences):
        super().__init__("; ".join(differences))
        self.differences = differences


class NotRun(Exception):
    """This machine cannot run the proof; says what it lacks."""


class CutShort(Exception):
    """A run takes no more steps; says why."""


class Record:
    """The steps of one run, and against which versions it went.

    It takes no step more after `failures` that failed, or that would begin after `deadline`, which is a time of
    `time.monotonic`.
    """

    def __init__(self, say=print, failures=float("inf"), deadline=float("inf")):
        self.say = say
        self.failures = failures
        self.deadline = deadline
        self.steps = []
        self.versions = {}
        self.facts = {}

    @contextlib.contextmanager
    def step(self, claim, is_about_machine=False):
        """A claim that the block proves. A failure is recorded, and the run goes on with the next step.

        In one that `is_about_machine` the bridge has no part yet: when it fails, the proof cannot run here.
        """
        started = time.monotonic()
        if len(self.failed) >= self.failures:
            raise CutShort(f"not continued after {len(self.failed)} steps that failed")
        if started > self.deadline:
            raise CutShort(f"the time was over after {len(self.steps)} steps")
        failure = None
        try:
            yield
        except (NotRun, CutShort):
            raise
        except Exception as error:
            if is_about_machine:
                raise NotRun(f"{claim}: no, {error}") from error
            failure = error
        self.add(claim, failure, time.monotonic() - started)

    def add(self, claim, failure=None, seconds=0):
        """A step that was taken, with what it failed of."""
        differences = []
        if isinstance(failure, Failed):
            differences = list(failure.differences)
        elif failure is not None:
            differences = [
                f"{type(failure).__name__}: {failure}", *"".join(traceback.format_exception(failure)).splitlines()[-3:]]
        self.steps.append({"claim": claim, "seconds": round(seconds, 2), "differences": differences})
        self.say(f"  {'FAILED' if differences else 'ok    '} {seconds:5.1f} s  {claim}")
        for difference in differences[:SAID]:
            self.say(f"           {difference}")
        if len(differences) > SAID:
            self.say(f"           and {len(differences) - SAID} more")

    @property
    def failed(self):
        return [step for step in self.steps if step["differences"]]
