#!/usr/bin/env python3
"""A config of the fastest configurations by rows that runs have found, problem by problem.

  rows_pick.py RUN... [--keep 2] [--ops sum,max] [--sizes 2^20,2^28] [--row-lengths 2^4,2^10]
               [--with cub_rows,rows_limit] [--samples 15] [--name NAME] > config.json

The problems are type, n and row_length; what is fast for the runs' operation is taken for all --ops.
For an n that the runs have not, that of the nearest one is taken.
"""

import argparse
import csv
import json
import os
import sys


def number(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent) if exponent else int(text)


def read(runs):
    """{(type, n, row length): [(µs, kernel, setting)]}, the fastest first."""
    found = {}
    for run in runs:
        with open(os.path.join(run, "results.csv"), newline="", encoding="utf-8") as f:
            for row in csv.DictReader(f):
                if row["status"] != "ok" or not row["time_us_median"] or row["kernel"] == "rows_limit":
                    continue
                if not row["kernel"].startswith("rows_"):
                    continue
                setting = {"block": int(row["block"])}
                setting.update({k[2:]: int(v) for k, v in row.items() if k.startswith("t_") and v})
                problem = (row["type"], int(row["n"]), int(row["row_length"]))
                found.setdefault(problem, []).append(
                    (float(row["time_us_median"]), row["kernel"], setting)
                )
    return {p: sorted(c, key=lambda x: x[0]) for p, c in found.items()}


def nearest(found, type_name, n, columns):
    known = [p for p in found if p[0] == type_name and p[2] == columns]
    if not known:  # a longer row than any: those of the longest
        known = [p for p in found if p[0] == type_name and p[2] == max(q[2] for q in found if q[0] == type_name)]
    return found[min(known, key=lambda p: abs(p[1].bit_length() - n.bit_length()))] if known else []


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("runs", nargs="+")
    p.add_argument("--keep", type=int, default=2)
    p.add_argument("--ops", default="sum")
    p.add_argument("--sizes", default="")
    p.add_argument("--row-lengths", default="")
    p.add_argument("--with", dest="others", default="cub_rows,rows_limit")
    p.add_argument("--samples", type=int, default=15)
    p.add_argument("--name", default="rows")
    a = p.parse_args()
    found = read(a.runs)
    types = sorted({q[0] for q in found})
    sizes = [number(s) for s in a.sizes.split(",") if s] or sorted({q[1] for q in found})
    lengths = [number(s) for s in a.row_lengths.split(",") if s] or sorted({q[2] for q in found})
    chosen = {}  # kernel: {problem: [setting]}
    for t in types:
        for n in sizes:
            for columns in lengths:
                if n % columns:
                    continue
                for _, kernel, setting in nearest(found, t, n, columns)[: a.keep]:
                    at = chosen.setdefault(kernel, {}).setdefault((t, n, columns), [])
                    if setting not in at:
                        at.append(setting)
    if not chosen:
        sys.exit("rows_pick: no row of a kernel by rows that is ok")
    tunables, blocks, exclude = {}, {256}, []
    for kernel, problems in sorted(chosen.items()):
        wanted = []
        for (t, n, columns), settings in problems.items():
            for s in settings:
                blocks.add(s["block"])
                for k, v in s.items():
                    if k != "block":
                        tunables.setdefault(k.upper(), set()).add(v)
            alternatives = " or ".join(
                "(" + " and ".join("%s = %d" % kv for kv in s.items()) + ")" for s in settings
            )
            wanted.append(
                "row_length = %d and n = %d and type = %s and (%s)" % (columns, n, t, alternatives)
            )
        exclude.append("kernel = %s and not (%s)" % (kernel, " or ".join("(%s)" % w for w in wanted)))
    others = [k for k in a.others.split(",") if k]
    exclude += ["kernel = %s and block != 256" % k for k in others]
    if "rows_limit" in others:
        tunables.setdefault("LOADS", set()).update({8, 16})
        exclude.append("kernel = rows_limit and loads != 8 and loads != 16")
    config = {
        "name": a.name,
        "comment": "Written by tests/gpu/rows_pick.py.",
        "kernels": sorted(chosen) + others,
        "sizes": sizes,
        "row_lengths": lengths,
        "types": types,
        "ops": a.ops.split(","),
        "blocks": sorted(blocks),
        "tunables": {k: sorted(v) for k, v in sorted(tunables.items())},
        "metrics": [],
        "timing": {"min_samples": a.samples, "max_samples": 2 * a.samples, "relative_width": 0.003,
                   "budget_s": 0.1, "contexts": 6},
        "exclude": exclude,
    }
    json.dump(config, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
