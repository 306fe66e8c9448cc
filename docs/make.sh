#!/bin/sh
# This script generates parts of the pages again: the catalogue from the kernels' facts, tables from
# recorded runs (docs/tables.sh, docs/outputs.awk), and the course as a notebook (docs/notebook.py).
# With --check it writes nothing, and the exit code is 1 if something is out of date.
#
#   docs/make.sh [--check] [path of redsweep]
set -eu
cd "$(dirname "$0")/.."
check=no
[ "${1:-}" != --check ] || { check=yes; shift; }
redsweep=${1:-build/redsweep}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stale=0

# renew FILE: replaces FILE with $work/new, or compares the two files.
renew() {
    [ -e "$1" ] || : >"$1"
    if cmp -s "$work/new" "$1"; then
        return
    elif [ "$check" = yes ]; then
        echo "$1 is out of date; run make docs:"
        diff "$1" "$work/new" | head -20 || true
        stale=1
    else
        cp "$work/new" "$1"
        echo "wrote $1"
    fi
}

"$redsweep" list kernels --markdown >"$work/new"
renew docs/catalogue.md
"$redsweep" list columns --markdown >"$work/new"
renew docs/columns.md
for page in docs/what-the-kernels-teach.md; do
    docs/tables.sh "$redsweep" "$page" >"$work/new"
    renew "$page"
done
if command -v python3 >/dev/null; then
    docs/notebook.py >"$work/new"
    renew docs/course.ipynb
fi
# These pages contain the output of commands between marks. Some of the commands need Python.
pages=$(grep -l '^<!-- output [^-]' docs/*.md results/reference/*/README.md)
command -v python3 >/dev/null ||
    pages=$(echo "$pages" | grep -v -e /h200-rows/ -e /h200-fastest/ -e /h200-bar/ -e /shapes-plane/ -e docs/library.md)
for page in $pages; do
    awk -f docs/outputs.awk "$page" >"$work/new"
    renew "$page"
done
exit $stale
