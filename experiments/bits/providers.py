#!/usr/bin/env python3
"""Measures which sums have the same bits, and how long they take. The script compares three libraries of redsweep,
CUB's levels of determinism, and PyTorch.

  providers.py FREE INVARIANT EXACT CUB SECONDS > providers.csv
  providers.py --compile                               only lets PyTorch compile, into TORCHINDUCTOR_CACHE_DIR

FREE, INVARIANT and EXACT are shared objects built from the output of `redsweep tuned`: FREE without --invariant,
INVARIANT with it, and EXACT from runs of the exact kernels. CUB is the compiled cub_levels.cu of this folder. The
calls alternate as in ../shapes/bar.py, in one process and with a cold cache. First they reduce rows of float32, then
whole arrays of float32 and float64, then arrays in which half or all of the elements are 0. Of `compared` results,
`bits` results have other bits than the first one. For arrays, the compared results are sums of the same elements at
16 other places in memory, twice at each place. For rows, they are sums of batches of the first 1 to 1024 rows, each
of which begins at another element. The columns are what, type, rows, columns, name, us, compared and bits.
"""
import ctypes
import os
import sys
import time

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shapes"))
import bar  # noqa: E402

ARRAYS = [(torch.float32, 2**k) for k in (18, 20, 22, 24, 26, 28)] + [(torch.float64, 2**k) for k in (19, 23, 27)]
ZEROS = 2**26
LENGTHS = (1000, 4096, 5120, 16384, 50257, 131072)
BATCHES = (1, 2, 8, 33, 128, 1024)
ROWS = 2048
PLACES = 16
SUFFIX = {torch.float32: "f32", torch.float64: "f64"}
LEVELS = ("not_guaranteed", "run_to_run", "gpu_to_gpu")

ROW_SUM = torch.compile(lambda x: x.sum(1), dynamic=True)
ALL_SUM = torch.compile(lambda x: x.sum(), dynamic=True)


def array_calls(libraries, cub, kind):
    """Returns {name: function}. Each function takes an input and returns the result."""
    found, suffix = {}, SUFFIX[kind]
    for name, library, end in libraries:
        call = getattr(library, f"redsweep_sum_{suffix}{end}", None)
        if call:
            found[name] = lambda x, out, call=call: bar.Peers.must(
                call(bar.pointer(x), ctypes.c_size_t(x.numel()), bar.pointer(out), bar.stream()))
    for level in LEVELS:
        call = getattr(cub, f"{level}_sum_{suffix}")
        found["cub_" + level] = lambda x, out, call=call: bar.Peers.must(
            call(bar.pointer(x), ctypes.c_int64(x.numel()), bar.pointer(out), bar.stream()))
    found["torch"] = lambda x, out: out.copy_(x.sum())
    found["compiled"] = lambda x, out: out.copy_(ALL_SUM(x))
    return found


def row_calls(libraries):
    found = {}
    for name, library, end in libraries:
        call = getattr(library, f"redsweep_rows_sum_f32{end}", None)
        if call:
            found[name] = lambda x, out, call=call: bar.Peers.must(
                call(bar.pointer(x), ctypes.c_size_t(x.shape[0]), ctypes.c_size_t(x.shape[1]), bar.pointer(out),
                     bar.stream()))
    found["torch"] = lambda x, out: out.copy_(x.sum(1))
    found["compiled"] = lambda x, out: out.copy_(ROW_SUM(x))
    return found


def timed(calls, x, out, kind):
    """Works like bar.measure(), but the time of PyTorch does not include the copy of its result."""
    plain = {"torch": (lambda: x.sum()) if x.dim() == 1 else (lambda: x.sum(1)),
             "compiled": (lambda: ALL_SUM(x)) if x.dim() == 1 else (lambda: ROW_SUM(x))}
    all_calls = {name: plain.get(name, lambda call=call: call(x, out)) for name, call in calls.items()}
    for call in all_calls.values():
        call()
    torch.cuda.synchronize()
    return bar.measure(all_calls, FLUSH)


def moved(x, place):
    """Returns a copy of the elements that begins at element `place` of its memory."""
    room = torch.empty(x.numel() + 64, dtype=x.dtype, device="cuda")
    there = room[place:place + x.numel()].view(x.shape)
    there.copy_(x)
    return there


def array_inputs():
    """Yields the name, the type and the elements of each array."""
    for kind, n in ARRAYS:
        yield "array", kind, torch.randn(n, dtype=kind, device="cuda")
    x = torch.randn(ZEROS, device="cuda")
    yield "half zeros", torch.float32, x.relu()
    yield "zeros", torch.float32, torch.zeros_like(x)


def arrays(libraries, cub, until):
    for what, kind, x in array_inputs():
        if time.time() > until:
            return
        out = torch.zeros(1, dtype=kind, device="cuda")
        calls = array_calls(libraries, cub, kind)
        other = {}
        for name, call in calls.items():
            call(x, out)
            first, differ = out.clone(), 0
            for place in range(PLACES):
                there = moved(x, place)
                for _ in range(2):
                    call(there, out)
                    differ += int(out.item() != first.item())
            other[name] = differ
        for name, us in timed(calls, x, out, kind).items():
            print(f"{what},{SUFFIX[kind]},1,{x.numel()},{name},{us:.3f},{2 * PLACES},{other[name]}", flush=True)


def rows(libraries, until):
    calls = row_calls(libraries)
    for length in LENGTHS:
        if time.time() > until:
            return
        x = torch.randn(ROWS, length, device="cuda")
        out = torch.zeros(ROWS, device="cuda")
        other = {}
        for name, call in calls.items():
            call(x, out)
            whole, differ = out.clone(), 0
            for i, batch in enumerate(BATCHES):
                call(moved(x[:batch], 4 * i + 1), out[:batch])
                differ += int((out[:batch] != whole[:batch]).sum())
            other[name] = differ
        for name, us in timed(calls, x, out, torch.float32).items():
            print(f"rows,f32,{ROWS},{length},{name},{us:.3f},{sum(BATCHES)},{other[name]}", flush=True)


def main(free, invariant, exact, cub, seconds):
    until = time.time() + float(seconds)
    libraries = [("free", ctypes.CDLL(free), ""), ("invariant", ctypes.CDLL(invariant), "")]
    if os.path.exists(exact):
        libraries.append(("exact", ctypes.CDLL(exact), "_exact"))
    levels = ctypes.CDLL(cub)
    bar.Peers.must(levels.begin())
    print("what,type,rows,columns,name,us,compared,bits")
    rows(libraries, until)
    arrays(libraries, levels, until)


def compile_only():
    for kind in SUFFIX:
        for n in (1000, 2**20):
            ALL_SUM(torch.randn(n, dtype=kind, device="cuda"))
    for shape in ((3, 1000), (64, 4096), (2048, 50257)):
        ROW_SUM(torch.randn(shape, device="cuda"))
    torch.cuda.synchronize()


if __name__ == "__main__":
    if sys.argv[1:] == ["--compile"]:
        compile_only()
    elif len(sys.argv) == 6:
        FLUSH = torch.zeros(2, bar.FLUSH, device="cuda")
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
