#!/bin/sh
# Tests charts of several runs. Compares the drawn numbers with values calculated by hand, and
# checks which requests `plots` refuses. Also checks the limits in the charts of all committed runs.
# shellcheck disable=SC2317 # functions are called through check
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=test_charts_runs
. "$here/checks.sh"
. "$here/charts.sh"

# Two runs. The winners of run a are block 64 at n = 1024 and block 128 at n = 2048. Run b's winner
# is block 128 at both sizes; its block 64 takes 50 % longer at n = 1024.
for side in a b; do
    points=0
    DEVICE=$side
    [ $side = a ] && times='10 20 44 40' || times='30 20 90 80'
    # shellcheck disable=SC2086 # words on purpose
    set -- $times
    { point k 1024 64 1 1 "$1"; point k 1024 128 1 1 "$2"; point k 2048 64 1 1 "$3"; point k 2048 128 1 1 "$4"; } | make_run "$work/runs/$side"
done
DEVICE=D
many=$work/many
over() { plots_command "$work/runs/a" "$work/runs/b" "$@" --out "$many" --format svg; }
cells() { # CHART COLUMNS ROWS: the columns of its data have these rows
    [ "$(cut -f "$2" "$many/$1.dat")" = "$3" ] || { cut -f "$2" "$many/$1.dat"; return 1; }
}
check 'two runs' exits 0 "$out" over
# The ceiling of both runs is 800 GB/s. A row with 8 GB/s reaches 1 % of it.
check 'each its fastest' cells bandwidth 1-3 '"run"	"n"	"y"
"a"	1024	0.4096
"a"	2048	0.2048


"run"	"n"	"y"
"b"	1024	0.2048
"b"	2048	0.1024'
check 'and its time' cells time 1-5 '"run"	"n"	"y"	"low"	"high"
"a"	1024	10	9	11
"a"	2048	40	36	44


"run"	"n"	"y"	"low"	"high"
"b"	1024	20	18	22
"b"	2048	80	72	88'
check 'and what 100 % is' says '; 100 %: the bandwidth of the run.*s fastest kernel or, if higher, the ceiling' "$many/share.gp"
check 'which the axis names' says "% of the run's highest bandwidth" "$many/share.svg"
check 'and its share' cells share 1-3 '"run"	"n"	"y"
"a"	1024	0.0512
"a"	2048	0.0256


"run"	"n"	"y"
"b"	1024	0.0256
"b"	2048	0.0128'
check 'winners, by color, of one kernel its settings' cells best 1-4,8 '"run"	"n"	"kernel"	"setting"	"rgb"
"a"	1024	"k"	"64, loads 1"	20620
"a"	2048	"k"	"128, loads 1"	13983232
"b"	1024	"k"	"128, loads 1"	13983232
"b"	2048	"k"	"128, loads 1"	13983232'
# The chart must show sqrt(1.5 * 1) - 1 = 22.47 % and sqrt(2 * 1) - 1 = 41.42 %.
sed 's/\([.][0-9][0-9]\)[0-9]*/\1/g' "$many/costs.dat" >"$work/rounded" && mv "$work/rounded" "$many/costs.dat"
check 'what winners cost elsewhere' cells costs 1,2,5-7 '"winners_of"	"run"	"sizes"	"mean_pct"	"worst_pct"
"a"	"a"	2	0	0
"a"	"b"	2	22.47	50
"b"	"a"	2	41.42	100
"b"	"b"	2	0	0'
check 'history of one setting' cells history 1,2,4-6 '"run"	"n"	"ratio"	"low"	"high"
"a"	1024	1	0.9	1.1
"b"	1024	3	2.7	3.3


