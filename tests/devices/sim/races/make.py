#!/usr/bin/env python3
"""Writes the kernels of kernels.txt: make.py FOLDER.

FOLDER/NAME_right.cu and FOLDER/NAME_racy.cu are kernels for redsweep racecheck. FOLDER/names.txt contains a line such as `NAME_racy
racy CLASS` for each of them. FOLDER/all.cu is a program for compute-sanitizer. It runs the kernel that its argument names, on 1001
elements in blocks of 64."""
import os
import re
import sys

HEADER = """// kernel: {name}
// idea: {kind}, {sort}
// source: tests/devices/sim/races/kernels.txt
// result: partial
// output: zeroed
// input: untouched
// covers: BLOCK
// blocks: 64 128
// constant: BLOCK
// types: int32
// ops: sum
// uniform: no
// min_arch: sm_80
// workspace: 16384 + 4 * BLOCK * GRID
// parameters: input output unsigned(N) workspace
#include <cuda_pipeline.h>
#define B BLOCK
"""
KERNEL = """extern "C" __global__ void {name}(int *in, int *out, unsigned n, int *w)
{{
    int t = threadIdx.x, b = blockIdx.x;
    unsigned i = b * B + t;
    int v = i < n ? in[i] : 0;
{body}}}
"""
MAIN = """
int main(int count, char **arguments)
{
    enum { N = 1001, GRID = (N + B - 1) / B };
    int *in, *out, *w;
    if (count < 2 || cudaMalloc(&in, N * 4) || cudaMalloc(&out, GRID * 4) || cudaMalloc(&w, 65536) ||
        cudaMemset(in, 0, N * 4) || cudaMemset(out, 0, GRID * 4) || cudaMemset(w, 0, 65536))
        return 3;
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(arguments[1], kernels[k].name) == 0)
            kernels[k].run<<<GRID, B>>>(in, out, N, w);
    return cudaDeviceSynchronize() ? 4 : 0;
}
"""


def read(path):
    """Returns the name, class and body of each kernel in the table."""
    kernels = []
    for line in open(path, encoding="utf-8"):
        if line.startswith("kernel "):
            kernels.append([*line.split()[1:], ""])
        elif kernels:
            kernels[-1][2] += "    " + line
    return kernels


def choose(body, racy):
    """Returns the body of a kernel. The body contains one alternative, {right|racy}, of which only the chosen text is
    kept. Each of the two texts may itself contain pairs of braces."""
    bar = re.search(r"(?<!\|)\|(?!\|)", body).start()
    depth, begin = 0, bar
    while depth >= 0:
        begin -= 1
        depth += {"}": 1, "{": -1}.get(body[begin], 0)
    depth, end = 0, bar
    while depth >= 0:
        end += 1
        depth += {"{": 1, "}": -1}.get(body[end], 0)
    return body[:begin] + (body[bar + 1:end] if racy else body[begin + 1:bar]) + body[end + 1:]


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    names, program = [], "#include <cstring>\n#include <cuda_pipeline.h>\n#define B 64\n"
    for kernel, kind, body in read(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.txt")):
        for sort in "right", "racy":
            name = f"{kernel}_{sort}"
            code = KERNEL.format(name=name, body=choose(body, sort == "racy"))
            with open(os.path.join(folder, name + ".cu"), "w", encoding="utf-8") as out:
                out.write(HEADER.format(name=name, kind=kind, sort=sort) + code)
            names.append((name, sort, kind))
            program += code
    program += "static const struct { const char *name; void (*run)(int *, int *, unsigned, int *); } kernels[] = {\n"
    program += "".join(f'    {{"{name}", {name}}},\n' for name, _, _ in names) + "};\n" + MAIN
    with open(os.path.join(folder, "all.cu"), "w", encoding="utf-8") as out:
        out.write(program)
    with open(os.path.join(folder, "names.txt"), "w", encoding="utf-8") as out:
        out.writelines(" ".join(n) + "\n" for n in names)


main()
