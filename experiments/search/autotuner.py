#!/usr/bin/env python3
"""Runs Kernel Tuner, to compare it with redsweep. Both tune one kernel of kernels/ at one size, in the same space,
with a cold L2.

  autotuner.py tune OUT.json --n 2^20 --strategy NAME --limit SECONDS [--seed S]
  autotuner.py points OUT.csv --n 2^20 --tops TOPS.csv RUN... TRACE.json...
  autotuner.py table FINAL_RUN TIMES.txt RUN... TRACE.json...

tune: Kernel Tuner (`pip install kernel_tuner cupy-cuda13x`) searches with its defaults (seven launches of each
configuration). As in redsweep, 256 MB are written and another 256 MB are read before each launch. OUT.json
contains every configuration with the seconds since the process started.
points: prints a list for `redsweep run --points`, which then measures all of these points in one interleaved
run. They are the points that redsweep's runs chose, each configuration that was the best so far in a trace, and
the points of TOPS.csv with this n. TOPS.csv is also a list of points, not a run: it has no status and no times.
table: prints, for each search, the seconds until its best configuration so far was within 1 % (or one clock
step, 0.032 us) of the fastest in FINAL_RUN, and its final choice. For a run of redsweep, the seconds are those
from its start to its end (a line "NAME SECONDS s" in TIMES.txt; NAME is its folder).
"""
import time

START = time.time()

import argparse
import csv
import glob
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs as recorded  # noqa: E402
from right import limit_of  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLUSH_WORDS = (256 << 20) // 4
with open(f"{ROOT}/experiments/search/autotuner.json") as f:
    CONFIG = json.load(f)
KERNEL, = CONFIG["kernels"]
SOURCE, = glob.glob(f"{ROOT}/kernels/*/{KERNEL}.cu")


def space():
    """Returns the kernel's tunables and block sizes in autotuner.json, and the rules in the kernel's facts."""
    with open(SOURCE) as f:
        facts = re.findall(r"^// (tunable|requires): *(.*)$", f.read(), re.M)
    values_of = {"BLOCK": CONFIG["blocks"]}
    for key, text in facts:
        if key == "tunable":
            name, *values = text.split()
            chosen = CONFIG["tunables"].get(name)
            values = [int(v) for v in values]
            values_of[name] = values if chosen is None else chosen if isinstance(chosen, list) else [chosen]
    rules = [text for key, text in facts if key == "requires" and "OFFSET" not in text]
    return values_of, [re.sub(r"(?<![<>!=])=(?!=)", "==", r) for r in rules]


