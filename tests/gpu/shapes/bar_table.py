#!/usr/bin/env python3
"""The table of what bar.py measured: the fastest peer's time over the library's, by function.

  bar_table.py BAR.csv

A problem is a function and a shape. Small: under 2^22 bytes. Behind: below 0.98; the five worst are named.
"""
import collections
import csv
import math
import sys

SIZES = {"float32": 4, "bfloat16": 2}


def line(title, problems):
    ratios = sorted((min((us, who) for who, us in times.items() if who != "ours")[0] / times["ours"],
                     min((us, who) for who, us in times.items() if who != "ours")[1], shape)
                    for shape, times in problems.items())
    if not ratios:
        return
    values = [ratio for ratio, _, _ in ratios]
    mean = math.exp(sum(map(math.log, values)) / len(values))
    ahead = sum(value >= 0.98 for value in values)
    worst = ", ".join(f"{ratio:.2f} ({shape}, {who})" for ratio, who, shape in ratios[:5])
    print(f"| {title} | {len(values)} | {100 * ahead / len(values):.1f} % | {mean:.2f} | "
          f"{sum(value < 0.9 for value in values)} | {worst} |")


def main(path):
    problems = collections.defaultdict(lambda: collections.defaultdict(dict))
    worst_error = 0
    with open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            kind = f"{row['type']} {row['op']}"
            size = int(row["rows"]) * int(row["columns"]) * SIZES[row["type"]]
            shape = f"{row['rows']}x{row['columns']}"
            for title in (kind, kind + (", small" if size < 2**22 else ", others")):
                problems[title][shape][row["name"]] = float(row["us"])
            if row["error"] and row["error"] != "nan":
                worst_error = max(worst_error, float(row["error"]))
    print("| function | problems | at least 0.98 | geometric mean | below 0.90 | worst |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for title in sorted(problems):
        line(title, problems[title])
    print(f"\nLargest error of the library: {worst_error:.2g}.")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