"run"	"n"	"ratio"	"low"	"high"
"a"	2048	1	0.9	1.1
"b"	2048	2	1.8	2.2'
check 'beside what the first run itself is sure of' says '^NOISE_LOW = 0.9$' "$many/history.gp"
check 'by the names of their folders' says '>a (a)<\|>a<' "$many/share.svg"
check 'other columns' exits 0 "$out" over bandwidth --x block --by kernel
check 'are axes here, too' cells bandwidth 1,2 '"kernel"	"block"
"k"	64
"k"	128'
check 'rows of one of them' exits 1 "$out" over --where 'run = b'
check 'are no comparison' says 'share.* left out: fewer than two of the runs have times to show' "$out"
# A simulator run has times only for functions that run on the CPU.
mkdir "$work/runs/sim" && sed 's/,cuda,/,sim,/' "$work/runs/b/results.csv" >"$work/runs/sim/results.csv"
check 'a run of the simulator' exits 1 "$out" plots_command "$work/runs/a" "$work/runs/sim" bandwidth --out "$many"
check 'has no line' says '^bandwidth *left out: fewer than two of the runs' "$out"
mkdir "$work/runs/float" && sed 's/,int32,/,float32,/' "$work/runs/b/results.csv" >"$work/runs/float/results.csv"
check 'nothing in common' exits 1 "$out" plots_command "$work/runs/a" "$work/runs/float" --out "$many"
check 'nothing in common' says 'share.* left out: fewer than two of the runs have times to show' "$out"
check 'neither run nor chart' exits 2 "$out" plots_command "$work/runs/a" "$work/runs/b" sahre
check 'neither run nor chart' says "'sahre' is neither a run nor a chart; did you mean 'share'" "$out"
check 'a chart of one run' exits 2 "$out" plots_command "$work/runs/a" "$work/runs/b" ladder
check 'a run with a hostile name' mkdir "$work/runs/a'b\"c"
cp "$work/runs/b/results.csv" "$work/runs/a'b\"c/"
check 'is a name' exits 0 "$out" plots_command "$work/runs/a" "$work/runs/a'b\"c" --out "$many"
check 'enough contrast' contrasts 50 "$many"/*.svg

# The chart of ratios names the run whose times it divides by. If the name does not fit beside the
# axis, the run's properties are dropped first, and then the beginning of its name.
axis() { # TEXT RUN OTHER OPTION…
    want=$1
    shift
    plots_command "$@" versus --format svg --out "$work/axis" >"$out" 2>&1
    says "^UPWARDS = 'time / time in $want'\$" "$work/axis/versus.gp" && says ">time / time in $want<" "$work/axis/versus.svg"
}
long=quick-nvidia-h200-20260131T100000Z
mkdir "$work/runs/$long" "$work/runs/no-$long"
cp "$work/runs/b/results.csv" "$work/runs/$long/" && cp "$work/runs/b/results.csv" "$work/runs/no-$long/"
check 'the first run has a name' axis a "$work/runs/a" "$work/runs/b"
check 'a name that fits' axis "$long" "$work/runs/$long" "$work/runs/b"
check 'a longer name' axis "…-$long" "$work/runs/no-$long" "$work/runs/b"
check 'a narrow chart' axis '…0-20260131T100000Z' "$work/runs/$long" "$work/runs/b" --width column
check 'properties' axis h100-ladder "$here/../../results/reference/h100-ladder" "$here/../../results/reference/h200-ladder" --width column

# In the charts of committed runs, no line may be above the band of limits at any size, because the
# line and the band come from rows of the same run.
checked=0
above='BEGIN { FS = "\t" } $1 == "\"kernel\"" { block++; next } NF < 5 { next } { y[block, $2] = y[block, $2] < $3 + 0 ? $3 + 0 : y[block, $2] }
    END { for (at in y) { split(at, part, SUBSEP); if (part[1] < block) { n++; if (y[at] > y[block, part[2]]) print at " is above the limit" } }
          print n + 0 " checked" }'
for csv in "$here"/../../results/reference/*/results.csv; do
    rm -rf "$work/limits"
    plots_command "$csv" bandwidth --format svg --out "$work/limits" >"$out" 2>&1 || continue
    grep -q '^LIMITS = [1-9]' "$work/limits/bandwidth.gp" || continue
    awk "$above" "$work/limits/bandwidth.dat" >"$out"
    check "limits of $csv" says_not above "$out"
    checked=$((checked + $(sed -n 's/ checked//p' "$out")))
done
check 'many sizes were compared' test "$checked" -gt 100
# The check does find a line above a limit that is too low.
plots_command "$here/../../results/reference/h200-ladder" bandwidth --format svg --out "$work/limits" >/dev/null
awk 'BEGIN { FS = OFS = "\t" } NF == 5 && $1 != "\"kernel\"" { $3 = $3 / 2 } 1' "$work/limits/bandwidth.dat" >"$work/halved.dat"
awk "$above" "$work/halved.dat" >"$out"
check 'a limit that is none is found' says 'is above the limit' "$out"

[ $failed -eq 0 ] && echo "$name: $cases checks passed"
exit $failed
