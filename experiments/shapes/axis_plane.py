#!/usr/bin/env python3
"""Prints random shapes outer x length x inner with the configurations that race there, for `run --points`.

  axis_plane.py SEED COUNT [TYPE:OP,...] > points.csv

If functions are named, they race one after another, each at COUNT shapes. Outer is 1 to 2^12 (1 for half of the shapes),
length is 2^2 to 2^22, and inner is 2 to 2^20; their logarithms are distributed uniformly. A shape has 2^12 to 2^27
elements. Inner is a multiple of 8 for half of the shapes and not a multiple of 4 for the other half. The number of
elements is always a multiple of 8, so that rows_limit can run at each shape.
"""
import math
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


def tiles(block, height, length):
    """Returns the loads, `ahead` and blocks per multiprocessor that race with a block of `height` rows side by side."""
    if length <= 12 * height:  # All of a thread's elements are in flight at once.
        return [(next(loads for loads in (2, 4, 6, 8, 12) if loads * height >= length), 0, 8)]
    return [(loads, ahead, blocks) for loads, ahead in ((8, 0), (4, 1), (8, 1))
            for blocks in ((2, 4) if block == 128 else (4,) if block == 64 else (2,))]


def min_blocks(block, loads, ahead):
    """Returns the most blocks per multiprocessor for which the registers certainly suffice."""
    most = min(1024 // block, 65536 // (block * (4 * loads * (1 + ahead) + 24)))
    return max(blocks for blocks in (1, 2, 3, 4, 6, 8) if blocks <= max(1, most))


def configurations(length, inner, size):
    """Returns the block size and the settings of axis_tiles that race. Vectors have 16 bytes wherever they can be used."""
    inner_bytes = inner * size
    whole = inner_bytes % 16 == 0
    narrowest = min(64, inner_bytes // 2 + 1)  # Bytes of a strip, as the kernel requires.
    for side in (1, 2, 4, 8, 16, 32, 64, 128):
        if side > 1 and 16 * side > 1.3 * inner_bytes + 32 or 16 * (side - (not whole)) < narrowest:
            continue
        for block in (64, 128, 256):
            height = block // side
            if height == 0 or (height > 2 * length and block > 64) or (side > 32 and length > 12 * height):
                continue
            if not whole and (side == 1 or inner_bytes + size < 16 or height * inner_bytes % 16):
                continue
            for loads, ahead, blocks in tiles(block, height, length):
                yield block, dict(side=side, vector=16, loads=loads, ahead=ahead, blocks_per_sm=blocks, splits=32,
                                  min_blocks=min_blocks(block, loads, ahead), policy=1)
    if whole:
        return
    vector = 8
    while inner_bytes % vector:
        vector //= 2
    for side in (16, 64):
        if vector * side < narrowest:
            continue
        yield 256, dict(side=side, vector=vector, loads=8, ahead=0, blocks_per_sm=8, splits=32, min_blocks=4, policy=1)


def flats(kind, op, length, inner):
    """Returns the block size and the settings of axis_flat that race, if rows are short enough."""
    row_bytes = inner * SIZES[kind]
    run = row_bytes // math.gcd(row_bytes, 16)  # Packs after which the columns repeat.
    held = {"mean_var": 12, "argmax": 12, "argmin": 12, "logsumexp": 8}.get(op, 4)
    for block in (64, 128, 256, 512):
        if row_bytes > 512 or block % run > 0.25 * block or block * held * 16 // SIZES[kind] > 49152:
            continue
        packs = -(-length * row_bytes // (16 * block))  # Packs per thread, if a block reduces a whole slice.
        if packs <= 12:
            yield block, dict(loads=next(loads for loads in (2, 4, 6, 8, 12) if loads >= packs), ahead=0, blocks_per_sm=8,
                              splits=32, min_blocks=min(8, 1024 // block), policy=1)
        elif block > 64:
            yield from ((block, dict(loads=loads, ahead=ahead, blocks_per_sm=blocks, splits=32,
                                     min_blocks=min_blocks(block, loads, ahead), policy=1))
                        for loads, ahead in ((8, 0), (4, 1), (8, 1)) for blocks in (512 // block, 1024 // block))


def warps(outer, length, inner):
    """
    Returns the settings of axis_warp that race. Blocks have 128 threads. If its warps are too few for a GPU, one setting
    races to show how slow they are.
    """
    found = []
    for columns, loads, min_blocks in ((1, 16, 8), (2, 8, 8), (4, 8, 4), (2, 16, 4)):
        if loads == 16 and length <= 8:
            continue
        if outer * -(-inner // (32 * columns)) >= 528 or ((columns, loads) == (2, 8) and length <= 1 << 14):
            found.append(dict(columns=columns, loads=loads, min_blocks=min_blocks))
    return found


def main(seed, count, functions=None):
    functions = [tuple(name.split(":")) for name in functions.split(",")] if functions else FUNCTIONS
    count = int(count) * (1 if functions is FUNCTIONS else len(functions))
    names = "columns side vector loads ahead blocks_per_sm splits min_blocks policy".split()
    print("kernel,type,op,n,row_length,inner,block," + ",".join("t_" + name for name in names))
    for outer, length, inner, kind, op in problems(int(seed), count, functions):
        point = [kind, op, outer * length * inner, length, inner]
        settings = [("rows_limit", 256, dict(loads=loads)) for loads in (8, 16) if op != "dot"]
        settings += [("axis_thread", 256, {})] * (length <= 4096)
        settings += [("axis_warp", 128, setting) for setting in warps(outer, length, inner)]
        settings += [("axis_flat", *setting) for setting in flats(kind, op, length, inner)]
        settings += [("axis_tiles", *setting) for setting in configurations(length, inner, SIZES[kind])]
        for kernel, block, setting in settings:
            print(",".join(map(str, [kernel, *point, block, *(setting.get(name, "") for name in names)])))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
