"""What runs in the machine: takes the steps, and writes them down for the proof outside."""

import json
import logging
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bluez.course import Course  # noqa: E402
from proving.record import CutShort, NotRun, Record  # noqa: E402


def main():
    # The library warns of what belongs to a broken link.
    logging.basicConfig(level=logging.ERROR)
    folder = Path(sys.argv[1])
    failures, seconds = map(float, sys.argv[2:])
    record = Record(lambda line: print(line, flush=True), failures, time.monotonic() + seconds)
    course = Course(record, folder)
    ends = {}
    try:
        course.run()
    except CutShort as cut:
        ends = {"cut_short": str(cut)}
    except NotRun as not_run:
        ends = {"not_run": str(not_run)}
    finally:
        course.close()
        failed = len(record.failed)
        record.say(f"{len(record.steps) - failed} passed, {failed} failed")
        (folder / "result.json").write_text(json.dumps(
            {"steps": record.steps, "versions": record.versions, **ends}))


if __name__ == "__main__":
    main()
