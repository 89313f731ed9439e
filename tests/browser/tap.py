"""The Test Anything Protocol for tests in Python, as tests/tap.sh has it for the shell.

A test file ends with done_testing(). An exception that nobody catches is a failed test, too.
"""
import os
import re
import sys
import time
import traceback

count = 0
failed = 0


def diag(text):
    for line in str(text).splitlines()[:60]:
        print("#", line, file=sys.stderr, flush=True)


def note(text):
    """What is worth knowing when all is well: a figure."""
    print("#", text, flush=True)


def ok(what, passed, why=""):
    global count, failed
    count += 1
    if not passed:
        failed += 1
        print(f"not ok {count} - {what}", flush=True)
        diag(f"not ok - {what}")
        if why:
            diag(why)
    else:
        print(f"ok {count} - {what}", flush=True)
    return bool(passed)


def is_(what, got, expected):
    return ok(what, got == expected, f"     got: {got!r}\nexpected: {expected!r}")


def empty(what, found):
    """`found` is what is wrong: nothing should be."""
    return ok(what, not found, found if isinstance(found, str) else "\n".join(map(str, found or [])))


def below(what, number, limit):
    return ok(f"{what} ({number:.0f}, limit {limit:.0f})", number < limit, f"     got: {number}\n   limit: {limit}")


def patient(number):
    """A limit of time, stretched by how many processes wait for each core just now."""
    return number * min(4, 1 + int(os.getloadavg()[0] / (os.cpu_count() or 1)))


def within(seconds, condition):
    """What `condition` returns as soon as that is true; its last answer when the time is over."""
    end = time.monotonic() + patient(seconds)
    while True:
        answer = condition()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(0.02)


def done_testing():
    print(f"1..{count}", flush=True)
    sys.exit(1 if failed else 0)


def main(*parts):
    """Runs each part; one that breaks is a failed test, and the others run all the same."""
    for part in parts:
        try:
            part()
        except Exception as error:  # whatever it was: the test says so
            frames = [f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.line}" for frame in traceback.extract_tb(error.__traceback__)
                      if os.path.dirname(os.path.abspath(frame.filename)) == os.path.dirname(os.path.abspath(__file__))]
            # A driver adds addresses of its own program.
            said = re.sub(r"\nStacktrace:.*", "", str(error), flags=re.S)
            ok(part.__name__.replace("_", " "), False, "\n".join([f"{type(error).__name__}: {said}", *frames[1:]]))
    done_testing()
