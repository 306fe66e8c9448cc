#!/usr/bin/env python3
"""Times several libraries at random shapes (plane.py), in one process, with a clean and with a dirty L2.

  policy.py SEED COUNT NAME=LIBRARY NAME=LIBRARY... > policy.csv
  policy.py --table policy.csv.xz                   the first library's times divided by those of each other

LIBRARY is a shared object built from the output of `redsweep tuned`. The script times both functions of bar.py at
each shape, in the same way as bar.py. With a dirty L2, it leaves out the read of 256 MB after the write, so that the
kernel evicts lines that must be written back.
"""
import csv
import lzma
import math
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
STATES = ("clean", "dirty")
CLASSES = (("under 2^22 bytes", 0, 1 << 22), ("2^22 to 2^26", 1 << 22, 1 << 26), ("from 2^26 on", 1 << 26, 1 << 40))


def race(seed, count, libraries):
    import torch
    import bar
    import plane
    os.environ.pop("CUB_FIXED", None)
    os.environ.pop("CUB_ROWS", None)
    peers = {name: bar.Peers(path) for name, path in libraries}
    flush = torch.zeros(2, bar.FLUSH, device="cuda")
    print("l2,op,type,rows,columns,name,us")
    for i, (rows, columns) in enumerate(plane.shapes(seed, count)):
        for name in bar.names_at(i):
            op, _, short = name.rpartition("_")
            x = torch.randn(rows, columns, device="cuda").to(bar.FLOATS[short])
            (parts, kind), _ = bar.RESULTS[name]
            out = torch.empty(rows, parts, dtype=kind, device="cuda")
            calls = {who: peer.ours(name, x, out) for who, peer in peers.items()}
            for call in calls.values():
                call()
            torch.cuda.synchronize()
            for state in STATES:
                for who, us in bar.measure(calls, flush, state == "dirty").items():
                    print(f"{state},{op},{str(x.dtype)[6:]},{rows},{columns},{who},{us:.3f}", flush=True)
            del x, out, calls


def line(title, ratios):
    print(f"| {title} | {len(ratios)} | {math.exp(statistics.mean(map(math.log, ratios))):.4f} | {statistics.median(ratios):.4f} | "
          f"{min(ratios):.3f} | {max(ratios):.3f} |")


def table(path):
    times, names = {}, []
    with lzma.open(path, "rt", newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            names += [row["name"]] if row["name"] not in names else []
            size = int(row["rows"]) * int(row["columns"]) * (4 if row["type"] == "float32" else 2)
            key = row["l2"], size, row["op"], row["type"], row["rows"], row["columns"]
            times.setdefault(key, {})[row["name"]] = float(row["us"])
    print("| L2, input | problems | geometric mean | median | least | most |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for other in names[1:]:
        for state in STATES:
            for title, low, high in CLASSES:
                line(f"{state}, {title}: {names[0]} over {other}",
                     [at[names[0]] / at[other] for key, at in times.items() if key[0] == state and low <= key[1] < high])


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--table":
        table(sys.argv[2])
    elif len(sys.argv) > 4:
        race(int(sys.argv[1]), int(sys.argv[2]), [argument.split("=", 1) for argument in sys.argv[3:]])
    else:
        sys.exit(__doc__)
