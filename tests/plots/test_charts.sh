#!/bin/sh
# Tests charts of one run, for learning and tuning. Compares the drawn numbers with values
# calculated by hand, and checks which requests `plots` refuses. All numbers are invented.
# shellcheck disable=SC2317 # functions are called through check
set -u
here=$(cd "$(dirname "$0")" && pwd)
plots=$(cd "$here/../../plots" && pwd)
name=test_charts
. "$here/checks.sh"

. "$here/charts.sh"

# This run is for the charts `choice`, `relative` (to a peer) and `samples`. cub takes 20 and 10 µs,
# and unroll takes 10 and 15 µs.
run=$work/choice
{
    point cub 1024 64 1 '' 20
    point cub 2048 64 1 '' 10
    point unroll 1024 64 1 '' 30
    point unroll 1024 128 1 '' 10
    point unroll 2048 64 1 '' 15
} | make_run "$run"
columns() { # FILE BLOCK NAME…: prints these columns of a data block; blocks count from 1
    awk -F '\t' -v block="$2" -v names="$(shift 2 && echo "$*")" 'BEGIN { count = split(names, name, " "); at = 1; head = 1 }
        $0 == "" { if (!blank++) at++; head = 1; next }
        { blank = 0 }
        head { split("", place); for (i = 1; i <= NF; i++) place[$i] = i; head = 0; next }
        at == block { for (i = 1; i <= count; i++) printf "%s%s", $place["\"" name[i] "\""], i < count ? " " : "\n" }' "$1"
}
data() { # NAME WANTED BLOCK COLUMN…
    chart=$1 want=$2
    shift 2
    [ "$(columns "$run/plots/$chart.dat" "$@")" = "$want" ] || { columns "$run/plots/$chart.dat" "$@"; return 1; }
}
check 'which kernel when' exits 0 "$out" plots_command "$run" choice relative --format svg
check 'the fastest, and the next' data choice '"unroll" 1024 10 "cub" 2 "100"
"cub" 2048 10 "unroll" 1.5 "50"' 1 kernel n time_us_median next ratio text
check 'over the peer' data relative '"unroll" 1024 0.5
"unroll" 2048 1.5' 1 kernel n y
check 'which is called so' says "^UPWARDS = 'time over that of cub'" "$run/plots/relative.gp"
check 'over another kernel' exits 0 "$out" plots_command "$run" relative --relative-to unroll --format svg
check 'is the inverse' data relative '"cub" 1024 2
"cub" 2048 0.6666666666666666' 2 kernel n y
check 'no samples' exits 1 "$out" plots_command "$run" samples --format svg
check 'are said' says '^samples *left out: the run has no samples.csv (a samples.csv.gz must be unpacked first)' "$out"
sed '1s/$/,samples/; 2,$s/$/,0/; /,cub,.*,2048,/s/0$/4/; /,unroll,.*,2048,/s/0$/3/' "$run/results.csv" >"$work/with.csv" && mv "$work/with.csv" "$run/results.csv"
id=$(awk -F, '$4 == "cub" && $7 == 2048 { print $1 }' "$run/results.csv")
other=$(awk -F, '$4 == "unroll" && $7 == 2048 { print $1 }' "$run/results.csv")
printf 'id,sample,time_us\n%s,0,12\n%s,1,8\n%s,2,9\n%s,3,11\n%s,0,15\n%s,1,15\n%s,2,30\n' "$id" "$id" "$id" "$id" "$other" "$other" "$other" >"$run/samples.csv"
check 'samples' exits 0 "$out" plots_command "$run" samples --format svg
# The median of 8, 9, 11 and 12 is 10. 30 is among the largest 1 % of all samples, so it is drawn at
# the edge.
check 'in the order in which they were taken' data samples '"cub" 1 12
"cub" 2 8
"cub" 3 9
"cub" 4 11
"unroll" 1 15
"unroll" 2 15
"unroll" 3 30' 1 kernel sample time_us
check 'quartiles between samples' data samples '"cub" 10 87.5 112.5
"unroll" 15 100 150' 2 kernel time_us_median quarter three_quarters

