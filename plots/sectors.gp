# Draws time against sectors moved, with a point per setting of each kernel at one n. If points are
# on a rising line, sectors explain their times. Points above that line are slow for another reason.
load 'style.gp'
DEVICE = TIMED_DEVICE
HEADING = 'Time vs. sectors moved at n = '.SECTORS_N
SHOWN = SLICE.'; every setting; names point at the fastest of a kernel'.GREY_NOTE
UPWARDS = 'time, median (µs)'
NOTE = COPIES
X0 = 1
X1 = 2
load 'frame.gp'
unset logscale x
set logscale xy 10
set xrange [S_X0:S_X1]
set yrange [S_Y0:S_Y1]
ALONG = MOVED
load 'across.gp'
set format y '%g'
set ytics autofreq
load 'decades.gp'

load 'labels.gp'

# The data have a block per kernel with points. DRAWN lists their numbers.
series(j) = word(DRAWN, j) + 0
plot for [j = 1:words(DRAWN)] DATA index j - 1 using (column("moved")):(column("time_us_median")) with points lc rgb hue(COLOUR[series(j)]) pt mark(COLOUR[series(j)]) ps size(COLOUR[series(j)])
