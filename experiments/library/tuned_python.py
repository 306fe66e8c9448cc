#!/usr/bin/env python3
"""Tests the Python module of `redsweep tuned --wheel` on a GPU, and compares it with PyTorch.

  PYTHONPATH=FOLDER experiments/library/tuned_python.py MODULE...

FOLDER contains the modules (redsweep_tuned, or mine_tuned with --prefix mine). The script checks every function of a
module for every axis of several shapes, by comparing it with PyTorch in float64 or int64. It calls the function with
tensors that do not begin at a multiple of 16 bytes, in a stream that is not the default stream, captured into a
graph, through __cuda_array_interface__ with an object of this script, through __dlpack__ with a tensor whose type has
no functions in C, and with CuPy and JAX if they are installed. Then the script prints CSV with the CPU times of a
call of the module and of PyTorch. The times are medians of 60 batches of 200 alternating calls. The exit code is 1 if
a result is wrong or if a call takes longer than PyTorch's, and 77 if PyTorch or its GPU is missing.
"""
import importlib
import statistics
import sys
import time

try:
    import torch
except ImportError:
    print("PyTorch is missing", file=sys.stderr)
    sys.exit(77)

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8,
         "u8": torch.uint8, "i32": torch.int32, "i64": torch.int64}
SHAPES = [(1,), (1000,), (1 << 20,), (33, 77), (512, 4096), (3, 5, 7, 11), (64, 1000, 33), (2, 0, 3), (0, 4)]
BATCHES, CALLS = 60, 200
counts = {}


def reference(op, x, y, axis):
    """Returns PyTorch's result in a wider type, and the magnitude to which errors are relative."""
    wide = x.double() if x.is_floating_point() else x.long()
    dim = list(range(x.dim())) if axis is None else axis
    flat, at = (wide.reshape(-1), 0) if axis is None else (wide, axis)
    if op in ("sum", "sum_exact"):
        return wide.sum(dim), wide.abs().sum(dim)
    if op == "dot":
        other = y.double() if y.is_floating_point() else y.long()
        return (wide * other).sum(dim), (wide * other).abs().sum(dim)
    if op == "mean_var":
        mean, var = flat.mean(at), flat.var(at)
        return torch.stack([mean, var], -1), torch.stack([flat.abs().mean(at), var], -1) + 1e-3
    simple = {"max": flat.amax, "min": flat.amin, "argmax": flat.argmax, "argmin": flat.argmin, "prod": flat.prod,
              "logsumexp": flat.logsumexp, "sumsq": lambda d: (flat * flat).sum(d), "norm2": lambda d: flat.norm(dim=d)}
    right = simple[op](at)
    return right, right.abs()


def is_right(op, x, y, axis, found):
    right, size = reference(op, x, y, axis)
    if found.shape != right.shape:
        return False
    if op in ("argmax", "argmin"):
        flat, at = (x.reshape(-1), 0) if axis is None else (x, axis)
        # This finds the first extreme value, because PyTorch may return any one of several equal values.
        extreme = flat.amax(at, keepdim=True) if op == "argmax" else flat.amin(at, keepdim=True)
        places = torch.arange(flat.shape[at], device=x.device).view(-1, *[1] * (flat.dim() - 1 - at % flat.dim()))
        first = torch.where(flat == extreme, places, flat.shape[at]).amin(at)
        return bool((found == first).all())
    if not found.is_floating_point():
        return bool((found.long() == right.to(found.dtype).long()).all())
    tolerance = 1e-5 if found.dtype == torch.float32 else 1e-12
    close = (found.double() - right).abs() <= tolerance * (size + 1e-30) + (tolerance if op == "logsumexp" else 0)
    return bool((close | (found.double() == right) | (found.isnan() & right.isnan())).all())


class Interface:
    """This is a tensor of an unknown library, which offers only __cuda_array_interface__."""

    def __init__(self, x, stream):
        kinds = {torch.float16: "<f2", torch.float32: "<f4", torch.float64: "<f8", torch.int8: "|i1", torch.uint8: "|u1",
                 torch.int32: "<i4", torch.int64: "<i8"}
        self.kept = x
        self.__cuda_array_interface__ = {"shape": tuple(x.shape), "typestr": kinds[x.dtype], "version": 3, "strides": None,
                                         "data": (x.data_ptr(), False), "stream": stream.cuda_stream or 1}


