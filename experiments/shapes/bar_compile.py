#!/usr/bin/env python3
"""Lets PyTorch compile, in several processes, the problems that bar.py will compile. The folder
TORCHINDUCTOR_CACHE_DIR keeps the results.

  bar_compile.py SEED COUNT COMPILED PROCESSES
"""
import multiprocessing
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def compile_some(jobs):
    import torch
    import bar
    for rows, columns, name in jobs:
        x = torch.randn(rows, columns, device="cuda").to(bar.FLOATS[name.rpartition("_")[2]])
        bar.compiled(name, x)
        torch.cuda.synchronize()
        del x


def main(seed, count, compiled, processes):
    import bar
    import plane
    shapes = plane.shapes(seed, count)
    todo = [(rows, columns, name) for i, (rows, columns) in enumerate(shapes) for name in bar.names_at(i)]
    jobs = [todo[i] for i in random.Random(seed).sample(range(len(todo)), compiled)]
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=compile_some, args=(jobs[i::processes],)) for i in range(processes)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*map(int, sys.argv[1:]))
