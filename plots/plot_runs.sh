#!/bin/sh
# Draws several runs laid over each other: plot_runs.sh RUN RUN… [CHART…]
#
# Runs are folders or results.csv files, in the order in which they are to be shown. Written into OUT (by default
# results/runs): bandwidth and share (of each run's own ceiling) against n, best (who wins where), costs (of each
# run's winners elsewhere) and history (of WANT_KERNEL over the runs). The environment and exit codes are as for
# plot.sh, which calls this.
set -u
LC_ALL=C
export LC_ALL RUNS WORKLOADS LADDER

all='bandwidth share best costs history'
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=plots/draw.sh
. "$here/draw.sh"

: >"$work/runs.txt"
: >"$work/labels.txt"
RUNS=$work/labels.txt WORKLOADS=$work/workloads.txt LADDER=$here/../kernels/index.txt
count=0
charts=
for word; do
    case " $all " in
    *" $word "*)
        charts="$charts $word"
        continue
        ;;
    esac
    case $word in
    -*) word=./$word ;;
    esac
    [ -d "$word" ] && csv=$word/results.csv || csv=$word
    [ -f "$csv" ] || fail 2 "$word: no such run, and no chart of several runs; charts: $all"
    count=$((count + 1))
    cp "$csv" "$work/$count.csv" || exit 2
    folder=$(cd "$(dirname "$csv")" && pwd -P) || exit 2
    "${REDSWEEP:-${BUILD:-$here/../build}/redsweep}" show "$folder" --info >"$work/info.txt" 2>/dev/null
    awk -F '\t' -f "$here/info.awk" -v units="$work/units.txt" -v facts="$work/facts$count.txt" \
        -v workloads="$WORKLOADS.part" "$work/info.txt"
    [ ! -f "$WORKLOADS.part" ] || cat "$WORKLOADS.part" >>"$WORKLOADS"
    printf '%s\n' "$folder" >>"$work/runs.txt"
done
[ "$count" -ge 2 ] || fail 2 'use: plot_runs.sh RUN RUN... [CHART...]'
into=${OUT:-results/runs}
into=$(chart_folder "$into") || exit 2
cp "$here"/*.gp "$work"/ || exit 2
cd "$work" || exit 2

# Names of runs: of their folders, with as much of the path as makes them different, and with the device, the
# driver and the version of redsweep where these differ.
awk -f "$here/run_names.awk" runs.txt >labels.txt
files=$(seq "$count" | sed 's/$/.csv/')
# shellcheck disable=SC2086 # words on purpose
awk -f "$here/csv.awk" -f "$here/read.awk" -f "$here/layout.awk" -f "$here/ladder.awk" -f "$here/runs.awk" \
    $files 2>why.txt || fail 2 "$(awk 'NR == FNR { path[FNR ".csv"] = $0; next }
        { at = index($0, ": ") } substr($0, 1, at - 1) in path { $0 = path[substr($0, 1, at - 1)] substr($0, at) } { print }' runs.txt why.txt)"
drawn=0
# shellcheck disable=SC2086 # words on purpose
draw_charts "$into" ${charts:-$all}
say_others
[ "$drawn" -gt 0 ]
