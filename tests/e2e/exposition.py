#!/usr/bin/env python3
"""Reads Prometheus' text format 0.0.4 from standard input, strictly: exit 1 and a line for each thing that is wrong.

exposition.py                   checks
exposition.py NAME [K=V]...     and prints the sum of the samples of that name that have these labels
"""
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"'
SAMPLE = re.compile(r"^(%s)(?:\{((?:%s)(?:,%s)*)\})? (-?[0-9]+(?:\.[0-9]+)?|\+Inf|-Inf|NaN)$" % (NAME, LABEL, LABEL))
TYPES = {"counter", "gauge", "histogram", "summary", "untyped"}
problems, samples, types, helps = [], {}, {}, set()
family = None  # of the lines that follow


def family_of(name):
    """The family that a sample belongs to: a histogram's samples have suffixes."""
    for suffix in ("_bucket", "_sum", "_count"):
        base = name[: -len(suffix)]
        if name.endswith(suffix) and types.get(base) == "histogram":
            return base
    return name


def take_comment(line):
    global family
    match = re.match(r"^# (HELP|TYPE) (%s) (.*)$" % NAME, line)
    if not match:
        return "is no HELP or TYPE"
    what, name, rest = match.groups()
    if what == "HELP":
        if name in helps:
            return "is the second HELP of its family"
        helps.add(name)
        return "has a bad escape" if re.search(r"\\[^\\n]", rest.replace("\\\\", "")) else None
    if rest not in TYPES:
        return "is of no known type"
    if name in types:
        return "is the second TYPE of its family"
    if name not in helps:
        return "has no HELP before it"
    types[name], family = rest, name
    return None


def take_sample(line):
    match = SAMPLE.match(line)
    if not match:
        return "is no sample"
    name, labels = match.group(1), re.findall(LABEL, match.group(2) or "")
    if family_of(name) != family:
        return "is not below the TYPE of its family"
    if len({key for key, _ in labels}) != len(labels):
        return "has a label twice"
    key = (name, tuple(sorted(labels)))
    if key in samples:
        return "is there twice"
    samples[key] = float(match.group(match.lastindex))
    if types[family] == "counter" and (samples[key] < 0 or not name.endswith("_total")):
        return "is no good counter"
    return None


def check_histograms():
    for name in (n for n, t in types.items() if t == "histogram"):
        series = {}
        for (sample, labels), value in samples.items():
            rest = tuple(pair for pair in labels if pair[0] != "le")
            if sample == name + "_bucket":
                series.setdefault(rest, []).append((float(dict(labels)["le"]), value))
        for labels, buckets in series.items():
            values = [value for _, value in sorted(buckets)]
            if values != sorted(values) or sorted(buckets)[-1][0] != float("inf"):
                problems.append("%s%s: buckets do not add up" % (name, labels))
            if samples.get((name + "_count", labels)) != values[-1] or (name + "_sum", labels) not in samples:
                problems.append("%s%s: count or sum is wrong" % (name, labels))


def main():
    data = sys.stdin.buffer.read()
    if not data.endswith(b"\n"):
        problems.append("the last line does not end")
    for line in data.decode("utf-8").split("\n")[:-1]:
        problem = take_comment(line) if line.startswith("#") else take_sample(line)
        if problem:
            problems.append("%s: %s" % (line, problem))
    check_histograms()
    for problem in problems:
        print(problem)
    if len(sys.argv) > 1:
        wanted = dict(argument.split("=", 1) for argument in sys.argv[2:])
        print("%.15g" % sum(value for (name, labels), value in samples.items()
                         if name == sys.argv[1] and wanted.items() <= dict(labels).items()))
    sys.exit(1 if problems or not samples else 0)


main()
