#!/usr/bin/env python3
"""Compares rows_short with the fastest other kernel, as a Markdown table.

  short_table.py ARCHIVE FOLDER [KERNEL]

ARCHIVE is a .tar.xz that contains runs of plane.json in FOLDER, at the points of `plane.py SEED COUNT TYPE OP
LONGEST`. Each ratio is the time of the fastest other kernel divided by the time of KERNEL (rows_short). "reading"
is the faster setting of rows_limit, which also writes the results.
"""
import collections
import math
import os
import statistics
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs  # noqa: E402

SIZES = {"float32": 4, "bfloat16": 2}
CLASSES = (("under 2^20", 0, 1 << 20), ("2^20 to 2^23", 1 << 20, 1 << 23), ("from 2^23 on", 1 << 23, 1 << 60))


def fastest_of(archive, folder):
    """Returns {(type, op): {(elements, columns): {kernel: us}}}."""
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    with tarfile.open(archive) as tar, tempfile.TemporaryDirectory() as work:
        tar.extractall(work, filter="data")
        for name in sorted(os.listdir(os.path.join(work, folder))):
            for row in runs.rows(os.path.join(work, folder, name), "status = ok and samples > 7 and time_us_median > 0"):
                kernels = found[row["type"], row["op"]][int(row["n"]), int(row["row_length"])]
                us = float(row["time_us_median"])
                kernels[row["kernel"]] = min(us, kernels.get(row["kernel"], us))
    return found


def line(title, problems, kernel):
    ratios = [min(us for who, us in at.items() if who not in (kernel, "rows_limit")) / at[kernel] for at in problems]
    reading = [100 * at["rows_limit"] / at[kernel] for at in problems if "rows_limit" in at]
    mean = math.exp(statistics.mean(map(math.log, ratios)))
    print(f"| {title} | {len(ratios)} | {sum(ratio >= 1 for ratio in ratios)} | {mean:.2f} | {min(ratios):.2f} | {max(ratios):.2f} | "
          f"{statistics.median(reading):.0f} %, {min(reading):.0f} % |")


def main(archive, folder, kernel="rows_short"):
    print(f"| function, bytes | problems | fastest at | geometric mean | least | most | {kernel}'s share of reading: median, least |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for (kind, op), problems in sorted(fastest_of(archive, folder).items()):
        for title, low, high in CLASSES:
            chosen = [at for (n, _), at in problems.items() if low <= n * SIZES[kind] < high and kernel in at]
            if chosen:
                line(f"{op} of {kind}, {title}", chosen, kernel)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
