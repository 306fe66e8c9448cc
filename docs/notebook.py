#!/usr/bin/env python3
"""Makes the course's page a notebook: docs/course.ipynb from docs/what-the-kernels-teach.md.

    docs/notebook.py >docs/course.ipynb

The notebook keeps the page's text, tables and pictures, and turns its commands into calls to the Python module.
It has no outputs until somebody runs it. If a command is a pipeline, a comment <!-- python, CALL, -->, on separate
lines after it, gives the call that replaces it.
"""

import json
import pathlib
import re
import shlex
import sys

PAGE = pathlib.Path(__file__).parent / "what-the-kernels-teach.md"

START = """To run the notebook, type this in your clone of the repository, and run the cells in order:

```
make wheel
pip install "$(echo dist/redsweep-*.whl)[pandas]" jupyterlab
jupyter lab docs/course.ipynb
```

If you have a GPU (and `[cuda13,pandas]`), leave out `device="sim"` to get times as well. Every run is a folder in
`results/`."""

SETUP = """import os

import redsweep

if os.path.basename(os.getcwd()) == "docs":
    os.chdir("..")  # the recorded runs are in results/ of the clone"""


def literal(value):
    """Returns an option's value as a Python literal: a number, a list if it contains commas, or a string."""
    if value.isdigit():
        return value
    words = [int(word) if word.isdigit() else word for word in value.split(",")]
    return json.dumps(words if len(words) > 1 and " " not in value else value)


def call(function, folder, words, width=100):
    """Returns a call with the options of a command, in as few lines as possible."""
    names = [word[2:].replace("-", "_") for word in words[::2]]
    if len(words) % 2 or not all(word.startswith("--") for word in words[::2]):
        sys.exit(f"notebook: each option needs a value: {words}")
    arguments = ([folder] if folder else []) + [f"{n}={literal(v)}" for n, v in zip(names, words[1::2]) if n != "out"]
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= width:
        return line
    lines = [""]
    for argument in arguments:
        if lines[-1] and len(lines[-1]) + len(argument) > width - 6:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{argument},"
    return function + "(\n    " + "\n    ".join(lines) + "\n)"


def cell_of(command, comment):
    """Returns the Python code that replaces a command. `comment` is the page's comment, or empty."""
    if comment:
        return comment
    words = shlex.split(command)
    if words[:2] == ["build/redsweep", "run"]:
        return "folder = " + call("redsweep.run", "", words[2:])
    if words[:2] == ["build/redsweep", "show"]:
        ours = words[2].startswith("build/course/")
        return call("redsweep.load", "folder" if ours else json.dumps(words[2]), words[3:])
    if words[0] == "build/redsweep":
        return "!" + command.replace("build/redsweep", "{redsweep.program()}", 1)
    return sys.exit(f"notebook: what does this do in Python? {command}")


def steps(page):
    """Yields pairs of a kind and a text, in the page's order. Neighbors of the same kind are not joined."""
    page = re.sub(r"^<!-- output -->.*?^<!-- end of output -->\n", "", page, flags=re.M | re.S)
    page = re.sub(r"^<!-- .*-->\n", "", page, flags=re.M)
    beginning, page = re.split(r"If\s+you\s+have\s+a\s+GPU,\s+leave\s+out\s", page, maxsplit=1)
    yield "markdown", beginning + "\n\n" + START
    yield "code", SETUP
    page = page[page.index("\n## "):]
    # The loop yields the blocks of commands, each with the comment that may follow it, and what is
    # between them.
    block = re.compile(r"^```sh\n(.*?)^```\n(?:\n*^<!-- python\n(.*?)\n-->\n)?", re.M | re.S)
    at = 0
    for found in block.finditer(page):
        yield "markdown", page[at:found.start()]
        commands = found[1].splitlines()
        yield "code", "\n".join(cell_of(line, (found[2] or "") if line == commands[-1] else "") for line in commands)
        at = found.end()
    yield "markdown", page[at:]


def main():
    cells = []
    for kind, text in steps(PAGE.read_text(encoding="utf-8")):
        for part in re.split(r"^(?=## )", text, flags=re.M) if kind == "markdown" else [text]:
            if not part.strip():
                continue
            cell = {"cell_type": kind, "id": f"cell-{len(cells):02}", "metadata": {}}
            if kind == "code":
                cell |= {"execution_count": None, "outputs": []}
            cells.append(cell | {"source": re.sub(r"\n{3,}", "\n\n", part.strip()).splitlines(keepends=True)})
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                "language_info": {"name": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    print(json.dumps(notebook, indent=1, ensure_ascii=False))


main()