# In the chart `ladder`, interleaved is 100/80 = 1.25 times as fast as neighbored, and reads a
# quarter of the sectors. The step to unroll 4 halves the number of blocks. With 128 threads,
# interleaved is slower and reads twice as many sectors.
run=$work/ladder
{
    point unroll 1024 64 4 '' 25 25 5 75 0 32
    point unroll 1024 64 2 '' 40 25 5 75 0 64
    point interleaved 1024 64 1 '' 80 25 5 75 0 64
    point neighbored 1024 64 1 '' 100 100 5 25 0 64
    point neighbored 1024 128 1 '' 50 100 6 25 0 32
    point interleaved 1024 128 1 '' 60 200 6 25 0 32
    point other 1024 128 1 '' 70 1 1 1
} | make_run "$run"
ladder() { # ROWS: names, values and their intervals
    [ "$(cut -f 1,4-6 "$run/plots/ladder.dat" | sed 1d)" = "$1" ] || { cat "$run/plots/ladder.dat"; return 1; }
}
check 'the ladder' exits 0 "$out" plots_command "$run" ladder --format svg
check 'in its order at the block that most kernels have, of these the largest' ladder '"neighbored"	50	45	55
"interleaved"	60	54	66
"other"	70	63	77'
check 'a kernel without a value at this block is named' says '; left out (no value at this setting): unroll.$' "$run/plots/ladder.gp"
check 'a step may be slower, and a kernel no step' says "^array BAR_GAIN\[3\] = \['', '0.83 ×', ''\]" "$run/plots/ladder.gp"
check 'what became worse is no cause of it' says "^array BAR_WHY\[3\] = \['', 'neighbored', ''\]" "$run/plots/ladder.gp"
check 'at a requested block' exits 0 "$out" plots_command "$run" ladder --where 'block = 64' --format svg
check 'of the unroll factors that most have the largest' ladder '"neighbored"	100	90	110
"interleaved"	80	72	88
"unroll × 4"	25	22.5	27.5'
check 'all kernels of these rows have values' says_not 'left out' "$run/plots/ladder.gp"
check 'gains' says "^array BAR_GAIN\[3\] = \['', '1.25 ×', '3.20 ×'\]" "$run/plots/ladder.gp"
check 'and counts' says "^array BAR_WHY\[3\] = \['', 'neighbored: gld_transactions ÷ 4', 'interleaved: blocks of the grid ÷ 2'\]" "$run/plots/ladder.gp"
check 'bars begin at zero' says '^BAR_DOTS = 0$' "$run/plots/ladder.gp"
check 'all unroll factors' exits 0 "$out" plots_command "$run" ladder --where 'block = 64' --by unroll --format svg
check 'are rungs' says "'interleaved', 'unroll × 2', 'unroll × 4'" "$run/plots/ladder.gp"
# interleaved has as many blocks as unroll 2, so their number does not explain the step, and no
# other count is named.
check 'a count that does not change is no cause' says "'interleaved', 'unroll × 2: blocks of the grid ÷ 2'\]" "$run/plots/ladder.gp"
check 'a requested factor' exits 0 "$out" plots_command "$run" ladder --where 'block = 64 and unroll <= 2' --format svg
check 'is the one' says '^"unroll × 2"	"unroll"	3	40	' "$run/plots/ladder.dat"
check 'a count instead of the time' exits 0 "$out" plots_command "$run" ladder --where 'block = 64' --y gld_transactions --format svg
check 'is drawn' ladder '"neighbored"	100	100	100
"interleaved"	25	25	25
"unroll × 4"	25	25	25'
check 'and explains not itself' says "^array BAR_WHY\[3\] = \['', 'neighbored', 'interleaved'\]" "$run/plots/ladder.gp"
check 'whose ratios are those of this count' says "^GAINS = 'ratio of gld_transactions'$" "$run/plots/ladder.gp"
check 'and not of the other one' says "the ratio of each kernel''s gld_transactions to that of the kernel" "$run/plots/ladder.gp"
check 'ratios of counts' says "^array BAR_GAIN\[3\] = \['', '0.25', '='\]" "$run/plots/ladder.gp"
check 'no such block' exits 1 "$out" plots_command "$run" ladder --where 'block = 512'
check 'no ladder of it' says '^ladder *left out: ' "$out"
check 'no such metric' exits 1 "$out" plots_command "$run" ladder --y nothing
check 'is said' says '^ladder *left out: the run has no metric nothing' "$out"
# The recorded runs must have each count that explains a step.
counts_of_steps() { # FOLDER OF KERNELS
    sed -n 's/^step from .*: //p' "$1/index.txt" | sort -u | while read -r count; do
        case $count in grid | instructions) ;; *) "${BUILD:-$here/../../build}/redsweep" list metrics | grep -q "^$count " || echo "$count" ;; esac
    done >"$work/counts_of_steps"
    [ ! -s "$work/counts_of_steps" ]
}
check 'counts of steps are metrics' counts_of_steps "$plots/../kernels"
check 'no such metric' exits 1 "$out" plots_command "$run" metrics --y nothing
check 'is said' says '^metrics  *left out: the run has no metric nothing' "$out"
check 'metrics' exits 0 "$out" plots_command "$run" metrics --where 'block = 128' --format svg
check 'in the order of the ladder' says "^array BAR_NAME\[3\] = \['neighbored  128', 'interleaved  128', 'other  128'\]" "$run/plots/metrics.gp"
check 'in the colours of its families' says '^"interleaved"	2	200	13983232	' "$run/plots/metrics.dat"
check 'which have names' says "'pairs of neighbors, global memory', 'coalesced tree, global memory', 'other kernels'" "$run/plots/metrics.gp"
check 'two of three' exits 0 "$out" plots_command "$run" metrics --y inst_per_warp,gld_efficiency --format svg
check 'are drawn' says "^array PANEL\[2\] = \['inst_per_warp', 'gld_efficiency'\]" "$run/plots/metrics.gp"

check 'of the fastest settings' says "^METRICS_OF = 'the fastest setting of each kernel (block × unroll factor, beside its name)'\$" "$run/plots/metrics.gp"

# Without times, the charts ladder and metrics show the same setting of a kernel.
for setting in '64 2 30' '64 4 20' '128 2 28' '128 4 18'; do
    # shellcheck disable=SC2086 # words on purpose
    set -- $setting
    for kernel in unroll smem_unroll; do point $kernel 1024 "$1" "$2" '' 1 "$3" "$3"; done
done | awk -F, -v OFS=, '{ $2 = "sim"; for (i = 17; i <= 22; i++) $i = "" } 1' | make_run "$work/untimed"
check 'without times' exits 0 "$out" plots_command "$work/untimed" ladder metrics --format svg
check 'the largest setting is that of the ladder' says "^array BAR_NAME\[2\] = \['unroll × 4', 'smem_unroll × 4'\]" "$work/untimed/plots/ladder.gp"
check 'and of the metrics' says "^array BAR_NAME\[2\] = \['unroll  128 × 4', 'smem_unroll  128 × 4'\]" "$work/untimed/plots/metrics.gp"
check 'which say so' says "^METRICS_OF = 'the largest block and unroll factor of each kernel, beside its name'\$" "$work/untimed/plots/metrics.gp"

# All axes of counts format numbers alike.
{ point neighbored 1024 64 1 '' 100 1597000 5; point interleaved 1024 64 1 '' 80 303000 5; } | make_run "$work/counts"
check 'counts' exits 0 "$out" plots_command "$work/counts" ladder metrics --y gld_transactions --format svg
for chart in ladder metrics; do
    check "$chart has hundreds of thousands and 1M" says '>[25]00k</tspan>' "$work/counts/plots/$chart.svg"
    check "$chart has hundreds of thousands and 1M" says '>1M</tspan>' "$work/counts/plots/$chart.svg"
    check "$chart has no 1e+06" says_not '>[0-9.]*e+0\|>[0-9]\{5,\}</tspan>' "$work/counts/plots/$chart.svg"
