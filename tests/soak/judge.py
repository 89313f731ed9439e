#!/usr/bin/env python3
"""judge: did a soak leave everything as it was?

    judge.py --samples FILE --pushes FILE --others FILE --maintenance FILE --warm MOMENT [--short]

--samples      of sample.py
--pushes       the log of overload.py; --others: that of people.py
--maintenance  a line for each run of loadline-maintain: when it began and when it ended
--warm         what was sampled before is not looked at: caches fill, and the first rows are kept
--short        too short a run to tell whether memory and files grow: they are only told

A value is flat when the median of the last third of its samples is not above that of the first third by more than RULES
allow; of memory the tenth part from below is taken, because a password's 32 MiB come and go. So the saw-tooth of retention
is flat, and a leak is not. Prints "broken: ..." for each promise that does not hold and
"figure: ..." for the rest, with the slope of each value. Where others use the machine so much that the work of some
milliseconds waits for a processor, or a page for the disk, how fast pushes are and whether some are refused is told as
"busy: ...".
"""
import argparse
import collections
import statistics

# Of what begins so: the growth that is allowed, as a part and at least, its unit, and whether a short run can tell.
RULES = [
    ("rss.mariadbd", 0.03, 4096, "KiB", False),
    ("rss.", 0.05, 1024, "KiB", False),
    ("fds.mariadbd", 0.10, 8, "", False),
    ("fds.loadline-notify", 0.0, 8, "", True),  # one for each message that is on its way
    ("fds.", 0.0, 2, "", True),
    ("rows.", 0.15, 60, "", False),
    ("bytes.", 0.10, 2 << 20, "", False),
    ("history", 0.5, 5000, "", False),
    ("spool.files", 0.0, 4, "", True),
    ("spool.bytes", 0.0, 1 << 20, "", True),
    ("logs.bytes", 0.25, 3 << 20, "", True),
    ("redo a push", 0.15, 4096, "", False),
]
PUSH_P99_MS = 500
WAITED_P99_MS = 40  # a push passes through half a dozen processes
DISK_P99_MS = 100  # and commits several times


def thirds(values, part):
    length = max(1, len(values) // 3)
    return percentile(values[:length], part), percentile(values[-length:], part)


def slope(points):
    """An hour, by least squares."""
    if len(points) < 2:
        return 0
    at, value = [statistics.fmean(column) for column in zip(*points)]
    across = sum((x - at) ** 2 for x, _ in points)
    return 3600 * sum((x - at) * (y - value) for x, y in points) / across if across else 0


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else 0


def read(name, *types):
    with open(name) as file:
        for line in file:
            fields = line.rstrip("\n").split("\t" if "\t" in line else " ")
            yield [kind(fields[i]) for i, kind in types]


class Judge:
    def __init__(self, options):
        self.options = options
        self.samples = collections.defaultdict(list)
        for at, name, value in read(options.samples, (0, float), (1, str), (2, int)):
            if at >= options.warm:
                self.samples[name].append((at, value))
        self.busy = self.waits("waited", "a processor", WAITED_P99_MS) | self.waits("waited.disk", "the disk", DISK_P99_MS)
        self.pushes = list(read(options.pushes, (2, int), (3, float), (6, float)))
        self.codes = collections.Counter((p[0], p[1]) for p in read(options.pushes, (2, int), (5, str)) if p[0] >= 500)
        self.others = list(read(options.others, (0, str), (1, int), (2, float)))
        self.maintenance = list(read(options.maintenance, (0, float), (1, float)))

    def broken(self, text):
        print("broken:", text)

    def waits(self, name, what, limit):
        """Do others hold it?"""
        waited = [value for _, value in self.samples.pop(name, [])]
        p99 = percentile(waited, .99)
        print(f"figure: waited for {what}: p50 {percentile(waited, .5)} ms, p99 {p99} ms, at the most {max(waited, default=0)} ms")
        return p99 > limit

    def slow(self, text):
        print("busy:" if self.busy else "broken:", text)

    def redo(self):
        """Bytes for each accepted push, between one sample and the tenth after it."""
        stored = sorted(at for status, _, at in self.pushes if status == 200)
        written, points = self.samples.pop("redo", []), []
        for (before, low), (after, high) in zip(written[::10], written[10::10]):
            count = sum(before <= at < after for at in stored)
            if count:
                points.append((after, (high - low) // count))
        self.samples["redo a push"] = points

    def growth(self):
        for name, points in sorted(self.samples.items()):
            rule = next((rule for rule in RULES if name.startswith(rule[0])), None)
            if not rule or not points:
                continue
            _, part, least, unit, always = rule
            first, last = thirds([value for _, value in points], .1 if name.startswith("rss.") else .5)
            print(f"figure: {name}: {first:.0f} {unit} at first, {last:.0f} at last, {slope(points):+.0f} an hour")
            if last - first > max(part * first, least) and (always or not self.options.short):
                self.broken(f"{name} grows: {first:.0f} {unit} at first, {last:.0f} at last")

    def answers(self):
        refused = self.codes[503, "overloaded"]
        if refused:
            self.slow(f"{refused} pushes are refused, because more wait than can be stored in time")
        for what, statuses in (("push", [p[0] for p in self.pushes]), ("other", [o[1] for o in self.others])):
            count = collections.Counter(statuses)
            print(f"figure: {what} answers:", ", ".join(f"{status}: {n}" for status, n in sorted(count.items())))
            for status, n in count.items():
                if what == "push" and status == 503:
                    n -= refused
                if n and (status >= 500 or status == 0):
                    self.broken(f"{n} times {what} is answered {status or 'not at all'}")
        wrong = collections.Counter((o[0], o[1]) for o in self.others if 400 <= o[1] < 500)
        for (kind, status), n in sorted(wrong.items()):
            # A session ends, and a cluster is gone until its next push; nothing else is expected.
            print(f"figure: {kind} is answered {status}: {n}")
            if status not in (401, 404):
                self.broken(f"{n} times {kind} is answered {status}")

    def speed(self):
        took = [ms for status, ms, at in self.pushes if status == 200]
        beside = [ms for status, ms, at in self.pushes
                  if status == 200 and any(began <= at and at - ms / 1000 <= ended for began, ended in self.maintenance)]
        lasted = [ended - began for began, ended in self.maintenance]
        print(f"figure: pushes: {len(took)}, p50 {percentile(took, .5):.0f} ms, p99 {percentile(took, .99):.0f} ms, "
              f"at the most {max(took, default=0):.0f} ms")
        print(f"figure: beside maintenance: {len(beside)} pushes, p50 {percentile(beside, .5):.0f} ms, p99 "
              f"{percentile(beside, .99):.0f} ms; {len(lasted)} runs of maintenance, {percentile(lasted, .5):.1f} s each, "
              f"{max(lasted, default=0):.1f} s at the most")
        if not beside:
            self.broken("no push was stored while maintenance ran")
        elif percentile(beside, .99) >= PUSH_P99_MS:
            self.slow(f"the p99 of pushes beside maintenance is {percentile(beside, .99):.0f} ms")


def main():
    parser = argparse.ArgumentParser()
    for name in "samples", "pushes", "others", "maintenance":
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--warm", type=float, required=True)
    parser.add_argument("--short", action="store_true")
    judge = Judge(parser.parse_args())
    judge.answers()
    judge.speed()
    judge.redo()
    judge.growth()


main()
