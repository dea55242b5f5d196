"""The measurements. Each returns its figures, with the cores that others used meanwhile."""

import statistics
import time

from machine import memory_megabytes
from rig import Account, Failure

LATENCY_RATE = 1000
BEACON_RATE = 10
WRITE_RATE = 100
THROTTLE_RATE = 5


def notifications(rig, count, rate=0):
    """Sends notifications, evenly or all at once, and waits for them on MQTT."""
    rig.bluez.ask("reset")
    rig.probe.ask("reset")
    account = Account(rig)
    rig.bluez.ask("notify", count, rate)
    sent, seen = _until_settled(rig, lambda sent, seen: sent["left"] == 0 and seen["unique"] >= sent["sent"])
    return {
        "wrong": count - seen["unique"] + seen["repeated"],
        "rate": seen["unique"] / max(seen["last"] - sent["first"], 1) * 1e6,
        "cpu": account.bridge / count * 100_000,
        "others": account.other_cores,
        **rig.probe.ask("latencies"),
    }


def writes(rig, count):
    """Publishes commands evenly and waits until their boards were written to."""
    rig.bluez.ask("reset")
    account = Account(rig)
    rig.probe.ask("publish", count, WRITE_RATE)
    sent, _ = _until_settled(rig, lambda sent, _: sent["writes"] >= count)
    return {"lost": count - sent["writes"], "others": account.other_cores, **rig.bluez.ask("writes")}


def throttle(rig, count):
    """Publishes another throttle now and then, and finds each again where the rover is written to. A rover that says
    nothing would be given up, so it tells its tilt meanwhile."""
    seconds = count / THROTTLE_RATE
    rig.bluez.ask("notify", int(5 * (seconds + 10)), 5, "0.00:0.00")
    time.sleep(1)
    rig.probe.ask("topics", rig.bridge.throttle_topic(rig))
    rig.bluez.ask("reset")
    account = Account(rig)
    rig.probe.ask("throttle", count, THROTTLE_RATE, *filter(None, [rig.bridge.throttle_prefix]))
    time.sleep(seconds + 0.5)
    figures = {"cpu": account.bridge, "others": account.other_cores}
    published = rig.probe.ask("throttles")
    written = rig.bluez.ask("throttles")
    rig.bluez.ask("notify", 0, 1)
    # Where the machine stood still for a moment, the newer of two has won.
    left = iter(enumerate(1 + number % 99 for number in range(count)))
    latencies = [
        moment - published[next((number for number, sent in left if sent == value), -1)] for value, moment in written]
    if len(written) < 0.95 * count or min(latencies) < 0:
        raise Failure(f"{len(written)} of {count} throttles reached the rover as they were")
    return {**figures, "median": statistics.median(latencies), "p99": sorted(latencies)[int(len(latencies) * 0.99)]}


def _until_settled(rig, is_complete, stall=5):
    """Waits until all has arrived, or nothing more does."""
    last, since = None, time.monotonic()
    while True:
        time.sleep(0.01)
        sent, seen = rig.bluez.ask("status"), rig.probe.ask("status")
        if is_complete(sent, seen):
            return sent, seen
        if (sent, seen) != last:
            last, since = (sent, seen), time.monotonic()
        elif time.monotonic() - since > stall:
            return sent, seen


def memory(rig):
    resident, private = memory_megabytes(rig.bridge_pid)
    return {"resident": resident, "private": private}


def unchanged_value(rig, seconds):
    """A board that repeats one value 100 times a second: what is published, and the part of a core it takes."""
    value = "s:1;t:21.50"
    rig.bluez.ask("notify", 200, 100, value)
    rig.wait(lambda: rig.bluez.ask("status")["left"] == 0, "the board does not speak")
    time.sleep(2)
    rig.bluez.ask("reset")
    rig.probe.ask("reset")
    account = Account(rig)
    rig.bluez.ask("notify", 100 * seconds, 100, value)
    time.sleep(seconds)
    figures = {"cpu": account.bridge / account.seconds * 100, "others": account.other_cores}
    rig.wait(lambda: rig.bluez.ask("status")["left"] == 0, "the board does not speak")
    if rig.bluez.ask("status")["dropped"]:
        raise Failure("notifications did not reach the bridge")
    return {**figures, "published": rig.probe.ask("status")["all"]}


def beacons(rig, seconds):
    """Beacons in a room: the part of a core that they take at 500 advertisements a second, and what is published."""
    rig.probe.ask("reset")
    before, account = rig.bluez.ask("advertised"), Account(rig)
    time.sleep(seconds)
    advertised, cpu, elapsed = rig.bluez.ask("advertised") - before, account.bridge, account.seconds
    return {
        "cpu": cpu / advertised * 500 * 100, "rate": advertised / elapsed, "others": account.other_cores,
        "published": rig.probe.ask("status")["all"] / elapsed}
