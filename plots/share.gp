# Bandwidth against n as a share of each run's own ceiling: the most that any kernel of the run reached, at any
# size, its own reading kernel included.
load 'style.gp'

HEADING = 'Share of the ceiling vs. input size'
SHOWN = SLICE.'; '.SERIES_WHAT.'; 100 %: the most that any kernel of the run reached'
UPWARDS = 'share of the ceiling (%)'
load 'frame.gp'
set yrange [0:105]

array LAST[SERIES]
array PLACE[SERIES]
do for [i = 1:SERIES] { LAST[i] = SHARE_LAST[i]; PLACE[i] = SHARE_PLACE[i] }
load 'labels.gp'

set arrow 1 from graph 0, first 100 to graph 1, first 100 nohead lc rgb INK lw 1.2 dt 2
plot for [i = 1:SERIES] 'series.dat' index i - 1 using 1:6 with linespoints lc rgb hue(COLOUR[i]) lw width(COLOUR[i]) pt mark(COLOUR[i]) ps size(COLOUR[i])
