#!/usr/bin/env python3
"""Splits runs of many shapes into several runs with about the same number of shapes.

  split_runs.py FOLDER OUT [SHAPES=40]

FOLDER contains runs of plane.json at the points of plane.py, named TYPE-SEED. A run with more than 1.25 times SHAPES
shapes is divided into OUT/TYPE-SEEDa, OUT/TYPE-SEEDb and so on, to which its shapes are dealt in a fixed order. All
other runs are copied. plane_check.py then leaves out few shapes at a time, as if a library were made from all seeds
but one.
"""
import csv
import os
import random
import shutil
import sys


def split(run, out, most):
    with open(os.path.join(run, "results.csv"), newline="") as f:
        heading, *rows = csv.reader(f)
    n, length = heading.index("n"), heading.index("row_length")
    shapes = sorted({(int(row[n]), int(row[length])) for row in rows})
    random.Random(1).shuffle(shapes)
    parts = max(1, (len(shapes) + 3 * most // 4) // most)
    for part in range(parts):
        folder = out + (chr(ord("a") + part) if parts > 1 else "")
        os.makedirs(folder)
        shutil.copy(os.path.join(run, "run.json"), folder)
        mine = set(shapes[part::parts])
        with open(os.path.join(folder, "results.csv"), "w", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows(
                [heading, *(row for row in rows if (int(row[n]), int(row[length])) in mine)])


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    for name in sorted(os.listdir(sys.argv[1])):
        split(os.path.join(sys.argv[1], name), os.path.join(sys.argv[2], name), int((sys.argv + ["40"])[3]))
