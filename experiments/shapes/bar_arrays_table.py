#!/usr/bin/env python3
"""Prints the measurements of bar_arrays.py as a table, with a line for each n, in us.

  bar_arrays_table.py BAR-ARRAYS.csv      (the output of bar_arrays.py, not a run of redsweep)
"""
import collections
import csv
import sys


def main(path):
    times = collections.defaultdict(dict)
    with open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            times[int(row["columns"])][row["name"]] = row["us"]
    names = list(next(iter(times.values())))
    print("| n | " + " | ".join(names) + " |")
    print("| ---: |" + " ---: |" * len(names))
    for n, us in times.items():
        print(f"| 2^{n.bit_length() - 1} | " + " | ".join(f"{float(us[name]):.2f}" for name in names) + " |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
