#!/usr/bin/env python3
"""Compares the speed of reductions of rows that are not whole packs of 16 bytes with the targets, as a Markdown table.

  odd_shares.py FOLDER ARCHIVE...

ARCHIVE is a .tar.xz that contains runs of plane.json in FOLDER. For each shape with such rows, the script computes
the fastest kernel's speed as a share of the speed of reading (the faster setting of rows_limit). From 2^26 bytes on,
the targets are 97 % for sums, 95 % for argmax and 90 % for variances. From 2^25 to 2^26 bytes, they are 3 percentage
points lower.
"""
import collections
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import short_table  # noqa: E402

GOALS = {"sum": 97, "argmax": 95, "mean_var": 90}
CLASSES = (("2^25 to 2^26", 1 << 25, 1 << 26, 3), ("from 2^26 on", 1 << 26, 1 << 60, 0))


def shares_of(problems, size):
    """Returns [(bytes, percent, shape, kernel)] of rows that are not whole packs."""
    for (n, length), at in problems.items():
        ours = {kernel: us for kernel, us in at.items() if kernel != "rows_limit"}
        if length * size % 16 and "rows_limit" in at and ours:
            kernel = min(ours, key=ours.get)
            yield n * size, 100 * at["rows_limit"] / ours[kernel], f"{n // length}x{length}", kernel


def main(folder, *archives):
    found = collections.defaultdict(list)
    for archive in archives:
        for (kind, op), problems in short_table.fastest_of(archive, folder).items():
            found[kind, op] += shares_of(problems, short_table.SIZES[kind])
    print("| function, bytes | shapes | as fast as aimed at | median | behind it |")
    print("| --- | ---: | ---: | ---: | --- |")
    for (kind, op), shares in sorted(found.items()):
        for title, low, high, less in CLASSES:
            goal, here = GOALS[op] - less, sorted(share[1:] for share in shares if low <= share[0] < high)
            behind = [f"{percent:.0f} % ({shape}, {kernel})" for percent, shape, kernel in here if round(percent) < goal]
            if here:
                print(f"| {op} of {kind}, {title}: {goal} % | {len(here)} | {len(here) - len(behind)} | "
                      f"{statistics.median(percent for percent, *_ in here):.0f} % | {', '.join(behind[:4])} |")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
