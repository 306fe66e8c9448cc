#!/bin/sh
# Tests which charts are drawn from which run, which are left out and why, and the numbers that they
# show. All numbers are invented (invent.awk). The test just checks that the charts show them in the
# right places.
# shellcheck disable=SC2317 # functions are called through check
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=test_plots
. "$here/checks.sh"
. "$here/charts.sh"
plot=$work/plot
printf '#!/bin/sh\nexec "%s" plots "$@"\n' "$(cd "${BUILD:-$here/../../build}" && pwd)/redsweep" >"$plot"
chmod +x "$plot"

is_picture() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(wc -c <"$1")" -gt 10000 ]; }
is_svg() { head -c 200 "$1" | grep -q '<svg' && tail -c 20 "$1" | grep -q '</svg>'; }
invent() { # FOLDER AWK-OPTIONS…
    mkdir -p "$1"
    folder=$1
    shift
    awk "$@" -f "$here/invent.awk" >"$folder/results.csv"
}
no_warning() { ! grep -i 'warning\|error' "$1"; }

# Draws charts of runs with one, five and twenty kernels. The names of their folders contain a space
# and a quote.
for kernels in 1 5 20; do
    run="$work/a run's $kernels"
    invent "$run" -v kernels=$kernels
    check "$kernels kernels are drawn" exits 0 "$work/out.txt" "$plot" "$run"
    cp "$work/out.txt" "$work/out$kernels.txt"
    check "gnuplot is content" no_warning "$work/out.txt"
    for chart in time bandwidth winners ladder speedup metrics sectors roofline spread heatmap configs tunables; do
        case $kernels:$chart in
        1:winners | 1:ladder | 1:heatmap | *:roofline) # one kernel without an unroll factor; equal bytes
            check "no $chart of one kernel" says "^$chart *left out" "$work/out.txt"
            continue
            ;;
        esac
        check "$chart of $kernels kernels, PNG" is_picture "$run/plots/$chart.png"
        check "$chart of $kernels kernels, SVG" is_svg "$run/plots/$chart.svg"
        check "$chart says where it comes from" says 'INVENTED, for tests' "$run/plots/$chart.svg"
    done
done
check 'the slowest and the fastest kernel have names' says '>cub_device_reduce<' "$run/plots/time.svg"
check 'an SVG names its font' says 'font-family="DejaVu Sans, sans-serif"' "$run/plots/time.svg"
check 'the peak is a line with its value' says 'DRAM peak 4800 GB/s' "$run/plots/bandwidth.svg"
check 'axes have units' says 'time, median (µs)' "$run/plots/time.svg"

# The first kernel of the series was not measured at the largest n.
run="$work/a short line"
mkdir -p "$run"
sed 's/"INVENTED, for tests"/INVENTED/' "$work/a run's 5/results.csv" | awk -F, '
    $4 != "neighbored" || NR == 1 { print; next }
    { line[NR] = $0; n[NR] = $7 + 0; most = n[NR] > most ? n[NR] : most }
    END { for (r = 2; r <= NR; r++) if (r in n && n[r] < most) print line[r] }' >"$run/results.csv"
check "a kernel lacks the largest n" exits 0 "$work/lacks.txt" "$plot" "$run" time sectors --format svg
check "and gnuplot is content" no_warning "$work/lacks.txt"

# A kernel has the same color in every chart, even in those that leave out other kernels.
colour_of() { # SVG: prints the colour of the mark beside `unroll`
    grep -A4 '>unroll<' "$1" | grep -o 'color=.rgb([0-9, ]*)' | sed -n '$p'
}
run="$work/a run's 5"
check 'one colour per kernel' test -n "$(colour_of "$run/plots/time.svg")"
check 'the same colour in two charts' \
    test "$(colour_of "$run/plots/time.svg")" = "$(colour_of "$run/plots/bandwidth.svg")"

