#!/bin/sh
# Calls the Python module with tensors of a real PyTorch, without a GPU:
#
#   PYTHON=… tests/tuned/torch_cpu.sh
#
# The module treats the CPU as a GPU, and its runtime just records launches (python_runtime.c). The
# script shows whether PyTorch's functions in C and the module work together, and how long a call
# takes without CUDA. It prints CSV with the nanoseconds per call: the median and the minimum over
# 40 batches of 2000 calls. Batches of module calls alternate with batches of PyTorch calls, which
# sum one element on the CPU.
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
"$python" -c 'import torch' || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cuda=$(sed -n 's/^CUDA := //p' "${BUILD:-build}/toolkit.mk")
cp -r tuned tests/tuned/invented "$work"
sed -i 's/DL_CUDA = 2/DL_CUDA = 1/' "$work/tuned/dlpack.h"
${CC:-gcc} -O2 -fPIC -isystem "$cuda/include" -c -o "$work/runtime.o" tests/tuned/python_runtime.c
CC="${CC:-gcc} -Wl,-Bsymbolic" "$python" "$work/tuned/wheel.py" "$work/invented" redsweep 0 "$cuda/include" "$work/runtime.o" >"$work/said"
"$python" -m zipfile -e "$work"/invented/*.whl "$work/site"
PYTHONPATH=$work/site "$python" - <<'END'
import resource
import statistics
import time

import redsweep_tuned as tuned
import torch

torch.set_num_threads(1)
total = tuned.sum(torch.full((3, 5), 7, dtype=torch.int8))
assert (type(total), total.dtype, total.shape) == (torch.Tensor, torch.int32, ()), total
assert tuned.max(torch.zeros(4, 3, 5, dtype=torch.uint64), 1).shape == (4, 5)
assert tuned.mean_var(torch.zeros(4, 3, dtype=torch.float64), -1).shape == (4, 2)
parameter, matrix = torch.nn.Parameter(torch.zeros(3, dtype=torch.float64)), torch.zeros(4, 4, dtype=torch.uint64)
assert tuned.mean_var(parameter.detach(), 0).shape == (2,)
for refused, words in ((lambda: tuned.mean_var(parameter), "x.detach()"), (lambda: tuned.max(matrix.T, 0), "contiguous")):
    try:
        refused()
    except ValueError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
x, out, one = torch.zeros(64, 64, dtype=torch.bfloat16), torch.empty(64, dtype=torch.int64), torch.zeros(1, 1)
assert tuned.argmax(x, -1, out=out) is out and tuned.argmax(x, -1).dtype == torch.int64


def cost(call):
    began = time.perf_counter_ns()
    for _ in range(2000):
        call()
    return (time.perf_counter_ns() - began) / 2000


calls = {"argmax(x, -1)": lambda: tuned.argmax(x, -1), "argmax(x, -1, out=out)": lambda: tuned.argmax(x, -1, out=out),
         "PyTorch: one.sum(-1)": lambda: one.sum(-1), "PyTorch: torch.empty(64)": lambda: torch.empty(64)}
times = [[cost(call) for call in calls.values()] for _ in range(40)]
print(f"call (PyTorch {torch.__version__}),median,least")
for name, column in zip(calls, zip(*times)):
    print(f'"{name}",{statistics.median(column):.0f},{min(column):.0f}')
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(500000):
    tuned.argmax(x, -1)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < 4096, f"{grown} kB more after 500000 calls"
END
