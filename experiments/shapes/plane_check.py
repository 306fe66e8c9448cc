#!/usr/bin/env python3
"""Measures how good the choice is at shapes whose times were not used for the fit.

  plane_check.py FOLDER [UNSEEN]          [REDSWEEP=build/redsweep] [WORST=0] [BEFORE=another redsweep]

FOLDER contains runs of plane.json at the points of plane.py, named TYPE-SEED. For the shapes of each seed, `redsweep
best --at` chooses from the runs of the other seeds for the type. The time of the choice is compared with the fastest
time that was raced at the shape. UNSEEN is a folder of such runs with other seeds. With UNSEEN, the choices for the
shapes of UNSEEN are made from all runs of FOLDER. "Within 5 %" includes choices that are at most one clock step
(0.032 us) slower than the fastest. A choice that was not raced at the shape has no time, and is counted separately.
With WORST=20, the script prints after the table the 20 shapes with the largest ratios, with the choice and the
fastest configuration. With BEFORE, it compares the choices of two programs at the shapes at which the choices of
both were raced, and prints how many are within 5 % and how many choices of each program were not raced. The shares
of two tables cannot be compared, because they may be for different shapes.

To leave out groups of about the same number of shapes, first split runs of many shapes with split_runs.py.
"""
import collections
import csv
import io
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs as recorded  # noqa: E402

STEP_US = 0.0325


def raced_at(run):
    """Returns {(type, op, shape): [(kernel, {name: value}, us, lost the race)]}."""
    found = collections.defaultdict(list)
    for row in recorded.rows(run, "status = ok and kernel != rows_limit and time_us_median > 0"):
        length, inner = int(row["row_length"]), int(row.get("inner") or 1)
        setting = {k[2:]: int(v) for k, v in row.items() if k.startswith("t_") and v}
        setting["block"] = int(row["block"])
        outer, apart = int(row["n"]) // length // inner, f"x{inner}" if inner > 1 else ""
        found[row["type"], row["op"], f"{outer}x{length}{apart}"].append(
            (row["kernel"], setting, float(row["time_us_median"]), row["stopped_by"] == "raced"))
    return found


def chosen_at(redsweep, runs, places):
    """Returns {(type, op, shape): (kernel, {name: value})}."""
    shapes = ",".join(sorted({shape for _, _, shape in places}))
    out = subprocess.run([redsweep, "best", *runs, "--at", shapes, "--csv", "-"], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    chosen = {}
    for row in csv.DictReader(io.StringIO(out)):
        kernel, _, setting = row["configuration"].partition(", ")
        chosen[row["type"], row["op"], row["shape"]] = kernel, {k.lower(): int(v) for k, v in re.findall(r"(\w+) (\d+)", setting)}
    return chosen


def compare(raced, chosen):
    """Returns [(ratio, shape, kernel, its setting, the fastest kernel, its setting)], and the shapes at
    which the choice was not raced."""
    ratios, unknown = [], []
    for place, list_ in raced.items():
        shape = place[2]
        fastest, its, best = min(((k, s, us) for k, s, us, lost in list_ if not lost), key=lambda of: of[2])
        kernel, setting = chosen[place]
        us = [us for k, s, us, _ in list_ if k == kernel and s == setting]
        if us:
            ratios.append((1.0 if us[0] <= best + STEP_US else us[0] / best, shape, kernel, setting, fastest, its))
        else:
            unknown.append(shape)
    return ratios, unknown


def runs_in(folder):
    """Returns {type: [run]}."""
    kinds = collections.defaultdict(list)
    for name in sorted(os.listdir(folder)):
        kinds[name.partition("-")[0]].append(os.path.join(folder, name))
    return kinds


def main(folder, unseen=None):
    redsweep, kinds = os.environ.get("REDSWEEP", "build/redsweep"), runs_in(folder)
    before = os.environ.get("BEFORE")
    print("| runs | shapes | raced at each | within 5 % | geometric mean | worst | over 15 % | not raced there |")
    print("| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |")
    behind, pairs = [], collections.Counter()
    for kind, tested in sorted(runs_in(unseen or folder).items()):
        ratios, unknown, counts = [], [], []
        for test in tested:
            raced = raced_at(test)
            counts += [len(list_) for list_ in raced.values()]
            chosen = chosen_at(redsweep, [run for run in kinds[kind] if run != test], list(raced))
            more, missing = compare(raced, chosen)
            ratios, unknown = ratios + more, unknown + missing
            if before:
                pairs += paired(raced, chosen, chosen_at(before, [run for run in kinds[kind] if run != test], list(raced)))
        ratios.sort(key=lambda of: of[0], reverse=True)
        behind += [(kind, *of) for of in ratios]
        counts.sort()
        good = sum(ratio <= 1.05 for ratio, *_ in ratios)
        mean = math.exp(sum(math.log(ratio) for ratio, *_ in ratios) / len(ratios))
        worst = ", ".join(f"{ratio:.2f} ({shape}, {kernel})" for ratio, shape, kernel, *_ in ratios[:3])
        print(f"| {kind} | {len(ratios) + len(unknown)} | {counts[0]} to {counts[-1]}, median {counts[len(counts) // 2]} "
              f"| {100 * good / len(ratios):.1f} % | {mean:.4f} | {worst} "
              f"| {sum(ratio > 1.15 for ratio, *_ in ratios)} | {len(unknown)} |")
    print_pairs(pairs)
    print_worst(behind, int(os.environ.get("WORST", "0")))


def paired(raced, chosen, earlier):
    """Returns a Counter of pairs (earlier, now), one for each shape. For each choice, the value is
    whether it is within 5 %, or None if it was not raced at the shape."""
    pairs = collections.Counter()
    for place, list_ in raced.items():
        both = [compare({place: list_}, chosen_)[0] for chosen_ in (earlier, chosen)]
        pairs[tuple(of[0][0] <= 1.05 if of else None for of in both)] += 1
    return pairs


def print_pairs(pairs):
    known = {of: count for of, count in pairs.items() if None not in of}
    if known:
        all_ = sum(known.values())
        before, now = (100 * sum(count for of, count in known.items() if of[side]) / all_ for side in (0, 1))
        lost = [sum(count for of, count in pairs.items() if of[side] is None) for side in (0, 1)]
        behind = [sum(count for of, count in pairs.items() if of[side] is False) for side in (0, 1)]
        print(f"\nAt {all_} shapes both choices were raced: {before:.1f} % within 5 % before, {now:.1f} % now. At all "
              f"{sum(pairs.values())}: {behind[0]} and {behind[1]} behind, {lost[0]} and {lost[1]} not raced.")


def print_worst(behind, count):
    if count:
        print("\n| runs | shape | times as long | chosen | the fastest there |\n| --- | --- | ---: | --- | --- |")
    for kind, ratio, shape, *settings in sorted(behind, key=lambda of: -of[1])[:count]:
        chosen, best = (" ".join([kernel, *(f"{k} {v}" for k, v in sorted(setting.items()))])
                        for kernel, setting in (settings[:2], settings[2:]))
        print(f"| {kind} | {shape} | {ratio:.2f} | {chosen} | {best} |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
