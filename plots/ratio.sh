#!/usr/bin/env bash
# The ratio to CUB at each size, from a run's results.csv: `plots/ratio.sh RUN` prints a Markdown
# table, `plots/ratio.sh RUN DIR` also draws DIR/ratio.svg and DIR/limit.svg.
#
# For each (type, op, cache, n): CUB's median over that of the fastest other complete kernel. Cells
# are found by the names of their columns. The table is a file of fixed name beside the script of gnuplot, into which
# neither folders nor cells are written.
set -euo pipefail
run=${1:?usage: plots/ratio.sh RUN [DIR]}
case $run in /*) ;; *) run=./$run ;; esac # awk takes the operand a=b for an assignment
[ -f "$run/results.csv" ] || { echo "ratio.sh: $run/results.csv: no such file" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# type op cache n cub_us best_us least_bytes read_us, sorted
LC_ALL=C awk -f "$here/csv.awk" -f - "$run/results.csv" >"$work/rows.txt" <<'AWK'
FNR == 1 { sub(/^\357\273\277/, "") }
!csv_line($0) { next }
!columns {
    columns = CELLS
    for (i = 1; i <= CELLS; i++) { at[CELL[i]] = i; name[i] = CELL[i] }
    split("kernel type op n cache scope status time_us_median bandwidth_gbs reason", needed, " ")
    for (i in needed)
        if (!(needed[i] in at))
            stop("the file lacks the column " needed[i])
    next
}
CELLS != columns { next } # torn
cell("status") != "ok" || cell("scope") == "kernel" { next }
{
    further = "" # axes that only some runs have
    for (j = at["scope"] + 1; j < at["status"]; j++) further = further "," word(name[j]) "=" number(name[j])
    key = word(cell("type")) " " word(cell("op")) " " word(cell("cache")) further " " number("n")
    us = number("time_us_median")
    if (us == "") next
    if (cell("reason") ~ /below the clock.s resolution/) { unresolved++; next }
    kernel = cell("kernel")
    if (kernel == "cub") cub[key] = us
    else if (kernel == "sweep_read") read_us[key] = us
    else if (kernel !~ /^sweep_|^empty$/ && (!(key in best) || us + 0 < best[key] + 0)) {
        best[key] = us; gbs[key] = number("bandwidth_gbs")
    }
}
END {
    if (stopped)
        exit 1
    if (unresolved)
        print "ratio.sh: excluded: " unresolved " rows whose time is below the clock" sprintf("%c", 39) "s resolution" > "/dev/stderr"
    for (key in best)
        if (key in cub)
            print key, cub[key], best[key], gbs[key] * best[key], (key in read_us ? read_us[key] : "-")
}
function cell(name) { return CELL[at[name]] }
function number(name) { return csv_number(cell(name), name) }
function word(text) { gsub(/[ \t\n]/, "_", text); return text }
function stop(why) {
    print "ratio.sh: results.csv: " why > "/dev/stderr"
    stopped = 1
    exit 1
}
AWK
table=$work/table.txt
sort -k1,1 -k2,2 -k3,3 -k4,4n "$work/rows.txt" >"$table"

echo '| type, op, cache | n | CUB, µs | best, µs | ratio | read limit, µs |'
echo '| --- | --- | --- | --- | --- | --- |'
awk '{ l = log($4) / log(2); n = (l == int(l + 1e-9) || l - int(l) < 1e-12) ? "2^" int(l + 0.5) : $4
       printf "| %s %s %s | %s | %.2f | %.2f | %.3f | %s |\n", $1, $2, $3, n, $5, $6, $5 / $6,
              $8 == "-" ? "" : sprintf("%.2f", $8) }' "$table"

if [ $# -gt 1 ]; then
    case $2 in /*) into=$2 ;; *) into=./$2 ;; esac
    mkdir -p "$into"
    into=$(cd "$into" && pwd -P)
    # Without a manifest the peak is not known.
    { "${BUILD:-build}/redsweep" show "$run" --info 2>/dev/null || true; } |
        awk -F '\t' '$1 == "provenance.device.peak_gbs" { peak = $2 } END { print "PEAK = " (peak + 0 > 0 ? peak + 0 : "NaN") }' >"$work/peak.gp"
    cd "$work"
    gnuplot <<'GNUPLOT'
load "peak.gp"
set terminal svg size 900,560 background "white"
set logscale x 2
set format x "2^{%L}"
set xlabel "n, elements"
set grid
set key top right
set output "ratio.svg"
set ylabel "CUB's time / ours"
set title "Time ratio to cub::DeviceReduce, sums"
plot for [t in "int32 float32 float64"] "< awk '$1==\"".t."\" && $2==\"sum\" && $3==\"cold\"' table.txt" \
         using 4:($5/$6) with linespoints title t.", cold", \
     "< awk '$1==\"int32\" && $2==\"sum\" && $3==\"warm\"' table.txt" using 4:($5/$6) with linespoints title "int32, warm", \
     1 with lines dashtype 2 linecolor "black" notitle
set output "limit.svg"
set ylabel "GB/s"
set key bottom right
set title "Bandwidth of int32 sums, cold, the limit of reading and the datasheet's peak"
plot "< awk '$1==\"int32\" && $2==\"sum\" && $3==\"cold\"' table.txt" using 4:($7/$6) with linespoints title "best", \
     "" using 4:($7/$5) with linespoints title "CUB", \
     "< awk '$1==\"int32\" && $2==\"sum\" && $3==\"cold\" && $8!=\"-\"' table.txt" using 4:($7/$8) with linespoints title "read only", \
     PEAK with lines dashtype 2 linecolor "black" title "datasheet"
GNUPLOT
    mv -fT ratio.svg "$into/ratio.svg"
    mv -fT limit.svg "$into/limit.svg"
fi