def grid_of(p, n, multiprocessors):
    """Returns the grid that the facts of onepass_packed define."""
    tiles = -(-n // (p["BLOCK"] * p["LOADS"] * 4))
    return tiles if p["BLOCKS_PER_SM"] == 0 else min(tiles, multiprocessors * p["BLOCKS_PER_SM"])


def tune(args):
    import cupy
    import numpy
    import kernel_tuner
    from kernel_tuner.observers.observer import BenchmarkObserver

    class Flush(BenchmarkObserver):
        """Evicts the input from L2, and leaves nothing dirty there, before each launch."""

        def register_device(self, dev):
            self.dev = dev
            self.written = cupy.zeros(FLUSH_WORDS, dtype=cupy.int32)
            self.read = cupy.zeros(FLUSH_WORDS, dtype=cupy.int32)

        def before_start(self):
            with self.dev.stream:
                self.written.fill(1)
                self.read.max()

        def get_results(self):
            return {}

    random.seed(args.seed)
    numpy.random.seed(args.seed)
    n = recorded.number(args.n)
    values_of, rules = space()
    multiprocessors = cupy.cuda.Device(0).attributes["MultiProcessorCount"]
    values = numpy.random.randint(-50, 50, n).astype(numpy.int32)
    arguments = [values, numpy.zeros(1, numpy.int32), numpy.uint32(n), numpy.zeros(16, numpy.uint8)]
    answer = [None, numpy.array([values.sum()], numpy.int32), None, None]
    with open(SOURCE) as f:
        source = f.read()
    results, _ = kernel_tuner.tune_kernel(
        KERNEL, source, lambda p: grid_of(p, n, multiprocessors), arguments, values_of, answer=answer,
        restrictions=rules, grid_div_x=[], block_size_names=["BLOCK"], lang="CUPY", observers=[Flush()],
        compiler_options=["-std=c++17", f"-I{ROOT}/kernels/lib", "-DTYPE_INT32", "-DOP_SUM",
                          "-DINDEX_BITS=32", "-DUNROLL=1"],
        strategy=args.strategy, strategy_options={"time_limit": args.limit}, quiet=True)
    trace = [dict({name: r[name] for name in values_of}, us=r["time"] * 1000,
                  seconds=seconds_of(r["timestamp"]) - START)
             for r in results if isinstance(r["time"], (int, float))]
    with open(args.out, "w") as f:
        json.dump({"strategy": args.strategy, "n": n, "kernel": KERNEL, "seconds": time.time() - START,
                   "tried": len(results), "trace": sorted(trace, key=lambda r: r["seconds"])}, f)
    print(f"{args.strategy}: {len(trace)} of {len(results)} configurations ran, "
          f"{time.time() - START:.1f} s")


def seconds_of(timestamp):
    """Converts a timestamp of Kernel Tuner, which is a string in UTC."""
    from datetime import datetime, timezone

    t = datetime.fromisoformat(str(timestamp))
    return (t if t.tzinfo else t.replace(tzinfo=timezone.utc)).timestamp()


def best_so_far(trace):
    best = float("inf")
    for r in trace["trace"]:
        if r["us"] < best:
            best = r["us"]
            yield r


def key_of(kernel, n, block, tunables):
    return (kernel, int(n), int(block)) + tuple(sorted((k.lower(), int(v)) for k, v in tunables.items()))


def key_of_row(row):
    return key_of(row["kernel"], row["n"], row["block"],
                  {k[2:]: v for k, v in row.items() if k.startswith("t_") and v})


def key_of_trace(trace, r):
    tunables = {k: v for k, v in r.items() if k not in ("BLOCK", "us", "seconds")}
    return key_of(trace["kernel"], trace["n"], r["BLOCK"], tunables)


def rows_of(run):
    return recorded.rows(run, "status = ok")


def chosen_by(run):
    rows = [r for r in rows_of(run) if r["stopped_by"] != "raced"]
    return key_of_row(min(rows, key=lambda r: (float(r["time_us_median"]), float(r["time_us_mean"]))))


def read_trace(path):
    with open(path) as f:
        return json.load(f)


def points(args):
    n = recorded.number(args.n)
    keys = set()
    for path in args.inputs:
        if path.endswith(".json"):
            trace = read_trace(path)
            keys |= {key_of_trace(trace, r) for r in best_so_far(trace)}
        else:
            keys.add(chosen_by(path))
    with open(args.tops) as f:
        keys |= {key_of_row(r) for r in csv.DictReader(f) if r["kernel"] == KERNEL and int(r["n"]) == n}
    names = sorted({name for k in keys for name, _ in k[3:]})
    with open(args.out, "w") as f:
        out = csv.writer(f)
        out.writerow(["kernel", "n", "block"] + ["t_" + name for name in names])
        for k in sorted(keys):
            values = dict(k[3:])
            out.writerow(list(k[:3]) + [values.get(name, "") for name in names])
    print(f"{len(keys)} points")


def table(args):
    final = {key_of_row(r): float(r["time_us_median"]) for r in rows_of(args.final)}
    fastest = min(final.values())
    limit = limit_of(fastest)
    with open(args.times) as f:
        seconds = {line.split()[0]: float(line.split()[1]) for line in f if line.strip()}
    print(f"fastest measured: {fastest:.3f} us; within 1 % or one step: {limit:.3f} us\n")
    print("| search | configurations | seconds in all | chose, us | seconds to within 1 % |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for path in args.inputs:
        if path.endswith(".json"):
            trace = read_trace(path)
            steps = [(r["seconds"], final[key_of_trace(trace, r)]) for r in best_so_far(trace)]
            name, tried, total = "Kernel Tuner, " + trace["strategy"], trace["tried"], trace["seconds"]
        else:
            name = os.path.basename(path.rstrip("/"))
            tried, total = len(rows_of(path)), seconds[name]
            steps = [(total, final[chosen_by(path)])]
        chose = steps[-1][1] if steps else float("nan")
        first = next((s for s, us in steps if us <= limit), None)
        print(f"| {name} | {tried} | {total:.1f} | {chose:.3f} | {'–' if first is None else f'{first:.1f}'} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    t = commands.add_parser("tune")
    t.add_argument("out")
    t.add_argument("--strategy", default="random_sample")
    t.add_argument("--limit", type=float, default=60)
    t.add_argument("--seed", type=int, default=1)
    q = commands.add_parser("points")
    q.add_argument("out")
    q.add_argument("--tops", default=f"{ROOT}/results/reference/h200-search-truth/tops.csv")
    q.add_argument("inputs", nargs="+")
    for c in (t, q):
        c.add_argument("--n", default="2^20")
    b = commands.add_parser("table")
    b.add_argument("final")
    b.add_argument("times")
    b.add_argument("inputs", nargs="+")
    args = p.parse_args()
    {"tune": tune, "points": points, "table": table}[args.command](args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
