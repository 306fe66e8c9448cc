#!/usr/bin/env python3
"""Makes a recording for replays in which no point is fast by luck (see results/reference/h200-search-truth/README.md).

    experiments/search/search_estimate.py TRUTH TOPS OUT [RUN...]
    experiments/search/search_estimate.py truth tops estimated

TRUTH is a run of all points (results.csv). TOPS is a run that measured the fastest points of TRUTH again, or - for
none. OUT becomes a folder whose results.csv contains the points of TRUTH with estimated times. A race records a
point's true time plus the luck of a few samples, and the fastest of ten thousand recorded times is mostly due to
luck. Points that are more than 12 % slower than the fastest point keep their recorded time. For all other points,
the logarithm of the estimated time is

    (30 structure + k recorded + 50 (measured again - session)) / (30 + k [+ 50])

where k is the number of samples, but at most 50. `structure` is a prediction from the other points: the sum of the
effects of each axis's value, of each pair of values, and of block, LOADS and BLOCKS_PER_SM together. These effects
are fitted by ridge regression. 30 is the variance of one sample divided by the variance of the part of a point's
time that its structure does not explain. `session` is the mean difference between TOPS and TRUTH, which ran in
different processes and on different cards. The samples of each point scatter like the samples of the fastest 200
points for that n.

FOLDS=1 compares recorded times and structure with the times in TOPS and the RUNs. The structure of a point is then
fitted without the recorded time of this point (10 folds).
"""
import collections
import csv
import itertools
import math
import os
import shutil
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs as recorded
from right import STEP_US, limit_of

BAND, RIDGE, SWEEPS, EXPLAINED, AGAIN, ENOUGH = 1.12, 0.5, 12, 30, 50, 15
LAUNCH = ("block", "loads", "blocks_per_sm")


def read(folder):
    if folder == "-":
        return []
    return recorded.rows(folder, "status = ok")


def plain(axis):
    return axis.removeprefix("t_")  # older runs have no prefix


def effects(row, axes):
    """Returns the names of a point's effects, which are single values, pairs, and the shape of its launch."""
    values = [(a, row[a]) for a in axes if row[a] != ""]
    return values + list(itertools.combinations(values, 2)) + [tuple(row[a] for a in axes if plain(a) in LAUNCH)]


def fit(has, times, weights):
    """Returns a function of a point's effects: a ridge regression, which Gauss-Seidel iterations fit."""
    mean = sum(w * y for w, y in zip(weights, times)) / sum(weights)
    points = collections.defaultdict(list)
    for i, names in enumerate(has):
        for name in names:
            points[name].append(i)
    left = [y - mean for y in times]
    size = {name: 0.0 for name in points}
    total = {name: sum(weights[i] for i in at) + RIDGE for name, at in points.items()}
    for _ in range(SWEEPS):
        for name, at in points.items():
            old = size[name]
            change = (sum(weights[i] * left[i] for i in at) - RIDGE * old) / total[name]
            size[name] = old + change
            for i in at:
                left[i] -= change
    return lambda names: mean + sum(size.get(name, 0) for name in names)


def estimate(rows, again, axes):
    """Returns {id: time} for one n, and pairs (measured again, recorded, structure) for the comparison."""
    best = min(float(r["time_us_median"]) for r in rows)
    near = [r for r in rows if float(r["time_us_median"]) <= BAND * best]
    times = [math.log(float(r["time_us_median"])) for r in near]
    counts = [min(int(r["samples"]), 50) for r in near]
    weights = [min(k, 15) / 15 for k in counts]
    has = [effects(r, axes) for r in near]
    structure = list(map(fit(has, times, weights), has))
    unseen = list(structure)
    for fold in range(10) if os.environ.get("FOLDS") else []:
        use = [i for i in range(len(near)) if i % 10 != fold]
        told = fit([has[i] for i in use], [times[i] for i in use], [weights[i] for i in use])
        for i in range(fold, len(near), 10):
            unseen[i] = told(has[i])
    known = [(EXPLAINED * s + k * y, EXPLAINED + k) for s, k, y in zip(structure, counts, times)]
    more = {i: math.log(again[r["id"]]) for i, r in enumerate(near) if r["id"] in again}
    session = statistics.mean(more[i] - known[i][0] / known[i][1] for i in more) if more else 0
    for i, y in more.items():
        known[i] = (known[i][0] + AGAIN * (y - session), known[i][1] + AGAIN)
    out = {r["id"]: float(r["time_us_median"]) for r in rows}
    out.update({r["id"]: math.exp(a / b) for r, (a, b) in zip(near, known)})
    return out, {r["id"]: (y, s) for r, y, s in zip(near, times, unseen)}, session


