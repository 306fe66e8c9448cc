#!/usr/bin/env python3
"""Compares two ways to choose a configuration for functions that were measured on a grid of shapes: by fitted times,
or the fastest configuration at the nearest measured shape.

  grid_check.py TYPE OP FOLDER GRID_RUN...          [REDSWEEP=build/redsweep]

FOLDER contains runs of plane.json for this type and operation. For the shapes of these runs, `redsweep best --at`
chooses from the grid's runs by fitted times. The other rule takes the measured shapes whose row length is the
nearest by ratio, and among these the shape whose n is the nearest. It chooses the configuration that is the fastest
there and can run at the given shape. Both choices are compared with the fastest of the grid's winners that were
raced at the given shape. Shapes at which one of the choices was not raced are ignored.
"""
import csv
import io
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plane_check  # noqa: E402

WHOLE_PACKS = ("rows_lanes", "rows_poll", "rows_bulk", "rows_cluster")
SIZES = {"float32": 4, "bfloat16": 2}


def sites_of(runs, kind, op):
    """Returns {(n, row length): [(kernel, setting)]}. The first configuration is the fastest. If it
    requires rows of whole packs, the second one is the fastest that accepts any length."""
    timed = {}
    for run in runs:
        for row in plane_check.recorded.rows(run, "status = ok and time_us_median > 0"):
            length = int(row["row_length"] or 0)
            if (row["type"], row["op"], row.get("cache", "cold")) != (kind, op, "cold") or not length or \
                    row["stopped_by"] == "raced" or row["kernel"].startswith("cub"):
                continue
            setting = {k[2:]: int(v) for k, v in row.items() if k.startswith("t_") and v}
            setting["block"] = int(row["block"])
            timed.setdefault((int(row["n"]), length), []).append((float(row["time_us_median"]), row["kernel"], setting))
    sites = {}
    for site, list_ in timed.items():
        list_.sort(key=lambda x: x[0])
        any_length = [x for x in list_ if x[1] not in WHOLE_PACKS]
        sites[site] = [x[1:] for x in list_[:1] + (any_length[:1] if list_[0][1] in WHOLE_PACKS else [])]
    return sites


def time_at(raced, choice):
    """Returns the time of a configuration at a shape, or None if it was not raced there."""
    kernel, setting = choice
    for k, s, us, _ in raced:
        if k == kernel and all(setting.get(name) == value for name, value in s.items()):
            return us
    return None


def nearest(sites, n, length, size):
    def distance(site):
        return abs(math.log2(site[1] / length)), abs(math.log2(site[0] / n))

    for site in sorted(sites, key=distance):
        for choice in sites[site]:
            if choice[0] not in WHOLE_PACKS or length * size % 16 == 0:
                return choice
    return None


def expected(redsweep, runs, shapes, kind, op):
    out = subprocess.run([redsweep, "best", *runs, "--at", ",".join(shapes), "--csv", "-"], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for row in csv.DictReader(io.StringIO(out)):
        if (row["type"], row["op"]) == (kind, op):
            kernel, _, setting = row["configuration"].partition(", ")
            found[row["shape"]] = kernel, {k.lower(): int(v) for k, v in re.findall(r"(\w+) (\d+)", setting)}
    return found


def show(title, ratios):
    good = sum(ratio <= 1.05 for ratio in ratios)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"| {title} | {len(ratios)} | {100 * good / len(ratios):.1f} % | {mean:.3f} | "
          f"{sum(ratio > 1.15 for ratio in ratios)} | {max(ratios):.2f} |")


def main(kind, op, folder, *runs):
    redsweep, sites = os.environ.get("REDSWEEP", "build/redsweep"), sites_of(runs, kind, op)
    ratios = {"by fitted times": [], "by the nearest shape": []}
    for name in sorted(os.listdir(folder)):
        raced = {shape: list_ for (*what, shape), list_ in plane_check.raced_at(os.path.join(folder, name)).items()
                 if what == [kind, op]}
        if not raced:
            continue
        chosen = expected(redsweep, runs, list(raced), kind, op)
        for shape, list_ in raced.items():
            rows, length = map(int, shape.split("x"))
            two = time_at(list_, chosen[shape]), time_at(list_, nearest(sites, rows * length, length, SIZES[kind]) or ("", {}))
            if None in two:
                continue
            winners = [us for choices in sites.values() for us in (time_at(list_, c) for c in choices) if us]
            best = min([*winners, *two])
            for list_of, us in zip(ratios.values(), two):
                list_of.append(1.0 if us <= best + plane_check.STEP_US else us / best)
    print("| choice | shapes | within 5 % | geometric mean | over 15 % | worst |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for title, values in ratios.items():
        show(title, values)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
