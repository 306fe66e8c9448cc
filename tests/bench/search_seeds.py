#!/usr/bin/env python3
"""How often a strategy of search finds the truth, and at which cost: docs/search.md.

    tests/bench/search_seeds.py REFERENCE SEEDS [OPTION...]
    tests/bench/search_seeds.py results/reference/h200-fastest-search 20 --search.strategy transfer

Runs configs/fastest-pruned.json on a replay of REFERENCE once per seed (of the draws and of the
search; SEEDS is their number, or 101-140) with these options of `redsweep run`. What is judged is the recorded median of what a run
chose, against the shortest recorded median of the same n: right is within 1 % or one step of the
clock (0.032 us). Seconds are those of a GPU: what the device works by the replay's model, 9.4 ms for
each variant (16 threads compiling) and 1 ms for each point; starting the run, about 3 s, is left out.
"""
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

COMPILE_S, POINT_S, STEP_US, WITHIN = 0.0097, 0.0003, 0.032, 0.01
AXES = ("kernel", "block", "unroll")
reference, options = sys.argv[1], sys.argv[3:]
first, last = ([1] + [int(s) for s in sys.argv[2].split("-")])[-2:]
seeds = last - first + 1
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
redsweep = os.path.join(os.environ.get("BUILD", root + "/build"), "redsweep")


def run(folder, seed, more):
    subprocess.run([redsweep, "run", root + "/configs/fastest-pruned.json", "--out", folder, "--quiet",
                    "--device", f"replay:{reference},seed={seed}", "--search.seed", str(seed)] + more,
                   check=True, stdout=subprocess.DEVNULL)
    with open(folder + "/results.csv") as f:
        rows = [r for r in csv.DictReader(f) if r["status"] == "ok"]
    with open(folder + "/run.json") as f:
        return rows, json.load(f)


with open(reference + "/results.csv") as f:
    truth = {r["id"]: float(r["time_us_median"]) for r in csv.DictReader(f) if r["status"] == "ok"}
with tempfile.TemporaryDirectory() as work:
    best = {}
    for r in run(work + "/all", 1, ["--search.strategy", "race"])[0]:
        best[r["n"]] = min(best.get(r["n"], 1e9), truth[r["id"]])
    right, all_right, worst, seconds, busy, points, variants = 0, 0, [], [], [], [], []
    for seed in range(first, last + 1):
        rows, manifest = run(f"{work}/{seed}", seed, options)
        kernels = {tuple(r[c] for c in r if c in AXES or c.startswith("t_")) for r in rows}
        busy.append(sum(s["seconds"]["device_busy"] for s in manifest["sessions"]))
        points.append(len(rows))
        variants.append(len(kernels))
        seconds.append(busy[-1] + COMPILE_S * len(kernels) + POINT_S * len(rows))
        losses = []
        for n, least in best.items():
            finished = [(float(r["time_us_median"]), float(r["time_us_mean"]), r["id"]) for r in rows
                        if r["n"] == n and r["stopped_by"] != "raced"]
            found = truth[min(finished)[2]]
            losses.append(found / least - 1)
            ok = found <= least * (1 + WITHIN) or found <= least + STEP_US * 1.001
            right += ok
            if not ok:
                print(f"seed {seed}, n {n}: {found:g} us instead of {least:g}")
        all_right += all(l <= WITHIN or l * b <= STEP_US * 1.001 for l, b in zip(losses, best.values()))
        worst.append(max(losses))
sizes = seeds * len(best)
print(f"{' '.join(options)}: right at {100 * right / sizes:.1f} % of {sizes} sizes, at all of them in "
      f"{all_right} of {seeds} runs; mean worst loss {100 * statistics.mean(worst):.2f} %; "
      f"{statistics.mean(seconds):.1f} s, of which the GPU {statistics.mean(busy):.1f} s; "
      f"{statistics.mean(points):.0f} points, {statistics.mean(variants):.0f} variants")
