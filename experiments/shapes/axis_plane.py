#!/usr/bin/env python3
"""Prints random shapes outer x length x inner with the configurations that race there, for `run --points`.

  axis_plane.py SEED COUNT [TYPE:OP,...] > points.csv

If functions are named, they race one after another, each at COUNT shapes and with about half as many configurations.
Outer is 1 to 2^12 (1 for half of the shapes), length is 2^2 to 2^22, and inner is 2 to 2^20; their logarithms are
distributed uniformly. A shape has 2^12 to 2^27 elements. Inner is a multiple of 8 for half of the shapes and not a
multiple of 4 for the other half. The number of elements is always a multiple of 8, so that rows_limit can run at each
shape.
"""
import random
import sys

FUNCTIONS = (("float32", "sum"), ("bfloat16", "mean_var"), ("bfloat16", "sum"), ("float32", "argmax"))
SIZES = {"float32": 4, "bfloat16": 2}


def problems(seed, count, functions=FUNCTIONS):
    """Returns [(outer, length, inner, type, op)]."""
    source, found = random.Random(seed), []
    while len(found) < count:
        outer = int(2 ** source.uniform(0, 12)) if source.random() < 0.5 else 1
        length, inner = int(2 ** source.uniform(2, 22)), int(2 ** source.uniform(1, 20))
        if len(found) // len(functions) % 2 == 0:
            inner = max(8, inner // 8 * 8)
        else:
            inner += inner % 4 == 0
            length = max(8, length // 8 * 8)
        if 2**12 <= outer * length * inner <= 2**27:
            found.append((outer, length, inner, *functions[len(found) % len(functions)]))
    return found


def configurations(inner_bytes, fewer=False):
    """Returns the settings of axis_tiles that race."""
    vector = 16
    while inner_bytes % vector:
        vector //= 2
    for side in (1, 2, 4, 8, 16, 32, 64):
        strip = side * vector
        if (side > 1 and strip > 1.3 * inner_bytes) or (strip < 64 and inner_bytes >= 2 * strip and side < 64):
            continue
        for loads in (4, 8) if vector >= 8 else (8, 16):
            if fewer and loads == 4 and side < 16:
                continue
            for blocks in (2, 8) if fewer else (2, 4, 8):
                yield dict(side=side, vector=vector, loads=loads, blocks_per_sm=blocks, splits=32,
                           min_blocks=2 if loads == 8 and vector == 16 else 4, policy=1)


def main(seed, count, functions=None):
    functions = [tuple(name.split(":")) for name in functions.split(",")] if functions else FUNCTIONS
    fewer = functions is not FUNCTIONS
    count = int(count) * len(functions) if fewer else int(count)
    names = "side vector loads blocks_per_sm splits min_blocks policy".split()
    print("kernel,type,op,n,row_length,inner,block," + ",".join("t_" + name for name in names))
    for outer, length, inner, kind, op in problems(int(seed), count, functions):
        point = [kind, op, outer * length * inner, length, inner, 256]
        settings = [("rows_limit", dict(loads=loads)) for loads in (8, 16) if op != "dot"] + [("axis_thread", {})]
        settings += [("axis_tiles", setting) for setting in configurations(inner * SIZES[kind], fewer)]
        for kernel, setting in settings:
            print(",".join(map(str, [kernel, *point, *(setting.get(name, "") for name in names)])))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
