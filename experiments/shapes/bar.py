#!/usr/bin/env python3
"""Times the library, CUB and PyTorch at random shapes (plane.py), in one process.

  bar.py LIBRARY SEED COUNT SECONDS [COMPILED] > bar.csv     [CUB_FIXED=libcub_fixed.so] [CUB_ROWS=libredsweep_cub_rows.so]

LIBRARY is a shared object built from the output of `redsweep tuned`. Each of COUNT shapes has two functions. These
are alternately the sum of float32 and the variance of bfloat16, or the sum of bfloat16 and the argmax of float32.
The script ends when SECONDS have passed. CUB_FIXED is cub_fixed.cu of this folder, compiled with the version of CCCL
to compare with. For one row of float32, its sums of arrays are also timed. CUB_ROWS is the library that `make cub`
makes (sums of float32 with offsets). PyTorch also compiles COMPILED of the problems, which the seed determines.

Each of 16 rounds calls each function once, after a write of 256 MB and a read of another 256 MB. CUDA events time
the calls. The time of a launch depends on its position in the stream modulo 4 (docs/measuring.md). With a fixed
order, one provider would always have the cheapest position, and another the most expensive one, which costs 0.7 us
more. Therefore 0 to 3 empty launches precede each call and 3 to 0 follow it, so that each position occurs once in
the rounds i, i + 4, i + 8 and i + 12. The time of a call is the median of the four means over such groups of
rounds. Functions that take more than 3 ms have 4 rounds. The columns are op, type, rows, columns, name, us, and
`error`: the largest difference from PyTorch's float64 result divided by the largest magnitude in that result (for
argmax, the number of places that differ).
"""
import ctypes
import os
import random
import statistics
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plane  # noqa: E402

PLACES, ROUNDS, SLOW_US = 4, 16, 3000
WAIT_CLOCKS, ATTEMPTS = 20000000, 4  # 10 ms, until some hundred launches are in the queue; then 20, 40, 80
FLUSH = 64 * 1024 * 1024  # floats
FLOATS = {"f32": torch.float32, "bf16": torch.bfloat16}
EAGER = {"sum_f32": lambda x: x.sum(1), "sum_bf16": lambda x: x.sum(1, dtype=torch.float32),
         "argmax_f32": lambda x: x.argmax(1), "mean_var_bf16": lambda x: torch.var_mean(x.float(), 1)}
# Each entry contains the number of elements and the type of a row's result, for the library and for CUB.
RESULTS = {"sum_f32": ((1, torch.float32), (1, torch.float32)), "sum_bf16": ((1, torch.float32), (1, torch.float32)),
           "argmax_f32": ((1, torch.int64), (1, torch.int64)), "mean_var_bf16": ((2, torch.float32), (3, torch.float32))}
# These are CUB's promises about the bits of an array's sum (cub_array_sum_f32() in
# cub_fixed.cu).
PROMISES = ("cub_run_to_run", "cub_not_guaranteed", "cub_gpu_to_gpu")
PAIRS = (("sum_f32", "mean_var_bf16"), ("sum_bf16", "argmax_f32"))


