#!/usr/bin/env python3
"""The fastest of ours beside CUB, PyTorch, cuBLAS and reading, problem by problem, as Markdown.

  rows_table.py RUN... [--n 2^26] [--type float32] [--op sum] [--behind] [--errors]

RUN: folders of redsweep's runs, of peers.py too (peers/run). Times are medians in us, cold; where several
runs have a point, that of the run with the most samples, or the lowest of equals. "reading": the faster of
rows_limit and sweep_read, which only read (and write) as many bytes; they have no operation, so that of any
serves. The ratio is the fastest peer's time to ours: below 1 the peer is ahead. Ranks of a race that ended
early are left out. --behind prints problems where a peer is ahead, or ours misses the issue's share of
reading (95 %, variances and log-sum-exp 90 %, from 2^26 bytes on), and nothing else.
"""

import argparse
import csv
import os

LIMITS = ("rows_limit", "sweep_read")
SIZE = {"float32": 4, "bfloat16": 2, "float16": 2, "int32": 4, "float64": 8, "int64": 8}


def number(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent) if exponent else int(text)


def power(n):
    return "2^%d" % (n.bit_length() - 1) if n & (n - 1) == 0 else str(n)


def who(kernel):
    if kernel in LIMITS:
        return "reading"
    for prefix, name in (("torch_", "PyTorch"), ("compiled_", "compiled"), ("cublas_", "cuBLAS"), ("cub", "CUB")):
        if kernel.startswith(prefix):
            return name
    return "ours"


def read(runs):
    """{problem: {who: (us, kernel, setting, error)}} and {(type, n, row length): us of reading}."""
    found, reading = {}, {}
    for run in runs:
        with open(os.path.join(run, "results.csv"), newline="", encoding="utf-8") as f:
            for row in csv.DictReader(f):
                if row["status"] != "ok" or not row["time_us_median"] or row.get("stopped_by") == "raced":
                    continue
                length = int(row.get("row_length") or 0)
                problem = (row["type"], row["op"], int(row["n"]), length)
                us, name = float(row["time_us_median"]), who(row["kernel"])
                if name == "reading":
                    key = (problem[0], problem[2], length)
                    reading[key] = min(us, reading.get(key, us))
                    continue
                setting = " ".join("%s %s" % (k[2:].upper(), v) for k, v in row.items() if k.startswith("t_") and v)
                entry = (us, row["kernel"], "block %s %s" % (row["block"], setting), row.get("error_rel") or "")
                best = found.setdefault(problem, {}).get(name)
                if best is None or us < best[0]:
                    found[problem][name] = entry
    return found, reading


def cells(problem, entries, reading):
    type_name, op, n, length = problem
    ours = entries.get("ours", (None, "", "", ""))
    peers = {k: v for k, v in entries.items() if k != "ours"}
    limit = reading.get((type_name, n, length))
    if limit is not None and op == "dot":
        limit = reading.get((type_name, 2 * n, length))
    best = min((v[0] for v in peers.values()), default=None)
    return ours, limit, best


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("runs", nargs="+")
    p.add_argument("--n", default="")
    p.add_argument("--type", default="")
    p.add_argument("--op", default="")
    p.add_argument("--behind", action="store_true")
    a = p.parse_args()
    found, reading = read(a.runs)
    print("| type | op | n | columns | reading | ours | of reading | by | CUB | PyTorch | compiled | cuBLAS | ratio |")
    print("| --- | --- | --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for problem in sorted(found):
        type_name, op, n, length = problem
        if a.n and n not in [number(t) for t in a.n.split(",")]:
            continue
        if a.type and type_name not in a.type.split(",") or a.op and op not in a.op.split(","):
            continue
        entries = found[problem]
        ours, limit, best = cells(problem, entries, reading)
        if ours[0] is None:
            continue
        share = limit / ours[0] if limit else None
        wanted = 0.9 if op in ("mean_var", "logsumexp") else 0.95
        large = n * SIZE[type_name] * (2 if op == "dot" else 1) >= 1 << 26
        missed = large and share is not None and share < wanted
        if a.behind and not missed and not (best is not None and best < ours[0]):
            continue

        def us(name):
            return "%.2f" % entries[name][0] if name in entries else ""

        print("| " + " | ".join([
            type_name, op, power(n), power(length) if length else "all", "%.2f" % limit if limit else "",
            "%.2f" % ours[0], "%.0f %%" % (100 * share) if share else "", ours[1] + " " + ours[2] if a.behind else ours[1],
            us("CUB"), us("PyTorch"), us("compiled"), us("cuBLAS"),
            "%.2f" % (best / ours[0]) if best else ""]) + " |")


if __name__ == "__main__":
    main()
