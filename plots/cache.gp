# Draws what a cold cache costs: time with a cold cache divided by time with a warm one, against n.
load 'style.gp'
DEVICE = TIMED_DEVICE
HEADING = 'Cold vs. warm cache'
SHOWN = CACHE_SLICE.'; the fastest setting per kernel, size and state'.GREY_NOTE
UPWARDS = 'time, cold / warm'
load 'frame.gp'
set yrange [C0:C1]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb INK lw 1.2

load 'labels.gp'

set errorbars 0
# The data have a block per kernel with values. DRAWN lists their numbers.
series(j) = word(DRAWN, j) + 0
plot for [j = 1:words(DRAWN)] DATA index j - 1 using (column("n")):(column("ratio")):(column("low")):(column("high")) with yerrorbars lc rgb hue(COLOUR[series(j)]) lw 1 pt -1, \
     for [j = 1:words(DRAWN)] DATA index j - 1 using (column("n")):(column("ratio")) with linespoints lc rgb hue(COLOUR[series(j)]) lw width(COLOUR[series(j)]) pt mark(COLOUR[series(j)]) ps size(COLOUR[series(j)])