def count_right(times):
    """Returns how many times are within 1 % or one clock step of the shortest."""
    limit = limit_of(min(times))
    return sum(t <= limit for t in times)


def scatter(rows):
    """Returns the shortest time, the interval and the longest time, as multiples of the median, and the number
    of samples. All are medians over the 200 fastest points with enough samples for an interval."""
    enough = sorted((float(r["time_us_median"]), r["id"], r) for r in rows if int(r["samples"]) >= ENOUGH)[:200]
    columns = ("time_us_min", "time_us_ci95_lo", "time_us_ci95_hi", "time_us_max")
    return [statistics.median(float(r[c]) / us for us, _, r in enough) for c in columns], \
        round(statistics.median(int(r["samples"]) for _, _, r in enough))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    truth, tops, out = sys.argv[1:4]
    rows = read(truth)
    again = {r["id"]: float(r["time_us_median"]) for r in read(tops)}
    columns = list(rows[0])
    tunables = columns[columns.index("unroll") + 1:columns.index("grid")]
    axes = ["kernel", "block"] + tunables
    by_n = collections.defaultdict(list)
    for r in rows:
        by_n[int(r["n"])].append(r)
    os.makedirs(out)
    if os.path.exists(truth + "/run.json"):
        shutil.copy(truth + "/run.json", out)
    with open(out + "/results.csv", "w", newline="") as f:
        table = csv.DictWriter(f, list(rows[0]))
        table.writeheader()
        for n, group in sorted(by_n.items()):
            times, pairs, session = estimate(group, again, axes)
            shares, samples = scatter(group)
            fastest = min(times, key=times.get)
            recorded = [float(r["time_us_median"]) for r in group]
            print(f"n {n}: fastest {times[fastest]:.3f} us, {'' if fastest in again else 'not '}measured again; "
                  f"{count_right(times.values())} within 1 %; recorded {min(recorded):.3f}, {count_right(recorded)} "
                  f"within 1 %; session {100 * session:+.2f} %", flush=True)
            for r in group:
                us = times[r["id"]]
                low, lo, hi, high = (us * s for s in shares)
                r.update(time_us_min=f"{round(low / STEP_US) * STEP_US:.3f}", time_us_ci95_lo=f"{lo:.6f}",
                         time_us_median=f"{us:.6f}", time_us_mean=f"{us:.6f}", time_us_ci95_hi=f"{hi:.6f}",
                         time_us_max=f"{round(high / STEP_US) * STEP_US:.3f}", samples=samples)
                table.writerow(r)
            for other in [sys.argv[2]] + sys.argv[4:] if os.environ.get("FOLDS") else []:
                compare(n, other, pairs)


def compare(n, folder, pairs):
    seen = [(math.log(float(r["time_us_median"])),) + pairs[r["id"]] for r in read(folder)
            if int(r["n"]) == n and r["id"] in pairs and int(r["samples"]) >= ENOUGH]
    if len(seen) > 9:
        print(f"    {folder}: {len(seen)} points; deviation from their records "
              f"{100 * statistics.stdev(y - r for y, r, _ in seen):.2f} %, from their structure "
              f"{100 * statistics.stdev(y - s for y, _, s in seen):.2f} %, of themselves {100 * statistics.stdev(y for y, _, _ in seen):.2f} %")


main()