class Plain:
    """This is a tensor that offers only __dlpack__."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, *, stream=None):
        return self.x.__dlpack__(stream=stream)


def random_tensor(shape, dtype):
    size = 1
    for length in shape:
        size *= length
    if dtype.is_floating_point:
        x = torch.randn(size + 1, device="cuda").to(dtype)
    else:
        x = torch.randint(0 if dtype == torch.uint8 else -100, 100, (size + 1,), device="cuda").to(dtype)
    return x


def report(module, kind, what, right):
    done, wrong = counts.get((module, kind), (0, 0))
    counts[module, kind] = done + 1, wrong + (not right)
    if not right:
        print(f"WRONG: {module} {kind}: {what}", file=sys.stderr)


def captured(call, x):
    """Returns the result of the second replay of a graph, on an input that changed after the capture."""
    graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        graph.capture_begin()
        out = call()
        graph.capture_end()
    graph.replay()
    x.copy_(x.flip(0))
    graph.replay()
    torch.cuda.synchronize()
    return out


def check_call(tuned, op, x, y, axis, what):
    """Checks every way to call the function. Returns False if the module has no such function."""
    name, function = tuned.__name__, getattr(tuned, op)
    given = (x, y) if op == "dot" else (x,)
    try:
        found = function(*given, axis)
    except TypeError as error:
        assert "no function for" in str(error), error
        return False
    report(name, "torch", what, is_right(op, x, y, axis, found))
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        found = function(*given, axis=axis)
    side.synchronize()
    report(name, "another stream", what, is_right(op, x, y, axis, found))
    out = torch.empty_like(found)
    assert function(*given, axis, out=out) is out
    report(name, "out", what, is_right(op, x, y, axis, out))
    if not x.numel() or not found.numel():
        return True
    plain = [Plain(t) for t in given]
    report(name, "__dlpack__", what, is_right(op, x, y, axis, torch.from_dlpack(function(*plain, axis))))
    if x.dtype != torch.bfloat16:
        current = torch.cuda.current_stream()
        result = torch.as_tensor(function(*[Interface(t, current) for t in given], axis), device="cuda")
        report(name, "__cuda_array_interface__", what, is_right(op, x, y, axis, result))
    graph_x = x.clone()
    out = captured(lambda: function(*((graph_x, y) if op == "dot" else (graph_x,)), axis), graph_x)
    report(name, "graph", what, is_right(op, graph_x, y, axis, out))
    return True


def check_others(tuned):
    """Checks arrays of CuPy and JAX at one shape."""
    for library in ("cupy", "jax.numpy"):
        try:
            other = importlib.import_module(library)
            x = other.arange(12000, dtype="float32").reshape(3, 4, 1000)
        except Exception as error:  # what is not there in whatever way
            print(f"{library}: {type(error).__name__}: {str(error)[:100]}", file=sys.stderr)
            continue
        for axis in (0, 1, 2, -1):
            try:
                found = tuned.sum(x, axis)
            except TypeError:
                continue
            right = bool((abs(found - x.sum(axis)) <= 1e-5 * x.sum(axis)).all()) and type(found) is type(x)
            report(tuned.__name__, library, f"sum {axis}: {type(found)}", right)


def check_module(tuned):
    from itertools import product
    operations = [n for n in dir(tuned) if not n.startswith("_") and n != "Array"]
    served = set()
    for op, (suffix, dtype), shape in product(operations, TYPES.items(), SHAPES):
        memory, second = random_tensor(shape, dtype), random_tensor(shape, dtype)
        for axis, offset in product([None, *range(len(shape))], (0, 1)):
            x, y = (t[offset:t.numel() - 1 + offset].view(shape) for t in (memory, second))
            if x.numel() == 0 and op not in ("sum", "dot", "sum_exact"):
                continue  # PyTorch refuses or has another identity
            if check_call(tuned, op, x, y, axis, f"{op} {suffix} {shape} {axis} {offset}"):
                served.add((op, suffix))
    torch.cuda.synchronize()
    check_others(tuned)
    print(f"{tuned.__name__}: {len(served)} of operation and type: {' '.join(sorted('_'.join(s) for s in served))}")


def cost_ns(call):
    torch.cuda.synchronize()
    began = time.perf_counter_ns()
    for _ in range(CALLS):
        call()
    return (time.perf_counter_ns() - began) / CALLS


def compare(title, calls):
    """Times the calls alternately and prints one line of CSV. The first two calls are ours and PyTorch's."""
    times = [[cost_ns(call) for call in calls.values()] for _ in range(BATCHES)]
    medians = [statistics.median(column) for column in zip(*times[5:])]
    print(",".join([title, *(f"{m:.0f}" for m in medians), f"{medians[0] / medians[1]:.3f}"]))
    return medians[0] <= medians[1]


def gpu_us(call, samples=60):
    times = []
    for _ in range(samples):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop) * 1e3)
    return statistics.median(times)


def overheads(modules):
    fine = True
    print("module,call,ours_ns,torch_ns,ours_out_ns,torch_out_ns,ours_over_torch")
    for tuned in modules:
        for dtype, shape, axis in ((torch.float32, (64, 64), -1), (torch.float32, (64, 64), 0),
                                   (torch.bfloat16, (64, 64), -1), (torch.int32, (4096,), None)):
            x = torch.ones(shape, device="cuda").to(dtype)
            wide = {torch.bfloat16: torch.float32, torch.int32: torch.int32}.get(dtype)
            try:
                out = tuned.sum(x, axis)
            except TypeError:
                continue
            function = tuned.sum
            fine &= compare(f"{tuned.__name__},sum {str(dtype)[6:]} {'x'.join(map(str, shape))} axis {axis}", {
                "ours": lambda: function(x, axis), "torch": lambda: x.sum(axis, dtype=wide),
                "ours out": lambda: function(x, axis, out=out),
                "torch out": lambda: torch.sum(x, 0 if axis is None else axis, dtype=wide, out=out)})
    print("module,call,ours_us,torch_us,torch_over_ours")
    for tuned in modules:
        for shape in ((64, 64), (4096, 256), (4096, 4096), (64, 1 << 20), (1, 1 << 24)):
            x = torch.randn(shape, device="cuda")
            try:
                tuned.sum(x, -1)
            except TypeError:
                continue
            ours, torchs = gpu_us(lambda: tuned.sum(x, -1)), gpu_us(lambda: x.sum(-1))
            print(f"{tuned.__name__},x.sum(-1) float32 {shape[0]}x{shape[1]},{ours:.2f},{torchs:.2f},{torchs / ours:.3f}")
    return fine


def main():
    if not torch.cuda.is_available():
        print("no GPU", file=sys.stderr)
        return 77
    modules = [importlib.import_module(name) for name in sys.argv[1:] or ["redsweep_tuned"]]
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, Python {sys.version.split()[0]}")
    for tuned in modules:
        check_module(tuned)
    for (module, kind), (done, wrong) in counts.items():
        print(f"{module}, {kind}: {wrong} of {done} wrong")
    fine = overheads(modules)
    return 1 if not fine or any(wrong for _, wrong in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
