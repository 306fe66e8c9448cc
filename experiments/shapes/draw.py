"""Draws shapes by a seed: draw.py SEED COUNT rows|axis. The logarithms of rows and columns (or outer, length and
inner) are distributed uniformly, and the shapes have 2^23 to 2^27 elements. The number of rows is a multiple of 8, so
that the whole input consists of whole packs and rows_limit can run."""
import math, random, sys
rnd = random.Random(int(sys.argv[1])); out = []
while len(out) < int(sys.argv[2]):
    if sys.argv[3] == "rows":
        c = int(2 ** rnd.uniform(1, 22)); r = int(2 ** rnd.uniform(3, 25)) // 8 * 8
        if 2**23 <= r * c <= 2**27: out.append(f"{r}x{c}")
    else:
        o = int(2 ** rnd.uniform(0, 12)) if rnd.random() < 0.5 else 1
        l = int(2 ** rnd.uniform(4, 22)); i = int(2 ** rnd.uniform(4, 20)) // 8 * 8
        if i >= 16 and 2**23 <= o * l * i <= 2**26: out.append(f"{o}x{l}x{i}")
print(",".join(out))
