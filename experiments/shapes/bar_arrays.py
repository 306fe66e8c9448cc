#!/usr/bin/env python3
"""Times the library's sum of one row of float32, CUB's sums of an array with each of its three promises, and
PyTorch's sum, in the same way as bar.py.

  bar_arrays.py LIBRARY > bar-arrays.csv          [CUB_FIXED=libcub_fixed.so]

The rows have 2^14 to 2^28 elements. CUB promises equal bits on one GPU (cub_run_to_run, its default), equal bits
on every GPU (cub_gpu_to_gpu), or nothing (cub_not_guaranteed). The columns are those of bar.py; `error` is the
error of each provider.
"""
import ctypes
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bar  # noqa: E402


def main(library):
    peers = bar.Peers(library)
    flush = torch.zeros(2, bar.FLUSH, device="cuda")
    print("op,type,rows,columns,name,us,error")
    for log2 in range(14, 29, 2):
        x = torch.randn(1, 1 << log2, device="cuda")
        outs = {name: torch.full((1, 1), -1.0, device="cuda") for name in ("ours", *bar.PROMISES)}
        calls = {"ours": peers.ours("sum_f32", x, outs["ours"])}
        calls.update({name: peers.cub_array(name, x, outs[name]) for name in bar.PROMISES})
        calls["torch"] = lambda x=x: x.sum(1)
        for call in calls.values():
            call()
        torch.cuda.synchronize()
        right, most = x.double().sum(), x.double().abs().sum()
        errors = {name: float((out.double() - right).abs() / most) for name, out in outs.items()}
        for who, us in bar.measure(calls, flush).items():
            print(f"sum,float32,1,{1 << log2},{who},{us:.3f},{errors.get(who, '')}", flush=True)
        del x, outs, calls


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