done
# Labels must not touch. If an axis of 240 pixels ends at 502M, there is a label every 200M.
{ point neighbored 1024 64 1 '' 100 502500000 5 50; point interleaved 1024 64 1 '' 80 5 5 50; } | make_run "$work/counts"
check 'large counts' exits 0 "$out" plots_command "$work/counts" metrics --format svg
check 'each 200M has a label' says '>200M</tspan>' "$work/counts/plots/metrics.svg"
check 'and nothing between' says_not '>100M</tspan>' "$work/counts/plots/metrics.svg"
(cd "$plots" && gnuplot -e "load 'numbers.gp'; array V[8] = [0, 0.5, 9999, 10000, 500000, 1e6, 2.5e9, 4e12]; do for [i = 1:8] { print number(V[i]) }") >"$out" 2>&1
check 'from zero to trillions' holds "$out" '0
0.5
9999
10k
500k
1M
2.5G
4T'

# Kernels that are not reductions get other charts. Limits come only from kernels that read their
# input without reducing it. The best of them is the limit, with its interval.
run=$work/others
{
    point smem 1048576 64 1 '' 10
    point smem 2097152 64 1 '' 20
    point sweep_read 1048576 64 1 '' 8
    point sweep_copy 1048576 64 1 '' 4
} | make_run "$run"
echo '{"schema": 2, "provenance": {"kernels": [{"name": "smem", "workload": "reduce"}, {"name": "sweep_read",
    "workload": "read", "role": "limit of reduce"}, {"name": "sweep_copy", "workload": "copy", "role": "harness"}]}}' >"$run/run.json"
check 'other workloads' exits 0 "$out" plots_command "$run" time bandwidth --format svg
check 'are in no chart of reductions' holds "$run/plots/time.dat" '"kernel"	"n"	"y"	"low"	"high"	"setting"
"smem"	1048576	10	9	11	"64"
"smem"	2097152	20	18	22	"64"'
check 'the limit is far above at one of two sizes' says '^LIMITS_SHOWN = 1$' "$run/plots/bandwidth.gp"
check 'the limit is the best reader at each size' holds "$run/plots/bandwidth.dat" '"kernel"	"n"	"y"	"low"	"high"	"setting"
"smem"	1048576	419.43	419.43	419.43	"64"
"smem"	2097152	419.43	419.43	419.43	"64"


"kernel"	"n"	"y"	"low"	"high"
"sweep_read"	1048576	524.288	476.62545454545455	582.5422222222222
"smem"	2097152	419.43	381.3	466.03333333333336'
check 'on request' exits 0 "$out" plots_command "$run" time --format svg --where 'role != reduction'
check 'they are shown alone, as bars, having one size' holds "$run/plots/time.dat" '"name"	"kernel"	"place"	"value"	"low"	"high"	"rgb"	"text"
"sweep_copy  64"	"sweep_copy"	1	4	3.6	4.4	9145227	"4.000"
"sweep_read  64"	"sweep_read"	2	8	7.2	8.8	9145227	"8.000"'
check 'without a request' exits 0 "$out" plots_command "$run" --format svg
check 'in files of their own' test -s "$run/plots/time-others.gp"
{ point a 1024 64 1 '' 1; point b 1024 64 1 '' 31; } | make_run "$run"
check 'thirtyfold' exits 0 "$out" plots_command "$run" time --format svg
check 'dots on a logarithmic axis' says '^BAR_DOTS = 1$' "$run/plots/time.gp"

# In the chart `tuning`, kernel k has two values of LOADS and three block sizes at one n, with times
# from 10 to 60 µs.
run=$work/tuning
{
    point k 1024 64 1 1 10 '' '' '' 1
    point k 1024 128 1 1 20 '' '' '' 1
    point k 1024 256 1 1 30 '' '' '' 2
    point k 1024 64 1 2 40 '' '' '' 3
    point k 1024 128 1 2 50 '' '' '' 4
    point k 1024 256 1 2 60 '' '' '' 4
    point k 2048 64 1 1 44 '' '' '' 5
    point k 2048 128 1 1 40 '' '' '' 9
} | make_run "$run"
check 'charts of tuning' exits 0 "$out" plots_command "$run" heatmap configs tunables --format svg
check 'two axes that vary are found' holds "$run/plots/heatmap.dat" '"block"	"loads"	"across"	"up"	"time_us_median"	"down"	"ratio"	"wins"	"text"
"64"	"1"	1	1	10	2	1	2	"10.00"
"64"	"2"	1	2	40	1	4	0	"40.00"
"128"	"1"	2	1	20	2	2	0	"20.00"
"128"	"2"	2	2	50	1	5	0	"50.00"
"256"	"1"	3	1	30	2	3	0	"30.00"
"256"	"2"	3	2	60	1	6	0	"60.00"'
check 'and named' says "^HEADING = 'Time by block and loads: k, n = 2¹⁰'$" "$run/plots/heatmap.gp"
check 'none is empty' says_not 'empty cell' "$run/plots/heatmap.gp"
check 'n and block' exits 0 "$out" plots_command "$run" heatmap --x n --y block --format svg
check 'the fastest of the rest' holds "$run/plots/heatmap.dat" '"n"	"block"	"across"	"up"	"time_us_median"	"down"	"ratio"	"wins"	"text"
"1024"	"64"	1	1	10	3	1	2	"10.00"
"1024"	"128"	1	2	20	2	2	0	"20.00"
"1024"	"256"	1	3	30	1	3	0	"30.00"
"2048"	"64"	2	1	44	3	4.4	0	"44.00"
"2048"	"128"	2	2	40	2	4	0	"40.00"'
check 'which is said' says 'each cell: the fastest setting of the other tunables; empty cells' "$run/plots/heatmap.gp"
check 'no such axis' exits 1 "$out" plots_command "$run" heatmap --x lods
check 'no such axis' says '^heatmap *left out: the run has no axis lods' "$out"
check 'a column that is no axis' exits 1 "$out" plots_command "$run" heatmap --x gld_transactions
check 'one axis twice' exits 1 "$out" plots_command "$run" heatmap --x block --y block
check 'one axis twice' says '^heatmap *left out: --x and --y name the same axis' "$out"
check 'one value' exits 1 "$out" plots_command "$run" heatmap --where 'loads = 1'
check 'no heat map of one row' says '^heatmap *left out: no kernel was timed with more than one value of two tunables' "$out"
check 'configurations' exits 0 "$out" plots_command "$run" configs --by block --format svg
check 'from the fastest, by value' holds "$run/plots/configs.dat" '"rank"	"kernel"	"setting"	"time_us_median"	"rgb"
1	"k"	"64, loads 1"	10	5609888
2	"k"	"128, loads 1"	20	2711430
3	"k"	"256, loads 1"	30	1318464
4	"k"	"64, loads 2"	40	5609888
5	"k"	"128, loads 2"	50	2711430
6	"k"	"256, loads 2"	60	1318464'
check 'whose fastest has its name' says 'the fastest: k, block 64, loads 1, 10 µs' "$run/plots/configs.gp"
check 'no such axis' exits 1 "$out" plots_command "$run" configs --by colour
check 'no such axis' says '^configs *left out: the run has no axis colour' "$out"
check 'the tunable that explains most' exits 0 "$out" plots_command "$run" configs --format svg
check 'colours' says "color: loads, which explains" "$run/plots/configs.gp"
# With block 64, times are 1 and 4 times the fastest. With LOADS 1, they are 1, 2 and 3 times the
# fastest, with the quartiles 1.5, 2 and 2.5.
check 'marginal effects' holds "$run/plots/tunables.dat" '"tunable"	"value"	"place"	"configurations"	"best"	"quarter"	"median"	"three_quarters"	"worst"
"block"	"64"	1	2	1	1.75	2.5	3.25	4
"block"	"128"	2	2	2	2.75	3.5	4.25	5
"block"	"256"	3	2	3	3.75	4.5	5.25	6


