#!/usr/bin/env python3
"""Prints a table that compares float sums with int32 sums of the same number of bytes, from a run of configs/floats.json.

    experiments/rows/floats_table.py RUN KERNEL      [REDSWEEP=build/redsweep]

Times are medians in us for the fastest configuration of each group. The groups are the reductions that return the
same sum in every run ("by" names the fastest), those whose sums vary (the fact `varies`), KERNEL, with which the
others are compared, and the peers (according to the roles that the run has recorded). "Reading" is the slowest
limit. The number in parentheses says how much longer the time is than the time of the int32 sum.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))
import runs  # noqa: E402

BYTES = {"int32": 4, "float32": 4, "float64": 8}


def groups_of(kernel, role, varying, before):
    """Returns the columns that contain the time of a kernel."""
    if role == "reduction":
        return ["varies" if kernel in varying else "same"] + ["before"] * (kernel == before)
    return [role.split()[0]]


def fastest(run, before):
    """Returns {(bytes, type, group): (us, kernel)}. For limits, the key is (bytes, type, "limit", kernel),
    because the slowest limit is used."""
    best, roles, varying = {}, runs.roles(run), runs.varying()
    for row in runs.rows(run, "status = ok and time_us_median >= 0"):
        kernel, kind = row["kernel"], row["type"]
        found = float(row["time_us_median"]), kernel
        for group in groups_of(kernel, roles[kernel], varying, before):
            key = (int(row["n"]) * BYTES[kind], kind, group) + ((kernel,) if group == "limit" else ())
            best[key] = min(best.get(key, found), found)
    return best


def line(best, size):
    def cell(kind, group):
        if (size, kind, group) not in best:
            return ""
        us, int32 = best[size, kind, group][0], best.get((size, "int32", "same"))
        more = f" ({us - int32[0]:+.2f})" if int32 and kind != "int32" and group != "peer" else ""
        return f"{us:.2f}{more}"

    limits = [us for key, (us, _) in best.items() if key[0] == size and key[2] == "limit"]
    reading = f"{max(limits):.2f}" if limits else ""
    by = {kind: best.get((size, kind, "same"), (0, ""))[1] for kind in BYTES}
    cells = [reading, cell("int32", "same")]
    cells += [cell("float32", "same"), by["float32"], cell("float32", "varies"), cell("float32", "before"), cell("float32", "peer")]
    cells += [cell("float64", "same"), by["float64"], cell("float64", "before"), cell("float64", "peer")]
    return f"| 2^{size.bit_length() - 1} | " + " | ".join(cells) + " |"


def main(run, before):
    best = fastest(run, before)
    print(f"| bytes | reading | int32 | float32 | by | varying | {before} | peer | float64 | by | {before} | peer |")
    print("| --- " * 12 + "|")
    for size in sorted({key[0] for key in best}):
        print(line(best, size))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
