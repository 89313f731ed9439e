#!/usr/bin/env python3
"""compare_export.py [--one-newline] REPORT.json REPORT.csv: do both say the same, record by record?

An apostrophe that only keeps a cell from being taken for a formula is taken off. --one-newline: to
LibreOffice CR and LF are one. Prints each difference, and how many records there are."""
import csv
import json
import sys

FORMULA = "=+-@\t\r\uff1d\uff0b\uff0d\uff20"
BLANK = " \v\f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u2060\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200E)))


def plain(cell):
    return cell[1:] if cell[:1] == "'" and cell[1:].lstrip(BLANK)[:1] in tuple(FORMULA) else cell


def text(value, one_newline):
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(value)
    return str(value).replace("\r", "\n") if one_newline else str(value)


def records_of(report):
    yield "report", {k: v for k, v in report.items() if not isinstance(v, (list, dict))}
    for name, category in report["categories"].items():
        yield "category", {"category": name, **category}
    for kind in ("deployment", "pod", "risk", "node"):
        for record in report[kind + "s"]:
            yield kind, record


def main():
    one_newline = sys.argv[1] == "--one-newline"
    report, table = sys.argv[-2:]
    with open(report, encoding="utf-8") as file:
        wanted = list(records_of(json.load(file)))
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    if len(rows) != len(wanted):
        print(f"{len(rows)} rows, {len(wanted)} records")
    for row, (kind, record) in zip(rows, wanted):
        if None in row or None in row.values():
            print("a row has another number of cells:", row)
        for name, cell in row.items():
            expected = kind if name == "record" else text(record.get(name), one_newline)
            if name == "generated_at":
                continue
            if plain(cell) != expected:
                print(f"{kind} {record.get('name') or record.get('id')}: {name} is {cell!r}, not {expected!r}")
            if cell[:1] and cell[0] in FORMULA and not cell.lstrip("-").replace(".", "").isdigit():
                print(f"a formula: {cell!r}")
        unknown = set(record) - set(row)
        if unknown:
            print(f"{kind}: no column for {sorted(unknown)}")
    print(len(wanted), "records", file=sys.stderr)


main()