"tunable"	"value"	"place"	"configurations"	"best"	"quarter"	"median"	"three_quarters"	"worst"
"loads"	"1"	4	3	1	1.5	2	2.5	3
"loads"	"2"	5	3	4	4.5	5	5.5	6'
# Two outliers must not stretch the axis: 40 points take 10 to 20 µs, and two take 900 µs, which are
# drawn as above the chart.
{ for i in $(seq 40); do point k 1024 $i 1 1 "$((10 + i / 4))"; done; point k 1024 41 1 1 900; point k 1024 42 1 1 901; } | make_run "$work/outliers"
check 'outliers' exits 0 "$out" plots_command "$work/outliers" configs --format svg
check 'are above the chart' says '; 2 slower configurations are above the chart, up to 901 µs' "$work/outliers/plots/configs.gp"
check 'and not in it' test "$(tail -1 "$work/outliers/plots/configs.dat" | cut -f 1)" = 40
# With more kernels than colors, all kernels of a family share a color.
{ for k in neighbored neighbored_less interleaved unroll smem smem_unroll shuffle; do point $k 1024 64 1 1 10; done; } | make_run "$work/families"
check 'seven kernels' exits 0 "$out" plots_command "$work/families" configs --by kernel --format svg
check 'are colored by family' says "^array KEY_NAME\[5\] = \['pairs of neighbors, global memory'," "$work/families/plots/configs.gp"
# In the chart of bits, two kernels have the same bits, one has bits that vary, and one has none.
# Kernels with equal bits form a class, whose error is the largest one of its kernels.
bits() { # RUN, "KERNEL TIME ERROR BITS" on stdin
    mkdir -p "$1" && echo "$header,bits" >"$1/results.csv"
    while read -r kernel time error bits; do
        point "$kernel" 1024 64 1 1 "$time" >"$work/row"
        sed "s/,1,0,/,1,$error,/; s/\$/,${bits:-}/" "$work/row" >>"$1/results.csv"
    done
}
bits "$work/bits" <<'END'
slow 20 1e-7 00000000000000aa
apart 15 5e-9 varies
fast 10 2e-7 00000000000000aa
good 12 1e-9 00000000000000bb
unknown 5 1e-9
END
check 'classes of bits' exits 0 "$out" plots_command "$work/bits" bits --format svg
check 'have a mark for each configuration, those of the fastest last' holds "$work/bits/plots/bits.dat" '"down"	"bits"	"kernel"	"time_us_median"	"rel_error"	"fastest"	"rgb"	"setting"
1	"00000000000000aa"	"slow"	20	1e-07	0	1318464	"64, loads 1"
3	"varies"	"apart"	15	5e-09	1	2711430	"64, loads 1"
1	"00000000000000aa"	"fast"	10	2e-07	1	1318464	"64, loads 1"
2	"00000000000000bb"	"good"	12	1e-09	1	5609888	"64, loads 1"'
check 'and a line each' says "^array BITS_NAME\[3\] = \['fast + 1', 'good', 'apart'\]" "$work/bits/plots/bits.gp"
check 'with what they cost' says "^array BITS_COST\[3\] = \['+0.0 %', '+20.0 %', '+50.0 %'\]" "$work/bits/plots/bits.gp"
check 'the larger error of a class' says "^array BITS_ERROR\[3\] = \['2.0e-07', '1.0e-09', '5.0e-09'\]" "$work/bits/plots/bits.gp"
check 'varying results are open marks' says '^BITS_VARIES = 3' "$work/bits/plots/bits.gp"
check 'what is not known is counted' says 'circles: launches disagree; the bits of 1 more configuration are unknown' "$work/bits/plots/bits.gp"
check 'a run without bits' exits 1 "$out" plots_command "$run" bits --format svg
check 'has no such chart' says 'no timed configuration has a value in the column bits' "$out"
check 'the chart winners' exits 0 "$out" plots_command "$run" winners --format svg
check 'winners' says "^array WINNER\[2\] = \['k  64, loads 1', 'k  128, loads 1'\]" "$run/plots/winners.gp"
check 'the heading is the result' says "^HEADING = 'The fastest: k  64, loads 1 at 1, k  128, loads 1 at 1 of 2 n'" "$run/plots/winners.gp"
cut -f 3,4,6-8 "$run/plots/winners.dat" >"$work/winners.dat"
check 'their losses and ties' holds "$work/winners.dat" '"across"	"down"	"ratio"	"wins"	"text"
1	1	1	2	"0"
2	1	1.1	1	"10*"
1	2	2	0	"100"
2	2	1	2	"0"'
search() { plots_command "$run" search --format svg "$@"; }
line() { # CHECKED: expects these seconds, losses, and labels at the lines' ends
    [ "$(cut -f 2,3,6 "$run/plots/search.dat" | grep -v '^"seconds"')" = "$1" ] || { cat "$run/plots/search.dat"; return 1; }
}
began='"since": "2026-01-31T09:59:50Z"'
echo "{\"schema\": 2, \"sessions\": [{$began}]}" >"$run/run.json"
check 'a search' exits 0 "$out" search
# The points are measured after 11, 12 … seconds. For n = 1024, the first point is the best; for
# 2048, the best one comes after 19 seconds.
check 'progress' line '11	0	""
19	0	"2¹⁰"


