#!/usr/bin/env python3
"""Compares redsweep's fastest kernel for each problem with CUB, PyTorch, cuBLAS and reading, as a Markdown table.

  rows_table.py RUN... [--n 2^26] [--type float32] [--op sum] [--arrays]
                [--behind | --shapes | --errors | --summary | --effect TUNABLE | --kernels A,B]

The RUNs are folders of redsweep's runs and of peers.py (peers/run). Times are medians in us with a cold cache. If
several runs contain a point, its time is the mean of their times. "Ours" is redsweep's fastest kernel. "reading" is
the faster of rows_limit and sweep_read, which read the input, write as many bytes as the results have, and do nothing
else. The ratio is the fastest peer's time divided by ours: below 1, the peer is faster. Rows of redsweep's kernels
that a race dropped after a few samples are ignored, but such rows of CUB are used. --arrays selects whole arrays.
--behind prints only the problems for which a peer is faster, or for which, from 2^26 bytes on, our speed is below 95
% of the speed of reading (90 % for variances and log-sum-exp). --shapes prints a line per shape and a column per
operation: our time, its share of reading, and the ratio. --errors prints, for each type and operation, the largest
relative error of the fastest kernels. --summary counts, for each n, the problems for which we are faster than every
peer. From 2^26 bytes on, it also counts the problems for which we are as fast as reading by the rule of --behind.
Below 2^26 bytes, it counts the problems for which our time is at most 1.3 us longer than an empty launch plus the
transfer of the bytes at the card's read bandwidth (both from the runs), and prints the largest difference. --effect
prints, for each kernel, type, operation and size, the time at each value of a tunable divided by the time at its
smallest value in the same setting: the median, the smallest and the largest ratio over all problems and settings that
have both times. --kernels prints the same for the fastest time of kernel B divided by that of kernel A.
"""

import argparse
import json
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs as recorded  # noqa: E402
from rows_pick import WIDE_RESULTS  # noqa: E402

LIMITS = ("rows_limit", "sweep_read")
SIZE = {"float32": 4, "bfloat16": 2, "float16": 2, "int32": 4, "float64": 8, "int64": 8}


def power(n):
    return "2^%d" % (n.bit_length() - 1) if n & (n - 1) == 0 else str(n)


def who(kernel):
    if kernel in LIMITS:
        return "reading"
    for prefix, name in (("torch_", "PyTorch"), ("compiled_", "compiled"), ("cublas_", "cuBLAS"), ("cub", "CUB")):
        if kernel.startswith(prefix):
            return name
    return "ours"


def points(runs):
    """Returns {(problem, kernel, setting): ([us], error)} of all runs."""
    found = {}
    for run in runs:
        for row in recorded.rows(run, "status = ok and time_us_median > 0"):
            if row.get("stopped_by") == "raced" and who(row["kernel"]) == "ours":
                continue
            problem = (row["type"], row["op"], int(row["n"]), int(row.get("row_length") or 0))
            setting = " ".join("%s %s" % (k[2:].upper(), v) for k, v in row.items() if k.startswith("t_") and v)
            setting = "block %s %s" % (row["block"], setting)
            times, error = found.get((problem, row["kernel"], setting), ([], 0))
            found[problem, row["kernel"], setting] = (
                times + [float(row["time_us_median"])], max(error, float(row.get("rel_error") or 0)))
    return found


def read(runs):
    """Returns {problem: {who: (us, kernel, setting, error)}} and {(bytes, rows, wide results): us of
    reading}."""
    found, reading = {}, {}
    for (problem, kernel, setting), (times, error) in points(runs).items():
        us, name = sum(times) / len(times), who(kernel)
        if name == "reading":
            key = limit_key(problem)
            reading[key] = min(us, reading.get(key, us))
            continue
        best = found.setdefault(problem, {}).get(name)
        if best is None or us < best[0]:
            found[problem][name] = (us, kernel, setting, error)
    return found, reading


def limit_key(problem):
    type_name, op, n, length = problem
    rows = n // length if length else 1
    return n * SIZE[type_name] * (2 if op == "dot" else 1), rows, op in WIDE_RESULTS and rows > 1


