#!/usr/bin/env python3
"""Times what users would call instead of redsweep's kernels: PyTorch (eager and compiled) and cuBLAS. The script
measures by redsweep's rules, in blocks that alternate with a run of redsweep, and writes the times in redsweep's
format.

  peers.py OUT --sizes 2^26,2^28 --row-lengths 2^4,2^10 [--types float32,bfloat16] [--ops sum,max]
           [--blocks 3] [--samples 7] [--seconds 100] [--no-compile] [--between 'COMMAND'] [--like RUN]

Row length 0 means the whole array. A sample is taken as docs/measuring.md says: 256 MB are written and another 256
MB are read, and then come an event, the call and another event. Many samples are queued behind a waiting kernel, so
that the GPU never waits for the CPU. All calls of a problem alternate, and each begins with untimed calls. After
each block, COMMAND runs with the block's number in $BLOCK.

OUT/peers.csv contains a row for each call and problem: the median of all blocks' samples, its 95 %
confidence interval (order statistics), and each block's median. The result of each call is first compared
with a float64 sum. The tables are written after every block, so that the earlier blocks are kept if a later
block fails. After half of --seconds, no more problems are compiled. After --seconds or SIGINT, no more
problems are sampled. With --like, OUT/run contains the rows in the format of RUN, so that redsweep show,
best and merge can read them. COMMAND may write RUN. --compile-only fills Inductor's cache with the problems
whose number modulo --shards is --shard.
"""

import argparse
import csv
import ctypes
import json
import math
import os
import random
import subprocess
import sys
import time

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs as recorded  # noqa: E402

FLUSH_BYTES = 256 << 20
OPERATIONS = {  # redsweep's name: (what PyTorch calls it, the function of a matrix)
    "sum": lambda x: torch.sum(x, dim=1),
    "max": lambda x: torch.amax(x, dim=1),
    "argmax": lambda x: torch.argmax(x, dim=1),
    "logsumexp": lambda x: torch.logsumexp(x, dim=1),
    "mean_var": lambda x: torch.var_mean(x, dim=1),
    "norm2": lambda x: torch.linalg.vector_norm(x, dim=1),
}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("out")
    p.add_argument("--sizes", required=True)
    p.add_argument("--row-lengths", required=True)
    p.add_argument("--types", default="float32")
    p.add_argument("--ops", default="sum")
    p.add_argument("--blocks", type=int, default=3)
    p.add_argument("--samples", type=int, default=7, help="per call and block")
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--no-compile", action="store_true")
    p.add_argument("--between", default="")
    p.add_argument("--like", default="")
    p.add_argument("--compile-only", action="store_true")
    p.add_argument("--shards", type=int, default=1)
    p.add_argument("--shard", type=int, default=0)
    a = p.parse_args()
    for op in a.ops.split(","):
        if op not in OPERATIONS and op != "dot":
            p.error("unknown operation %s; expected %s or dot" % (op, ", ".join(OPERATIONS)))
    return a


def problems(a):
    """Returns (type, op, n, row length) of all problems in which n is a multiple of the row length."""
    found = []
    for type_name in a.types.split(","):
        for op in a.ops.split(","):
            for n in map(recorded.number, a.sizes.split(",")):
                for columns in map(recorded.number, a.row_lengths.split(",")):
                    if columns == 0 or (n % columns == 0 and op != "dot"):
                        found.append((type_name, op, n, columns))
    return found