# Wrong rows never win, even if their reasons contain quotes and line ends.
mkdir -p "$work/one"
{
    head -1 "$run/results.csv"
    echo '01,cuda,"D, 1",k,int32,sum,16384,64,1,1,0,0,9,cold,kernel,ok,,9,,1,77.5,1,1,76,78,0,2,1,,5,6,,1,0'
    echo '02,cuda,"D, 1",k,int32,sum,16384,128,1,1,0,0,9,cold,kernel,wrong,"no, ""1""'
    echo 'is not 2",9,,1,0.5,1,1,1,1,0,9,9,,5,6,,1,0'
    echo '03,cuda,"D, 1",k,int32,sum,16384,256,1,1,0,0,9,cold,kernel,ok,,9,,1,88.5,1,1,,,0,2,1,,5,6,,1,0'
    echo '04,cuda,"D, 1",k,int32,sum,16384,1024,1,1,0,0,9,cold,kernel,ok,"no metrics,'
    echo 'sorry",9,,1,99.5,1,1,,,0,2,1,,5,6,,1,0'
    printf '05,cuda,"D, 1",k,int32,sum,16384,512,1,1,0,0,9,cold,kern' # torn
} >"$work/one/results.csv"
check 'quoted cells' exits 0 "$work/out.txt" "$plot" "$work/one"
check 'no heat map of one row' says '^heatmap *left out: no kernel was timed with more than one value of two tunables' "$work/out.txt"
check 'one size is a bar' says '>77.50<' "$work/one/plots/time.svg"
check 'no wrong time' sh -c "! grep '>0.5<' '$work/one/plots/time.svg'"
check 'no torn row' sh -c "! grep '>512<' '$work/one/plots/configs.svg'"
check 'a device with a comma' says 'D, 1 (cuda)' "$work/one/plots/time.svg"


# If two cards measured different sizes, the charts say so and have a line where the card changes.
# With one card, they have neither.
mkdir -p "$work/cards" "$work/card"
{
    echo id,backend,device,kernel,type,op,n,block,unroll,grid,dynamic_smem_bytes,static_smem_bytes,registers,cache,scope,status,reason,samples,stopped_by,time_us_min,time_us_median,time_us_mean,time_us_stdev,time_us_ci95_lo,time_us_ci95_hi,outliers,bandwidth_gbs,peak_pct,sampled_share,gld_transactions,result,rel_error,device_uuid
    i=0
    for row in 1024,GPU-a 4096,GPU-a 16384,GPU-b 65536,GPU-b; do
        i=$((i + 1))
        echo "0$i,cuda,D,k,int32,sum,${row%,*},64,1,1,0,0,9,cold,kernel,ok,,9,,1,7$i.5,1,1,71,79,0,2,1,,5,1,0,${row#*,}"
    done
} >"$work/cards/results.csv"
sed 's/GPU-b/GPU-a/' "$work/cards/results.csv" >"$work/card/results.csv"
check 'two cards' exits 0 "$work/out.txt" "$plot" "$work/cards" time
check 'two cards' says '>D (cuda), 2 cards' "$work/cards/plots/time.svg"
check 'two cards' says 'dotted: the card changes' "$work/cards/plots/time.svg"
check 'where the card changes' says "^CARD_CHANGES = '8192'$" "$work/cards/plots/time.gp"
check 'one card' exits 0 "$work/out.txt" "$plot" "$work/card" time
check 'one card' says "^CARD_CHANGES = ''$" "$work/card/plots/time.gp"
check 'the fastest right one' test "$(cut -f 2-6 "$work/one/plots/time.dat")" = "$(printf '"kernel"\t"place"\t"value"\t"low"\t"high"\n"k"\t1\t77.5\t76\t78')"
check 'all right configurations' test "$(cut -f 1,4 "$work/one/plots/configs.dat" | sed 1d)" = '1	77.5
2	88.5
3	99.5'

