#!/usr/bin/env python3
"""Measures how good the choice is for short rows at left-out shapes, as plane_check.py does for random shapes.

  short_check.py ARCHIVE SHORT FOLDER PARTS          [REDSWEEP=build/redsweep]

ARCHIVE and SHORT are .tar.xz files that contain runs of plane.json in FOLDER, ARCHIVE at random shapes and SHORT
with short rows. The shapes of each run of SHORT are sorted by length and rows and dealt into PARTS parts. Each part
is left out once. The choices for its shapes are then made from the other parts of the run and from the runs of
ARCHIVE for the same function.
"""
import csv
import os
import shutil
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plane_check  # noqa: E402


def place_of(row):
    return int(row["row_length"]), int(row["n"])


def part_of(run, places, out):
    """Returns a copy of a run with only the rows that have these indices."""
    os.makedirs(out)
    shutil.copy(os.path.join(run, "run.json"), out)
    with open(os.path.join(run, "results.csv"), newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    with open(os.path.join(out, "results.csv"), "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row in rows if place_of(row) in places)


def left_out(redsweep, run, others, parts, work):
    """Returns the result of compare() of plane_check.py, and the number of shapes at which the choice was
    not raced."""
    with open(os.path.join(run, "results.csv"), newline="", encoding="utf-8") as f:
        places = sorted({place_of(row) for row in csv.DictReader(f)})
    ratios, unknown = [], 0
    for part in range(parts):
        tested = set(places[part::parts])
        fitted, test = (os.path.join(work, f"{name}-{part}") for name in ("fitted", "tested"))
        part_of(run, set(places) - tested, fitted)
        part_of(run, tested, test)
        raced = plane_check.raced_at(test)
        more, missing = plane_check.compare(raced, plane_check.chosen_at(redsweep, [*others, fitted], list(raced)))
        ratios, unknown = ratios + more, unknown + len(missing)
    return sorted(ratios, key=lambda of: of[0], reverse=True), unknown


def main(archive, short, folder, parts):
    redsweep = os.environ.get("REDSWEEP", "build/redsweep")
    print("| runs | raced | within 5 % | worst: chosen, the fastest | not raced there |")
    print("| --- | ---: | ---: | --- | ---: |")
    with tempfile.TemporaryDirectory() as work:
        for name, path in (("plane", archive), ("short", short)):
            with tarfile.open(path) as tar:
                tar.extractall(os.path.join(work, name), filter="data")
        kinds = plane_check.runs_in(os.path.join(work, "plane", folder))
        for kind, tests in sorted(plane_check.runs_in(os.path.join(work, "short", folder)).items()):
            for run in tests:
                ratios, unknown = left_out(redsweep, run, kinds[kind], int(parts), os.path.join(work, f"parts-{kind}"))
                worst = ", ".join(f"{ratio:.2f} ({shape}: {kernel}, {best})" for ratio, shape, kernel, _, best, _ in ratios[:2])
                print(f"| {kind} | {len(ratios)} | {sum(of[0] <= 1.05 for of in ratios)} | {worst} | {unknown} |")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
