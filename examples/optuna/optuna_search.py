#!/usr/bin/env python3
"""Lets Optuna choose the points of a config, which redsweep measures as they are asked for.

    examples/optuna/optuna_search.py CONFIG N TRIALS [OPTION OF redsweep run...]
    examples/optuna/optuna_search.py configs/fastest-pruned.json 1048576 200 \\
        --device replay:results/reference/h200-fastest-search

It needs `pip install optuna`. The script requests trials in batches, and redsweep compiles and measures
the kernels of a batch together. The tunables and block sizes are those of the config. redsweep skips
combinations that cannot run or that the config excludes, and their trials fail.
"""
import csv
import json
import os
import subprocess
import sys

import optuna

BATCH = 16
# These are the values to try for tunables that the config sets to "all". Most of the config's
# kernels accept them.
OTHERS = {"MIN_BLOCKS": [1, 2, 4], "BLOCKS_PER_SM": [0], "ORDER": [0], "STAGES": [2, 4],
          "CLUSTER_BLOCKS": [2, 4, 8]}


def space(config):
    """Returns the choices of each column: kernels, blocks, and the tunables that have a list of values."""
    with open(config) as f:
        keys = json.load(f)
    columns = {"kernel": keys["kernels"], "block": keys["blocks"]}
    for name, values in {**OTHERS, **keys["tunables"]}.items():
        if name != "*":
            columns["t_" + name.lower()] = values if isinstance(values, list) else [values]
    return columns


def ask(process, columns, trials, n):
    """Writes a line for each trial, and then reads a row for each line."""
    for trial in trials:
        chosen = [str(trial.suggest_categorical(c, columns[c])) for c in columns]
        process.stdin.write(",".join([str(n)] + chosen) + "\n")
    process.stdin.flush()
    return [next(process.rows) for _ in trials]


def main():
    config, n, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    redsweep = os.path.join(os.environ.get("BUILD", root + "/build"), "redsweep")
    columns = space(config)
    command = [redsweep, "run", config, "--points", "-", "--sizes", str(n)] + sys.argv[4:]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write(",".join(["n"] + list(columns)) + "\n")
    process.rows = csv.DictReader(process.stdout)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    rows = {}
    for done in range(0, count, BATCH):
        trials = [study.ask() for _ in range(min(BATCH, count - done))]
        for trial, row in zip(trials, ask(process, columns, trials, n)):
            if row["status"] == "ok":
                study.tell(trial, float(row["time_us_median"]))
                rows[trial.number] = row
            else:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
    process.stdin.close()
    code = process.wait()
    if not rows:
        sys.exit("no point could be measured")
    best = rows[study.best_trial.number]
    print(f"{len(rows)} of {count} trials measured; fastest: {best['time_us_median']} us, id {best['id']}: "
          + ", ".join(f"{c} {best[c]}" for c in columns if best.get(c)))
    sys.exit(code)


if __name__ == "__main__":
    main()
