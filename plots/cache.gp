# What a cold cache costs: the time with a cold cache over that with a warm one, against n.
load 'style.gp'
DEVICE = TIMED_DEVICE
HEADING = 'Cold vs. warm cache'
split = strstrt(SLICE, ',')
SHOWN = SLICE[1:split - 1].'; the fastest setting per kernel, size and state'.GREY_NOTE
UPWARDS = 'time, cold / warm'
X0 = C_X0
X1 = C_X1
load 'frame.gp'
set yrange [C0:C1]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb INK lw 1.2

array LAST_X[SERIES]
array LAST[SERIES]
array PLACE[SERIES]
do for [i = 1:SERIES] { LAST_X[i] = C_LAST_X[i]; LAST[i] = C_LAST[i]; PLACE[i] = C_PLACE[i] }
load 'labels.gp'

set errorbars 0
plot for [i = 1:SERIES] 'cache.dat' index i - 1 using 1:2:3:4 with yerrorbars lc rgb hue(COLOUR[i]) lw 1 pt -1, \
     for [i = 1:SERIES] '' index i - 1 using 1:2 with linespoints lc rgb hue(COLOUR[i]) lw width(COLOUR[i]) pt mark(COLOUR[i]) ps size(COLOUR[i])
