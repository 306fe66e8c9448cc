#!/bin/sh
# Regenerates what is generated in docs/: the catalogue from the kernels' facts, and the tables of
# the pages from recorded runs (docs/tables.awk). With --check nothing is written, and the exit
# code is 1 when something is out of date.
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

# renew FILE: FILE becomes $work/new, or is compared with it.
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
    awk -f plots/csv.awk -f docs/tables.awk "$page" >"$work/new"
    renew "$page"
done
pages=docs/measuring.md
# Their tables need Python.
! command -v python3 >/dev/null || pages="$pages docs/rows.md docs/fastest.md"
for page in $pages; do
    awk -f docs/outputs.awk "$page" >"$work/new"
    renew "$page"
done
# The simulator's counts beside the hardware's: the table between two marks of the page.
page=docs/simulator-against-h200.md
reference=results/reference
with_fact() { # REGEX: kernels with that line among their facts
    grep -l "^// $1" kernels/*.cu | sed 's|kernels/||; s|\.cu||' | tr '\n' ' '
}
counts_table() { # MARK HARDWARE.csv SIMULATOR.csv
    awk -v polls="$(with_fact 'counts: *vary')" -v launches="$(with_fact 'link: *device runtime')" \
        -f plots/csv.awk -f docs/counts.awk "$2" "$3" >"$work/table"
    awk -v table="$work/table" -v mark="<!-- $1 -->" '
        /^<!-- end -->$/ { skip = 0 }
        !skip { print }
        $0 == mark { print ""; while ((getline line < table) > 0) print line; print ""; skip = 1 }
    ' "$work/page" >"$work/new"
    cp "$work/new" "$work/page"
}
mkdir "$work/gpu" "$work/sim"
tar -C "$work/gpu" -xJf $reference/h200-oracle/runs.tar.xz counts-operations/results.csv
tar -C "$work/sim" -xJf $reference/sim-counts/operations.tar.xz counts-operations/results.csv
cp "$page" "$work/page"
counts_table counts $reference/h200-counts/results.csv $reference/sim-counts/results.csv
counts_table operations "$work/gpu/counts-operations/results.csv" "$work/sim/counts-operations/results.csv"
renew "$page"
exit $stale
