#!/bin/sh
# Compares a run of the published tables' points with the printed values, cell by cell, and prints
# totals:
#
#   setup/reproduce.sh REDSWEEP RUN TABLE…        (make reproduce makes the runs first)
#
# The exit code is 0 if every count is equal, 1 if one differs or is missing, and 2 for wrong usage.
set -u
[ $# -ge 3 ] || { echo "usage: $0 REDSWEEP RUN TABLE…" >&2; exit 2; }
redsweep=$1 run=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
code=0
for table; do
    "$redsweep" diff "$table" "$run" --table published --data "$work/table.data"
    case $? in
    0) ;;
    1) code=1 ;;
    *) exit 2 ;;
    esac
    echo
    cat "$work/table.data" >>"$work/all.data"
done
awk -f "$(dirname "$0")/../tests/data.awk" -f - "$work/all.data" <<'PROGRAM'
data_line($0) {
    if (CELL[1] == "quantity")
        for (i = 1; i <= CELLS; i++)
            column[CELL[i]] = i
    else
        total[CELL[column["kind"]], CELL[column["verdict"]]]++
}
END {
    printf "counts: %d equal, %d differ, %d missing; orders: %d the same, %d differ, %d missing\n",
        total["count", "equal"], total["count", "differs"], total["count", "missing"],
        total["order", "same order"], total["order", "differs"], total["order", "missing"]
}
PROGRAM
exit $code
