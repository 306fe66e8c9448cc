#!/usr/bin/env python3
"""Measures the results of searches again in one interleaved run (see `again` in experiments/search/search.sh).

    search_again.py points OUT.csv TOPS.csv RUN...   for `redsweep run --points`: the points of TOPS.csv and
                                                     the three fastest of each run at each n; TOPS.csv is also
                                                     a list of points, not a run: it has no status and no times
    search_again.py table AGAIN RUN...               what each run chose at each n, as AGAIN measured it,
                                                     beside the fastest there

A run chooses the point with the shortest median among those that lost no race. If several points have this median,
it chooses the one with the shortest mean. A choice is right if it is within 1 % or one clock step (0.032 us) of
the fastest point that AGAIN measured for that n. In the table, * marks wrong choices, and - marks choices that
AGAIN did not measure.
"""
import csv
import os
import sys

from autotuner import rows_of  # which puts ../shared into the path
from right import limit_of

FASTEST = 3
AXES = ("kernel", "type", "op", "n", "block", "unroll", "cache", "scope")


def rows_by_n(run):
    """Returns, for each n, the rows of points that lost no race, with the fastest first."""
    by_n = {}
    for r in rows_of(run):
        if r["stopped_by"] != "raced":
            by_n.setdefault(int(r["n"]), []).append(r)
    for rows in by_n.values():
        rows.sort(key=lambda r: (float(r["time_us_median"]), float(r["time_us_mean"])))
    return by_n


def points(out, tops, runs):
    with open(tops) as f:
        rows = list(csv.DictReader(f))
    for run in runs:
        for found in rows_by_n(run).values():
            rows += found[:FASTEST]
    columns = list(AXES) + sorted({c for r in rows for c in r if c.startswith("t_")})
    lines = {tuple(r.get(c, "") for c in columns) for r in rows}
    with open(out, "w") as f:
        writer = csv.writer(f)
        writer.writerow(columns)
        writer.writerows(sorted(lines))
    print(f"{len(lines)} points")


def table(again, runs):
    measured = rows_by_n(again)
    chosen = {run: {n: rows[0]["id"] for n, rows in rows_by_n(run).items()} for run in runs}
    right, known = {run: 0 for run in runs}, {run: 0 for run in runs}
    names = [os.path.basename(run.rstrip("/")) for run in runs]
    print("| n | points | fastest, us | " + " | ".join(names) + " |")
    print("| ---: | ---: | ---: |" + " ---: |" * len(runs))
    for n in sorted(measured):
        us = {r["id"]: float(r["time_us_median"]) for r in measured[n]}
        fastest = min(us.values())
        cells = []
        for run in runs:
            found = us.get(chosen[run][n])
            if found is None:
                cells.append("-")
                continue
            known[run] += 1
            ok = found <= limit_of(fastest)
            right[run] += ok
            cells.append(f"{found:.4g}" + ("" if ok else " *"))
        print(f"| {n} | {len(us)} | {fastest:.4g} | " + " | ".join(cells) + " |")
    print("\nright: " + ", ".join(f"{name} {right[run]} of {known[run]}" for name, run in zip(names, runs)))


if len(sys.argv) > 4 and sys.argv[1] == "points":
    points(sys.argv[2], sys.argv[3], sys.argv[4:])
elif len(sys.argv) > 3 and sys.argv[1] == "table":
    table(sys.argv[2], sys.argv[3:])
else:
    sys.exit(__doc__)