def names_at(place):
    """Returns the functions for the shape with this number. In plane.py, every other shape has rows of whole packs."""
    return PAIRS[place // 2 % 2]


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


class Peers:
    """Each method takes the input of a problem and returns a function that solves it. `out` has the shape (rows,
    elements of a result)."""

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

    def cub_array(self, promise, x, out):
        call, n = self.fixed.cub_array_sum_f32, ctypes.c_int64(x.numel())
        return lambda: self.must(call(PROMISES.index(promise), pointer(x), pointer(out), n, stream()))

    @staticmethod
    def must(status):
        if status:
            raise RuntimeError(f"status {status}")


def compiled(name, x):
    torch._dynamo.reset()
    call = torch.compile(EAGER[name], dynamic=False)
    call(x)
    return lambda: call(x)


def problems(peers, name, x, with_compiled):
    """Returns {name: function}, and the library's results."""
    rows, found = x.shape[0], {}
    (parts, kind), (cub_parts, cub_kind) = RESULTS[name]
    out = torch.full((rows, parts), -1, dtype=kind, device="cuda")
    found["ours"] = peers.ours(name, x, out)
    if peers.fixed:
        found["cub_fixed"] = peers.cub_fixed(name, x, torch.empty(rows, cub_parts, dtype=cub_kind, device="cuda"))
    if peers.rows and name == "sum_f32" and x.numel() < 2**31:
        found["cub_offsets"] = peers.cub_offsets(x, torch.empty_like(out))
    if peers.fixed and name == "sum_f32" and rows == 1:
        found.update({promise: peers.cub_array(promise, x, torch.empty_like(out)) for promise in PROMISES})
    found["torch"] = lambda: EAGER[name](x)
    if with_compiled:
        found["compiled"] = compiled(name, x)
    return found, out


def error_of(name, x, out):
    """Returns the error of our results, relative to the largest result in float64."""
    if x.numel() > 1 << 26:
        return float("nan")
    if name == "argmax_f32":
        return int((out[:, 0] != x.argmax(1)).sum())
    if name.startswith("sum"):
        return float((out[:, 0].double() - x.double().sum(1)).abs().max() / x.double().abs().sum(1).max())
    if x.shape[1] == 1:
        return float("nan")
    var, mean = torch.var_mean(x.double(), 1)
    right, got = torch.cat([mean, var]), torch.cat([out[:, 0], out[:, 1]])
    return float((got.double() - right).abs().max() / right.abs().max())


def time_once(call, flush, before, dirty=False):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    flush[0].fill_(1.0)
    if not dirty:
        flush[1].max()
    for _ in range(before):
        torch.cuda._sleep(1)
    begin.record()
    call()
    end.record()
    for _ in range(PLACES - 1 - before):
        torch.cuda._sleep(1)
    return begin, end


def rounds(calls, slow, flush, dirty, wait):
    """Returns the events of all rounds, and whether all of them were in the queue before the first began."""
    events = {who: [[] for _ in range(PLACES)] for who in calls}
    waited = torch.cuda.Event()
    torch.cuda._sleep(wait)
    waited.record()
    for i in range(ROUNDS):
        for who, call in calls.items():
            if who not in slow or i % PLACES == 0:
                events[who][i % PLACES].append(time_once(call, flush, i // PLACES, dirty))
    in_time = not waited.query()
    torch.cuda.synchronize()
    return events, in_time


def measure(calls, flush, dirty=False):
    """
    Returns the times in us, measured as the head of this file says. Each call has run once before. If `dirty` is
    true, there is no read. The launches wait in the queue behind a kernel. If the host had not queued all of them
    when this kernel ended, because other processes used the host's processors, the launches are repeated.
    """
    torch.cuda._sleep(400000)
    first = {who: time_once(call, flush, 0, dirty) for who, call in calls.items()}
    torch.cuda.synchronize()
    slow = {who for who, (begin, end) in first.items() if begin.elapsed_time(end) * 1e3 > SLOW_US}
    for attempt in range(ATTEMPTS):
        events, in_time = rounds(calls, slow, flush, dirty, WAIT_CLOCKS << attempt)
        if in_time:
            break
    return {who: statistics.median(statistics.mean(begin.elapsed_time(end) * 1e3 for begin, end in group)
                                   for group in groups if group) for who, groups in events.items()}


def main(library, seed, count, seconds, compiled_count=0):
    began, peers = time.time(), Peers(library)
    flush = torch.zeros(2, FLUSH, device="cuda")
    shapes = plane.shapes(int(seed), int(count))
    todo = [(rows, columns, name) for i, (rows, columns) in enumerate(shapes) for name in names_at(i)]
    chosen = set(random.Random(int(seed)).sample(range(len(todo)), int(compiled_count)))
    print("op,type,rows,columns,name,us,error")
    for place, (rows, columns, name) in enumerate(todo):
        if time.time() - began > float(seconds):
            return
        op, _, short = name.rpartition("_")
        kind = FLOATS[short]
        x = torch.randn(rows, columns, device="cuda").to(kind)
        calls, out = problems(peers, name, x, place in chosen)
        for call in calls.values():
            call()
        torch.cuda.synchronize()
        error = error_of(name, x, out)
        for who, us in measure(calls, flush).items():
            print(f"{op},{str(kind)[6:]},{rows},{columns},{who},{us:.3f},{f'{error:.3g}' if who == 'ours' else ''}",
                  flush=True)
        del x, calls, out


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
