"""The kinds of boards, a file each. A new kind joins by a file with a class that is derived from `Kind`.

Its board is one of Tests/Simulate.
"""

import importlib
from pathlib import Path

from .kind import Kind


def all_kinds():
    """One of each, in the order of their names."""
    for file in sorted(Path(__file__).parent.glob("*.py")):
        if file.stem not in ("__init__", "kind"):
            importlib.import_module(f"{__name__}.{file.stem}")
    return [kind() for kind in sorted(Kind.__subclasses__(), key=lambda kind: kind.kind)]
