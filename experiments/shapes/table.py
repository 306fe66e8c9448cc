#!/usr/bin/env python3
"""Compares redsweep's fastest kernel at each shape with reading, as a Markdown table.

  table.py ARCHIVE RUN...

ARCHIVE is a .tar.xz of runs of odd-rows.json or any-axis.json beside this file, and RUN is a name of a run in it.
Times are medians in us with a cold cache; "reading" is the faster setting of rows_limit. A shape is rows x columns,
or outer x length x inner. Configurations that a race dropped before they had 8 samples are ignored.
"""
import collections
import os
import pathlib
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs  # noqa: E402

OPS = ["sum", "argmax", "mean_var", "logsumexp"]


def rows_of(archive, names):
    with tarfile.open(archive) as tar, tempfile.TemporaryDirectory() as folder:
        for name in names:
            for file in ["run.json", "results.csv"]:
                path = pathlib.Path(folder, name, file)
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(tar.extractfile(f"{name}/{file}").read())
            yield from runs.rows(str(path.parent))


def cell(timed, reading):
    if not timed:
        return ""
    us, kernel = min(timed)
    share = f" {100 * min(reading) / us:.0f} %," if reading else ""
    return f"{us:.2f} ({share.strip()} {kernel})" if share else f"{us:.2f} ({kernel})"


def main(archive, *names):
    ours, reading, ops = collections.defaultdict(list), collections.defaultdict(list), set()
    for row in rows_of(archive, names):
        if row["status"] != "ok" or not row["time_us_median"]:
            continue
        n, length, inner = int(row["n"]), int(row["row_length"]), int(row.get("inner") or 1)
        outer = n // length // inner
        shape = f"{outer} x {length}" + (f" x {inner}" if "inner" in row else "")
        key, us = (row["type"], n, shape, row["op"]), float(row["time_us_median"])
        ops.add(row["op"])
        if row["kernel"] == "rows_limit":
            reading[key].append(us)
        elif int(row["samples"]) >= 8:
            ours[key].append((us, row["kernel"]))
    columns = [op for op in OPS if op in ops]
    print("| type | shape | " + " | ".join(columns) + " |")
    print("| --- | --- |" + " ---: |" * len(columns))
    for type_, n, shape in sorted({key[:3] for key in ours}):
        cells = [cell(ours[type_, n, shape, op], reading[type_, n, shape, op]) for op in columns]
        print(f"| {type_} | {shape} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
