#!/usr/bin/env python3
"""Prints a table of bar.py's measurements: the fastest peer's time divided by the library's time. For measurements of
bar_axis.py, the ratios are PyTorch's time divided by the library's time.

  bar_table.py BAR.csv...
  bar_table.py --brief NAME=BAR.csv...      a line for each file, and one with compiled PyTorch

BAR.csv is the output of bar.py or bar_axis.py, not a run of redsweep. A problem is a function and a shape. "small"
inputs have fewer than 2^22 bytes. The five worst problems are named with their fastest peer. The lines "compiled"
compare the library with compiled PyTorch, at the problems that PyTorch also compiled. The line "all with them" is for
all problems, and compiled PyTorch is one of the peers. In all other lines, it is not.
"""
import collections
import csv
import math
import sys

SIZES = {"float32": 4, "bfloat16": 2}
NO_PEERS = ("ours", "reading", "empty")


def ratio_of(times, with_compiled):
    us, who = min((us, who) for who, us in times.items()
                  if who not in NO_PEERS and (with_compiled or who != "compiled"))
    return us / times["ours"], who


def line(title, problems, with_compiled=False):
    ratios = sorted((*ratio_of(times, with_compiled), shape) for shape, times in problems.items())
    values = [ratio for ratio, _, _ in ratios]
    mean = math.exp(sum(map(math.log, values)) / len(values))
    ahead = sum(value >= 0.98 for value in values)
    worst = ", ".join(f"{ratio:.2f} ({shape[-1]}, {who})" for ratio, who, shape in ratios[:5])
    print(f"| {title} | {len(values)} | {100 * ahead / len(values):.1f} % | {mean:.2f} | "
          f"{sum(value < 0.9 for value in values)} | {worst} |")


def size_of(shape):
    return math.prod(map(int, shape[2].split("x"))) * SIZES[shape[0]]


def read(paths):
    """Returns {(type, op, shape): {name: us}}, without problems for which we have no time, and the
    library's largest error."""
    problems, worst = collections.defaultdict(dict), 0
    for path in paths:
        with open(path, newline="", encoding="utf-8") as f:
            for row in csv.DictReader(f):
                shape = row.get("shape") or f"{row.get('rows')}x{row.get('columns')}"
                problems[row["type"], row["op"], shape][row["name"]] = float(row["us"])
                if row.get("error") and row["error"] != "nan":
                    worst = max(worst, float(row["error"]))
    return {key: times for key, times in problems.items() if "ours" in times}, worst


def brief_line(title, problems, with_compiled):
    values = [ratio_of(times, with_compiled)[0] for times in problems.values()]
    mean = math.exp(sum(map(math.log, values)) / len(values))
    print(f"| {title} | {len(values)} | {100 * sum(value >= 0.98 for value in values) / len(values):.1f} % | {mean:.2f} | "
          f"{sum(value < 0.9 for value in values)}; {min(values):.2f} |")


def brief(files):
    print("| compared with CUB and PyTorch | problems | ratio at least 0.98 | geometric mean | below 0.90; worst ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, path in files:
        problems, _ = read([path])
        brief_line(name, problems, False)
        compiled = {key: times for key, times in problems.items() if "compiled" in times}
        if compiled:
            brief_line(f"{name}, with compiled PyTorch", compiled, True)


def main(paths):
    problems, worst = read(paths)
    print("| problems | number | at least 0.98 | geometric mean | below 0.90 | worst |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    line("all", problems)
    small = {key: times for key, times in problems.items() if size_of(key) < 2**22}
    line("small", small)
    line("others", {key: times for key, times in problems.items() if key not in small})
    for kind in sorted({key[:2] for key in problems}):
        line(" ".join(kind), {key: times for key, times in problems.items() if key[:2] == kind})
    compiled = {key: times for key, times in problems.items() if "compiled" in times}
    if compiled:
        line("compiled", compiled, True)
        line("compiled, small", {key: times for key, times in compiled.items() if key in small}, True)
        line("all with them", problems, True)
        print(f"\nLargest error of the library: {worst:.2g}.")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--brief":
        brief([argument.split("=", 1) for argument in sys.argv[2:]])
    else:
        main(sys.argv[1:])
