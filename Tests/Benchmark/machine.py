"""What the kernel says about time and memory of processes."""

import os
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def microseconds():
    """CLOCK_MONOTONIC, as the simulated BlueZ and the probe read it."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000


def cpu_seconds(pid):
    """Time on a core so far, of all threads that live."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except OSError:
            pass
    return total / 1e9


def memory_megabytes(pid):
    """Resident, and what of it is the process's own: anonymous, not mapped from a file."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon"))


def busy_seconds():
    """Time that all cores together have worked since the boot."""
    values = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    idle, waiting = values[3:5]
    return (sum(values) - idle - waiting) / TICKS


def wait_until_quiet(limit, patience):
    """Waits, for so many seconds at most, until all together use less than `limit` cores."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        busy, start = busy_seconds(), time.monotonic()
        time.sleep(0.3)
        if (busy_seconds() - busy) / (time.monotonic() - start) < limit:
            return
