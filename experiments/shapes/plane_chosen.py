#!/usr/bin/env python3
"""Prints the points of plane.py at random shapes. For each shape, it adds the configuration that a library
made from the RUNs would choose.

  plane_chosen.py SEED COUNT TYPE OP RUN... > points.csv          [REDSWEEP=build/redsweep]

plane.py leaves out configurations whose threads would be mostly idle. A library may choose such a configuration,
which without this script would not be timed at the shape. The RUNs are for the function of TYPE and OP.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plane  # noqa: E402
import plane_check  # noqa: E402


def main(seed, count, kind, op, *runs):
    shapes = plane.shapes(int(seed), int(count))
    named = {f"{rows}x{columns}": (rows, columns) for rows, columns in shapes}
    chosen = plane_check.chosen_at(os.environ.get("REDSWEEP", "build/redsweep"), runs, [(kind, op, name) for name in named])
    print("kernel,type,op,n,row_length,block," + ",".join("t_" + name for name in plane.NAMES) + ",t_policy")
    for name, shape in named.items():
        points = [tuple(map(str, point)) for point in plane.points_at(shape, kind, op)]
        kernel, setting = chosen[kind, op, name]
        values = [setting.get(key, "") for key in (*plane.NAMES, "policy")]
        own = tuple(map(str, [kernel, kind, op, shape[0] * shape[1], shape[1], setting["block"], *values]))
        for point in points + [own] * (own not in points):
            print(",".join(point))


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