# If a row's reason says that its time is too short for the clock, only its counts are used. Other
# rows are not affected.
mkdir "$work/short" "$work/all-short"
sed '2s/,ok,,/,ok,below the clock'"'"'s resolution: so it is,/' "$work/one/results.csv" >"$work/short/results.csv"
check 'excluded rows' exits 0 "$work/out.txt" "$plot" "$work/short"
check 'nor a configuration' says '^configs *left out: fewer than three configurations' "$work/out.txt"
check 'a time below the resolution is no fastest one' test "$(sed 1d "$work/short/plots/time.dat" | cut -f 2-4)" = "$(printf '"k"\t1\t88.5')"
check 'excluded rows are counted' says "^excluded: 1 row, because the time is below the clock's resolution" "$work/out.txt"
check 'nothing is excluded' exits 0 "$work/out.txt" "$plot" "$work/one"
check 'nothing is said' sh -c "! grep excluded '$work/out.txt'"
sed 's/,ok,,/,ok,below the clock'"'"'s resolution: so it is,/' "$work/one/results.csv" | grep -v '^04\|^sorry\|^05' >"$work/all-short/results.csv"
check 'all excluded' exits 0 "$work/out.txt" "$plot" "$work/all-short"
check 'all excluded' says "^time.* left out: the run has no times above the clock's resolution" "$work/out.txt"

# Checks the charts of the ladder, of sectors, and the roofline. The chart that compares cold and
# warm caches is drawn if a run contains both.
check 'the ladder' says '>1.00 ×<' "$work/a run's 5/plots/speedup.svg"
check 'sectors' says 'sectors that global loads touch' "$work/a run's 5/plots/sectors.svg"
check 'one state only' says '^cache *left out: the run has times of only one cache state' "$work/out5.txt"
check 'those with names have the first colours' says '^array COLOUR\[[0-9]*\] = \[0, .*, 1, 2, 3, ' "$work/a run's 20/plots/time.gp"
check 'many kernels: the slow ones are grey' says 'grey: [0-9]* slower kernels' "$work/a run's 20/plots/time.svg"
mkdir -p "$work/warm"
{
    cat "$run/results.csv"
    sed 1d "$run/results.csv" | sed 's/^0/f/; s/,cold,kernel,/,warm,kernel,/'
} >"$work/warm/results.csv"
check 'cold against warm' exits 0 "$work/out.txt" "$plot" "$work/warm" cache
check 'is drawn' says 'time, cold / warm' "$work/warm/plots/cache.svg"
mkdir -p "$work/states"
{
    head -1 "$run/results.csv"
    for n in 1024 2048; do
        echo "a$n,cuda,D,k,int32,sum,$n,64,1,1,0,0,9,cold,kernel,ok,,9,,1,12,1,1,11,13,0,2,1,,5,6,,1,0"
        echo "b$n,cuda,D,k,int32,sum,$n,64,1,1,0,0,9,warm,kernel,ok,,9,,1,8,1,1,7,9,0,2,1,,5,6,,1,0"
        echo "c$n,cuda,D,k,int32,max,$n,64,1,1,0,0,9,warm,kernel,ok,,9,,1,1,1,1,1,1,0,2,1,,5,6,,1,0"
    done
} >"$work/states/results.csv"
check 'cold against warm by hand' exits 0 "$work/out.txt" "$plot" "$work/states" cache --format svg
check 'is 12 over 8, of the same operation' says '^"k"	2048	1.5	' "$work/states/plots/cache.dat"
grep -v ',neighbored,' "$run/results.csv" >"$work/warm/results.csv"
check 'no ladder' exits 1 "$work/out.txt" "$plot" "$work/warm" speedup
check 'no ladder without its foot' says '^speedup *left out: the kernel neighbored.*has no time' "$work/out.txt"

