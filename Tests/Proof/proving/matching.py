"""Expected against found."""

import json
import re

MISSING = object()
"""What an absent key holds."""


class Holds:
    """A list with one such element."""

    def __init__(self, element):
        self.element = element

    def __repr__(self):
        return f"[… {shown(self.element)} …]"


class Matches:
    """A text by a regular expression."""

    def __init__(self, pattern):
        self.pattern = pattern

    def __repr__(self):
        return f"/{self.pattern}/"


def differences(expected, found, path="value"):
    """How `found` differs. An object needs only the expected keys; a number equals its text."""
    if isinstance(expected, Matches):
        alike = isinstance(found, str) and re.search(expected.pattern, found) is not None
    elif isinstance(expected, Holds):
        alike = isinstance(found, list) and any(not differences(expected.element, one) for one in found)
    elif isinstance(expected, dict) and isinstance(found, dict):
        return [
            line for key, value in expected.items()
            for line in differences(value, found.get(key, MISSING), f"{path}.{key}")]
    elif isinstance(expected, bool) or expected is None:
        alike = found is expected
    elif isinstance(expected, (int, float)):
        alike = number(found) == expected
    else:
        alike = found == expected
    return [] if alike else [f"{path}: expected {shown(expected)}, found {shown(found)}"]


def number(value):
    """A number, also written as text; None for anything else."""
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def shown(value):
    if value is MISSING:
        return "nothing"
    return json.dumps(value, ensure_ascii=False, default=repr)