def cells(problem, entries, reading):
    ours = entries.get("ours", (None, "", "", 0))
    peers = {k: v for k, v in entries.items() if k != "ours"}
    limit = reading.get(limit_key(problem))
    best = min((v[0] for v in peers.values()), default=None)
    return ours, limit, best


def share_of(entry_us, limit):
    return "%.0f %%" % (100 * limit / entry_us) if limit else ""


def is_large(problem):
    return limit_key(problem)[0] >= 1 << 26


def is_near(problem, ours, limit):
    return limit / ours[0] >= (0.9 if problem[1] in ("mean_var", "logsumexp") else 0.95)


def is_behind(problem, ours, limit, best):
    missed = is_large(problem) and limit is not None and not is_near(problem, ours, limit)
    return missed or (best is not None and best < ours[0])


def print_problems(found, reading, only_behind):
    shown = [(p, e) for p, e in sorted(found.items()) if not only_behind or is_behind(p, *cells(p, e, reading))]
    if not shown:
        print("None of %d problems." % len(found))
        return
    print("| type | op | n | columns | reading | ours | of reading | by | CUB | PyTorch | compiled | cuBLAS | ratio |")
    print("| --- | --- | --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for problem, entries in shown:
        ours, limit, best = cells(problem, entries, reading)
        type_name, op, n, length = problem
        peers = ["%.2f" % entries[p][0] if p in entries else "" for p in ("CUB", "PyTorch", "compiled", "cuBLAS")]
        print("| " + " | ".join(
            [type_name, op, power(n), power(length) if length else "all", "%.2f" % limit if limit else "",
             "%.2f" % ours[0], share_of(ours[0], limit), ours[1] + (" " + ours[2] if only_behind else "")]
            + peers + ["%.2f" % (best / ours[0]) if best else ""]) + " |")


def print_shapes(found, reading):
    ops = [op for op in ("sum", "max", "norm2", "dot", "argmax", "mean_var", "logsumexp")
           if any(p[1] == op for p in found)]
    print("| type | n | columns | " + " | ".join(ops) + " |")
    print("| --- | --- | --- |" + " ---: |" * len(ops))
    for type_name, n, length in sorted({(p[0], p[2], p[3]) for p in found}):
        line = []
        for op in ops:
            problem = (type_name, op, n, length)
            if problem not in found:
                line.append("")
                continue
            ours, limit, best = cells(problem, found[problem], reading)
            more = [t for t in (share_of(ours[0], limit), "%.2f" % (best / ours[0]) if best else "") if t]
            line.append("%.*f" % (1 if ours[0] >= 100 else 2, ours[0]) + (" (%s)" % ", ".join(more) if more else ""))
        print("| %s | %s | %s | " % (type_name, power(n), power(length) if length else "all") + " | ".join(line) + " |")


def ceilings(runs):
    """Returns the us of an empty launch and the bytes per us of reading. Both are the best values
    of all sessions."""
    empty, read_gbs = [], []
    for run in runs:
        path = os.path.join(run, "run.json")
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as f:
            sessions = json.load(f).get("sessions") or []
        for session in sessions:
            for when in ("ceilings_start", "ceilings_end"):
                found = session.get(when) or {}
                if found.get("empty_us") and found.get("read_gbs"):
                    empty.append(found["empty_us"])
                    read_gbs.append(found["read_gbs"])
    return (min(empty), max(read_gbs) * 1e3) if empty else (None, None)


def print_summary(found, reading, runs):
    empty, rate = ceilings(runs)
    print("| type | n | problems | ahead of every peer | the least ahead | as fast as reading | at most 1.3 us later "
          "| the latest, us |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for type_name, n in sorted({(p[0], p[2]) for p in found}):
        ratios, near, later = [], [], []
        problems = {p: e for p, e in found.items() if (p[0], p[2]) == (type_name, n)}
        for problem, entries in problems.items():
            ours, limit, best = cells(problem, entries, reading)
            if best:
                ratios.append(best / ours[0])
            if is_large(problem) and limit:
                near.append(is_near(problem, ours, limit))
            elif not is_large(problem) and empty:
                later.append(ours[0] - empty - limit_key(problem)[0] / rate)
        print("| %s | %s | %d | %s | %s | %s | %s | %s |" % (
            type_name, power(n), len(problems),
            "%d of %d" % (sum(r > 1 for r in ratios), len(ratios)) if ratios else "",
            "%.2f" % min(ratios) if ratios else "",
            "%d of %d" % (sum(near), len(near)) if near else "",
            "%d of %d" % (sum(us <= 1.3 for us in later), len(later)) if later else "",
            "%.2f" % max(later) if later else ""))


def print_errors(found):
    print("| type | op | problems | ours | CUB |")
    print("| --- | --- | ---: | ---: | ---: |")
    for type_name, op in sorted({p[:2] for p in found}):
        entries = [e for p, e in found.items() if p[:2] == (type_name, op)]
        worst = [max((e[w][3] for e in entries if w in e), default=None) for w in ("ours", "CUB")]
        print("| %s | %s | %d | %s |" % (type_name, op, len(entries),
                                         " | ".join("" if w is None else "%.1e" % w if w else "0" for w in worst)))


def print_effect(found, tunable):
    """Prints the table of --effect for a tunable. `found` is the result of points()."""
    settings, ratios = {}, {}
    for (problem, kernel, setting), (times, _) in found.items():
        words = setting.split()
        if tunable not in words:
            continue
        at = words.index(tunable)
        rest = " ".join(words[:at] + words[at + 2:])
        settings.setdefault((problem, kernel, rest), {})[int(words[at + 1])] = sum(times) / len(times)
    for (problem, kernel, _), us in settings.items():
        for value in sorted(us)[1:]:
            key = (kernel, problem[0], problem[1], problem[2], value)
            ratios.setdefault(key, []).append(us[value] / us[min(us)])
    print_ratios(ratios, tunable)


def print_ratios(ratios, last):
    """Prints a line for each key of {(kernel, type, op, n, value of the column `last`): [ratio]}."""
    print("| kernel | type | op | n | %s | settings | median | smallest | largest |" % last)
    print("| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for (kernel, type_name, op, n, value), of in sorted(ratios.items()):
        print("| %s | %s | %s | %s | %s | %d | %.3f | %.3f | %.3f |" % (
            kernel, type_name, op, power(n), value, len(of), statistics.median(of), min(of), max(of)))


def print_kernels(found, one, other):
    """Prints the table of --kernels for two kernels. `found` is the result of points()."""
    best, ratios = {}, {}
    for (problem, kernel, _), (times, _) in found.items():
        us = sum(times) / len(times)
        best[problem, kernel] = min(us, best.get((problem, kernel), us))
    for (problem, kernel), us in best.items():
        if kernel == other and (problem, one) in best:
            key = (other, problem[0], problem[1], problem[2], one)
            ratios.setdefault(key, []).append(us / best[problem, one])
    print_ratios(ratios, "beside")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("runs", nargs="+")
    p.add_argument("--n", default="")
    p.add_argument("--type", default="")
    p.add_argument("--op", default="")
    p.add_argument("--arrays", action="store_true")
    p.add_argument("--behind", action="store_true")
    p.add_argument("--shapes", action="store_true")
    p.add_argument("--errors", action="store_true")
    p.add_argument("--summary", action="store_true")
    p.add_argument("--effect", default="", metavar="TUNABLE")
    p.add_argument("--kernels", default="", metavar="A,B")
    a = p.parse_args()
    sizes = [recorded.number(t) for t in a.n.split(",") if t]

    def wanted(problem):
        type_name, op, n, length = problem
        return ((not sizes or n in sizes) and (not a.type or type_name in a.type.split(","))
                and (not a.op or op in a.op.split(",")) and (not a.arrays or length == 0))

    if a.effect or a.kernels:
        found = {key: v for key, v in points(a.runs).items() if wanted(key[0])}
        if a.effect:
            print_effect(found, a.effect)
        else:
            print_kernels(found, *a.kernels.split(","))
        return
    found, reading = read(a.runs)
    found = {problem: e for problem, e in found.items() if "ours" in e and wanted(problem)}
    if a.errors:
        print_errors(found)
    elif a.summary:
        print_summary(found, reading, a.runs)
    elif a.shapes:
        print_shapes(found, reading)
    else:
        print_problems(found, reading, a.behind)


if __name__ == "__main__":
    main()
