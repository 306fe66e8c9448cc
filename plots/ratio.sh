#!/usr/bin/env bash
# The ratio to CUB at each size, from a run's results.csv: `plots/ratio.sh RUN` prints a Markdown
# table, `plots/ratio.sh RUN DIR` also draws DIR/ratio.svg and DIR/limit.svg.
#
# For each (type, op, cache, n): CUB's median over that of the fastest other complete kernel. Cells
# are found by the names of their columns; a cell with a comma or a quote ends the script.
set -euo pipefail
run=${1:?usage: plots/ratio.sh RUN [DIR]}
table=$(mktemp)
trap 'rm -f "$table"' EXIT

# type op cache n cub_us best_us least_bytes read_us, sorted
awk -F, '
NR == 1 { sub(/\r$/, ""); for (i = 1; i <= NF; i++) { at[$i] = i; name[i] = $i }; columns = NF; next }
{ sub(/\r$/, "") }
NF != columns && /"/ { next } # a reason in quotes: such a row has no time
NF != columns { print "ratio.sh: row " NR " has " NF " cells" > "/dev/stderr"; exit 1 }
$at["status"] != "ok" || $at["scope"] == "kernel" { next }
{
    further = "" # axes that only some runs have
    for (j = at["scope"] + 1; j < at["status"]; j++) further = further "," name[j] "=" $j
    key = $at["type"] " " $at["op"] " " $at["cache"] further " " $at["n"]
    us = $at["time_us_median"]
    if (us == "") next
    if ($at["reason"] ~ /below the clock.s resolution/) { unresolved++; next }
    kernel = $at["kernel"]
    if (kernel == "cub") cub[key] = us
    else if (kernel == "sweep_read") read_us[key] = us
    else if (kernel !~ /^sweep_|^empty$/ && (!(key in best) || us + 0 < best[key] + 0)) {
        best[key] = us; gbs[key] = $at["bandwidth_gbs"]
    }
}
END {
    if (unresolved)
        print "ratio.sh: excluded: " unresolved " rows whose time is below the clock" sprintf("%c", 39) "s resolution" > "/dev/stderr"
    for (key in best)
        if (key in cub)
            print key, cub[key], best[key], gbs[key] * best[key], (key in read_us ? read_us[key] : "-")
}' "$run/results.csv" | sort -k1,1 -k2,2 -k3,3 -k4,4n > "$table"

echo '| type, op, cache | n | CUB, µs | best, µs | ratio | read limit, µs |'
echo '| --- | --- | --- | --- | --- | --- |'
awk '{ l = log($4) / log(2); n = (l == int(l + 1e-9) || l - int(l) < 1e-12) ? "2^" int(l + 0.5) : $4
       printf "| %s %s %s | %s | %.2f | %.2f | %.3f | %s |\n", $1, $2, $3, n, $5, $6, $5 / $6,
              $8 == "-" ? "" : sprintf("%.2f", $8) }' "$table"

if [ $# -gt 1 ]; then
    mkdir -p "$2"
    peak=$("${BUILD:-build}/redsweep" show "$run" --info | sed -n 's/^provenance\.device\.peak_gbs\t//p')
    gnuplot <<GNUPLOT
set terminal svg size 900,560 background "white"
set logscale x 2
set format x "2^{%L}"
set xlabel "n, elements"
set grid
set key top right
set output "$2/ratio.svg"
set ylabel "CUB's time / ours"
set title "Time ratio to cub::DeviceReduce, sums"
plot for [t in "int32 float32 float64"] "< awk '\$1==\"".t."\" && \$2==\"sum\" && \$3==\"cold\"' $table" \
         using 4:(\$5/\$6) with linespoints title t.", cold", \
     "< awk '\$1==\"int32\" && \$2==\"sum\" && \$3==\"warm\"' $table" using 4:(\$5/\$6) with linespoints title "int32, warm", \
     1 with lines dashtype 2 linecolor "black" notitle
set output "$2/limit.svg"
set ylabel "GB/s"
set key bottom right
set title "Bandwidth of int32 sums, cold, the limit of reading and the datasheet's peak"
plot "< awk '\$1==\"int32\" && \$2==\"sum\" && \$3==\"cold\"' $table" using 4:(\$7/\$6) with linespoints title "best", \
     "" using 4:(\$7/\$5) with linespoints title "CUB", \
     "< awk '\$1==\"int32\" && \$2==\"sum\" && \$3==\"cold\" && \$8!=\"-\"' $table" using 4:(\$7/\$8) with linespoints title "read only", \
     ${peak:-NaN} with lines dashtype 2 linecolor "black" title "datasheet"
GNUPLOT
fi
