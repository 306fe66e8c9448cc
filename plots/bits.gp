# Draws classes of bit-identical results. Each class is a line with a mark at each configuration's
# time. Beside it are the result's error, and how much slower the class's fastest configuration is
# than the fastest configuration of all.
load 'style.gp'
DEVICE = TIMED_DEVICE
RIGHT = NARROW ? 84 : 166
LEFT = BITS_WIDEST + 26
if (LEFT > (NARROW ? 170 : 330)) { LEFT = NARROW ? 170 : 330 }
small = BITS_WIDEST > LEFT - 26 ? 12 * (LEFT - 26) / BITS_WIDEST : 12
CELL_H = 24
PLOT_H = CELL_H * BITS_CLASSES
FEET = 48
KEY_ROWS = 1
UPWARDS = ''
load 'canvas.gp'
load 'heading.gp'
set lmargin at screen px(LEFT)
set rmargin at screen px(W - RIGHT)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
FROM_X = LEFT
TO_X = W - RIGHT
ALONG = 'time, median (µs)'
load 'across.gp'
set border 1
unset ytics
set yrange [BITS_CLASSES + 0.5:0.5]
set grid xtics noytics
# The axis is logarithmic if times differ widely, so that slow configurations do not squeeze the
# other marks.
if (BITS_X1 > 4 * BITS_X0) {
    set logscale x 10
    set xrange [BITS_X0 / 1.06:BITS_X1 * 1.06]
    set xtics ()
    do for [k = -3:9] { do for [m in "1 2 5"] {
        v = m * 10.0 ** k
        if (v >= BITS_X0 / 1.06 && v <= BITS_X1 * 1.06) { set xtics add (sprintf('%g', v) v) }
    } }
} else {
    wide = BITS_X1 > BITS_X0 ? BITS_X1 - BITS_X0 : BITS_X1
    set xtics step_of(wide, W - LEFT - RIGHT, 4)
    set xrange [BITS_X0 - 0.04 * wide:BITS_X1 + 0.04 * wide]
}
line_y(j) = py(BOTTOM + PLOT_H - CELL_H * (j - 0.5))
set label 400 'error' at screen px(W - RIGHT + 12),py(TOP + 8) left tc rgb 0x555555
if (!NARROW) { set label 401 'cost' at screen px(W - 16),py(TOP + 8) right tc rgb 0x555555 }
do for [j = 1:BITS_CLASSES] {
    set label 500 + j BITS_NAME[j] at screen px(LEFT - 10),line_y(j) right noenhanced font font(small) tc rgb INK
    set label 600 + j BITS_ERROR[j] at screen px(W - RIGHT + 12),line_y(j) left noenhanced tc rgb INK
    if (!NARROW) { set label 700 + j BITS_COST[j] at screen px(W - 16),line_y(j) right noenhanced tc rgb INK }
    set arrow 500 + j from graph 0,first j to graph 1,first j nohead back lc rgb FAINT lw 0.6
}
plot DATA using (column("time_us_median")):(column("down")):(column("fastest") > 0 ? 0.9 : 0.6):(column("down") == BITS_VARIES ? 6 : 7):(column("rgb")) with points pt variable ps variable lc rgb variable
