# Time against sectors moved: one point per setting of each kernel at one n. What is on a line
# upwards is explained by its sectors; what is above it is slow for another reason.
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

array LAST_X[SERIES]
array LAST[SERIES]
array PLACE[SERIES]
do for [i = 1:SERIES] { LAST_X[i] = S_LAST_X[i]; LAST[i] = S_LAST[i]; PLACE[i] = S_PLACE[i] }
load 'labels.gp'

plot for [i = 1:SERIES] 'sectors.dat' index i - 1 using 1:2 with points lc rgb hue(COLOUR[i]) pt mark(COLOUR[i]) ps size(COLOUR[i])
