"""Rows of a run for scripts, as `redsweep show` reads them: the scripts parse no results.csv."""
import csv
import io
import os
import subprocess

REDSWEEP = os.environ.get("REDSWEEP") or os.path.join(
    os.environ.get("BUILD") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build"), "redsweep")


def rows(run, where=None):
    """Each row as a dictionary of texts, "" for what is missing; `run` is a folder, `where` an expression of redsweep."""
    chosen = ["--where", where] if where else []
    out = subprocess.run([REDSWEEP, "show", run, "--csv", "-", *chosen], check=True, stdout=subprocess.PIPE, text=True)
    return list(csv.DictReader(io.StringIO(out.stdout)))
