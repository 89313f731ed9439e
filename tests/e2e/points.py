#!/usr/bin/env python3
"""Unpacks points of the score history, as lib/codec/point_chunk.h has them, by other code than what packed them.

Reads lines "NAME START HEX": a cluster, the hour's start in seconds since 1970 and the bytes of a row of score_chunks.
Writes a line "NAME SECONDS" for each point.
"""
import sys


def varint(body, at):
    value = shift = 0
    while True:
        byte = body[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def column(body, at, count):
    """The differences of a column."""
    values = []
    while len(values) < count:
        token, at = varint(body, at)
        if token & 1:
            zigzag = token >> 1
            values.append(-((zigzag + 1) >> 1) if zigzag & 1 else zigzag >> 1)
        else:
            values += [0] * ((token >> 1) + 1)
    assert len(values) == count
    return values, at


def times(body):
    assert body[0] == 1
    count, at = varint(body, 1)
    moments, last, step = [], 0, 0
    for nth in range(7):
        values, at = column(body, at, count)
        for value in values if nth == 0 else []:
            step += value
            last += step
            moments.append(last)
    assert at == len(body)
    return moments


for line in sys.stdin:
    name, start, body = line.split()
    for ms in times(bytes.fromhex(body)):
        print(name, (int(start) * 1000 + ms) // 1000)