class Inputs:
    """This is one buffer per type. Its first n elements are the input of each problem."""

    def __init__(self, largest):
        self.largest, self.buffers = largest, {}

    def get(self, type_name, n, columns):
        if type_name not in self.buffers:
            kind = getattr(torch, type_name)
            generator = torch.Generator(device="cuda").manual_seed(1)
            x = torch.empty(self.largest, dtype=kind, device="cuda")
            for first in range(0, self.largest, 1 << 26):
                piece = x[first : first + (1 << 26)]
                piece.copy_(torch.rand(piece.numel(), device="cuda", generator=generator))
            self.buffers[type_name] = x
        x = self.buffers[type_name][:n]
        return x.view(n // columns, columns) if columns else x.view(1, n)


def static(function, number_of):
    """Returns `function` compiled for one shape. A separate code object has a separate cache."""

    def one(x):
        return function(x)

    one.__code__ = one.__code__.replace(co_name="problem_%d" % number_of)
    return torch.compile(one, dynamic=False, fullgraph=True)


def cublas_norm(x):
    """Returns a call of cublasNrm2Ex (which PyTorch does not use) on a vector, and its result, or None if
    cuBLAS does not have this function."""
    kinds = {torch.float32: 0, torch.float16: 2, torch.bfloat16: 14}  # cudaDataType
    with open("/proc/self/maps", encoding="utf-8") as f:
        paths = {line.split()[-1] for line in f if "/libcublas.so" in line}
    if not paths or x.dtype not in kinds or x.numel() >= 1 << 31:
        return None
    library = ctypes.CDLL(paths.pop())
    handle = ctypes.c_void_p(torch.cuda.current_blas_handle())  # in PyTorch's stream
    result = torch.zeros((), dtype=x.dtype, device="cuda")
    kind = kinds[x.dtype]

    def call():
        mode = library.cublasSetPointerMode_v2(handle, 1)  # the result is in the GPU's memory
        status = mode or library.cublasNrm2Ex(
            handle, x.numel(), ctypes.c_void_p(x.data_ptr()), kind, 1,
            ctypes.c_void_p(result.data_ptr()), kind, kinds[torch.float32],
        )
        library.cublasSetPointerMode_v2(handle, 0)
        if status:
            raise RuntimeError("cublasNrm2Ex: status %d" % status)
        return result.view(1)

    return call


def calls_of(problem, number_of, inputs, compile_too):
    """Returns [(name, call)], the calls that solve one problem."""
    type_name, op, n, columns = problem
    if op == "dot":
        # two vectors of n elements each: cuBLAS, through PyTorch
        x = inputs.get(type_name, 2 * n, 0).view(2, n)
        return [("cublas_dot", lambda: torch.dot(x[0], x[1]))]
    x = inputs.get(type_name, n, columns)
    f = OPERATIONS[op]
    calls = [("torch_" + op, lambda: f(x))]
    if op == "norm2" and columns == 0:
        try:
            norm = cublas_norm(x[0])
            calls += [("cublas_nrm2", norm)] if norm else []
        except (AttributeError, OSError, RuntimeError) as why:
            print("cublas_nrm2 of %s: %s" % (problem, why), flush=True)
    if compile_too:
        c = static(f, number_of)
        calls.append(("compiled_" + op, lambda: c(x)))
    return calls


def checked(problem, calls, inputs):
    """Returns the calls whose first result agrees with a result computed in float64. Prints the names of
    all other calls."""
    type_name, op, n, columns = problem
    good_calls = []
    if op == "dot":
        x = inputs.get(type_name, 2 * n, 0).view(2, n)
        right = (torch.dot(x[0].double(), x[1].double()),)
    else:
        x = inputs.get(type_name, n, columns)
        right = OPERATIONS[op](x[:1024].double())
        right = right if isinstance(right, tuple) else (right,)
    for name, call in calls:
        try:
            found = call()
        except Exception as why:  # of a compiler: the others can still be measured
            print("%s of %s: %s" % (name, problem, str(why)[:300]), flush=True)
            continue
        all_good = True
        found = found if isinstance(found, tuple) else (found,)
        for a, b in zip(right, found):
            b = b[:1024] if b.dim() else b
            loose = 3e-2 if type_name in ("bfloat16", "float16") else 1e-4
            if op == "argmax":
                good = torch.equal(x[:1024].gather(1, a[:, None]), x[:1024].gather(1, b[:, None]))
            else:
                good = torch.allclose(a.float(), b.float(), rtol=loose, atol=1e-6, equal_nan=True)
            all_good = all_good and good
        if all_good:
            good_calls.append((name, call))
        else:
            print("%s of %s is wrong and left out" % (name, problem), flush=True)
    return good_calls


class Clock:
    def __init__(self):
        self.written = torch.empty(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
        self.read = torch.zeros(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
        self.sink = torch.empty((), dtype=torch.int64, device="cuda")

    def flush(self):
        self.written.fill_(7)
        torch.sum(self.read, dim=0, out=self.sink)

    def sample(self, calls, rounds):
        """Returns the µs of each call. Each round takes one sample of each call, in a new random order."""
        events = {name: [] for name, _ in calls}
        for _, call in calls:
            for _ in range(3):
                call()
        torch.cuda.synchronize()
        torch.cuda._sleep(20_000_000)  # some 10 ms: the queue is filled behind it
        for _ in range(rounds):
            for name, call in random.sample(calls, len(calls)):
                first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                self.flush()
                first.record()
                call()
                last.record()
                events[name].append((first, last))
        torch.cuda.synchronize()
        return {name: [1e3 * a.elapsed_time(b) for a, b in e] for name, e in events.items()}


def interval(samples):
    """Returns the 95 % interval of the median by order statistics, or the range of all samples if there are
    few."""
    s, n = sorted(samples), len(samples)
    k = max(0, math.floor(n / 2 - 0.98 * math.sqrt(n)))
    return s[k], s[n - 1 - k]


def median(samples):
    s, n = sorted(samples), len(samples)
    return (s[(n - 1) // 2] + s[n // 2]) / 2


def moved_bytes(problem):
    type_name, op, n, columns = problem
    size = torch.empty(0, dtype=getattr(torch, type_name)).element_size()
    return n * size * (2 if op == "dot" else 1) + (n // columns * size if columns else 0)


def write_table(a, samples):
    path = os.path.join(a.out, "peers.csv")
    with open(path, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(
            "peer version device type op n row_length samples time_us_median ci_low ci_high gbs blocks".split()
        )
        for (problem, name), blocks in samples.items():
            everything = [s for b in blocks for s in b]
            low, high = interval(everything)
            middle = median(everything)
            w.writerow(
                [name, torch.__version__, torch.cuda.get_device_name(), *problem, len(everything)]
                + ["%.3f" % v for v in (middle, low, high, moved_bytes(problem) / middle / 1e3)]
                + [" ".join("%.3f" % median(b) for b in blocks)]
            )
    print("wrote", path)


def write_run(a, samples):
    """Writes the rows into a folder in the format of a run, with the run.json of the run that alternated with them."""
    folder = os.path.join(a.out, "run")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(a.like, "run.json"), encoding="utf-8") as f:
        manifest = json.load(f)
    rows = recorded.rows(a.like)
    columns = list(rows[0])
    example = next((r for r in rows if r["status"] == "ok"), {})
    with open(os.path.join(folder, "run.json"), "w", encoding="utf-8") as f:
        json.dump(manifest, f, indent=1)
    with open(os.path.join(folder, "results.csv"), "w", newline="", encoding="utf-8") as f:
        w = csv.DictWriter(f, columns, lineterminator="\n")
        w.writeheader()
        for number_of, ((problem, name), blocks) in enumerate(samples.items()):
            everything = [s for b in blocks for s in b]
            low, high = interval(everything)
            row = dict.fromkeys(columns, "")
            for key in ("device", "device_name", "run", "host", "device_uuid", "measured_at", "session"):
                if key in example:
                    row[key] = example[key]
            values = dict(
                id="%016x" % (0xFEED << 48 | number_of), kernel=name, type=problem[0], op=problem[1],
                n=problem[2], row_length=problem[3], block=1, unroll=1, cache="cold",
                scope="complete", status="ok", samples=len(everything),
                time_us_median="%.4f" % median(everything), time_us_min="%.4f" % min(everything),
                time_us_max="%.4f" % max(everything), time_us_ci95_lo="%.4f" % low, time_us_ci95_hi="%.4f" % high,
                bandwidth_gbs="%.2f" % (moved_bytes(problem) / median(everything) / 1e3),
            )
            row.update({k: v for k, v in values.items() if k in row})
            w.writerow(row)
    print("wrote", folder)


def between(a, block):
    """Returns False after SIGINT. COMMAND also receives this signal, so it has then ended and kept its
    measurements."""
    if not a.between:
        return True
    interrupted = False
    running = subprocess.Popen(a.between, shell=True, env=dict(os.environ, BLOCK=str(block)))
    while True:
        try:
            code = running.wait()
            break
        except KeyboardInterrupt:
            interrupted = True
    if code:  # of redsweep: some row is not ok, or it doubts the run
        print("block %d: exit code %d of %s" % (block, code, a.between), flush=True)
    return not interrupted


def compile_all(problem, calls):
    for name, call in calls:
        try:
            call()
        except Exception as why:  # the others of this shard are still compiled
            print("%s of %s: %s" % (name, problem, str(why)[:300]), flush=True)


def main():
    a = arguments()
    os.makedirs(a.out, exist_ok=True)
    chosen = problems(a)
    inputs = Inputs(max(n * (2 if op == "dot" else 1) for _, op, n, _ in chosen))
    calls = {}
    start = time.time()
    for i, problem in enumerate(chosen):
        if i % a.shards != a.shard:
            continue
        try:
            in_time = time.time() - start < a.seconds / 2
            calls[problem] = calls_of(problem, i, inputs, in_time and not a.no_compile)
            if a.compile_only:
                compile_all(problem, calls[problem])
            else:
                calls[problem] = checked(problem, calls[problem], inputs)
        except Exception as why:  # of memory, say: the others can still be measured
            calls.pop(problem, None)
            print("%s: %s" % (problem, str(why)[:300]), flush=True)
    print("%d problems ready after %.1f s" % (len(calls), time.time() - start), flush=True)
    if a.compile_only:
        return
    random.seed(1)
    clock = Clock()
    samples = {}
    for block in range(1, a.blocks + 1):
        first = time.time()
        left_out = 0
        for problem in calls:
            if time.time() - start > a.seconds:
                left_out += 1
                continue
            if calls[problem]:
                for name, us in clock.sample(calls[problem], a.samples).items():
                    samples.setdefault((problem, name), []).append(us)
        late = "; %d problems left out" % left_out if left_out else ""
        print("block %d: %.1f s%s" % (block, time.time() - first, late), flush=True)
        write_table(a, samples)
        going_on = not left_out and between(a, block)
        if os.path.exists(os.path.join(a.like, "results.csv")) and samples:
            write_run(a, samples)
        if not going_on:
            break


if __name__ == "__main__":
    main()
