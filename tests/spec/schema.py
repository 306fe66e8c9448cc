#!/usr/bin/env python3
"""Compares the schema of configs with redsweep's own checks of configs.

    tests/spec/schema.py REDSWEEP

Every shipped config and every input that tests/texts/config.txt shows as accepted must be valid. Every input that
is refused there and is JSON must be invalid, except for those that no schema can refuse: tests/spec/schema_accepts.txt
lists them, and UPDATE=1 rewrites that list.
"""

import glob
import json
import os
import re
import subprocess
import sys

import jsonschema

ACCEPTS = "tests/spec/schema_accepts.txt"


def decoded(text):
    """Returns a text in which each mark (see tests/texts/texts.c) is replaced by the bytes that it stands for."""

    def mark(match):
        repeated = re.fullmatch(r"(\d+) × (.*)", match[1], re.S)
        if repeated:
            return int(repeated[1]) * repeated[2]
        return bytes.fromhex(match[1]).decode("utf-8", "surrogateescape")

    return re.sub("⟨([^⟩]*)⟩", mark, text)


def cases():
    """Yields each input of config.txt, as it is in the file, and the answer to it."""
    with open("tests/texts/config.txt", encoding="utf-8") as file:
        for shown, answer in re.findall(r"((?:^<.*\n)+)((?:^>.*\n)+)", file.read(), re.M):
            yield "\n".join(line[2:] for line in shown.splitlines()), answer[2:].rstrip("\n")


def load(text):
    """Returns the value of a JSON text, or None if the text is not JSON. NaN, which Python would accept, is refused."""

    def refuse(word):
        raise ValueError(word)

    try:
        return json.loads(decoded(text).removeprefix("\ufeff"), parse_constant=refuse)
    except (ValueError, RecursionError):
        return None


def main():
    schema = json.loads(subprocess.run([sys.argv[1], "list", "schema"], check=True, capture_output=True).stdout)
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    valid = validator(schema).is_valid
    failed = 0
    shipped = glob.glob("configs/*.json") + glob.glob("tests/kernels/*/*.json")
    for path in shipped:
        with open(path, encoding="utf-8") as file:
            for fault in validator(schema).iter_errors(json.load(file)):
                print(f"test_schema: FAILED: {path}: {fault.message}")
                failed += 1
    beyond, refused = [], 0
    for shown, answer in cases():
        value = load(shown)
        if answer == "accepted":
            if value is None or not valid(value):
                print(f"test_schema: FAILED: the schema refuses {shown}")
                failed += 1
        elif value is not None:
            if valid(value):
                beyond.append(shown)
            else:
                refused += 1
    said = "# Configs that redsweep refuses and its schema cannot: tests/spec/schema.py\n\n" + "\n".join(beyond) + "\n"
    if os.environ.get("UPDATE") == "1":
        with open(ACCEPTS, "w", encoding="utf-8") as file:
            file.write(said)
    with open(ACCEPTS, encoding="utf-8") as file:
        known = file.read()
    if known != said:
        print(f"test_schema: FAILED: the schema accepts other inputs than {ACCEPTS} says (UPDATE=1 writes it anew):")
        print(said)
        failed += 1
    print(f"{len(shipped)} configs are valid, {refused} refused inputs are invalid, {len(beyond)} are beyond a schema")
    sys.exit(failed > 0 or refused == 0)


if __name__ == "__main__":
    main()
