"""Prints points for a race at shapes rows x columns. The points are sensible configurations of the row-wise kernels.
If rows are not whole packs of 16 bytes, they are configurations of the kernels for any row length. points_rows.py
SHAPES TYPES OPS > points.csv; SHAPES like 1000000x7,4097x4097."""
import sys
SIZE = {"float32": 4, "bfloat16": 2, "float64": 8, "int8": 1, "float16": 2, "int32": 4}
cols = ["kernel","type","op","n","row_length","block","t_lanes","t_loads","t_fold","t_tail","t_min_blocks","t_policy","t_team","t_rounds","t_ahead","t_prefetch","t_gather"]
def row(**k): print(",".join(str(k.get(c[2:] if c.startswith("t_") else c, "")) for c in cols))
def main():
    print(",".join(cols))
    for shape in sys.argv[1].split(","):
        rows, c = map(int, shape.split("x"))
        for t in sys.argv[2].split(","):
            s = SIZE[t]
            for op in sys.argv[3].split(","):
                base = dict(type=t, op=op, n=rows * c, row_length=c, policy=1)
                bytes_ = c * s
                ue = max(1, 4 // s)
                if rows * c * s % 16 == 0:
                    for l in (8, 16): row(kernel="rows_limit", block=256, loads=l, **{k: v for k, v in base.items() if k != "policy"})
                # rows_tile
                cands = []
                for lanes in (1, 2, 4, 8, 16, 32):
                    units = -(-bytes_ // max(4, s) // lanes)        # of a lane
                    if lanes > 1 and units < 3: continue
                    if units > 48 and lanes < 32: continue
                    per = 32 // lanes * bytes_                     # bytes of one turn
                    for loads in (4, 5, 6, 8, 9, 10, 16):
                        if bytes_ > loads * 512: continue
                        k = loads * 512 // bytes_
                        if k >= 32 // lanes: k -= k % (32 // lanes)
                        full = k * bytes_ / (loads * 512)
                        if full < 0.7 or k < 32 // lanes * 0.75: continue
                        for fold in (1, 2, 4, 8):
                            if fold * 4 > units and not (fold == 1 or units * 4 / 5 > fold * 4): continue
                            if fold < min(8, units // 4) / 2: continue
                            tails = [1]
                            if units < fold * 4 or fold == 1: tails = [1 if units <= 4 else 2 if units <= 8 else 4]
                            for tail in tails:
                                for block in (128, 64) if loads <= 9 else (64,):
                                    cands.append((full, dict(kernel="rows_tile", block=block, lanes=lanes, loads=loads, fold=fold, tail=tail,
                                        min_blocks=min(8, 1024 // block) if loads <= 8 and fold <= 4 else 4 if block == 128 else 8)))
                best = {}
                for full, x in cands:   # of each (lanes, fold, block) the two fullest loads
                    best.setdefault((x["lanes"], x["fold"], x["block"]), []).append((full, x))
                for key, list_ in best.items():
                    list_.sort(key=lambda y: -y[0])
                    for full, x in list_[:2 if key[2] == 128 else 1]: row(**base, **x)
                # rows_split
                if bytes_ >= 1500:
                    packs = c * s // 16
                    for block in (64, 128, 256):
                        for loads in (4, 5, 6, 8) if block > 64 else (4, 8):
                            if block * loads > 1152 * 2: continue
                            tile = block * loads
                            tiles = max(1, -(-packs // tile))
                            each = -(-packs // (tiles * block))
                            if each * block * tiles > 1.25 * packs + 32: continue
                            for fold in (2, 4) if loads <= 6 else (4, 8):
                                row(kernel="rows_split", block=block, loads=loads, fold=fold,
                                    min_blocks={64: 8, 128: 6, 256: 4}[block] if loads <= 6 else {64: 8, 128: 4, 256: 2}[block],
                                    prefetch=1 if tiles > 8 else 0, gather=256, **base)
                # what there is
                if bytes_ % 16:
                    for loads in (4, 8):
                        for team in (4, 8, 32, 0):
                            p = bytes_ / 16 / (team or 256)
                            if p < 1 or (team and p > 16): continue
                            row(kernel="rows_persistent", block=256, loads=loads, team=team, ahead=1, min_blocks=2 if loads == 8 else 4, **base)
                    if c <= 64 and op != "dot": row(kernel="rows_thread", block=256, **{k: v for k, v in base.items() if k != "policy"})
                else:
                    pk = bytes_ // 16
                    for lanes in (1, 2, 4, 8, 16, 32):
                        for loads in (1, 2, 4, 8):
                            if lanes * loads > pk or (lanes * loads < pk / 2 and lanes < 32): continue
                            if pk > 512: continue
                            for r in (1, 2, 4):
                                if r > 2 * lanes or loads * r > 16 or loads * r < 4: continue
                                row(kernel="rows_lanes", block=128, lanes=lanes, loads=loads, rows=r, min_blocks=1, **base)
                    for block in (128, 256, 512):
                        for loads in (4, 6, 8):
                            if block * loads > pk * 1.3: continue
                            row(kernel="rows_poll", block=block, loads=loads, rounds=1, gather=256, prefetch=1 if block * loads < pk else 0,
                                min_blocks=2 if block == 512 else 3 if loads > 4 else 4, **base)
cols.append("t_rows")
main()
