# Loss against seconds, a point per seed and a colour per strategy: docs/gallery/search-strategies.svg.
#
#   gnuplot tests/bench/search_chart.gp >docs/gallery/search-strategies.svg
#
# The data are lines "space,strategy,seconds,mean loss,worst loss" by search_seeds.py.
DATA = 'results/reference/h200-search-truth/strategies.csv'
array HUE[5] = [0x0072B2, 0xD55E00, 0x000000, 0x009E73, 0xCC79A7]
array MARK[5] = [7, 5, 9, 13, 11]
name(i) = i == 1 ? 'transfer' : i == 2 ? 'race' : i == 3 ? 'exhaustive' : i == 4 ? 'random 100' : 'random 300'
set terminal svg size 900,400 font 'DejaVu Sans,12' background '#ffffff'
set datafile separator ','
set logscale x
set grid ytics lc rgb '#d8d8d8'
set border 3
set tics nomirror
set xlabel 'seconds of an H200 (modeled)'
set yrange [0:3.5]
set bmargin 7
set key at graph 0.5, -0.26 center top maxrows 2 samplen 1
set multiplot layout 1,2
do for [space in 'pruned full'] {
    set title space eq 'pruned' ? '5353 points of fastest-pruned.json' : '102 836 points of fastest.json'
    if (space eq 'pruned') { set ylabel 'largest loss at any of nine n (%)' } else { unset ylabel }
    set xrange [5:1000]
    plot for [i = 1:5] DATA using (strcol(1) eq space && strcol(2) eq name(i) ? $3 : NaN):5 with points pt MARK[i] ps 0.6 lc rgb HUE[i] title name(i)
}
unset multiplot
