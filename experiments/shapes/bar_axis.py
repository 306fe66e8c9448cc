#!/usr/bin/env python3
"""Times reductions over any axis by the library and by eager PyTorch at random shapes (axis_plane.py), in one
process, in the same way as bar.py.

  bar_axis.py LIBRARY SEED COUNT SECONDS > bar-axis.csv

LIBRARY is a shared object built from the output of `redsweep tuned`, with functions over an axis. The script ends
when SECONDS have passed. The columns are op, type, shape, name, us, and the library's `error` as in bar.py.
"""
import ctypes
import os
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import axis_plane  # noqa: E402
import bar  # noqa: E402

EAGER = {"sum": lambda x: x.sum(1, dtype=torch.float32), "argmax": lambda x: x.argmax(1),
         "mean_var": lambda x: torch.var_mean(x.float(), 1)}
SUFFIX = {"float32": "f32", "bfloat16": "bf16"}


def error_of(op, x, out):
    """Returns the error of our results, relative to the largest result in float64. For argmax, the error
    is the number of places that differ."""
    if x.numel() > 1 << 26:
        return float("nan")
    if op == "argmax":
        return int((out[..., 0] != x.argmax(1)).sum())
    if op == "sum":
        return float((out[..., 0].double() - x.double().sum(1)).abs().max() / x.double().abs().sum(1).max())
    var, mean = torch.var_mean(x.double(), 1)
    right = torch.stack([mean, var], -1)
    return float((out.double() - right).abs().max() / right.abs().max())


def ours(library, name, x, out):
    call = getattr(library, "redsweep_axis_" + name)
    sizes = [ctypes.c_size_t(size) for size in x.shape]
    return lambda: bar.Peers.must(call(bar.pointer(x), *sizes, bar.pointer(out), bar.stream()))


def main(path, seed, count, seconds):
    began, library = time.time(), ctypes.CDLL(path)
    flush = torch.zeros(2, bar.FLUSH, device="cuda")
    print("op,type,shape,name,us,error")
    for outer, length, inner, kind, op in axis_plane.problems(int(seed), int(count)):
        if time.time() - began > float(seconds):
            return
        shape = f"{outer}x{length}x{inner}"
        x = torch.randn(outer, length, inner, device="cuda").to(getattr(torch, kind))
        out = torch.full((outer, inner, 2 if op == "mean_var" else 1), -1,
                         dtype=torch.int64 if op == "argmax" else torch.float32, device="cuda")
        calls = {"ours": ours(library, f"{op}_{SUFFIX[kind]}", x, out), "torch": lambda x=x, op=op: EAGER[op](x)}
        for call in calls.values():
            call()
        torch.cuda.synchronize()
        error = error_of(op, x, out)
        for who, us in bar.measure(calls, flush).items():
            print(f"{op},{kind},{shape},{who},{us:.3f},{f'{error:.3g}' if who == 'ours' else ''}", flush=True)
        del x, out, calls


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
