#!/bin/sh
# Draws charts of a run that are made by awk: plot.sh RUN [CHART…]. Use `redsweep plots`, which calls this.
#
# RUN is a run's folder or a results.csv. Units and the device's facts come from its manifest, which
# $REDSWEEP (by default ${BUILD:-build}/redsweep) reads. They are written as RUN/plots/CHART.svg and .png, or into the
# folder OUT. What a run cannot show is left out and said. Exit
# code: 0 when something was drawn, 1 when nothing could be, 2 for a wrong use.
#
# What redsweep plots was asked for is in the environment (harness/cli/plots_script.c): WANT_KERNEL is the kernel of
# charts of one, WANT_METRIC what shapes shows, WANT_X, WANT_Y, WANT_COLOR axes, TRUTH=RUN what a search is
# compared with, PEERS=RUN has the rows of CUB and PyTorch for shapes. draw.sh lists how it looks.
set -u
LC_ALL=C
export LC_ALL UNITS FACTS WORKLOADS LADDER RUN_NAME TRUTH_TIMES TRUTH_NAME PEER_ROWS WANT_WORKLOAD

all='shapes search'
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=plots/draw.sh
. "$here/draw.sh"

[ $# -ge 1 ] || fail 2 "use: plot.sh RUN [CHART...]; charts: $all"
run=$1
shift
case $run in
-*) run=./$run ;;
esac
csv_of() { if [ -d "$1" ]; then printf '%s' "$1/results.csv"; else printf '%s' "$1"; fi; }
csv=$(csv_of "$run")
[ -f "$csv" ] || fail 2 "$csv: no such file; give a run's folder or its results.csv"
for chart; do
    case " $all " in
    *" $chart "*) ;;
    *) fail 2 "no chart is called '$chart'; there are: $all" ;;
    esac
done
# shellcheck disable=SC2086 # words on purpose
[ $# -ge 1 ] || set -- $all

# What a run's manifest says, as files TO.units, TO.facts, TO.workloads; without a manifest they are missing.
info() { # FILE TO
    "${REDSWEEP:-${BUILD:-$here/../build}/redsweep}" show "$(dirname "$1")" --info >"$work/info.txt" 2>/dev/null
    awk -F '\t' -f "$here/info.awk" -v units="$2.units" -v facts="$2.facts" -v workloads="$2.workloads" "$work/info.txt"
}

folder=$(cd "$(dirname "$csv")" && pwd -P) || exit 2
truth=
if [ -n "${TRUTH-}" ]; then
    truth=$(csv_of "$TRUTH")
    [ -f "$truth" ] || fail 2 "TRUTH=$TRUTH: no such run"
    cp "$truth" "$work/truth.csv" || exit 2
fi
PEER_ROWS=
if [ -n "${PEERS-}" ]; then
    peers=$(csv_of "$PEERS")
    [ -f "$peers" ] || fail 2 "PEERS=$PEERS: no such run"
    PEER_ROWS=$work/peer_rows.txt
    info "$peers" "$work/peers"
    WORKLOADS=$work/peers.workloads awk -f "$here/csv.awk" -f "$here/peers.awk" <"$peers" >"$PEER_ROWS" 2>"$work/why.txt" || fail 2 "$peers: $(cat "$work/why.txt")"
fi
to=${OUT:-$folder/plots}
to=$(chart_folder "$to") || exit 2
cp "$here"/*.gp "$work"/ || exit 2
cp "$csv" "$work/results.csv" || exit 2

# Units of metrics, what kernels do, and what the roofline needs to know of the device; without a manifest
# the axes have no units, and all kernels are taken for reductions.
UNITS=$work/run.units FACTS=$work/run.facts WORKLOADS=$work/run.workloads LADDER=$here/../kernels/index.txt
info "$csv" "$work/run"
RUN_NAME=$(basename "$folder")

cd "$work" || exit 2
rows() { awk -f "$here/csv.awk" -f "$here/read.awk" -f "$here/layout.awk" "$@"; }
if [ -n "$truth" ]; then
    TRUTH_NAME=$(basename "$(dirname "$truth")")
    rows -f "$here/truth.awk" truth.csv >truth.txt 2>why.txt || fail 2 "$truth: $(cat why.txt)"
    TRUTH_TIMES=truth.txt
fi
tidy() {
    rows -f "$here/ladder.awk" -f "$here/search.awk" -f "$here/shapes.awk" \
        -f "$here/tidy.awk" results.csv 2>why.txt || fail 2 "$csv: $(cat why.txt)"
}
tidy
drawn=0
draw_charts "$to" "$@"

[ "$drawn" -gt 0 ]
