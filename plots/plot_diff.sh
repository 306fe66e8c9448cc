#!/bin/sh
# Draws two runs against each other: plot_diff.sh DIFF.csv A B
#
# DIFF.csv is what `redsweep diff A B --csv DIFF.csv` has written; A and B are the runs, of which only
# the devices' names are read. Written beside it: versus.svg and .png (times), counts.svg and .png
# (metrics, such as the simulator's against the hardware's). METRICS
# lists the metrics of counts. Exit code: 0 when something was drawn, 1 when nothing could be, 2 for a wrong use.
set -u
LC_ALL=C
export LC_ALL A_NAME B_NAME A_DEVICE B_DEVICE
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=plots/draw.sh
. "$here/draw.sh"

[ $# -eq 3 ] || fail 2 'use: plot_diff.sh DIFF.csv A B'
csv=$1
[ -f "$csv" ] || fail 2 "$csv: no such file; redsweep diff A B --csv $csv writes it"

# The device and backend of a run, from its first row.
device_of() {
    file=$1
    [ -d "$file" ] && file=$file/results.csv
    [ -f "$file" ] || fail 2 "$file: no such file"
    case $file in /*) ;; *) file=./$file ;; esac # awk takes the operand a=b for an assignment
    awk -f "$here/csv.awk" -f - "$file" <<'EOF'
csv_line($0) {
    if (CSV_LINES)
        csv_join()
    if (!rows++)
        for (i = 1; i <= CELLS; i++)
            column[CELL[i]] = i
    else {
        print CELL[column["device"]] " (" CELL[column["backend"]] ")"
        exit
    }
}
function stop(why) { print why > "/dev/stderr"; exit 1 }
EOF
}
A_DEVICE=$(device_of "$2") || exit 2
B_DEVICE=$(device_of "$3") || exit 2
A_NAME=$(basename "$2")
B_NAME=$(basename "$3")

folder=$(cd "$(dirname "$csv")" && pwd -P) || exit 2
cp "$here"/*.gp "$work"/ && cp "$csv" "$work/diff.csv" || exit 2
cd "$work" || exit 2
awk -f "$here/csv.awk" -f "$here/layout.awk" -f "$here/pairs.awk" diff.csv 2>why.txt ||
    fail 2 "$csv: $(cat why.txt)"

drawn=0
draw_charts "$folder" versus counts
[ "$drawn" -gt 0 ]
