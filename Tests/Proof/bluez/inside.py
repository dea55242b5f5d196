"""What runs in the machine: takes the steps, and writes them down for the proof outside."""

import json
import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bluez.course import Course  # noqa: E402
from proving.record import Record  # noqa: E402


def main():
    # The library warns of what belongs to a broken link.
    logging.basicConfig(level=logging.ERROR)
    folder = Path(sys.argv[1])
    record = Record(say=lambda line: print(line, flush=True))
    course = Course(record, folder)
    try:
        course.run()
    finally:
        course.close()
        failed = len(record.failed)
        record.say(f"{len(record.steps) - failed} passed, {failed} failed")
        (folder / "result.json").write_text(json.dumps({"steps": record.steps, "versions": record.versions}))


if __name__ == "__main__":
    main()
