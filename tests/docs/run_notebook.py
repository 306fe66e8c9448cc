"""Runs a notebook and compares its tables with those of the page from which it was made.

    tests/docs/run_notebook.py NOTEBOOK PAGE FOLDER [HTML]

The cells run in FOLDER. For every block of commands on PAGE there must be a cell that prints the numbers on the page, to
five digits. If HTML is given, the notebook and the output of its cells are written to it. The exit code is 1 if a cell
fails or a number differs.
"""

import html.parser
import math
import re
import sys

import nbclient
import nbformat

NOTEBOOK, PAGE, FOLDER = sys.argv[1:4]


class Cells(html.parser.HTMLParser):
    """Returns the rows of a pandas table, without its index."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.inside = [], False
        self.feed(text)

    def handle_starttag(self, tag, _):
        if tag == "tr":
            self.rows.append([])
        self.inside = tag in ("td", "th")
        if self.inside:
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data.strip()

    def handle_endtag(self, _):
        self.inside = False


def equal(page, cell):
    """Returns whether two values agree: counts exactly, other numbers to five digits. A missing value is empty on a page."""
    try:
        return math.isclose(float(page), float(cell), rel_tol=0 if page.isdigit() else 6e-5)
    except ValueError:
        return page == ("" if cell == "<NA>" else cell)


def in_page():
    """Returns, for each block of commands on the page, what it prints: a list of rows of words, or a list of lines."""
    with open(PAGE, encoding="utf-8") as file:
        blocks = re.findall(r"<!-- output -->\n\n```text\n(.*?)\n```", file.read(), re.S)
    for block in blocks:
        lines = block.split("\n")
        if re.fullmatch(r"[- ]+", lines[1]):  # a table of redsweep show: its columns begin where the dashes do
            starts = [found.start() for found in re.finditer("-+", lines[1])] + [None]
            yield [[line[a:b].strip() for a, b in zip(starts, starts[1:])] for line in [lines[0], *lines[2:-1]]]
        elif lines[0].startswith("type,"):
            yield [line.split(",") for line in lines]
        else:
            yield [[line] for line in lines]


def in_cell(cell):
    """Returns what a cell of the notebook has printed, in the form that in_page() returns."""
    for output in cell.outputs:
        if "text/html" in output.get("data", {}):
            return [row[1:] for row in Cells(output.data["text/html"]).rows]
    text = "".join(output.text for output in cell.outputs if output.get("name") == "stdout")
    return [[line] for line in text.splitlines()]


def difference(wanted, found):
    """Returns the first difference between two tables, or None. The page's table may have additional columns."""
    columns = [wanted[0].index(name) if name in wanted[0] else -1 for name in found[0]] if found else []
    if len(found[0] if found else []) > 1:
        if -1 in columns:
            return f"columns {found[0]}, not {wanted[0]}"
        wanted = [[row[i] for i in columns] for row in wanted]
    if len(wanted) != len(found):
        return f"{len(found)} lines, not {len(wanted)}"
    for a, b in zip(wanted, found):
        if not all(map(equal, a, b)):
            return f"{b}, not {a}"
    return None


def main():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if any(cell.outputs or cell.execution_count for cell in code):
        sys.exit("it has outputs")
    try:
        nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": FOLDER}}).execute()
    except nbclient.exceptions.CellExecutionError as error:
        sys.exit(str(error))
    printing = code[1:]  # the first cell with code only imports modules
    pages = list(in_page())
    if len(pages) != len(printing) or len(pages) < 10:
        sys.exit(f"{len(printing)} cells and {len(pages)} blocks of commands")
    failed = 0
    for cell, wanted in zip(printing, pages):
        what = difference(wanted, in_cell(cell))
        if what:
            print(f"{cell.source}\nprints {what}")
            failed = 1
    if len(sys.argv) > 4:
        import nbconvert

        with open(sys.argv[4], "w", encoding="utf-8") as file:
            file.write(nbconvert.HTMLExporter().from_notebook_node(notebook)[0])
    sys.exit(failed)


main()
