#!/usr/bin/env python3
"""Measures how often a search strategy chooses right points, and how long it
takes (see results/reference/h200-search-truth/README.md).

    experiments/search/search_seeds.py REFERENCE SEEDS [OPTION...]
    experiments/search/search_seeds.py results/reference/h200-fastest-search 20 --search.strategy transfer

The script runs configs/fastest-pruned.json (or $CONFIG) on a replay of REFERENCE, once for each seed, with these
options of `redsweep run`. SEEDS is the number of seeds, or a range such as 101-140. A seed determines both the
replay's draws and the search. The script compares the recorded median of the point that a run chose with the
shortest recorded median for the same n. The choice is right if the two differ by at most 1 % or one clock step
(0.032 us). The seconds are estimates for a GPU: the device's work according to the replay's model, 9.7 ms for each
variant (16 threads compile) and 0.3 ms for each point, as measured with 12492 variants and 102836 points. They do
not include starting the run, references and ceilings (3 to 5 s). $CSV is a file to which the script adds a line for
each seed: $NAME, seconds, mean and worst loss in percent.

For each n with a wrong choice, the script prints what happened to the right points: they were not measured, a race
dropped them, or they were kept to the end but another point's samples were shorter. "unresolved" means that the
recorded 95 % confidence interval of the chosen point's median includes right times, so the record does not show
whether the choice is right.
"""
import collections
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs as recorded
from right import limit_of

COMPILE_S, POINT_S = 0.0097, 0.0003
AXES = ("kernel", "block", "unroll")
if len(sys.argv) < 3:
    sys.exit(__doc__)
reference, options = sys.argv[1], sys.argv[3:]
first, last = ([1] + [int(s) for s in sys.argv[2].split("-")])[-2:]
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
redsweep = os.path.join(os.environ.get("BUILD", root + "/build"), "redsweep")
config = os.environ.get("CONFIG", root + "/configs/fastest-pruned.json")


def run(folder, seed, more):
    subprocess.run([redsweep, "run", config, "--out", folder, "--quiet", "--device",
                    f"replay:{reference},seed={seed}", "--search.seed", str(seed)] + more,
                   check=True, stdout=subprocess.DEVNULL)
    rows = recorded.rows(folder, "status = ok")
    with open(folder + "/run.json") as f:
        return rows, json.load(f)


def read_truth():
    """Returns the recorded median and the lower end of its interval for each id, and the shortest median
    for each n."""
    truth, low, best = {}, {}, {}
    for r in recorded.rows(reference, "status = ok"):
        truth[r["id"]] = float(r["time_us_median"])
        low[r["id"]] = float(r["time_us_ci95_lo"] or r["time_us_median"])
        best[r["n"]] = min(best.get(r["n"], 1e9), truth[r["id"]])
    return truth, low, best


def choose(rows, n):
    """Returns the point that a run chooses: among the points that lost no race, the one with the shortest
    median. If several points have this median, it is the one with the shortest mean."""
    finished = [(float(r["time_us_median"]), float(r["time_us_mean"]), r["id"])
                for r in rows if r["n"] == n and r["stopped_by"] != "raced"]
    return min(finished)[2]


def explain(rows, n, limit, chosen):
    """Returns why the run chose no point whose recorded time is within the limit, and whether the record
    makes this certain."""
    good = [r for r in rows if r["n"] == n and truth[r["id"]] <= limit]
    why = ("kept to the end" if any(r["stopped_by"] != "raced" for r in good)
           else "dropped" if good else "not measured")
    return why + (", unresolved" if low[chosen] <= limit else "")


truth, low, best = read_truth()
causes = collections.Counter()
wrong, all_right, worst, seconds, busy, points, variants = {n: 0 for n in best}, 0, [], [], [], [], []
with tempfile.TemporaryDirectory() as work:
    for seed in range(first, last + 1):
        rows, manifest = run(f"{work}/{seed}", seed, options)
        kernels = {tuple(r[c] for c in r if c in AXES or c.startswith("t_")) for r in rows}
        busy.append(sum(s["seconds"]["device_busy"] for s in manifest["sessions"]))
        points.append(len(rows))
        variants.append(len(kernels))
        seconds.append(busy[-1] + COMPILE_S * len(kernels) + POINT_S * len(rows))
        losses, missed = [], 0
        for n, least in best.items():
            chosen = choose(rows, n)
            found = truth[chosen]
            losses.append(found / least - 1)
            limit = limit_of(least)
            if found > limit:
                why = explain(rows, n, limit, chosen)
                print(f"seed {seed}, n {n}: {found:g} us instead of {least:g}; right points: {why}")
                causes[why] += 1
                wrong[n] += 1
                missed += 1
        all_right += missed == 0
        worst.append(max(losses))
        if "CSV" in os.environ:
            with open(os.environ["CSV"], "a") as f:
                print(os.environ["NAME"], f"{seconds[-1]:.2f}", f"{100 * statistics.mean(losses):.3f}",
                      f"{100 * worst[-1]:.3f}", sep=",", file=f)
seeds = last - first + 1
sizes = seeds * len(best)
for why, count in sorted(causes.items()):
    print(f"right points {why}: {count}")
print(f"{' '.join(options)}: right at {100 - 100 * sum(wrong.values()) / sizes:.1f} % of {sizes} sizes, at all "
      f"of them in {all_right} of {seeds} runs; mean worst loss {100 * statistics.mean(worst):.2f} %; "
      f"{statistics.mean(seconds):.1f} s, of which the GPU {statistics.mean(busy):.1f} s; "
      f"{statistics.mean(points):.0f} points, {statistics.mean(variants):.0f} variants")
