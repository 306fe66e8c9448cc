#!/usr/bin/env python3
"""Prints a config with the fastest row-wise configurations that runs have found, for each problem.

  rows_pick.py RUN... [--keep 2] [--ops sum,max] [--sizes 2^20,2^28] [--row-lengths 2^4,2^10]
               [--with cub_rows,cub_rows_any,rows_limit] [--samples 15] [--name NAME] > config.json

A problem is a type, operation, n and row_length. If the runs do not contain an operation, the script takes the
configurations that are the fastest for sums. If they do not contain an n or a row_length, it takes the
configurations for the nearest value.
"""

import argparse
import itertools
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs as recorded  # noqa: E402

WIDE_RESULTS = ("argmax", "argmin", "mean_var")  # 8 bytes per row, the others 4


def read(runs):
    """Returns {(type, op, n, row length): [(µs, kernel, setting)]}, with the fastest first and the losers
    of a race last."""
    found = {}
    for run in runs:
        where = 'status = ok and time_us_median > 0 and kernel = "rows_*" and kernel != rows_limit'
        for row in recorded.rows(run, where):
            setting = {"block": int(row["block"])}
            setting.update({k[2:]: int(v) for k, v in row.items() if k.startswith("t_") and v})
            problem = (row["type"], row["op"], int(row["n"]), int(row["row_length"]))
            lost = row.get("stopped_by") == "raced"  # after a few samples, perhaps lucky ones
            found.setdefault(problem, []).append((lost, float(row["time_us_median"]), row["kernel"], setting))
    return {p: [x[1:] for x in sorted(c, key=lambda x: x[:2])] for p, c in found.items()}


def nearest(found, type_name, op, n, columns):
    known = [p for p in found if p[0] == type_name and p[1] == op]
    known = known or [p for p in found if p[0] == type_name and p[1] == "sum"]
    if not known:
        return []

    def distance(p):
        return (abs(p[3].bit_length() - columns.bit_length()), abs(p[2].bit_length() - n.bit_length()))

    return found[min(known, key=distance)]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("runs", nargs="+")
    p.add_argument("--keep", type=int, default=2)
    p.add_argument("--ops", default="sum")
    p.add_argument("--sizes", default="")
    p.add_argument("--row-lengths", default="")
    p.add_argument("--with", dest="others", default="cub_rows,cub_rows_any,rows_limit")
    p.add_argument("--samples", type=int, default=15)
    p.add_argument("--name", default="rows")
    a = p.parse_args()
    found = read(a.runs)
    types, ops = sorted({q[0] for q in found}), a.ops.split(",")
    sizes = [recorded.number(s) for s in a.sizes.split(",") if s] or sorted({q[2] for q in found})
    lengths = [recorded.number(s) for s in a.row_lengths.split(",") if s] or sorted({q[3] for q in found})
    chosen = {}  # kernel: {problem: [setting]}
    for t, op, n, columns in itertools.product(types, ops, sizes, lengths):
        for _, kernel, setting in nearest(found, t, op, n, columns)[: a.keep] if n % columns == 0 else []:
            at = chosen.setdefault(kernel, {}).setdefault((columns, n, t, op), [])
            if setting not in at:
                at.append(setting)
    if not chosen:
        sys.exit("rows_pick: no row of a kernel by rows that is ok")
    tunables, blocks, exclude = {}, {256}, []
    for kernel, (t, op, columns) in itertools.product(
        sorted(chosen), itertools.product(types, ops, lengths)
    ):
        wanted = []
        for n in sizes:
            settings = chosen[kernel].get((columns, n, t, op), [])
            for s in settings:
                blocks.add(s["block"])
                for k, v in s.items():
                    if k != "block":
                        tunables.setdefault(k.upper(), set()).add(v)
            alternatives = " or ".join(
                "(" + " and ".join("%s = %d" % kv for kv in s.items()) + ")" for s in settings
            )
            wanted += ["n = %d and (%s)" % (n, alternatives)] if settings else []
        exclude.append(
            "kernel = %s and row_length = %d and type = %s and op = %s" % (kernel, columns, t, op)
            + (" and not (%s)" % " or ".join("(%s)" % w for w in wanted) if wanted else "")
        )
    others = [k for k in a.others.split(",") if k]
    exclude += ["kernel = %s and block != 256" % k for k in others]
    if "cub_rows_any" in others:  # where cub_rows is not for that
        exclude.append("kernel = cub_rows_any and type = float32 and (op = sum or op = max or op = min)")
    if "rows_limit" in others:
        tunables.setdefault("LOADS", set()).update({8, 16})
        # rows_limit is measured with one operation for each size of a result.
        limits = dict((op in WIDE_RESULTS, op) for op in reversed(ops)).values()
        exclude.append("kernel = rows_limit and (loads != 8 and loads != 16 or %s)"
                       % " and ".join("op != %s" % op for op in limits))
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
    config = {
        "name": a.name,
        "comment": "Written by experiments/rows/rows_pick.py.",
        "kernels": sorted(chosen) + others,
        "kernel_folders": [os.path.join(root, "kernels/support")],
        "sizes": sizes,
        "row_lengths": lengths,
        "types": types,
        "ops": ops,
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
