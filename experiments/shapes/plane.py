#!/usr/bin/env python3
"""Prints random shapes and the configurations of row-wise kernels that race at them, as a file for `run --points`.

  plane.py SEED COUNT TYPE OP [LONGEST [MOST]] > points.csv
  plane.py SEED powers TYPE OP > points.csv   rows of 2 to 2^16 elements, of powers of two, and 2^20 to 2^27 elements
  plane.py SHAPES TYPES OPS > points.csv     at shapes like 4104x4097,336x50257; dot products have no reading
  plane.py SEED COUNT                        the shapes alone, a line each

The logarithms of rows and columns are distributed uniformly, and the shapes have 2^12 to 2^28 elements. In half of
the shapes, rows are whole packs of 16 bytes (the number of columns is a multiple of 8). In the other half, they are
not (the number of columns is not a multiple of 4). Numbers of rows above 512 are multiples of 8, so that the whole
input consists of whole packs and rows_limit can run. With LONGEST, each row length from 2 to LONGEST is equally
frequent, and there are 2^12 to 2^MOST (27) elements. The configurations are the same for every shape, except that
configurations are left out whose threads would be mostly idle.
"""
import math
import random
import sys

SIZES = {"float64": 8, "int64": 8, "uint64": 8, "float32": 4, "int32": 4, "uint32": 4, "float16": 2, "bfloat16": 2,
         "int8": 1, "uint8": 1}

NO_POLICY = ("rows_thread", "rows_brief", "rows_short")
# Each entry is (block, lanes, loads, fold).
TILE = [(128, 1, 4, 2), (128, 1, 6, 4), (128, 1, 9, 4), (64, 1, 9, 2), (64, 1, 10, 4), (128, 2, 4, 2), (128, 2, 6, 4),
        (128, 2, 9, 8), (128, 4, 5, 2), (128, 4, 6, 4), (64, 4, 9, 8), (64, 4, 16, 4), (128, 8, 5, 2), (128, 8, 6, 4),
        (128, 8, 9, 4), (64, 8, 12, 4), (128, 16, 5, 2), (128, 16, 9, 4), (128, 32, 6, 4), (128, 32, 8, 4),
        (64, 32, 6, 4), (64, 32, 12, 4), (64, 32, 16, 4)]
# Each entry is (block, loads, fold, min blocks per multiprocessor, prefetch).
SPLIT = [(64, 4, 2, 8, 0), (64, 8, 4, 8, 0), (128, 4, 2, 6, 0), (128, 6, 2, 6, 0), (128, 6, 2, 6, 1), (128, 8, 4, 4, 0),
         (128, 8, 8, 4, 1), (256, 4, 2, 4, 0), (256, 4, 2, 4, 1), (64, 16, 4, 8, 0)]
# Each entry is (lanes, loads, rows).
LANES = [(1, 1, 2), (1, 1, 4), (1, 2, 2), (1, 4, 2), (2, 2, 2), (2, 4, 2), (2, 8, 1), (4, 2, 2), (4, 4, 2), (4, 8, 1),
         (8, 2, 2), (8, 4, 2), (8, 8, 1), (16, 2, 2), (16, 4, 2), (16, 8, 1), (32, 2, 2), (32, 4, 1), (32, 4, 2),
         (32, 8, 1), (32, 8, 2)]
# Each entry is (block, loads, min blocks per multiprocessor, prefetch).
POLL = [(128, 4, 4, 0), (128, 6, 3, 0), (128, 8, 3, 1), (256, 4, 4, 0), (256, 6, 3, 0), (256, 6, 3, 1), (256, 8, 3, 1),
        (512, 4, 2, 0), (512, 6, 2, 0), (512, 8, 2, 1)]
# Each entry is (lanes, block). 0 lanes means the whole block.
BRIEF = [(1, 128), (2, 128), (4, 128), (8, 128), (16, 128), (32, 128), (0, 128), (0, 256), (0, 512)]
# Each entry is (groups, staged).
SHORT = [(1, 0), (1, 1), (2, 1), (4, 0), (4, 1), (8, 1)]
# Each entry is (team, loads, min blocks per multiprocessor).
PERSISTENT = [(4, 4, 4), (8, 4, 4), (8, 8, 2), (32, 4, 4), (32, 8, 2), (0, 4, 4), (0, 8, 2)]


