#!/usr/bin/env python3
"""Draws a chart of the measurements of bar.py. For each provider, a panel shows the speed as a share of the speed of
reading, over the plane of shapes.

  bar_chart.py BAR.csv OP OUT.svg RUN...          [REDSWEEP=build/redsweep]

BAR.csv is the output of bar.py, not a run of redsweep. The RUNs are runs on the same card that contain limit
kernels, such as the library's runs. `redsweep best RUN... --at` fits the time of reading at each shape to them.
For CUB, the chart uses the faster of its two functions.
"""
import csv
import io
import os
import re
import subprocess
import sys

PANELS = (("the library", ("ours",)), ("CUB", ("cub_fixed", "cub_offsets")), ("PyTorch, eager", ("torch",)),
          ("PyTorch, compiled", ("compiled",)))


def reading_at(runs, shapes):
    """Returns {(type, shape): us}."""
    out = subprocess.run([os.environ.get("REDSWEEP", "build/redsweep"), "best", *runs, "--at", ",".join(shapes), "--csv", "-"],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    return {(row["type"], row["shape"]): float(row["time_us"]) * float(row["reading_pct"]) / 100
            for row in csv.DictReader(io.StringIO(out)) if row["time_us"]}


def points_of(rows, reading, names):
    """Returns [(columns, rows, percent of reading)] for the fastest of `names`."""
    best = {}
    for row in rows:
        if row["name"] in names:
            key = row["op"], row["type"], int(row["rows"]), int(row["columns"])
            best[key] = min(best.get(key, 1e9), float(row["us"]))
    return [(columns, count, 100 * reading[kind, f"{count}x{columns}"] / us)
            for (_, kind, count, columns), us in best.items() if (kind, f"{count}x{columns}") in reading]


def join_boxes(svg):
    """Returns the chart with one box for each color of the key, and without empty groups."""
    box = re.compile(r"\t\t<polygon fill *= *'([^']*)' points *= *'([\d.]+),([\d.]+) ([\d.]+),[\d.]+ [\d.]+,([\d.]+) [^']*'/>")
    lines = []
    for line in re.sub(r"<g fill=[^>]*>\n</g>\n", "", svg).split("\n"):
        new = box.fullmatch(line)
        old = new and lines and box.fullmatch(lines[-1])
        if old and old[1] == new[1]:
            fill, left, bottom, right, top = new[1], new[2], old[3], new[4], new[5]
            lines[-1] = f"\t\t<polygon fill = '{fill}' points = '{left},{bottom} {right},{bottom} {right},{top} {left},{top}'/>"
        else:
            lines.append(line)
    return "\n".join(lines)


def main(path, op, out, *runs):
    with open(path, newline="", encoding="utf-8") as f:
        rows = [row for row in csv.DictReader(f) if row["op"] == op]
    reading = reading_at(runs, sorted({f"{row['rows']}x{row['columns']}" for row in rows}))
    colors = "0 '#d9a441', 0.5 '#6fb3a8', 1 '#1b2f63'"
    script = [f"set terminal svg size 900,760 font 'sans-serif,13' background '#ffffff'\nset output '{out}'",
              f"set palette defined ({colors})\nset palette maxcolors 10\nset multiplot layout 2,2",
              "set logscale xy 2\nset format x '2^{%L}'\nset format y '2^{%L}'",
              "set xrange [1:2**28.5]\nset yrange [0.7:2**24.5]\nset xlabel 'columns'\nset ylabel 'rows'\nset cbrange [0:100]",
              "set grid lc rgb '#dddddd'\nset key off"]
    for panel, (title, names) in enumerate(PANELS):
        script.append(f"$points{panel} << EOD")
        script += [f"{columns} {count} {min(percent, 100):.1f}" for columns, count, percent in points_of(rows, reading, names)]
        script += ["EOD", f"set title '{title}: % of the speed of reading'",
                   f"plot $points{panel} using 1:2:3 with points pt 7 ps 0.8 lc palette"]
    subprocess.run(["gnuplot"], input="\n".join(script) + "\nunset multiplot\n", text=True, check=True)
    with open(out, encoding="utf-8") as f:
        svg = f.read()
    with open(out, "w", encoding="utf-8") as f:
        f.write(join_boxes(svg))


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
