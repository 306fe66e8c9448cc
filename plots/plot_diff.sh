#!/bin/sh
# Draws two runs against each other: plot_diff.sh DIFF.csv A B
#
# DIFF.csv is what `redsweep diff A B --csv DIFF.csv` has written; A and B are the runs, of which only
# the devices' names are read. Written beside it: versus.svg and .png (times), counts.svg and .png
# (metrics, such as the simulator's against the hardware's). Exit codes as plot.sh.
set -u
LC_ALL=C
export LC_ALL A_NAME B_NAME A_DEVICE B_DEVICE
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    code=$1
    shift
    printf 'plot_diff.sh: %s\n' "$*" >&2
    exit "$code"
}

[ $# -eq 3 ] || fail 2 'use: plot_diff.sh DIFF.csv A B'
csv=$1
[ -f "$csv" ] || fail 2 "$csv: no such file; redsweep diff A B --csv $csv writes it"
command -v gnuplot >/dev/null || fail 2 'gnuplot is missing; on Debian and Ubuntu: apt install gnuplot-nox'

# The device and backend of a run, from its first row.
device_of() {
    file=$1
    [ -d "$file" ] && file=$file/results.csv
    [ -f "$file" ] || fail 2 "$file: no such file"
    awk -f "$here/csv.awk" -f - "$file" <<'EOF'
csv_line($0) {
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
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cp "$here"/*.gp "$work"/ && cp "$csv" "$work/diff.csv" || exit 2
cd "$work" || exit 2
awk -f "$here/csv.awk" -f "$here/layout.awk" -f "$here/pairs.awk" diff.csv 2>why.txt ||
    fail 2 "$csv: $(cat why.txt)"

drawn=0
for chart in versus counts; do
    why=$(awk -F '\t' -v chart="$chart" '$1 == chart { print $2; exit }' charts.txt)
    if [ "$why" != ok ]; then
        printf '%-10s left out: %s\n' "$chart" "$why"
        continue
    fi
    for format in svg png; do
        gnuplot -e "chart='$chart'; format='$format'" "$chart.gp" 2>gnuplot.txt ||
            fail 1 "gnuplot failed on $chart.gp: $(cat gnuplot.txt)"
        [ $format = png ] || sed -i "s|<title>Gnuplot</title>|<title>redsweep: $chart</title>|" "$chart.svg"
        mv "$chart.$format" "$folder/$chart.$format" || fail 2 "$folder/$chart.$format: cannot write"
        printf '%-10s %s\n' "$chart" "$folder/$chart.$format"
    done
    drawn=$((drawn + 1))
done
[ "$drawn" -gt 0 ]