def shapes(seed, count):
    source, found = random.Random(seed), []
    while len(found) < count:
        rows, columns = int(2 ** source.uniform(0, 24)), int(2 ** source.uniform(1, 28))
        if len(found) % 2 == 0:
            columns = max(8, columns // 8 * 8)
        elif columns % 4 == 0:
            columns += 1
        rows = rows // 8 * 8 if rows > 512 else rows
        if 2**12 <= rows * columns <= 2**28:
            found.append((rows, columns))
    return found


def short_shapes(seed, count, longest, most):
    source = random.Random(seed)
    found = []
    while len(found) < count:
        columns = 2 + len(found) % (longest - 1)
        rows = int(2 ** source.uniform(12, most)) // columns
        found.append((rows // 8 * 8 if rows > 512 else rows, columns))
    return found


def power_shapes(seed):
    """Returns three shapes for each row length that is a power of two from 2 to 2^16: one of 2^20 to 2^23
    elements in all, one of 2^23 to 2^25, and one of 2^25 to 2^27."""
    source = random.Random(seed)
    found = []
    for log2 in range(1, 17):
        for least, most in ((20, 23), (23, 25), (25, 27)):
            rows = int(2 ** source.uniform(least, most)) >> log2
            found.append((rows // 8 * 8 if rows > 512 else rows, 1 << log2))
    return found


def tile_is_used(row, lanes, loads):
    """Returns whether a tile of a warp is mostly full, all its lanes have rows, and a lane has 2 to 64
    units of 4 bytes."""
    if row > loads * 512:
        return False
    rows, together = loads * 512 // row, 32 // lanes
    if rows >= together:
        rows -= rows % together
    return rows * row >= 0.6 * loads * 512 and rows >= 0.5 * together and 1.5 <= row / 4 / lanes <= 64


def brief(row, size):
    """Returns settings of rows_brief: some with the widest loads that the row allows, and some with loads
    of 4 bytes. Each setting has as many loads as a row needs."""
    widest = min(16, row & -row)
    for vector in sorted({widest, max(size, min(4, widest))}):
        for lanes, block in BRIEF:
            steps = -(-row // (vector * (lanes or block)))
            loads = 1 << (steps - 1).bit_length()
            if loads * vector <= 64 and loads <= 16 and steps > loads / 2 and row > size and (lanes or block) <= 2 * row / vector:
                yield "rows_brief", block, dict(lanes=lanes, vector=vector, loads=loads)


def short(row, size):
    """Returns settings of rows_short whose groups of rows are at most 16 packs of 16 bytes."""
    packs = row // math.gcd(row, 16)
    for groups, staged in SHORT:
        if 2 <= row // size <= 16 and packs * groups <= 16 and (groups == 1 or packs * groups <= 12):
            yield "rows_short", 64 if packs * groups > 8 else 128, dict(length=row // size, groups=groups, staged=staged)


def configurations(row, size):
    """Returns the kernel, the block size and the tunables of each configuration for rows of this length."""
    packs = row // 16
    for block, lanes, loads, fold in TILE:
        if tile_is_used(row, lanes, loads):
            least = 1024 // block if loads <= 8 and fold <= 4 else 4 if block == 128 else 8
            yield "rows_tile", block, dict(lanes=lanes, loads=loads, fold=fold, tail=1, min_blocks=min(8, least))
    for block, loads, fold, least, prefetch in SPLIT:
        if row >= 1024 and row >= block * loads * 4:
            yield "rows_split", block, dict(loads=loads, fold=fold, min_blocks=least, prefetch=prefetch, gather=256)
    for team, loads, least in PERSISTENT:
        if 0.5 <= row / 16 / team <= 48 if team else row >= 1024:
            yield "rows_persistent", 256, dict(team=team, loads=loads, ahead=1, min_blocks=least)
    if row <= 256:
        yield "rows_thread", 256, {}
    yield from brief(row, size)
    yield from short(row, size)
    if row % 16:
        return
    for lanes, loads, rows in LANES:
        if lanes <= packs and lanes * loads <= 2 * packs and packs <= 8 * lanes * loads:
            yield "rows_lanes", 128, dict(lanes=lanes, loads=loads, rows=rows, min_blocks=1)
    for block, loads, least, prefetch in POLL:
        if packs >= block * loads / 4:
            yield "rows_poll", block, dict(loads=loads, rounds=1, gather=256, prefetch=prefetch, min_blocks=least)


NAMES = "lanes vector loads fold tail min_blocks prefetch gather team ahead rows rounds length groups staged".split()


def points_at(shape, kind, op):
    rows, columns = shape
    size = SIZES[kind]
    point = [kind, op, rows * columns, columns]
    if rows * columns * size % 16 == 0 and op != "dot":
        for loads in (8, 16):
            values = [loads if name == "loads" else "" for name in NAMES]
            yield ["rows_limit", *point, 256, *values, ""]
    for kernel, block, tunables in configurations(columns * size, size):
        if kernel != "rows_thread" or op != "dot":
            yield [kernel, *point, block, *(tunables.get(name, "") for name in NAMES), "" if kernel in NO_POLICY else 1]


def write(found, kinds, ops):
    print("kernel,type,op,n,row_length,block," + ",".join("t_" + name for name in NAMES) + ",t_policy")
    for shape in found:
        for kind in kinds:
            for op in ops:
                for point in points_at(shape, kind, op):
                    print(",".join(map(str, point)))


def main(first, second, third=None, op=None, longest=None, most=27):
    if "x" in first:
        write([tuple(map(int, shape.split("x"))) for shape in first.split(",")], second.split(","), third.split(","))
        return
    if second == "powers":
        write(power_shapes(int(first)), [third], [op])
        return
    seed, count = int(first), int(second)
    found = short_shapes(seed, count, int(longest), int(most)) if longest else shapes(seed, count)
    if third:
        write(found, [third], [op])
    else:
        print("\n".join(f"{rows}x{columns}" for rows, columns in found))


if __name__ == "__main__":
    main(*sys.argv[1:])