15	10.000000000000009	""
19	0	""
19	0	"2¹¹"'
truth() { # TIME AT 1024, TIME AT 2048: makes a run with the true times
    { point k 1024 64 1 1 "$1"; points=1; point k 2048 64 1 1 "$2"; } | make_run "$work/truth"
}
points=0
truth 8 40
check 'the truth' exits 0 "$out" search --truth "$work/truth"
check 'is what losses are from' says '^1024	11	25	' "$run/plots/search.dat"
check 'and is named' says 'compared with the fastest of truth' "$run/plots/search.gp"
sed -i 's/,sum,/,max,/' "$work/truth/results.csv"
check 'another truth' exits 1 "$out" search --truth "$work/truth"
check 'is refused' says '^search *left out: the run that --truth names has a different type, operation, cache state or scope: int32 max, cold' "$out"
sed -i 's/,ok,/,wrong,/' "$work/truth/results.csv"
check 'a truth without times' exits 1 "$out" search --truth "$work/truth"
check 'is refused, too' says '^search *left out: --truth .*truth: no row has the status ok' "$out"
check 'no such truth' exits 2 "$out" search --truth "$work/nothing"
check 'no such truth' says 'truth: .*nothing' "$out"
sed 's/T10:00:0[1-9]Z/T10:00:09Z/' "$run/results.csv" >"$run/one" && mv "$run/one" "$run/results.csv"
check 'one moment' exits 1 "$out" search
check 'is no progress' says '^search *left out: all rows of each n were recorded at once' "$out"
points=0
truth 8 40
awk -F, -v OFS=, 'NR > 1 { $NF = "2026-01-31T10:00:0" ($7 == 1024 ? 2 + (NR > 5) : 9) "Z" } 1' "$run/results.csv" >"$run/whole" &&
    mv "$run/whole" "$run/results.csv"
check 'an n over two seconds next to each other' exits 1 "$out" search
check 'is no progress either' says '^search *left out: all rows of each n were recorded at once' "$out"
check 'a line for each n' exits 0 "$out" search --truth "$work/truth"
check 'from the end of the one before' line '0	25	""
13	25	"2¹⁰"


13	0	""
19	0	"2¹¹"'
check 'with its rows' says "^array KEY_NAME\[2\] = \['n = 2¹⁰: 6', 'n = 2¹¹: 2'\]" "$run/plots/search.gp"
# run.json says when each point became the best: those with 30, 20 and 10 µs for n = 1024, and those
# with 44 and 40 µs for n = 2048.
progress='2026-01-31T10:00:01.250Z 3 2026-01-31T10:00:01.500Z 2 2026-01-31T10:00:02.750Z 1'
echo "{\"schema\": 2, \"sessions\": [{$began, \"search\": [{\"progress\": \"$progress\"}]}]}" >"$run/run.json"
check 'progress of one n only' exits 1 "$out" search
check 'is not enough' says '^search *left out: all rows of each n were recorded at once' "$out"
echo "{\"schema\": 2, \"sessions\": [{$began, \"search\": [{\"progress\": \"$progress\"},
    {\"progress\": \"2026-01-31T10:00:08.500Z 7 2026-01-31T10:00:09.750Z 8\"}]}]}" >"$run/run.json"
check 'progress of each n' exits 0 "$out" search
sed 's/10[.]0000000[0-9]*/10/' "$run/plots/search.dat" >"$work/rounded" && mv "$work/rounded" "$run/plots/search.dat"
check 'falls within the n' line '11.25	200	""
11.5	100	""
12.75	0	""
13	0	"2¹⁰"


18.5	10	""
19.75	0	""
19.75	0	"2¹¹"'
check 'which is said' says 'at each point, another configuration became the best so far' "$run/plots/search.gp"
check 'progress and a truth' exits 0 "$out" search --truth "$work/truth"
check 'is against the truth' says '^1024	12.75	25	' "$run/plots/search.dat"
sed 's/2026-01-31T10:00:09Z//' "$run/results.csv" >"$run/one" && mv "$run/one" "$run/results.csv"
check 'no moments' exits 1 "$out" search
check 'no progress' says '^search *left out: the rows do not say when' "$out"

# In the chart of speed by shape, kernel k has times for 4 x 256, 64 x 16 and 4 x 1024; CUB and
# PyTorch have times for 4 x 256. Just reading the input takes 8 µs.
run=$work/shapes
shape() { # KERNEL N COLUMNS TIME [LOADS]
    points=$((points + 1)) # the count in the pipe's shell is lost
    point "$1" "$2" 64 1 "${5-}" "$4" | awk -F, -v OFS=, -v columns="$3" '{ $14 = $14 OFS columns } 1'
}
{
    echo "$header" | sed 's/,scope,/,scope,row_length,/'
    shape k 1024 256 10 1
    shape k 1024 256 9 2
    shape k 1024 16 16
    shape k 4096 1024 16
    shape cub_rows 1024 256 80
    shape torch_sum 1024 256 20
    shape rows_limit 1024 256 8
    shape rows_limit 1024 16 8
    shape whole 1024 0 1
} >"$work/shapes.csv"
mkdir "$run" && cp "$work/shapes.csv" "$run/results.csv"
# run.json states the kernels' roles. In a run of redsweep 0.2.0, they follow from the kernels'
# names.
echo '{"schema": 2, "provenance": {"kernels": [{"name": "torch_sum", "workload": "rows", "role": "peer"},
    {"name": "torch_mean_var", "workload": "rows", "role": "peer"},
    {"name": "cub_rows", "workload": "rows"}, {"name": "rows_limit", "workload": "rows_limit"}]}}' >"$run/run.json"
