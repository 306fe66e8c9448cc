#!/bin/sh
# Draws the charts of a run: plot.sh RUN [CHART…]
#
# RUN is a run's folder or a results.csv. Units and the device's facts come from its manifest, which
# $REDSWEEP (by default ${BUILD:-build}/redsweep) reads; the charts need nothing else. Each chart is one plots/*.gp;
# they are written as RUN/plots/CHART.svg and .png. What a run cannot show is left out and said.
# Exit code: 0 when something was drawn, 1 when nothing could be, 2 for a wrong use.
#
# Which part of a run is shown is chosen by the environment: WANT_TYPE=float32 WANT_OP=max
# WANT_CACHE=warm WANT_SCOPE=complete, and for the heat map and the metrics WANT_KERNEL, WANT_N. The ladder, the roofline and the
# sectors take WANT_N too.
# FORMAT=text prints them into the terminal instead, in characters.
# SUFFIX=-warm is appended to the charts' names, so that several parts can be shown side by side.
set -u
LC_ALL=C
export LC_ALL WANT_TYPE WANT_OP WANT_CACHE WANT_SCOPE WANT_KERNEL WANT_N UNITS FACTS RUN_NAME
: "${WANT_TYPE=}" "${WANT_OP=}" "${WANT_CACHE=}" "${WANT_SCOPE=}" "${WANT_KERNEL=}" "${WANT_N=}"

all='time bandwidth speedup heatmap metrics sectors cache roofline'
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    code=$1
    shift
    printf 'plot.sh: %s\n' "$*" >&2
    exit "$code"
}

[ $# -ge 1 ] || fail 2 "use: plot.sh RUN [CHART...]; charts: $all"
run=$1
shift
case $run in
-*) run=./$run ;;
esac
[ -d "$run" ] && csv=$run/results.csv || csv=$run
[ -f "$csv" ] || fail 2 "$csv: no such file; give a run's folder or its results.csv"
for chart; do
    case " $all " in
    *" $chart "*) ;;
    *) fail 2 "no chart is called '$chart'; there are: $all" ;;
    esac
done
# shellcheck disable=SC2086 # words on purpose
[ $# -ge 1 ] || set -- $all
command -v gnuplot >/dev/null || fail 2 'gnuplot is missing; on Debian and Ubuntu: apt install gnuplot-nox'

folder=$(cd "$(dirname "$csv")" && pwd -P) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
[ "${FORMAT-}" = text ] || mkdir -p "$folder/plots" || fail 2 "$folder/plots: cannot make the folder"
cp "$here"/*.gp "$work"/ || exit 2
cp "$csv" "$work/results.csv" || exit 2

# Units of metrics, and what the roofline needs to know of the device; without a manifest the axes
# have no units.
UNITS=$work/units.txt
FACTS=$work/facts.txt
"${REDSWEEP:-${BUILD:-$here/../build}/redsweep}" show "$folder" --info >"$work/info.txt" 2>/dev/null
awk -F '\t' '$1 ~ /^columns\.[0-9]+\.name$/ { name = $2 }
    $1 ~ /^columns\.[0-9]+\.unit$/ { print name "\t" $2 }' "$work/info.txt" >"$UNITS"
sed -n 's/^provenance\.device\.//p' "$work/info.txt" >"$FACTS"
RUN_NAME=$(basename "$folder")

cd "$work" || exit 2
awk -f "$here/csv.awk" -f "$here/layout.awk" -f "$here/relations.awk" -f "$here/tidy.awk" results.csv 2>why.txt ||
    fail 2 "$csv: $(cat why.txt)"

drawn=0
for chart; do
    why=$(awk -F '\t' -v chart="$chart" '$1 == chart { print $2; exit }' charts.txt)
    if [ "$why" != ok ]; then
        printf '%-10s left out: %s\n' "$chart" "$why"
        continue
    fi
    if [ "${FORMAT-}" = text ]; then
        case $chart in
        heatmap | metrics | speedup) awk -v chart="$chart" -f "$here/text.awk" run.gp ;;
        *) gnuplot -e "chart='$chart'" text.gp 2>gnuplot.txt ;;
        esac || fail 1 "$chart cannot be drawn in text: $(cat gnuplot.txt)"
        drawn=$((drawn + 1))
        continue
    fi
    for format in svg png; do
        gnuplot -e "chart='$chart'; format='$format'" "$chart.gp" 2>gnuplot.txt ||
            fail 1 "gnuplot failed on $chart.gp: $(cat gnuplot.txt)"
        file=$folder/plots/$chart${SUFFIX-}.$format
        [ $format = png ] || sed -i "s|<title>Gnuplot</title>|<title>redsweep: $chart</title>|" "$chart.svg"
        mv "$chart.$format" "$file" || fail 2 "$file: cannot write"
        printf '%-10s %s\n' "$chart" "$file"
    done
    drawn=$((drawn + 1))
done
[ ! -s others.txt ] || printf 'not shown: %s (choose with WANT_TYPE, WANT_OP, WANT_CACHE, WANT_<AXIS>)\n' "$(cat others.txt)"
[ ! -s unresolved.txt ] || printf "excluded: %s rows whose time is below the clock's resolution\n" "$(cat unresolved.txt)"
[ "$drawn" -gt 0 ]
