#!/usr/bin/env python3
"""unproductive.py MEGABYTES: a gzip of a small snapshot, behind so many megabytes of deflate blocks that
announce codes for all symbols and hold nothing. Each takes tables, and none gives a byte."""

import struct
import sys
import zlib

POD = b'{"kind":"Pod","metadata":{"name":"p"}}'


class Bits:
    """Deflate's order: the lowest bit first, codes with their highest bit first."""

    def __init__(self):
        self.text = ""

    def number(self, value, width):
        self.text += format(value, f"0{width}b")[::-1]

    def code(self, value, width):
        self.text += format(value, f"0{width}b")

    def bytes(self):
        return int(self.text[::-1], 2).to_bytes(len(self.text) // 8, "little")


def block(bits):
    """226 codes of 8 bits and 60 of 9; distances of 4 and 5 bits. Lengths are told by 8, 9, 4, 5 and "again"."""
    again = 16
    order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4]
    codes = {again: (0, 1), 4: (4, 3), 5: (5, 3), 8: (6, 3), 9: (7, 3)}
    bits.number(0, 1)
    bits.number(2, 2)
    bits.number(286 - 257, 5)
    bits.number(30 - 1, 5)
    bits.number(len(order) - 4, 4)
    for symbol in order:
        bits.number(codes[symbol][1] if symbol in codes else 0, 3)

    def run(length, times):
        bits.code(*codes[length])
        times -= 1
        while times:
            n = times if times <= 6 else min(6, times - 3)
            bits.code(*codes[again])
            bits.number(n - 3, 2)
            times -= n

    run(8, 226)
    run(9, 60)
    bits.code(*codes[4])
    bits.code(*codes[4])
    run(5, 28)
    bits.code((226 << 1) + 256 - 226, 9)  # the end of the block


def main():
    bits = Bits()
    for _ in range(8):  # then they end with a byte
        block(bits)
    blocks = bits.bytes()
    blocks *= int(sys.argv[1]) * 1000000 // len(blocks)
    last = zlib.compressobj(1, zlib.DEFLATED, -15)
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    sys.stdout.buffer.write(head + blocks + last.compress(POD) + last.flush())
    sys.stdout.buffer.write(struct.pack("<II", zlib.crc32(POD), len(POD)))


main()
