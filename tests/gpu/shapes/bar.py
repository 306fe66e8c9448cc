#!/usr/bin/env python3
"""The library beside CUB and eager PyTorch at random shapes (plane.py), in one process.

  bar.py LIBRARY SEED COUNT SECONDS > bar.csv     [CUB_FIXED=libcub_fixed.so] [CUB_ROWS=libredsweep_cub_rows.so]

LIBRARY: a shared object of what `redsweep tuned` wrote. Sums of float32 and variances of bfloat16 by turns, at COUNT shapes
each, until SECONDS have passed. CUB_FIXED is cub_fixed.cu of this folder, compiled with the CCCL that one wants to compare with;
CUB_ROWS is that of `make cub` (sums by offsets). Each of 15 rounds calls each of them once, behind a write of 256 MB and a read of
another 256 MB, timed by CUDA events; what takes more than 3 ms has 3 rounds. Columns: op, type, rows, columns, name, us (median),
and `error`, the largest difference to PyTorch's result over the largest of the magnitudes that PyTorch's float64 result has.
"""
import ctypes
import os
import statistics
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plane  # noqa: E402

ROUNDS, SLOW_ROUNDS, SLOW_US = 15, 3, 3000
FLUSH = 64 * 1024 * 1024  # floats


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


class Peers:
    """Functions of a problem's input; each leaves (rows) or (rows, 2) results."""

    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.fixed = ctypes.CDLL(os.environ["CUB_FIXED"]) if "CUB_FIXED" in os.environ else None
        self.rows = ctypes.CDLL(os.environ["CUB_ROWS"]) if "CUB_ROWS" in os.environ else None
        self.temporary = torch.zeros(1 << 28, dtype=torch.uint8, device="cuda")

    def ours(self, name, x, out):
        call = getattr(self.library, "redsweep_rows_" + name)
        rows, columns = map(ctypes.c_size_t, x.shape)
        return lambda: self.must(call(pointer(x), rows, columns, pointer(out), stream()))

    def cub_fixed(self, name, x, out):
        call = getattr(self.fixed, "cub_rows_" + name)
        bytes_ = ctypes.c_size_t(self.temporary.numel())
        rows, columns = ctypes.c_int64(x.shape[0]), ctypes.c_int(x.shape[1])
        return lambda: self.must(call(pointer(self.temporary), ctypes.byref(bytes_), pointer(x), pointer(out), rows,
                                      columns, stream()))

    def cub_offsets(self, x, out):
        call, float32, sum_ = self.rows.redsweep_cub_rows, 3, 0
        n, columns = ctypes.c_uint64(x.numel()), ctypes.c_uint64(x.shape[1])
        bytes_ = ctypes.c_size_t(self.temporary.numel())
        return lambda: self.must(call(float32, sum_, pointer(x), pointer(out), n, pointer(self.temporary), bytes_,
                                      stream(), columns))

    @staticmethod
    def must(status):
        if status:
            raise RuntimeError(f"status {status}")


def problems(peers, name, x):
    """{name: (function, its results)}"""
    rows, found = x.shape[0], {}
    out = torch.full((rows, 2 if name == "mean_var_bf16" else 1), float("nan"), device="cuda")
    found["ours"] = peers.ours(name, x, out), out
    wide = torch.full((rows, 3 if name == "mean_var_bf16" else 1), float("nan"), device="cuda")
    if peers.fixed:
        found["cub_fixed"] = peers.cub_fixed(name, x, wide), wide
    if name == "sum_f32":
        if peers.rows and x.numel() < 2**31:
            other = torch.empty_like(out)
            found["cub_offsets"] = peers.cub_offsets(x, other), other
        found["torch"] = (lambda: torch.sum(x, 1)), None
    else:
        found["torch"] = (lambda: torch.var_mean(x.float(), 1)), None
    return found


def error_of(name, x, out):
    """Of our results, relative to the largest of float64's."""
    if x.numel() > 1 << 26:
        return float("nan")
    if name == "sum_f32":
        right, got = x.double().sum(1), out[:, 0]
    elif x.shape[1] == 1:
        return float("nan")
    else:
        var, mean = torch.var_mean(x.double(), 1)
        right, got = torch.cat([mean, var]), torch.cat([out[:, 0], out[:, 1]])
    return float((got.double() - right).abs().max() / x.double().abs().sum(1).max() if name == "sum_f32"
                 else (got.double() - right).abs().max() / right.abs().max())


def time_once(call, flush):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    flush[0].fill_(1.0)
    flush[1].max()
    begin.record()
    call()
    end.record()
    return begin, end


def measure(calls, flush):
    """Medians in µs; each call has run once before."""
    torch.cuda._sleep(400000)
    first = {who: time_once(call, flush) for who, call in calls.items()}
    torch.cuda.synchronize()
    slow = {who for who, (begin, end) in first.items() if begin.elapsed_time(end) * 1e3 > SLOW_US}
    events = {who: [] for who in calls}
    torch.cuda._sleep(1000000)
    for i in range(ROUNDS):
        for who, call in calls.items():
            if who not in slow or i < SLOW_ROUNDS:
                events[who].append(time_once(call, flush))
    torch.cuda.synchronize()
    return {who: statistics.median(begin.elapsed_time(end) * 1e3 for begin, end in list_)
            for who, list_ in events.items()}


def main(library, seed, count, seconds):
    began, peers = time.time(), Peers(library)
    flush = torch.zeros(2, FLUSH, device="cuda")
    print("op,type,rows,columns,name,us,error")
    for rows, columns in plane.shapes(int(seed), int(count)):
        for name, kind in (("sum_f32", torch.float32), ("mean_var_bf16", torch.bfloat16)):
            if time.time() - began > float(seconds):
                return
            x = torch.randn(rows, columns, device="cuda").to(kind)
            found = problems(peers, name, x)
            for call, _ in found.values():
                call()
            torch.cuda.synchronize()
            error = error_of(name, x, found["ours"][1])
            times = measure({who: call for who, (call, _) in found.items()}, flush)
            for who, us in times.items():
                problem = f"{name.rsplit('_', 1)[0]},{str(kind)[6:]},{rows},{columns}"
                print(f"{problem},{who},{us:.3f},{f'{error:.3g}' if who == 'ours' else ''}", flush=True)
            del x, found


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
