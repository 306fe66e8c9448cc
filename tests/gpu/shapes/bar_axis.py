#!/usr/bin/env python3
"""The fastest raced configuration beside eager PyTorch at random shapes of any axis (axis_plane.py).

  bar_axis.py RUN SEED COUNT > bar-axis.csv

RUN: a run of the points of axis_plane.py SEED COUNT. PyTorch is timed here as bar.py does, over all places of a launch in the
stream; the run has the times at the cheapest place, to which what an empty launch takes longer on average is added (`ours`).
Columns: op, type, shape, name, us; `reading` is the run's, `empty` the difference.
"""
import os
import statistics
import sys

import torch

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")]
import axis_plane  # noqa: E402
import bar  # noqa: E402
import runs as recorded  # noqa: E402

EAGER = {"sum": lambda x: x.sum(1, dtype=torch.float32), "argmax": lambda x: x.argmax(1),
         "mean_var": lambda x: torch.var_mean(x.float(), 1)}


def raced(run):
    """{(op, type, shape): {"ours": us, "reading": us}}, of configurations that stayed in the race."""
    found = {}
    for row in recorded.rows(run, "status = ok and time_us_median > 0"):
        if row["stopped_by"] == "raced":
            continue
        length, inner = int(row["row_length"]), int(row["inner"] or 1)
        shape = f"{int(row['n']) // length // inner}x{length}x{inner}"
        times = found.setdefault((row["op"], row["type"], shape), {})
        who = "reading" if row["kernel"] == "rows_limit" else "ours"
        times[who] = min(times.get(who, 1e9), float(row["time_us_median"]))
    return found


def empty_difference(flush):
    """By how much an empty launch at any place takes longer than at the cheapest."""
    times = []
    for before in range(bar.PLACES):
        events = [bar.time_once(lambda: torch.cuda._sleep(1), flush, before) for _ in range(24)]
        torch.cuda.synchronize()
        times.append(events)
    # Each timed call adds the same number of launches, so one value of `before` has places i, i + step, ...
    every = [[begin.elapsed_time(end) * 1e3 for begin, end in events] for events in times]
    by_place = [statistics.median(x for events in every for x in events[i::bar.PLACES]) for i in range(bar.PLACES)]
    by_before = [statistics.median(events) for events in every]
    spread = max((by_place, by_before), key=lambda list_: max(list_) - min(list_))
    return statistics.mean(spread) - min(spread)


def main(run, seed, count):
    ours, flush = raced(run), torch.zeros(2, bar.FLUSH, device="cuda")
    torch.cuda._sleep(1000000)
    more = empty_difference(flush)
    print("op,type,shape,name,us")
    print(f",,,empty,{more:.3f}")
    for outer, length, inner, kind, op in axis_plane.problems(int(seed), int(count)):
        shape = f"{outer}x{length}x{inner}"
        x = torch.randn(outer, length, inner, device="cuda").to(getattr(torch, kind))
        calls = {"torch": lambda x=x, op=op: EAGER[op](x)}
        calls["torch"]()
        times = bar.measure(calls, flush)
        for who, us in ours.get((op, kind, shape), {}).items():
            times[who] = us + (more if who == "ours" else 0)
        for who, us in times.items():
            print(f"{op},{kind},{shape},{who},{us:.3f}", flush=True)
        del x, calls


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