shapes() { plots_command "$run" shapes --format svg "$@"; }
panels() { # ROWS: places, values and texts
    [ "$(cut -f 5-8 "$run/plots/shapes.dat" | grep -v '^"across"' | sed 's/88[.]8888[0-9]*/88.89/')" = "$1" ] || { cat "$run/plots/shapes.dat"; return 1; }
}
check 'shapes' exits 0 "$out" shapes
check 'and all of them' says_not 'not shown' "$out"
check 'the share of reading of the fastest, CUB and PyTorch' panels '2	1	88.89	"89"
1	1	50	"50"


2	1	10	"10"


2	1	40	"40"'
check 'each has a panel' says "^array SHAPE_TITLE\[3\] = \['int32 sum: the run''s fastest', 'int32 sum: cub_rows', 'int32 sum: torch_sum'\]" "$run/plots/shapes.gp"
check 'beside each other, a library in a column' says '^array SHAPE_LIBRARY\[3\] = \[0, 1, 2\]' "$run/plots/shapes.gp"
check 'one shape has no limit' says '; 1 shapes without such a kernel' "$run/plots/shapes.gp"
check 'across: columns' says "^array SHAPE_ACROSS\[3\] = \['2⁴', '2⁸', '2¹⁰'\]" "$run/plots/shapes.gp"
check 'upwards: n' says "^array SHAPE_UP\[2\] = \['2¹⁰', '2¹²'\]" "$run/plots/shapes.gp"
check 'GB/s by rows' exits 0 "$out" shapes --y rows,bandwidth_gbs
check 'upwards: rows' says "^array SHAPE_UP\[2\] = \['2²', '2⁶'\]" "$run/plots/shapes.gp"
check 'GB/s, of all shapes' says '	3	1	1.024	"1"	"64"$' "$run/plots/shapes.dat"
check 'some kernels' exits 0 "$out" shapes --kernels torch_sum
check 'are still beside the limit' says '"torch_sum"	1024	256	.*	40	"40"	"64"$' "$run/plots/shapes.dat"
cat >"$work/peers.csv" <<'CSV'
peer,version,device,type,op,n,row_length,samples,time_us_median,ci_low,ci_high,gbs,blocks
torch_sum,2.9,D,int32,sum,1024,256,21,25,24,26,0.16,25 25
compiled_sum,2.9,D,int32,sum,1024,16,21,32,24,26,0.12,32 32
torch_sum,2.9,D,int32,sum,1024,0,21,25,24,26,0.16,25 25
CSV
{ cat "$work/shapes.csv"; shape cub_rows 1024 256 5 | sed 's/,int32,/,float32,/'; } >"$run/results.csv"
check 'a type without rows_limit' exits 0 "$out" shapes
check 'has no empty panel, which would give its title to the next' says "^array SHAPE_TITLE\[3\] = \['int32 sum: the run''s fastest', 'int32 sum: cub_rows', 'int32 sum: torch_sum'\]" "$run/plots/shapes.gp"
check 'but is counted' says '; 2 shapes without such a kernel' "$run/plots/shapes.gp"
check 'a type without rows_limit in GB/s' exits 0 "$out" shapes --y bandwidth_gbs
check 'is a panel' says "'float32 sum: cub_rows', 'int32 sum: the run" "$run/plots/shapes.gp"
check 'in a line of its own' says '^array SHAPE_LINE\[4\] = \[0, 1, 1, 1\]' "$run/plots/shapes.gp"
sed '/torch_/d' "$work/shapes.csv" >"$run/results.csv"
check 'without PyTorch' exits 0 "$out" shapes
check 'has no panel of it' says "^array SHAPE_TITLE\[2\] = \['int32 sum: the run''s fastest', 'int32 sum: cub_rows'\]" "$run/plots/shapes.gp"
# Results for 4 x 256 have twice as many bytes here. rows_limit writes as many bytes only for a
# different operation.
wide() { # OPERATION and the arguments of shape
    op=$1
    shift
    points=$((points + 1))
    shape "$@" | awk -F, -v OFS=, -v op="$op" '{ $6 = op; $21 = $21 * 2 } 1'
}
{ cat "$work/shapes.csv"; wide mean_var k 1024 256 20; wide argmax rows_limit 1024 256 16; wide mean_var torch_mean_var 1024 256 32; } >"$run/results.csv"
check 'wide results' exits 0 "$out" shapes
check 'are beside reading of as many bytes' panels '2	1	80	"80"


2	1	50	"50"


2	1	88.89	"89"
1	1	50	"50"


2	1	10	"10"


