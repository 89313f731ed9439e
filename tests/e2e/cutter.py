#!/usr/bin/env python3
"""cutter.py LISTEN SERVER: stands between programs and MariaDB, on unix sockets, and cuts connections.

It is told by lines of standard input, and says after each of them, in a line, how many connections it has cut since
the line before, and how many commands it has seen:

    cut WHEN commit       the next COMMIT, once
    cut WHEN N            the N-th command from now on, once; whichever connection it is on
    often PERCENT         so many of a hundred commands, each WHEN in turn, until told otherwise
    pass                  nothing any more

WHEN: before   the server never gets it
      half     the server gets a part of it
      after    the server has answered, and nobody hears of it
      kill     the server ends the connection by itself before it gets it (KILL)
"""
import asyncio
import os
import random
import subprocess
import sys

WAYS = ("before", "half", "after", "kill")
QUIT, QUERY, CLOSE = 1, 3, 25


class State:
    when, what, percent = None, None, 0
    cuts = seen = turn = 0


state = State()


def way_of(packet):
    """How the connection is to be cut at this command, or None."""
    if packet[4] in (QUIT, CLOSE):
        return None
    state.seen += 1
    if state.percent:
        if random.random() * 100 >= state.percent:
            return None
        state.turn += 1
        return WAYS[state.turn % len(WAYS)]
    if state.when is None:
        return None
    if state.what == "commit":
        hit = packet[4] == QUERY and packet[5:] == b"COMMIT"
    else:
        state.what -= 1
        hit = state.what == 0
    when = state.when
    if hit:
        state.when = None
    return when if hit else None


def kill(server, number):
    subprocess.run(["mariadb", "--no-defaults", "--socket=" + server, "-e", f"KILL {number}"], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Connection:
    def __init__(self, server, client_reader, client_writer):
        self.server, self.reader, self.writer = server, client_reader, client_writer
        self.deaf = False
        self.number = None

    def end(self):
        for writer in (self.writer, self.up_writer):
            writer.transport.abort()

    async def answers(self):
        while data := await self.up_reader.read(65536):
            if self.number is None:  # the greeting: its version ends with a NUL, and the number follows
                at = data.index(b"\0", 5) + 1
                self.number = int.from_bytes(data[at:at + 4], "little")
            if self.deaf:
                await asyncio.sleep(0.05)
                return
            self.writer.write(data)
            await self.writer.drain()

    async def commands(self):
        while True:
            head = await self.reader.readexactly(4)
            packet = head + await self.reader.readexactly(int.from_bytes(head[:3], "little"))
            way = way_of(packet) if head[3] == 0 and len(packet) > 4 else None
            if way:
                state.cuts += 1
            if way == "before":
                return
            if way == "half":
                self.up_writer.write(packet[:max(5, len(packet) // 2)])
                await self.up_writer.drain()
                return
            if way == "kill":
                await asyncio.get_running_loop().run_in_executor(None, kill, self.server, self.number)
            self.deaf = way == "after"
            self.up_writer.write(packet)
            await self.up_writer.drain()
            if self.deaf:
                await asyncio.sleep(10)  # answers() ends it
                return

    async def run(self):
        self.up_reader, self.up_writer = await asyncio.open_unix_connection(self.server, limit=1 << 20)
        tasks = [asyncio.create_task(self.commands()), asyncio.create_task(self.answers())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        self.end()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def serve(listen, server):
    async def connected(reader, writer):
        try:
            await Connection(server, reader, writer).run()
        except OSError:
            writer.transport.abort()

    await asyncio.start_unix_server(connected, listen, limit=1 << 20)
    os.chmod(listen, 0o600)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    print("0 0", flush=True)
    while line := await lines.readline():
        words = line.decode().split()
        said = f"{state.cuts} {state.seen}"
        state.when, state.percent, state.cuts, state.seen = None, 0, 0, 0
        if words[0] == "cut":
            state.when, state.what = words[1], words[2] if words[2] == "commit" else int(words[2])
        elif words[0] == "often":
            state.percent = float(words[1])
        print(said, flush=True)


asyncio.run(serve(sys.argv[1], sys.argv[2]))