# The speed-up and its interval, calculated by hand: 10 in [9, 12] over 5 in [4, 6] is 2, from 2
# exp(-sqrt(ln²(10/9) + ln²(6/5))) = 2 / exp(0.21057) = 1.6202 to 2 exp(sqrt(ln²(12/10) + ln²(5/4)))
# = 2 exp(0.28815) = 2.6679.
mkdir -p "$work/hand"
{
    head -1 "$run/results.csv"
    echo '01,cuda,D,neighbored,int32,sum,16384,64,1,1,0,0,9,cold,kernel,ok,,9,,1,10,1,1,9,12,0,2,1,,5000,6,,1,0'
    echo '02,cuda,D,k,int32,sum,16384,64,1,1,0,0,9,cold,kernel,ok,,9,,1,5,1,1,4,6,0,4,2,,3000,6,,1,0'
} >"$work/hand/results.csv"
check 'the speed-up' exits 0 "$work/out.txt" "$plot" "$work/hand" speedup --format svg
check 'the speed-up by hand' says '^"k  64"	"k"	2	2	1.6202[0-9]*	2.6679[0-9]*	9145227	"2.00 ×"' "$work/hand/plots/speedup.dat"
check 'over another kernel' exits 0 "$work/out.txt" "$plot" "$work/hand" speedup --relative-to k --format svg
check 'is its inverse' says '^"neighbored  64"	"neighbored"	1	0.5	' "$work/hand/plots/speedup.dat"
# The largest bandwidth is 80, so half speed is 40. Kernel k reaches 10 at n = 1024 and 70 at n =
# 4096; on a logarithmic axis, 2048 is halfway between them. Kernel l exceeds 40 at n = 1024.
{
    echo id,backend,device,kernel,type,op,n,block,unroll,cache,scope,status,time_us_median,bandwidth_gbs
    for row in k,1024,10 k,4096,70 l,1024,60 l,4096,80 m,1024,20; do
        id=0$((${id:-0} + 1))
        echo "$id,cuda,D,$row" | awk -F, -v OFS=, '{ print $1, $2, $3, $4, "int32,sum", $5, "64,1,cold,kernel,ok,1", $6 }'
    done
} >"$work/halves.csv"
mkdir "$work/halves" && mv "$work/halves.csv" "$work/halves/results.csv"
check 'half speed' exits 0 "$work/out.txt" "$plot" "$work/halves" half --format svg
check 'half speed by hand' says '^"k".*	2048	.*"2048"$' "$work/halves/plots/half.dat"
check 'half speed at the smallest n' says '^"l".*	1024	.*"at most 1024"$' "$work/halves/plots/half.dat"
check 'half speed nowhere' says "^BAR_NOTE = 'not reached: m'" "$work/halves/plots/half.gp"
check 'sectors' exits 0 "$work/out.txt" "$plot" "$work/hand" sectors --format svg
check 'sectors by hand' says '^"k"	3000	5	""	"64"$' "$work/hand/plots/sectors.dat"
check 'all of them' says "^COPIES = ''" "$work/hand/plots/sectors.gp"
# 16384 int32 fill 2048 sectors. A kernel with a count of just 3 sectors reads its input with bulk
# copies.
mkdir "$work/bulk"
sed 's/,3000,/,3,/' "$work/hand/results.csv" >"$work/bulk/results.csv"
check 'bulk copies' exits 0 "$work/out.txt" "$plot" "$work/bulk" sectors --format svg
check 'bulk copies are no loads' says "^COPIES = 'not shown, because their bulk copies are not counted as loads: k'" "$work/bulk/plots/sectors.gp"
check 'and stretch no axis' says '^S_X0 = 3846' "$work/bulk/plots/sectors.gp"
# The roofline says more than the bandwidth only if kernels move different numbers of bytes: k moves
# 65536, and neighbored 131072.
check 'no roofline' exits 1 "$work/out.txt" "$plot" "$work/hand" roofline --format svg
check 'of equal bytes' says '^roofline *left out: all kernels execute 0.25 operations per byte, so the chart `bandwidth` shows the same differences' "$work/out.txt"
mkdir "$work/roofs"
awk -F, -v OFS=, '{ print $0, NR == 1 ? "dram_read_bytes" : NR == 2 ? 131072 : 65536 }' "$work/hand/results.csv" >"$work/roofs/results.csv"
check 'a roofline' exits 0 "$work/out.txt" "$plot" "$work/roofs" roofline --format svg
check 'the roofline by hand' says '^array LAST\[2\] = \[1.6383, 3.2766\]' "$work/roofs/plots/roofline.gp"
check 'and its data' says '^"k"	0.24998[0-9]*	3.276[0-9]*$' "$work/roofs/plots/roofline.dat"
check 'and of twice the bytes' says '^"neighbored"	0.12499[0-9]*	1.638[0-9]*$' "$work/roofs/plots/roofline.dat"
check 'the roof of the memory' says 'DRAM peak [0-9]* GB/s' "$work/roofs/plots/roofline.svg"
# The spread comes from the rows. One has a deviation of 1 and a time of 10; the other has a
# deviation of 1 and a time of 5.
check 'the spread' exits 0 "$work/out.txt" "$plot" "$work/hand" spread --format svg
column() { awk -F '\t' -v name="\"$2\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { printf "%s ", $at }' "$1"; }
data="$work/hand/plots/spread.dat"
check 'has all columns of the rows' test "$(column "$data" kernel)$(column "$data" time_us_stdev)$(column "$data" time_us_median)$(column "$data" setting)" = \
    '"neighbored" "k" 1 1 10 5 "64" "64" '
check 'says what it is' says 'standard deviation / median (%)' "$work/hand/plots/spread.svg"
sed 's/time_us_stdev/time_us_other/' "$work/hand/results.csv" >"$work/bulk/results.csv"
check 'no spread' exits 1 "$work/out.txt" "$plot" "$work/bulk" spread
check 'is said' says '^spread *left out: no row that is shown has a value above 0 in the column time_us_stdev' "$work/out.txt"
# In the locale C, gnuplot complains about the degree sign, which that locale lacks.
check 'in the locale C' exits 0 "$work/out.txt" env LC_ALL=C "$plot" "$work/hand" spread --format svg
check 'gnuplot is content as well' no_warning "$work/out.txt"

# Compares two runs, in which three points have times. In the second run, one of them is slower, one
# is faster, and one point's count differs.
mkdir -p "$work/pair/a" "$work/pair/b"
pair_run() { # rows on stdin: kernel, time, its interval, gld
    head -1 "$run/results.csv"
    i=0
    while read -r kernel time low high gld; do
        i=$((i + 1))
        echo "0$i,cuda,${device-D},$kernel,int32,sum,1024,64,1,1,0,0,9,cold,kernel,ok,,9,,1,$time,1,1,$low,$high,0,2,1,,$gld,6,,1,0"
    done
}
printf 'k 10 9 11 100\nl 10 9 11 200\nm 10 9 11 0\nn 10 9 11 300\n' | pair_run >"$work/pair/a/results.csv"
printf 'k 20 19 21 100\nl 10 9 11 201\nm 5 4 6 0\n' | device=D2 pair_run >"$work/pair/b/results.csv"
check 'two runs' exits 0 "$work/out.txt" "$plot" "$work/pair/a" "$work/pair/b" versus counts --out "$work/pair"
for chart in versus counts; do
    check "$chart, PNG" is_picture "$work/pair/$chart.png"
    check "$chart, SVG" is_svg "$work/pair/$chart.svg"
done
check 'the mean' says '3 points; geometric mean of the ratios 1; points with a 95 % interval below 1: 1, above 1: 1; times on two devices are not judged' "$work/pair/versus.gp"
check 'ratios' test "$(cut -f 1,4-6 "$work/pair/versus.dat")" = "$(printf '"kernel"\t"time_us_a"\t"time_us_b"\t"ratio"\n"m"\t10\t5\t0.5\n"l"\t10\t10\t1\n"k"\t10\t20\t2')"
check 'the largest change has its name' says 'k, n = 2¹⁰, 64' "$work/pair/versus.svg"
check 'equal counts' says '2 of 3 equal, 1 with a 0; furthest: l × 1' "$work/pair/counts.gp"
check 'what is equal everywhere is a sentence' says 'equal at all points: inst_per_warp (3)' "$work/pair/counts.gp"
check 'both devices' says 'D (cuda)  ·  D2 (cuda)' "$work/pair/versus.svg"
# For each run, shows the time of its fastest kernel relative to that of kernel k in the same run:
# 10 to 10, and 5 to 20.
check 'two runs, relative to a kernel' exits 0 "$work/out.txt" "$plot" "$work/pair/a" "$work/pair/b" time --relative-to k --format svg --out "$work/pair"
check 'of the same run' test "$(column "$work/pair/time.dat" kernel)$(column "$work/pair/time.dat" value)" = '"k" "m" 1 0.25 '
check 'relative to no kernel' exits 1 "$work/out.txt" "$plot" "$work/pair/a" "$work/pair/b" time --relative-to o --out "$work/pair"
check 'is said' says '^time *left out: no row of o is shown (--relative-to)' "$work/out.txt"
check 'chosen metrics' exits 1 "$work/out.txt" "$plot" "$work/pair/a" "$work/pair/b" counts --y inst_per_warp --out "$work/pair"
check 'that are equal' says '^counts *left out: all counts are equal: inst_per_warp (3)' "$work/out.txt"
check 'three runs' exits 1 "$work/out.txt" "$plot" "$work/pair/a" "$work/pair/b" "$work/one" versus --out "$work/pair"
check 'are not two' says '^versus *left out: this chart shows two runs, but 3 are named' "$work/out.txt"

# A simulator run has times only for functions that run on the CPU, so no chart of kernel times is
# drawn.
mkdir "$work/mixed"
sed '3s/^02,cuda,D,k,\(.*\),1,5,1,1,4,6,/02,sim,S,k,\1,,,,,,,/;2s/,cuda,D,/,cpu,Xeon,/' "$work/hand/results.csv" >"$work/mixed/results.csv"
check 'a mixed run' exits 0 "$work/out.txt" "$plot" "$work/mixed"
check 'no chart of the CPU alone' says '^time.* left out: the run has no times (the simulator counts, but does not time)' "$work/out.txt"
check 'whose counts they are' says '>S (sim) ' "$work/mixed/plots/metrics.svg"

# Without times, only the charts of metrics are drawn, and the output says so.
invent "$work/counted" -v kernels=3 -v times=no
check 'a run without times' exits 0 "$work/out.txt" "$plot" "$work/counted"
check 'time is left out' says '^time.* left out: the run has no times' "$work/out.txt"
check 'heatmap is left out' says 'heatmap.* left out: the run has no times' "$work/out.txt"
check 'metrics are drawn' says '^metrics .*metrics.png' "$work/out.txt"
check 'no time chart' test ! -e "$work/counted/plots/time.svg"

# The units of metrics come from run.json, if it exists.
cat >"$work/counted/run.json" <<'END'
{
"schema": 2,
"columns": [
{"name":"n","type":"count","unit":"elements"},
{"name":"gld_transactions","type":"number","unit":"sectors","meaning":"m"}
]
}
END
check 'metrics with a unit' exits 0 "$work/out.txt" "$plot" "$work/counted" metrics
check 'the unit is shown' says 'gld_transactions (sectors)' "$work/counted/plots/metrics.svg"

# If a chart has several slices, one is drawn and the others are named. The user may pick any of
# them.
mkdir -p "$work/slices"
{
    cat "$run/results.csv"
    grep -v wrong "$run/results.csv" | sed -n '2,60s/,int32,sum,/,float64,max,/p' | sed 's/^0/f/; s/,cold,kernel,/,warm,complete,/'
} >"$work/slices/results.csv"
check 'slices' exits 0 "$work/out.txt" "$plot" "$work/slices" time
check 'the larger one is shown' says 'int32 sum, cold, scope kernel' "$work/slices/plots/time.svg"
check 'the other is named' says 'not shown: float64 max, warm' "$work/out.txt"
check 'the other one' exits 0 "$work/out.txt" "$plot" "$work/slices" time --where "type = float64" --suffix -float64
check 'is drawn' says 'float64 max, warm, scope complete' "$work/slices/plots/time-float64.svg"
check 'none such' exits 1 "$work/out.txt" "$plot" "$work/slices" time --where "type = uint32"
check 'is said' says 'left out: none of the selected rows has a correct result' "$work/out.txt"

# Each of these wrong uses and files must be refused.
check 'no file' exits 2 "$work/out.txt" "$plot" "$work/nothing"
check 'no file' says 'No such file' "$work/out.txt"
check 'no chart' exits 2 "$work/out.txt" "$plot" "$work/one" tiem
check 'no chart' says "'tiem' is neither a run nor a chart; did you mean 'time'" "$work/out.txt"
mkdir -p "$work/other" "$work/empty" "$work/header" "$work/failed"
echo 'a,b' >"$work/other/results.csv"
check 'other columns' exits 2 "$work/out.txt" "$plot" "$work/other"
check 'other columns' says 'lacks the columns kernel type' "$work/out.txt"
: >"$work/empty/results.csv"
check 'an empty file' exits 2 "$work/out.txt" "$plot" "$work/empty"
check 'an empty file' says 'empty; a table begins with a line of column names' "$work/out.txt"
mkdir "$work/open" "$work/odd"
sed '7s/,ok,/,"ok,/; s/"result.*/0/; s/^fault.*end"/9/' "$run/results.csv" | grep -v '^9' >"$work/open/results.csv"
check 'an open quote' exits 2 "$work/out.txt" "$plot" "$work/open"
check 'an open quote' says 'line 8, column 24: text follows a closing quote' "$work/out.txt"
sed '7s/,ok,/,o"k,"/' "$run/results.csv" >"$work/odd/results.csv"
check 'an odd row' exits 2 "$work/out.txt" "$plot" "$work/odd"
check 'an odd row' says 'line 7, column 104: the cell contains a quote' "$work/out.txt"
mkdir "$work/twice" "$work/escape"
sed 5p "$run/results.csv" >"$work/twice/results.csv"
check 'a doubled row' exits 2 "$work/out.txt" "$plot" "$work/twice"
check 'a doubled row' says 'point 0000000000000004 has two rows' "$work/out.txt"
esc=$(printf '\033')
sed "s/,neighbored,/,nei$esc[2Jghbored,/" "$run/results.csv" >"$work/escape/results.csv"
check 'control characters' exits 0 "$work/out.txt" "$plot" "$work/escape" time heatmap --format svg
check 'control characters' says 'nei?' "$work/escape/plots/time.svg"
check 'control characters are not printed' sh -c "! grep -q '$esc\[2J' '$work/out.txt'"
head -1 "$run/results.csv" >"$work/header/results.csv"
check 'no rows' exits 1 "$work/out.txt" "$plot" "$work/header"
check 'no rows' says '^time.* left out: the run has no rows' "$work/out.txt"
sed 's/,ok,/,timeout,/' "$run/results.csv" >"$work/failed/results.csv"
check 'no right rows' exits 1 "$work/out.txt" "$plot" "$work/failed"
check 'no right rows' says 'metrics.* left out: no row has the status ok' "$work/out.txt"

# A script that is in the charts' folder is replaced and never executed, not even by `report`.
lying="$work/a run's 5/plots/time.gp"
printf 'system("touch %s/ran")\n' "$work" >"$lying"
cp "$lying" "$work/a run's 5/plots/gnuplot.gp"
gnuplot "$lying" && check 'a script of others can do anything' [ -e "$work/ran" ] && rm -f "$work/ran"
check 'a chart beside it' exits 0 "$work/out.txt" "$plot" "$work/a run's 5" time bandwidth
check 'a page beside it' exits 0 "$work/out.txt" "${BUILD:-$here/../../build}/redsweep" report "$work/a run's 5"
check 'the script that lies there was not run' [ ! -e "$work/ran" ]
check 'and is replaced' says_not 'touch' "$lying"

[ $failed -eq 0 ] && echo "$name: $cases checks passed"
exit $failed