2	1	40	"40"'
cp "$work/shapes.csv" "$run/results.csv"
check 'beside a run of another scope' exits 0 "$out" shapes --peers "$work/peers.csv"
check 'rows of PyTorch are left out' says '^SHAPES = 3$' "$run/plots/shapes.gp"
sed 's/,cold,kernel,/,cold,complete,/' "$work/shapes.csv" >"$run/results.csv"
check 'beside a run of their scope' exits 0 "$out" shapes --peers "$work/peers.csv"
check 'they are panels' says "compiled_sum', 'int32 sum: cub_rows', 'int32 sum: torch_sum'" "$run/plots/shapes.gp"
check 'without those of the whole array' says '"compiled_sum"	1024	16	1	1	25	"25"	""$' "$run/plots/shapes.dat"
check 'with the faster of both' says '"torch_sum"	1024	256	2	1	40	"40"	"64"$' "$run/plots/shapes.dat"
mkdir "$work/beside" && cp "$run/results.csv" "$run/run.json" "$work/beside"
sed -i '/torch_\|cub_/d' "$run/results.csv"
check 'a run of peers' exits 0 "$out" shapes --peers "$work/beside"
check 'gives CUB and PyTorch' says "'int32 sum: cub_rows', 'int32 sum: torch_sum'" "$run/plots/shapes.gp"
check 'a run without rows' exits 2 "$out" shapes --peers "$work/tuning"
check 'is no run of peers' says 'peers: .*lacks the column row_length' "$out"
check 'no such run of peers' exits 2 "$out" shapes --peers "$work/nothing"
sed '2s/,25,/,"25+system(1)",/' "$work/peers.csv" >"$work/odd.csv"
check 'a time that is no number' exits 2 "$out" shapes --peers "$work/odd.csv"
check 'is refused' says 'odd.csv.*line 2' "$out"
sed 's/rows_limit/k/' "$work/shapes.csv" >"$run/results.csv"
check 'no limits' exits 0 "$out" shapes
check 'are GB/s' says '^SHAPE_SHARE = 0$' "$run/plots/shapes.gp"
check 'no such operation' exits 1 "$out" shapes --where 'op = max'
check 'is said' says '^shapes *left out: no timed row has a row length' "$out"
check 'without rows' exits 1 "$out" plots_command "$work/tuning" shapes
check 'no shapes' says '^shapes *left out: the run has no axis row_length' "$out"
cp "$work/shapes.csv" "$run/results.csv"
check 'shapes are drawn' exits 0 "$out" plots_command "$run" shapes --format svg,png,pdf --out "$run/out"
check 'with a title each' says '>int32 sum: torch_sum<' "$run/out/shapes.svg"
# A merged run has a column named run.
mkdir "$work/merged" && sed '1s/$/,run/; 2,$s/$/,shard-1/' "$work/tuning/results.csv" >"$work/merged/results.csv"
check 'a merged run' exits 0 "$out" plots_command "$work/merged" time --format svg
check 'is one run' says '^"kernel"	"n"' "$work/merged/plots/time.dat"
check 'merged runs' exits 1 "$out" plots_command "$work/merged" "$work/merged" bandwidth --where 'n < 0' --out "$work/merged/plots"

# If kernels/index.txt has the kernel, its words describe the tunables' values. This run also has
# metrics of a kernel that loads with bulk copies, and a kernel that takes ten times as long as the
# first one of the ladder.
run=$work/words
{ point neighbored 1024 64 1 '' 10 10; point k 1024 64 1 '' 5 128; point bulk_ring 1024 64 1 '' 4 0.5; point nested 1024 64 1 '' 200 99; } | make_run "$run"
check 'metrics of bulk copies' exits 0 "$out" plots_command "$run" metrics speedup --format svg
check 'are marked' says 'counts of loads do not include bulk copies (bulk_ring)' "$run/plots/metrics.gp"
check 'the slowest is named' says "^BAR_NOTE = 'not drawn: nested 0.05 ×'" "$run/plots/speedup.gp"
for kernel in onepass_packed mine; do
    { echo 'id,backend,device,kernel,type,op,n,block,unroll,t_policy,grid,cache,scope,status,time_us_median'
      for policy in 0 1 2; do echo "0$policy,cuda,D,$kernel,int32,sum,1024,64,1,$policy,9,cold,kernel,ok,1$policy"; done
    } >"$run/results.csv"
    check "tunables of $kernel" exits 0 "$out" plots_command "$run" tunables --format svg
    cp "$run/plots/tunables.gp" "$work/tunables.$kernel"
done
check 'numbers in words' says 'policy: 0 through L1, 1 not kept in L1, 2 first to leave L2' "$work/tunables.onepass_packed"
check 'are not those of others' says_not 'through L1' "$work/tunables.mine"
{ echo 'id,backend,device,kernel,type,op,n,block,unroll,t_order,t_prefetch,grid,cache,scope,status,time_us_median'
  for row in 0,0,10 0,2,11 1,0,12 1,2,13; do echo "0$row,cuda,D,onepass_packed,int32,sum,1024,64,1,$row" | awk -F, -v OFS=, '{ print $1 $2 $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 9, "cold,kernel,ok", $14 }'; done
} >"$run/results.csv"
check 'a heatmap of flags' exits 0 "$out" plots_command "$run" heatmap --x order --y prefetch --format svg
check 'says what they mean' says 'order: 0 tiles striped over the blocks, 1 tiles of a block side by side; prefetch: 0 words not requested early, 2 requested early by all blocks' "$run/plots/heatmap.gp"

# A point that a race dropped is drawn as a configuration, but is neither a winner nor a limit.
run=$work/raced
{ point k 1024 64 1 1 10; point k 1024 128 1 1 9; point k 1024 256 1 1 11; point l 1024 64 1 1 5; } | make_run "$run"
awk -F, -v OFS=, '{ $16 = $16 (NR == 1 ? ",stopped_by" : NR == 3 || NR == 5 ? ",raced" : ",width") } 1' "$run/results.csv" >"$run/one" &&
    mv "$run/one" "$run/results.csv"
check 'as a chart' exits 0 "$out" plots_command "$run" bandwidth configs --format svg
check 'are no winners' says '^"k  64"	"k"	1	0.4096	' "$run/plots/bandwidth.dat"
check 'but configurations' says '^1	"l"	"64, loads 1"	5	' "$run/plots/configs.dat"
check 'which is said' says 'the fastest: k, block 64, loads 1, 10 µs; the search dropped 2 after a few samples' "$run/plots/configs.gp"

