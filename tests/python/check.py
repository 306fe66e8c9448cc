"""Checks the module redsweep on the simulator and on recorded runs, for tests/python/test_python.sh."""

import os
import sys
import warnings
from pathlib import Path

import pandas
import redsweep

scratch, root = Path(sys.argv[1]), Path.cwd()
failed = 0


def expect(what, found, wanted):
    global failed
    if found != wanted:
        print(f"test_python: FAILED: {what}: {found!r}, not {wanted!r}")
        failed += 1


def refused(what, code, words, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except redsweep.RedsweepError as error:
        expect(f"{what}: the exit code", error.code, code)
        expect(f"{what}: '{words}' in {str(error)!r}", words in str(error), True)
    else:
        expect(what, "accepted", "refused")


# These runs are specified with options and with a dict. One of them skips a point.
folder = redsweep.run(kernels=["interleaved", "unroll"], sizes="2^14..2^16", device="sim", out=scratch / "options")
rows = redsweep.load(folder)
expect("rows", len(rows), 15)
expect("types", [str(rows[name].dtype) for name in ("kernel", "n", "time_us_median")], ["string", "Int64", "Float64"])
expect("missing times", bool(rows["time_us_median"].isna().all()), True)
loaded = rows[(rows["kernel"] == "unroll") & (rows["n"] == 16384) & (rows["unroll"] == 8)]["gld_transactions"]
expect("a count, as show prints it", loaded.tolist(), [2600])
expect("a unit", rows.attrs["units"]["time_us_median"], "us")
expect("the device", rows.attrs["provenance"]["device"]["backend"], "sim")
expect("where", len(redsweep.load(folder, where="kernel = interleaved")), 3)
few = redsweep.load(folder, columns=["kernel", "n"], sort="-n", head=2)
expect("options of show", (list(few.columns), few["n"].tolist()), (["kernel", "n"], [65536, 65536]))
os.chdir(scratch)
names = [redsweep.run(kernels="interleaved", sizes=64, device="sim").name for _ in range(3)]
expect("folders of runs in one second", len(set(names)), 3)
os.chdir(root)
same = redsweep.run({"kernels": "interleaved", "sizes": [16384], "timing": {"warmup": 1}}, device="sim",
                    metrics="inst_per_warp", out=scratch / "dict")
expect("columns of a dict's run", "inst_per_warp" in redsweep.load(same).columns, True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    redsweep.run(kernels="unroll", sizes=64, blocks=100, device="sim", out=scratch / "skipped")
expect("a warning of points that were skipped", len(caught), 1)

# If the program refuses a call, the module raises an exception with the program's message.
refused("an unknown kernel", 2, "there is no kernel \"unrol\"; did you mean 'unroll'?", redsweep.run, kernels="unrol",
        sizes=64)
refused("an unknown key", 2, "unknown key \"sizez\"; did you mean 'sizes'?", redsweep.run, {"sizez": 3})
refused("a run that is not there", 2, "No such file", redsweep.load, scratch / "none")
refused("an expression", 2, "unknown column 'm'", redsweep.load, folder, where="m = 3")

# Loads recorded runs.
published = redsweep.load("results/published/1050ti-pairing", columns="kernel,n,time_us_median")
expect("a published table", (str(published["n"].dtype), published.attrs["units"]["n"]), ("Int64", "elements"))
winners = redsweep.best("results/reference/h200-catalogue")
expect("a winner per device", set(winners[winners["standing"] == "winner"]["backend"]), {"cpu", "cuda"})
compared = redsweep.diff("results/reference/h200-aa-a", "results/reference/h200-aa-b", min_effect=3)
expect("an A/A pair", (len(compared), compared.attrs["exit_code"]), (792, 0))
expect("its verdicts", set(compared["verdict"]) <= {"SAME", "UNKNOWN"}, True)

expect("pandas", isinstance(rows, pandas.DataFrame), True)
sys.exit(failed > 0)
