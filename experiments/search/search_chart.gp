# Draws docs/gallery/search-strategies.svg: how much slower the choices of a search are than the
# fastest configurations (loss), against the time of the search, with a point per seed and a color
# per strategy.
#
#   gnuplot experiments/search/search_chart.gp >docs/gallery/search-strategies.svg
#
# The data are lines "space,strategy,seconds,mean loss,worst loss" from search_seeds.py.
DATA = 'results/reference/h200-search-truth/strategies.csv'
array HUE[5] = [0x00508C, 0xD55E00, 0x000000, 0x009E73, 0xCC79A7]
array MARK[5] = [7, 5, 9, 13, 11]
name(i) = i == 1 ? 'transfer' : i == 2 ? 'race' : i == 3 ? 'exhaustive' : i == 4 ? 'random 100' : 'random 300'
INK = 0x222222
set terminal svg size 900,380 enhanced font 'DejaVu Sans,12' background rgb 'white'
set encoding utf8
set datafile separator ','
set logscale x 10
set border 3 lc rgb INK lw 1
set tics out nomirror scale 0.6
set grid xtics ytics back lt 1 lc rgb 0xD8D8D8 lw 0.6
unset key
set yrange [0:3.5]
set xrange [5:1000]
set lmargin at screen 80.0 / 900
set rmargin at screen 450.0 / 900
set bmargin at screen 76.0 / 380
set tmargin at screen 270.0 / 380
set multiplot
set label 1 'Loss and time of the strategies of search' at screen 16.0 / 900, 358.0 / 380 font ',15' tc rgb INK
set label 2 'a point is a seed; the largest loss at any of nine n against the best that was ever measured' at screen 16.0 / 900, 336.0 / 380 tc rgb 0x555555
do for [i = 1:5] {
    set label 10 + i name(i) at screen (22.0 + 130 * (i - 1)) / 900, 312.0 / 380 left tc rgb INK point pt MARK[i] ps 0.8 lc rgb HUE[i] offset 0.9,-0.15
}
set label 3 'largest loss (%)' at screen 16.0 / 900, 173.0 / 380 center rotate by 90 tc rgb INK
set label 4 'h200-search-truth' at screen 16.0 / 900, 13.0 / 380 font ',9' tc rgb 0x6B6B6B
do for [space in 'pruned full'] {
    set label 5 (space eq 'pruned' ? '5353 points of fastest-pruned.json' : '102 836 points of fastest.json') at graph 0, graph 1 offset 0,0.8 left tc rgb INK
    set label 6 'seconds of an H200 (modeled)' at graph 0.5, graph 0 offset 0,-2.6 center tc rgb INK
    plot for [i = 1:5] DATA using (strcol(1) eq space && strcol(2) eq name(i) ? $3 : NaN):5 with points pt MARK[i] ps 0.7 lc rgb HUE[i]
    do for [l = 1:20] { unset label l }
    set lmargin at screen 505.0 / 900
    set rmargin at screen 884.0 / 900
}
unset multiplot
