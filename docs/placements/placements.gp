# The pictures of docs/measuring.md, "Placement", from samples that are committed beside it:
#   gnuplot docs/placements/placements.gp
# placement.csv: run, sample, set of buffers, µs. `atomic`, 117 232 298 float64, blocks of 64, unroll 8, an H200, two
# processes. stall.csv: run, sample, µs. `shuffle`, 2^25 float32, blocks of 128, unroll 8, an H100, six processes.
set datafile separator ","
set terminal svg size 560,320 font "DejaVu Sans,11" background "white"
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set output "docs/placements/placement.svg"
set xlabel "set of input, output and scratch memory"
set ylabel "µs"
set xrange [-0.6:7.6]
set key outside top center horizontal
plot "docs/placements/placement.csv" using ($1 == 1 ? $3 - 0.1 : NaN):4 with points pt 7 ps 0.6 lc rgb "#0b5fa5" \
         title "one process", \
     "" using ($1 == 2 ? $3 + 0.1 : NaN):4 with points pt 5 ps 0.6 lc rgb "#b3460f" title "another one"
set output "docs/placements/stall.svg"
set xlabel "µs"
set ylabel "samples"
set xrange [45:48]
set boxwidth 0.09
set style fill solid 0.8 noborder
bin(x) = 0.1 * floor(x / 0.1) + 0.05
plot "docs/placements/stall.csv" using (bin($3)):(1) smooth frequency with boxes lc rgb "#0b5fa5" notitle
