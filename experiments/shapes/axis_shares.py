#!/usr/bin/env python3
"""Compares the speed of reductions over any axis with the targets, as a Markdown table.

  axis_shares.py ARCHIVE RUN...

ARCHIVE is a .tar.xz of runs of axis_plane.json. For each shape of at least 2^26 bytes whose inner axis has at least
64 bytes, it computes the speed of the fastest configuration as a share of the speed of reading (the faster setting of
rows_limit). If rows of the inner axis are whole packs of 16 bytes, the targets are 97 % for sums and maxima (95 % for
rows of at most 256 bytes), 95 % for argmax, norms and dot products, and 90 % for the other operations. For other rows,
the target is 90 %.
"""
import collections
import os
import statistics
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs  # noqa: E402

SIZES = {"float32": 4, "bfloat16": 2}
GOALS = {"sum": 97, "max": 97, "argmax": 95, "norm2": 95, "dot": 95}


def fastest_of(archive, names):
    """Returns {(op, type, outer, length, inner): {"reading": us, "ours": us}}."""
    found = collections.defaultdict(dict)
    with tarfile.open(archive) as tar, tempfile.TemporaryDirectory() as work:
        tar.extractall(work, filter="data")
        for name in names:
            for row in runs.rows(os.path.join(work, name), "status = ok and time_us_median > 0"):
                length, inner = int(row["row_length"]), int(row.get("inner") or 1)
                at = found[row["op"], row["type"], int(row["n"]) // length // inner, length, inner]
                who, us = "reading" if row["kernel"] == "rows_limit" else "ours", float(row["time_us_median"])
                at[who] = min(us, at.get(who, us))
    return found


def goal_of(op, inner_bytes):
    if inner_bytes % 16:
        return 90
    return 95 if op in ("sum", "max") and inner_bytes <= 256 else GOALS.get(op, 90)


def main(archive, *names):
    shares = collections.defaultdict(list)
    for (op, kind, *shape), at in fastest_of(archive, names).items():
        outer, length, inner = shape
        size = SIZES[kind]
        if outer * length * inner * size >= 1 << 26 and inner * size >= 64 and len(at) == 2:
            percent = round(100 * at["reading"] / at["ours"])
            shares[op, kind].append((percent, goal_of(op, inner * size), "x".join(map(str, shape))))
    print("| function | shapes | as fast as aimed at | median | behind it |")
    print("| --- | ---: | ---: | ---: | --- |")
    for (op, kind), list_ in sorted(shares.items()):
        behind = [f"{percent} % ({shape})" for percent, goal, shape in sorted(list_) if percent < goal]
        print(f"| {op} of {kind} | {len(list_)} | {len(list_) - len(behind)} | {statistics.median(of[0] for of in list_):.0f} % | "
              f"{', '.join(behind[:4])} |")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
