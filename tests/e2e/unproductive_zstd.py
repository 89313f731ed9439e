#!/usr/bin/env python3
"""unproductive_zstd.py MANNER MEGABYTES: a zstd of a small snapshot, behind so many megabytes of zstd that are
tedious to read and give next to nothing (RFC 8878):

    tables    blocks that announce three tables of 256 and 512 states, for one sequence of three blanks
    trees     blocks that announce a tree of 128 weights for six blanks in four streams
    frames    frames without a byte
    windows   the same, with a window of 8 MiB and of 1 KiB in turn
    skipped   skippable frames without a byte
    empty     blocks without a byte
    ones      blocks that repeat a byte once
"""

import subprocess
import sys

POD = b'{"kind":"Pod","metadata":{"name":"p"}}'
MAGIC = b"\x28\xb5\x2f\xfd"
RAW, RLE, COMPRESSED = 0, 1, 2
SMALL, LARGE = b"\x00\x00", b"\x00\x68"  # descriptor and window: of 1 KiB, of 8 MiB


class Bits:
    """Zstandard's order: the lowest bit first."""

    def __init__(self):
        self.value = self.n = 0

    def put(self, value, width):
        self.value |= value << self.n
        self.n += width

    def bytes(self):
        return self.value.to_bytes((self.n + 7) // 8, "little")


def block(kind, content, size=None, last=0):
    header = last | kind << 1 | (len(content) if size is None else size) << 3
    return header.to_bytes(3, "little") + content


def states(log):
    """The description of a table of 1 << log states, half of them for symbol 0 and half for 1."""
    bits = Bits()
    bits.put(log - 5, 4)
    half, threshold, remaining, width = 1 << (log - 1), 1 << log, (1 << log) + 1, log + 1
    for _ in range(2):
        value, most = half + 1, 2 * threshold - 1 - remaining
        if value < most:
            bits.put(value, width - 1)
        else:
            bits.put(value + most if value >= threshold else value, width)
        remaining -= half
        while remaining < threshold:
            width, threshold = width - 1, threshold >> 1
    return bits.bytes()


def tables():
    """No literals and one sequence: all states 0, so three bytes from where the second last offset leads."""
    bits = Bits()
    bits.put(1 << 26, 27)  # 9, 8 and 9 bits, and the mark of their end
    return block(COMPRESSED, b"\x00" + b"\x01\xa8" + states(9) + states(8) + states(9) + bits.bytes())


def trees():
    """129 symbols, as even as they can be: 127 of 7 bits and 2 of 8."""
    weights = [0] * 128
    for symbol in range(127):
        weights[symbol] = 2
    weights[127] = 1
    tree = bytes([127 + 128]) + bytes(weights[i] << 4 | weights[i + 1] for i in range(0, 128, 2))
    # The codes count up from the longest: those of 8 bits are 0 and 1, then 7 bits; symbol 32, a blank, is the 33rd.
    streams = [Bits() for _ in range(4)]
    for i, stream in enumerate(streams):
        n = 2 if i < 3 else 0  # 6 in 4 streams: 2, 2, 2 and none
        for _ in range(n):
            stream.put(33, 7)
        stream.put(1, 1)
    texts = [stream.bytes() for stream in streams]
    coded = tree + b"".join(len(text).to_bytes(2, "little") for text in texts[:3]) + b"".join(texts)
    head = 2 | 1 << 2 | 6 << 4 | len(coded) << 14
    return block(COMPRESSED, head.to_bytes(3, "little") + coded + b"\x00")


def main():
    manner, size = sys.argv[1], int(sys.argv[2]) * 1000000
    begin, end = MAGIC + SMALL, block(RAW, b"", last=1)
    one = {"tables": tables, "trees": trees,
           "frames": lambda: begin + end, "windows": lambda: begin + end + MAGIC + LARGE + end,
           "skipped": lambda: b"\x50\x2a\x4d\x18" + bytes(4),
           "empty": lambda: block(RAW, b""), "ones": lambda: block(RLE, b" ", 1)}[manner]()
    many = one * (size // len(one))
    if manner in ("tables", "trees", "empty", "ones"):
        many = begin + block(RAW, b" " * 8) + many + end
    pod = subprocess.run(["zstd", "-q", "-c"], input=POD, stdout=subprocess.PIPE, check=True).stdout
    sys.stdout.buffer.write(many + pod)


main()
