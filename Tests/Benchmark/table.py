"""The figures of all rounds as one table of medians and ratios."""

from statistics import median

BRIDGES = ("floor", "sketch2mqtt", "python")


class Goal:
    """A bound for a figure, or for its ratio to the floor's."""

    def __init__(self, bound, value, unit="× floor"):
        self.bound, self.value, self.unit = bound, value, unit

    def __str__(self):
        return f"{self.bound} {self.value} {self.unit}".strip()

    def verdict(self, ours, floor):
        is_relative = self.unit == "× floor"
        if ours is None or (is_relative and not floor):
            return ""
        figure = ours / floor if is_relative else ours
        is_reached = figure <= self.value if self.bound == "≤" else figure >= self.value
        return "reached" if is_reached else "missed"


NONE = Goal("≤", 0, "")


class Row:
    def __init__(self, measure, boards, step, figure, unit="", digits=0, goal=None):
        self.measure, self.boards, self.step, self.figure = measure, boards, step, figure
        self.unit, self.digits, self.goal = unit, digits, goal

    def median(self, results, bridge):
        """Of the undisturbed measurements, or of all where none was undisturbed; None where there is none."""
        runs = results.get((bridge, self.boards, self.step), [])
        quiet = [run for run in runs if not run.get("disturbed")]
        return median(run[self.figure] for run in quiet or runs) if runs else None

    def cells(self, results):
        floor, ours, python = (self.median(results, bridge) for bridge in BRIDGES)
        return [
            self.measure, str(self.boards), *map(self.text, (floor, ours, python)), ratio(ours, floor),
            ratio(ours, python), str(self.goal or ""), self.goal.verdict(ours, floor) if self.goal else ""]

    def text(self, value):
        return "–" if value is None else f"{value:,.{self.digits}f} {self.unit}".strip()


def ratio(value, other):
    return "–" if value is None or not other else f"{value / other:.2f}"


def rows(counts):
    def for_each(*arguments, **options):
        return [Row(arguments[0], boards, *arguments[1:], **options) for boards in counts]

    most = counts[-1]
    return [
        *for_each("notification → MQTT, median at 1,000/s", "latency", "median", "µs", goal=Goal("≤", 1.5)),
        *for_each("100,000 at once: rate", "burst", "rate", "/s", goal=Goal("≥", 0.6)),
        *for_each("100,000 at once: lost or twice", "burst", "wrong", goal=NONE),
        *for_each("CPU for 100,000 at once", "burst", "cpu", "s", 3, goal=Goal("≤", 3)),
        *for_each("CPU for 100,000 at 1,000/s", "latency", "cpu", "s", 2),
        *for_each("MQTT → board write, median", "writes", "median", "µs", goal=Goal("≤", 1.3)),
        Row("rover: throttle, MQTT → board, median", 1, "throttle", "median", "µs", goal=Goal("≤", 1.3)),
        *for_each("start to first publish", "start", "milliseconds", "ms", goal=Goal("≤", 1.3)),
        Row("resident memory", most, "memory", "resident", "MB", 1, Goal("≤", 18, "MB")),
        Row("private memory", most, "memory", "private", "MB", 1, Goal("≤", 6, "MB")),
        Row("1,000,000 more: lost or twice", most, "memory after", "wrong", goal=NONE),
        Row("resident memory after them", most, "memory after", "resident", "MB", 1, Goal("≤", 18, "MB")),
        Row("private memory after them", most, "memory after", "private", "MB", 1, Goal("≤", 6, "MB")),
        Row("unchanged value, 100/s: published", 1, "unchanged", "published", goal=NONE),
        Row("unchanged value, 100/s: of a core", 1, "unchanged", "cpu", "%", 2, Goal("≤", 1, "%")),
        Row("beacons, 500 advertisements/s: of a core", 50, "beacons", "cpu", "%", 2, Goal("≤", 5, "%")),
        Row("beacons, 500 advertisements/s: published", 50, "beacons", "published", "/s", 1, Goal("≤", 50, "/s")),
    ]


def markdown(results, counts):
    """The rows of what was measured."""
    head = ["measure", "boards", "floor", "sketch2mqtt", "Python", ": floor", ": Python", "goal", ""]
    measured = {step for _, _, step in results}
    lines = [head, ["---"] * len(head), *(row.cells(results) for row in rows(counts) if row.step in measured)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
