# Draws a search's progress, with a line per n: how far the best time so far was from the best known
# time at each second. If only the total time of each n was recorded (SEARCH_WHOLE), the line just
# spans the time that the n took.
load 'style.gp'
DEVICE = TIMED_DEVICE
LEFT = NARROW ? 66 : 80
PLOT_H = NARROW ? 250 : CANVAS == 756 ? 330 : 390
FEET = 48
load 'canvas.gp'
load 'heading.gp'
KEY_Y = H - HEAD + 18 * KEY_ROWS - 6
load 'key.gp'
set lmargin at screen px(LEFT)
set rmargin at screen px(W - 20)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set xrange [SEARCH_X0:1.04 * SEARCH_X1 - 0.04 * SEARCH_X0]
FROM_X = LEFT
TO_X = W - 20
ALONG = 'seconds since the run began'
load 'across.gp'
set yrange [SEARCH_Y0:SEARCH_Y1]
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb INK lw 1
NAMED = SEARCH_NAMED ? KEYS : 0
plot for [i = 1:KEYS] DATA index i - 1 using (column("seconds")):(column("loss_pct")) with steps lc rgb KEY_RGB[i] lw 1.4, \
     for [i = 1:KEYS] '' index i - 1 using (column("seconds")):(column("loss_pct")) every ::SEARCH_WHOLE with points lc rgb KEY_RGB[i] pt KEY_MARK[i] ps 0.6, \
     for [i = 1:NAMED] '' index i - 1 using (column("seconds")):(column("loss_pct")):(stringcolumn("text")) with labels left offset 0.3,0.7 noenhanced tc rgb INK
