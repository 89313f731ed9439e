#!/usr/bin/env python3
"""sample: what a stack takes, again and again.

    sample.py --stack DIR --seconds S --every S --out FILE

FILE gets lines "moment name value", the moment of the monotonic clock:

    rss.PROGRAM     KiB of the largest process of this name      fds.PROGRAM     open descriptors, at most
    rows.TABLE      counted                                      bytes.TABLE     of its files; bytes.undo: of the
    redo            bytes written to the redo log until now                      system tablespace
    spool.files, spool.bytes, logs.bytes                         history         versions that purge has not removed
    server.memory, server.dictionary   bytes that the database's server counts as its own, and those of its tables' definitions
    server.tables, server.threads      of its tables that are open, and of its connections
    waited          ms that a few ms of work had to wait for a processor, several times a sample: others use the machine, too
    waited.disk     ms until the disk of the stack had taken a page for good

Processes that live shortly (maintenance, the notifier's shell) are sampled when they are met.
"""
import argparse
import collections
import glob
import os
import re
import subprocess
import time

PROBES = 4


class Stack:
    def __init__(self, directory):
        self.directory = directory
        with open(directory + "/run") as file:
            self.token = re.search(r"^token=(.*)$", file.read(), re.M)[1].encode()
        self.known = {}  # pid and start time: name, or None when it is no member

    def sql(self, statement):
        done = subprocess.run(["mariadb", "--defaults-file=" + self.directory + "/admin.cnf", "-BN", "-e", statement],
                              capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
        return [line.split("\t") for line in done.stdout.splitlines()]

    def name_of(self, pid):
        with open(f"/proc/{pid}/stat") as file:
            key = pid, file.read().rsplit(")", 1)[1].split()[19]
        if key not in self.known:
            with open(f"/proc/{pid}/environ", "rb") as file:
                member = b"LOADLINE_RUN=" + self.token in file.read().split(b"\0")
            with open(f"/proc/{pid}/comm") as file:
                name = file.read().strip()
            if name in ("sh", "bash", "nice", "setsid"):  # about to become something else, or only a watcher's shell
                return None
            self.known[key] = name if member else None
        return self.known[key]

    def processes(self):
        values = collections.defaultdict(int)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                name = self.name_of(pid)
                if not name:
                    continue
                with open(f"/proc/{pid}/status") as file:
                    rss = re.search(r"^VmRSS:\s*(\d+)", file.read(), re.M)
                fds = len(os.listdir(f"/proc/{pid}/fd"))
            except OSError:
                continue
            values["rss." + name] = max(values["rss." + name], int(rss[1]) if rss else 0)
            values["fds." + name] = max(values["fds." + name], fds)
        return values

    def files(self):
        values = collections.defaultdict(int)
        for name in glob.glob(self.directory + "/data/loadline/*.ibd"):
            values["bytes." + re.split(r"#[Pp]#|\.ibd", os.path.basename(name))[0]] += size(name)
        values["bytes.undo"] = sum(map(size, glob.glob(self.directory + "/data/ibdata*") +
                                       glob.glob(self.directory + "/data/undo*")))
        for name in glob.glob(self.directory + "/tmp/**", recursive=True):
            if os.path.isfile(name):
                values["spool.files"] += 1
                values["spool.bytes"] += size(name)
        values["spool.files"] += 0
        values["spool.bytes"] += 0
        values["logs.bytes"] = sum(map(size, glob.glob(self.directory + "/log/*")))
        return values

    def rows(self):
        tables = [row[0] for row in self.sql("SELECT table_name FROM information_schema.tables WHERE "
                                             "table_schema = 'loadline'")]
        return {"rows." + name: int(count) for name, count in
                self.sql(" UNION ALL ".join(f"SELECT '{t}', COUNT(*) FROM loadline.{t}" for t in tables))} if tables else {}

    def status(self):
        names = {"Innodb_os_log_written": "redo", "Innodb_history_list_length": "history", "Memory_used": "server.memory",
                 "Innodb_mem_dictionary": "server.dictionary", "Open_tables": "server.tables", "Threads_connected": "server.threads"}
        return {names[name]: int(value) for name, value in
                self.sql("SHOW GLOBAL STATUS WHERE variable_name IN ('%s')" % "','".join(names))}


def size(name):
    try:
        return os.stat(name).st_blocks * 512
    except OSError:
        return 0


def waited():
    """Of nobody's but the scheduler's making."""
    began, worked = time.monotonic(), time.thread_time()
    while time.thread_time() - worked < 0.005:
        pass
    return round((time.monotonic() - began - 0.005) * 1000)


def waited_for_disk(directory):
    with open(directory + "/tmp/.sample", "wb", buffering=0) as file:
        began = time.monotonic()
        file.write(bytes(4096))
        os.fdatasync(file.fileno())
        took = time.monotonic() - began
    os.unlink(file.name)
    return round(took * 1000)


def main():
    parser = argparse.ArgumentParser()
    for name in "stack", "out":
        parser.add_argument("--" + name, required=True)
    for name in "seconds", "every":
        parser.add_argument("--" + name, type=float, required=True)
    options = parser.parse_args()
    stack, end = Stack(options.stack), time.monotonic() + options.seconds
    with open(options.out, "w", buffering=1) as out:
        while time.monotonic() < end:
            for values in stack.processes(), stack.files(), stack.rows(), stack.status():
                now = time.monotonic()
                out.writelines(f"{now:.1f} {name} {value}\n" for name, value in values.items())
            for _ in range(PROBES):
                time.sleep(options.every / PROBES)
                out.write(f"{time.monotonic():.1f} waited {waited()}\n")
                out.write(f"{time.monotonic():.1f} waited.disk {waited_for_disk(options.stack)}\n")


main()
