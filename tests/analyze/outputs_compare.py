#!/usr/bin/env python3
"""Compares the outputs of two versions of redsweep for the committed runs.

  outputs_compare.py BEFORE NOW [COMMAND...]       folders that outputs.sh kept (KEEP=FOLDER)

For each command, the script prints three numbers: how many outputs are equal byte for byte, how many are equal in all columns
of CSV and members of JSON that both versions have (in any order), and how many differ. Below these numbers, it prints which
columns and members only one version has, and which have different values, with an example of each.
"""
import collections
import csv
import io
import json
import lzma
import os
import re
import sys


def read(path):
    with lzma.open(path, "rt", encoding="utf-8", errors="replace", newline="") as f:
        return f.read()


class Findings:
    def __init__(self):
        self.only = collections.defaultdict(collections.Counter)  # (command, "added" | "gone"): names
        self.other = collections.defaultdict(collections.Counter)  # command: names of members whose values changed
        self.example = {}

    def note(self, command, name, a, b):
        self.other[command][name] += 1
        self.example.setdefault((command, name), (str(a)[:60], str(b)[:60]))


def tables_of(text):
    """Returns CSV as a list of dictionaries, one for each row, which is also the form of the JSON output."""
    lines = [line for line in text.splitlines(True) if not line.startswith("WORK/")]
    return list(csv.DictReader(io.StringIO("".join(lines)), restkey="more"))


def documents_of(text):
    text, found, decoder = text[text.index("{"):], [], json.JSONDecoder()
    while text.strip():
        value, end = decoder.raw_decode(text.lstrip())
        text = text.lstrip()[end:]
        found.append(value)
    return found


def lines_of(text):
    return dict(line.partition("\t")[::2] for line in text.splitlines())


def common(a, b):
    """Returns a and b without the members that only one of them has, and the names of the members that only a and only b has."""
    if isinstance(a, dict) and isinstance(b, dict):
        gone, added = {k for k in a if k not in b}, {k for k in b if k not in a}
        left, right = {}, {}
        for k in a:
            if k in b:
                left[k], right[k], g, n = common(a[k], b[k])
                gone |= {f"{k}.{x}" for x in g}
                added |= {f"{k}.{x}" for x in n}
        return left, right, gone, added
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        gone, added, left, right = set(), set(), [], []
        for x, y in zip(a, b):
            x, y, g, n = common(x, y)
            left.append(x)
            right.append(y)
            gone |= g
            added |= n
        return left, right, gone, added
    return a, b, set(), set()


def in_order(value):
    """Sorts lists of objects, so that a different order of rows is not reported as a difference."""
    if isinstance(value, dict):
        return {k: in_order(v) for k, v in value.items()}
    if isinstance(value, list):
        return sorted((in_order(v) for v in value), key=lambda v: json.dumps(v, sort_keys=True))
    return value


def differences(a, b, name=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for k in a:
            yield from differences(a[k], b.get(k), f"{name}.{k}".strip("."))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for x, y in zip(a, b):
            yield from differences(x, y, name)
    elif a != b:
        yield name, a, b


def compare(command, a, b, found):
    if a == b:
        return "equal"
    try:
        parse = tables_of if command.endswith(" csv") else lines_of if command.endswith(" info") else documents_of
        left, right = parse(a), parse(b)
        if isinstance(left, list) and len(left) != len(right):
            found.note(command, "number of rows", len(left), len(right))
            return "differs"
    except ValueError: # the output is an error message or plain text
        found.note(command, "text", a.strip().splitlines()[-1:], b.strip().splitlines()[-1:])
        return "differs"
    left, right, gone, added = common(left, right)
    for what, names in (("gone", gone), ("added", added)):
        found.only[command, what].update(re.sub(r"\.\d+\.", ".N.", name) for name in names)
    if left == right:
        return "equal in what both have"
    if in_order(left) == in_order(right):
        return "equal, in another order"
    examples = {}
    # The rows with new values may also be in a new order. Differences are computed both in file
    # order and in sorted order, and the shorter list wins.
    for name, x, y in min(list(differences(left, right)), list(differences(in_order(left), in_order(right))), key=len):
        examples.setdefault(re.sub(r"\.\d+\.", ".N.", name), (x, y))
    for name, (x, y) in examples.items():
        found.note(command, name, x, y)
    return "differs"


def main(before, now, *commands):
    found, kinds, counts = Findings(), ["equal", "equal in what both have", "equal, in another order", "differs"], {}
    for folder, _, files in sorted(os.walk(before)):
        for file in sorted(files):
            if commands and file[:-len(".xz")].replace("_", " ") not in commands:
                continue
            other = os.path.join(now, os.path.relpath(folder, before), file)
            if not os.path.exists(other):
                sys.exit(f"{other}: is not there")
            command = file[:-len(".xz")].replace("_", " ")
            kind = compare(command, read(os.path.join(folder, file)), read(other), found)
            counts.setdefault(command, collections.Counter())[kind] += 1
    print("| command | " + " | ".join(kinds) + " |\n| --- |" + " ---: |" * len(kinds))
    for command in sorted(counts):
        print(f"| {command} | " + " | ".join(str(counts[command][kind]) for kind in kinds) + " |")
    for (command, what), names in sorted(found.only.items()):
        if names:
            print(f"\n{command}, {what}: " + ", ".join(f"{name} ({count})" for name, count in sorted(names.items())))
    for command, names in sorted(found.other.items()):
        print(f"\n{command}, other values of:")
        for name, count in sorted(names.items()):
            print(f"  {name} ({count}), such as {' -> '.join(found.example[command, name])}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
