#!/usr/bin/env python3
"""Compiles redsweep_ops.cpp with the library of `make tuned`, checks it against PyTorch, and times both.

  examples/torch/build.py [TUNED [CUDA]]    build/tuned and /usr/local/cuda by default

It reduces tensors of several shapes over each of their dimensions. Some of the tensors do not begin at a multiple of
16 bytes. It prints one line of CSV per shape and dimension: op, type, shape, dim, torch_us, redsweep_us, ratio. The
exit code is 1 if a result is wrong, and 77 if PyTorch or its GPU is missing. The timed calls alternate, and the L2
is warm if the input fits into it.
"""
import itertools
import os
import statistics
import subprocess
import sys

try:
    import torch
    from torch.utils import cpp_extension
except ImportError:
    print("PyTorch is missing", file=sys.stderr)
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = [(2**16, 16), (2**12, 1024), (2**14, 4096), (64, 2**20), (1, 2**24), (1000, 1001), (3, 0), (0, 5),
          (2**20,), (32, 256, 3136), (128, 1024, 768), (33, 77, 5), (64, 64, 64, 128), (3, 5, 7, 11, 13), (2, 0, 3)]
SAMPLES = 40


def build(tuned, cuda):
    out = os.path.join(tuned, "redsweep_ops.so")
    includes = [f"-I{path}" for path in cpp_extension.include_paths()] + [f"-I{cuda}/include", f"-I{tuned}"]
    libraries = [f"-L{path}" for path in cpp_extension.library_paths()]
    libraries += ["-lc10", "-lc10_cuda", "-ltorch_cpu", "-ltorch", f"-L{cuda}/lib64", "-lcudart"]
    abi = int(torch.compiled_with_cxx11_abi())
    subprocess.run(
        [os.environ.get("CXX", "c++"), "-O2", "-std=c++17", "-fPIC", "-shared", f"-D_GLIBCXX_USE_CXX11_ABI={abi}"]
        + includes + [os.path.join(HERE, "redsweep_ops.cpp"), os.path.join(tuned, "libredsweep_tuned.a")]
        + libraries + ["-lpthread", "-lm", "-o", out],
        check=True)
    torch.ops.load_library(out)


OPS = {
    "sum": (lambda x, dim: x.sum(dim, dtype=torch.float32), lambda x, dim: torch.ops.redsweep.sum(x, dim),
            lambda x, dim: x.double().sum(dim)),
    "logsumexp": (lambda x, dim: x.logsumexp(dim), lambda x, dim: torch.ops.redsweep.logsumexp(x, dim),
                  lambda x, dim: x.double().logsumexp(dim)),
}


def is_right(op, x, dim, found):
    """Returns whether the error is at most the bound for float32's rounding errors. This bound is
    relative to the sum of magnitudes, and absolute for a logarithm."""
    right = OPS[op][2](x, dim)
    size = x.double().abs().sum(dim) if op == "sum" else right.abs() + 1
    same = torch.isinf(right) & (found.double() == right)
    return found.shape == right.shape and bool((same | ((found.double() - right).abs() <= 1e-5 * size + 1e-30)).all())


def captured(op, x, dim):
    """Returns the result of a graph's second replay, on an input that was changed after the capture."""
    static = x.clone()
    OPS[op][1](static, dim)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = OPS[op][1](static, dim)
    graph.replay()
    static.copy_(x.flip(0))
    graph.replay()
    torch.cuda.synchronize()
    return is_right(op, static, dim, out)


def time_us(call, x, dim):
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    call(x, dim)
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) * 1e3


def shifted(x):
    """Returns a copy of the values that begins at another element of its memory."""
    y = torch.empty(x.numel() + 1, dtype=x.dtype, device=x.device)[1:].view(x.shape)
    return y.copy_(x)


def is_wrong(op, x, dim):
    ours = OPS[op][1]
    return not (is_right(op, x, dim, ours(x, dim)) and is_right(op, x, dim, ours(x, dim - x.dim()))
                and is_right(op, x, dim, ours(shifted(x), dim)) and (not x.numel() or captured(op, x, dim)))


def main():
    tuned = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/tuned")
    cuda = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("CUDA_HOME", "/usr/local/cuda")
    build(tuned, cuda)
    if not torch.cuda.is_available():
        print("built; no GPU to run it on", file=sys.stderr)
        return 77
    wrong = checked = 0
    print("op,type,shape,dim,torch_us,redsweep_us,ratio")
    for op, dtype, shape in itertools.product(OPS, (torch.float32, torch.bfloat16), SHAPES):
        for dim in range(len(shape)):
            x = torch.randn(shape, device="cuda").to(dtype)
            name = f"{op},{str(dtype).split('.')[1]},{'x'.join(map(str, shape))},{dim}"
            checked += 1
            if is_wrong(op, x, dim):
                print(f"WRONG: {name}", file=sys.stderr)
                wrong += 1
            if not x.numel():
                continue
            times = [[time_us(call, x, dim) for call in OPS[op][:2]] for _ in range(SAMPLES)]
            torch_us, our_us = (statistics.median(column) for column in zip(*times))
            print(f"{name},{torch_us:.2f},{our_us:.2f},{torch_us / our_us:.3f}")
    print(f"{wrong} of {checked} wrong", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
