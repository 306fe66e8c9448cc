"""Prints points for a race at shapes outer x length x inner: points_axis.py SHAPES TYPES OPS > points.csv; SHAPES
like 32x256x3136"""
import sys
SIZE = {"float32": 4, "bfloat16": 2, "float64": 8, "int8": 1, "float16": 2, "int32": 4}
cols = "kernel,type,op,n,row_length,inner,block,t_side,t_vector,t_loads,t_blocks_per_sm,t_splits,t_min_blocks,t_policy".split(",")
def row(**k): print(",".join(str(k.get(c[2:] if c.startswith("t_") else c, "")) for c in cols))
print(",".join(cols))
for shape in sys.argv[1].split(","):
    outer, length, inner = map(int, shape.split("x"))
    for t in sys.argv[2].split(","):
        s = SIZE[t]
        for op in sys.argv[3].split(","):
            base = dict(type=t, op=op, n=outer * length * inner, row_length=length, inner=inner)
            if base["n"] * s % 16 == 0:
                for l in (8, 16): row(kernel="rows_limit", block=256, loads=l, **base)
            row(kernel="axis_thread", block=256, **base)
            v = 16
            while inner * s % v: v //= 2
            for side in (1, 2, 4, 8, 16, 32, 64):
                strip = side * v
                if strip > inner * s * 1.3 and side > 1: continue
                if side < 4 and inner * s >= 4 * v: continue
                if strip < 64 and inner * s >= 128: continue
                for block in (128, 256):
                    if side > block // 2: continue
                    for loads in (4, 8) if v >= 8 else (8, 16):
                        for bpsm in (4, 8, 16, 32):
                            if block == 128 and bpsm == 4 or block == 256 and bpsm == 32: continue
                            row(kernel="axis_tiles", block=block, side=side, vector=v, loads=loads, blocks_per_sm=bpsm, splits=32, policy=1,
                                min_blocks=(2 if loads == 8 else 4) * (256 // block) if v == 16 else 4 * (256 // block), **base)
