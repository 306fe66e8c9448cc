# Draws a kernel over several runs, with a line per n: the time of one setting relative to its time
# in the first run, with the 95 % interval.
load 'style.gp'
LEFT = NARROW ? 66 : 80
# Run names are horizontal if they fit, and vertical otherwise.
ROOM = (CANVAS - LEFT - 24) / real(HISTORY_RUNS)
UPRIGHT = HISTORY_NAMES > ROOM - 10
PLOT_H = NARROW ? 200 : 300
FEET = UPRIGHT ? 20 + HISTORY_NAMES : 40
UPWARDS = 'time / time in the first run'
load 'canvas.gp'
load 'heading.gp'
KEY_Y = H - HEAD + 18 * KEY_ROWS - 6
load 'key.gp'
set lmargin at screen px(LEFT)
set rmargin at screen px(W - 24)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set xrange [0.5:HISTORY_RUNS + 0.5]
set yrange [HISTORY_Y0:HISTORY_Y1]
set xtics () noenhanced
if (UPRIGHT) { set xtics rotate by 90 right }
do for [i = 1:HISTORY_RUNS] { set xtics add (HISTORY_RUN[i] i) }
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb INK lw 1
set object 1 rectangle from graph 0, first NOISE_LOW to graph 1, first NOISE_HIGH behind fs solid noborder fc rgb 0xE2E2E2
set errorbars 0
offset(i) = (i - (KEYS + 1) / 2.0) * 0.5 / KEYS
plot for [i = 1:KEYS] DATA index i - 1 using (column("place") + offset(i)):(column("ratio")):(column("low")):(column("high")) with yerrorbars lc rgb KEY_RGB[i] lw 1.2 pt -1, \
     for [i = 1:KEYS] '' index i - 1 using (column("place") + offset(i)):(column("ratio")) with linespoints lc rgb KEY_RGB[i] lw 1 pt KEY_MARK[i] ps 0.6
