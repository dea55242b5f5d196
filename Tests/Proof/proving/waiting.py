"""Waiting for what must come true, with a deadline."""

import time

from .record import Failed

PATIENCE = 90
"""Seconds that something may take before it counts as never happening; on an idle machine all of it takes far less."""


def until(test, seconds=PATIENCE, every=0.03):
    """The first true result of `test`, or its last one at the deadline."""
    deadline = time.monotonic() + seconds
    while True:
        result = test()
        if result or time.monotonic() >= deadline:
            return result
        time.sleep(every)


def eventually(differences, seconds=PATIENCE, every=0.03):
    """Waits until `differences()` finds none; fails with the last ones."""
    last = []

    def none_left():
        nonlocal last
        last = differences()
        return not last

    if not until(none_left, seconds, every):
        raise Failed(*last)
