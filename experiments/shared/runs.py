"""Reads the rows of a run with `redsweep show`, so that scripts do not parse results.csv."""
import csv
import io
import json
import os
import subprocess

REDSWEEP = os.environ.get("REDSWEEP") or os.path.join(
    os.environ.get("BUILD") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build"), "redsweep")


def number(text):
    """Converts a size in a form that redsweep accepts, such as 2^20 or 1048576."""
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent) if exponent else int(text)


def said(*arguments):
    return subprocess.run([REDSWEEP, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def rows(run, where=None):
    """Yields each row as a dictionary of strings, with "" for missing cells. `run` is a folder, and `where`
    is an expression of redsweep."""
    chosen = ["--where", where] if where else []
    return list(csv.DictReader(io.StringIO(said("show", run, "--csv", "-", *chosen))))


def roles(run):
    """Returns the role of each kernel as the run recorded it."""
    names = dict(line.split("\t", 1) for line in said("show", run, "--info").splitlines() if line.startswith("provenance.kernels."))
    return {name: names[key[:-len("name")] + "role"] for key, name in names.items() if key.endswith(".name")}


def varying():
    """Returns the kernels whose results vary from run to run (the fact `varies`)."""
    return {kernel["name"] for kernel in json.loads(said("list", "kernels", "--json")) if kernel["varies"]}
