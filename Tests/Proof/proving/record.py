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


class Record:
    """The steps of one run, and against which versions it went."""

    def __init__(self, say=print):
        self.say = say
        self.steps = []
        self.versions = {}
        self.facts = {}

    @contextlib.contextmanager
    def step(self, claim):
        """A claim that the block proves. A failure is recorded, and the run goes on with the next step."""
        started = time.monotonic()
        differences = []
        try:
            yield
        except Failed as failed:
            differences = list(failed.differences)
        except NotRun:
            raise
        except Exception as error:
            differences = [f"{type(error).__name__}: {error}", *traceback.format_exc().splitlines()[-3:]]
        seconds = time.monotonic() - started
        self.steps.append({"claim": claim, "seconds": round(seconds, 2), "differences": differences})
        self.say(f"  {'FAILED' if differences else 'ok    '} {seconds:5.1f} s  {claim}")
        for difference in differences[:SAID]:
            self.say(f"           {difference}")
        if len(differences) > SAID:
            self.say(f"           and {len(differences) - SAID} more")

    @property
    def failed(self):
        return [step for step in self.steps if step["differences"]]