# Checks formats, widths and titles.
run=$work/tuning
is_pdf() { [ "$(head -c 5 "$1")" = %PDF- ] && grep -a -q "MediaBox \[ *0 0 $2" "$1"; }
check 'a paper' exits 0 "$out" plots_command "$run" heatmap --format pdf,svg --width column --no-title
check 'as PDF' test -s "$run/plots/heatmap.pdf"
check 'its words are for the caption' says '^heatmap *caption: Time by block and loads: k, n = 2¹⁰: int32 sum, cold, scope kernel' "$out"
check 'not in the picture' says_not "Time by block" "$run/plots/heatmap.svg"
check 'a column' exits 0 "$out" plots_command "$run" configs --format pdf --width column
check 'is 85 mm wide' sh -c "strings '$run/plots/configs.pdf' | grep -q 'MediaBox \[ 0 0 24[01]'"
check 'no such format' exits 2 "$out" plots_command "$run" --format gif
check 'no such format' says "unknown format 'gif'; use svg, png or pdf" "$out"
check 'no such width' exits 2 "$out" plots_command "$run" --width wide
check 'no such width' says 'use column (85 mm) or page (178 mm)' "$out"
check 'a font is a name' exits 2 "$out" plots_command "$run" --font "a'b"

# A chart's script and data are kept, so it can be drawn again from any folder. A run's files are
# never executed.
run=$work/again
cp -r "$work/ladder" "$run"
{ for n in 1024 2048 4096; do point smem $n 64 1 '' $n $n; point gmem $n 64 1 '' $((n * 2)) 5; done; } | make_run "$run"
rm -rf "$run/plots" && mkdir "$run/plots" && echo "system('touch $work/ran')" >"$run/plots/time.gp"
ln -s "$work/led.txt" "$run/plots/time.dat"
check 'a chart' exits 0 "$out" plots_command "$run" time --format svg
check 'a script that lay there is not run' test ! -e "$work/ran"
check 'nor is a link followed' test ! -e "$work/led.txt" -a ! -L "$run/plots/time.dat"
mv "$run/plots/time.svg" "$work/first.svg"
sed 's/^HEADING = .*/HEADING = "Edited"/' "$run/plots/time.gp" >"$run/edited.gp" && mv "$run/edited.gp" "$run/plots/time.gp"
(cd / && gnuplot "$run/plots/time.gp") >"$out" 2>&1
check 'is drawn again after an edit' says '>Edited<' "$run/plots/time.svg"
check 'without a word' test ! -s "$out"

# An axis shows a column, or the ratio of each value to that of another kernel.
check 'over another kernel' exits 0 "$out" plots_command "$run" time --relative-to smem --format svg
check 'is a ratio' says '^"gmem"	4096	2	' "$run/plots/time.dat"
check 'other axes' exits 0 "$out" plots_command "$run" bandwidth --x block --y gld_transactions --by n --format svg
check 'no such column' exits 1 "$out" plots_command "$run" time --x blok --format svg
check 'is said' says 'the run has no column blok (--x)' "$out"
check 'a chart without a use for it' exits 2 "$out" plots_command "$run" winners --by block
check 'is said' says 'by has no effect on the chart winners' "$out"
check 'an unknown option' exits 2 "$out" plots_command "$run" --were 'n > 1'
check 'is an error' says 'unknown option "--were"' "$out"
check 'an unknown column' exits 2 "$out" plots_command "$run" --where 'm > 1'
check 'is one, too' says "unknown column 'm'" "$out"
check 'no such kernel' exits 2 "$out" plots_command "$run" --kernels nothing
check 'a logarithmic axis' exits 0 "$out" plots_command "$run" bandwidth --log y --format svg
check 'is one' says '^Y_LOG = 1$' "$run/plots/bandwidth.gp"
check 'a suffix with a quote' exits 2 "$out" plots_command "$run" time --suffix "'"

# Checks the contrast of texts and marks, in each kind of chart that this test has drawn.
check 'charts of tuning' exits 0 "$out" plots_command "$work/tuning" heatmap configs tunables --format svg
check 'of the ladder' exits 0 "$out" plots_command "$work/ladder" ladder --where 'block = 64' --by unroll --format svg
check 'enough contrast here' contrasts 100 "$work"/*/plots/*.svg "$run"/plots/*.svg "$work/shapes/out/shapes.svg"
planted() { # CHART SED-SCRIPT WHAT: WHAT is found
    sed "$2" "$work/tuning/plots/$1.svg" >"$work/planted.svg"
    cmp -s "$work/planted.svg" "$work/tuning/plots/$1.svg" && { echo "nothing was planted"; return 1; }
    awk -f "$here/contrast.awk" "$work/planted.svg" >"$out"
    says "$3" "$out"
}
check 'a pale text' planted configs 's/fill="rgb(85,85,85)"/fill="rgb(120,120,120)"/' "int32 sum.*rgb(120 120 120) on rgb(255 255 255) has a contrast of 4.4"
check 'a pale mark' planted configs 's/rgb( *85, *153, *160)/rgb(165,211,191)/g' 'a mark of rgb(165 211 191) has a contrast of 1.66'
check 'a pale line' planted configs "s/stroke='rgb( *34, *34, *34)'/stroke='rgb(180, 180, 180)'/" 'a mark of rgb(180 180 180)'
check 'a text like its cell' planted heatmap "s/<polygon fill *= *'rgb(247[^']*'/<polygon fill='rgb(90, 90, 90)'/" 'on rgb(90 90 90)'
check 'no background' planted heatmap 's/fill="#ffffff"/fill="none"/' 'there is no white background'

# A count that varies from launch to launch is marked, in pictures as well as in the charts of
# pages.
counts_vary() {
    redsweep=${BUILD:-$here/../../build}/redsweep
    "$redsweep" run --kernels onepass_cluster,smem --sizes 2^14 --blocks 128 --device sim --quiet --out "$work/varies" >"$out" 2>&1 || return 1
    plots_command "$work/varies" metrics --y gld_transactions --format svg >"$out" || return 1
    [ "$(grep -c '"≈' "$work/varies/plots/metrics.dat")" -eq "$(grep -c '^"onepass_cluster"' "$work/varies/plots/metrics.dat")" ] ||
        { cat "$work/varies/plots/metrics.dat"; return 1; }
    says '≈' "$work/varies/plots/metrics.svg" && says '"≈' "$work/varies/report.html"
}
check 'a count that varies is marked' counts_vary

[ $failed -eq 0 ] && echo "$name: $cases checks passed"
exit $failed
