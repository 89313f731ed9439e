#!/usr/bin/env python3
"""changes_rate.py URL KEY CLIENTS CLUSTERS SECONDS SNAPSHOT.gz...: so many clients at once, each with so many clusters of its
own, push changes for so long, the next one as soon as one is answered. Prints "rate=PUSHES_A_SECOND p50_ms=.. p99_ms=..".
"""
import http.client
import multiprocessing
import sys
import time

from only_changes import Pushes


def work(client, pushes, url, key, clusters, seconds, start, took):
    """The clusters have been pushed in all rounds when it starts: nothing is new then but what changes."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"))
    names = [f"rate-{client}-{n}" for n in range(clusters)]

    def all_once():
        for name in names:
            pushes.next(connection, key, name, False)
            yield

    for _ in range(len(pushes.whole) + 1):
        for _ in all_once():
            pass
    connection.close()  # the server may, while others are not ready
    start.wait()
    times = [time.monotonic()]
    while times[-1] - times[0] < seconds:
        for _ in all_once():
            times.append(time.monotonic())
    took.put((times[0], times[-1], [after - before for before, after in zip(times, times[1:])]))


def main():
    url, key, clients, clusters, seconds, *names = sys.argv[1:]
    pushes = Pushes(names, {})
    start, took = multiprocessing.Barrier(int(clients)), multiprocessing.Queue()
    args = (pushes, url, key, int(clusters), float(seconds), start, took)
    children = [multiprocessing.Process(target=work, args=(n, *args), daemon=True) for n in range(int(clients))]
    for child in children:
        child.start()
    results = []
    while len(results) < len(children):
        if any(child.exitcode for child in children):
            sys.exit(1)
        if not took.empty():
            results.append(took.get())
        time.sleep(0.02)
    times = sorted(time for result in results for time in result[2])
    span = max(end for _, end, _ in results) - min(begin for begin, _, _ in results)
    p50, p99 = (times[int(len(times) * part)] * 1000 for part in (0.5, 0.99))
    print(f"rate={len(times) / span:.1f} p50_ms={p50:.1f} p99_ms={p99:.1f}")


main()
