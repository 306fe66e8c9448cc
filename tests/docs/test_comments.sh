#!/bin/sh
# Every file that a comment names must exist, and no line within a block comment may begin with two
# slashes. Names in capitals, such as NAME.cu, are placeholders. The names listed below are
# exceptions: examples, files that redsweep writes, and files of the toolkit.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null && git ls-files >/dev/null 2>&1 || { echo 'test_comments: skipped: python3 or git is missing'; exit 0; }
python3 - "$@" <<'P'
import re
import subprocess
import sys

OTHERS = """a.cu x.gp run.gp kernel.cu reduction.cu demo.cu probe.cu o.c no.h nowhere.h gone.h mine.h below/mine.h
merge.sh results/c-cluster/.* toolkit.mk build/cpu_kernels.def build/charts.def charts.def cooperative_groups.h include/.* cupti_.*.h cub/.*""".split()
ENDS = r"\.(?:c|h|cu|cuh|awk|sh|py|def|mk|gp|md)"
FILE = re.compile(r"(?<![\w./$*%{}<>-])((?:\.\./)*(?:[a-z0-9_-]+/)*[a-z0-9_-]+" + ENDS + r")\b(?![\w(*/])")
IN_C = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
IN_SCRIPTS = re.compile(r"^[ \t]*#(?!!|include|define).*$", re.M)
tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
known = {"/".join(parts[i:]) for parts in (name.split("/") for name in tracked) for i in range(len(parts))}


def gone(name, text):
    """Yields (line, file) for each file that a comment names and that does not exist."""
    for comment in (IN_C if re.search(r"\.(c|h|cu|cuh|js|css)$", name) else IN_SCRIPTS).finditer(text):
        for file in FILE.finditer(comment[0]):
            path = re.sub(r"^(\.\./)+", "", file[1])
            if path not in known and not any(re.fullmatch(other, path) for other in OTHERS):
                yield text.count("\n", 0, comment.start() + file.start()) + 1, file[1]


def mixed(name, text):
    """Yields the lines in block comments that begin with //. Such lines may result from wrapping text."""
    for comment in IN_C.finditer(text) if re.search(r"\.(c|h|cu|cuh)$", name) else ():
        for line in re.finditer(r"\n//", comment[0]):
            yield text.count("\n", 0, comment.start() + line.end()) + 1


# The check must accept valid comments and refuse invalid ones.
tried = "/* See harness/nowhere/at_all.c, plots/NAME.gp and base/text.h. */\nint a; // as in gone_for_good.awk\n"
assert list(gone("a.c", tried)) == [(1, "harness/nowhere/at_all.c"), (2, "gone_for_good.awk")], list(gone("a.c", tried))
assert list(mixed("a.c", "/*\n * both are\n// equal.\n */\n// alone\n")) == [3]

failed = looked = 0
for name in tracked:
    if re.fullmatch(r"(?:harness|tests|experiments|kernels|plots|setup|tuned|docs|examples|exercises)/.*\.(?:c|h|cu|cuh|awk|sh|py|mk|gp|js|css|def)|Makefile", name):
        try:
            with open(name, errors="replace") as source:
                text = source.read()
        except FileNotFoundError:
            continue  # removed, but not committed so far
        looked += 1
        for line, file in gone(name, text):
            print(f"test_comments: FAILED: {name}:{line}: {file} is not there")
            failed += 1
        for line in mixed(name, text):
            print(f"test_comments: FAILED: {name}:{line}: // inside of a block comment")
            failed += 1
assert looked > 500, looked
sys.exit(failed > 0)
P
code=$?
[ $code -eq 0 ] && echo 'test_comments: ok'
exit $code
