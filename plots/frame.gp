# The frame of a chart of lines against n: heading, margins with room for names at the right (below, in a
# narrow one), and the axis of n in powers of two; every second or fourth power where they are many.
load 'lines.key'
BELOW = KEYS > 0 ? 18 * KEY_ROWS + 4 : 0
KEY_ROWS = 0
LEFT = NARROW ? 66 : 80
PLOT_H = LINES_H
FEET = 54 + BELOW
load 'canvas.gp'
EDGE = W - LABELS
load 'heading.gp'
if (KEYS > 0) {
    KEY_Y = FOOT + BELOW - 8
    load 'key.gp'
}

set lmargin at screen px(LEFT)
set rmargin at screen px(EDGE)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)

set logscale x 2
set xrange [X0 * 0.92:X1 * 1.08]
FROM_X = LEFT
TO_X = EDGE
ALONG = 'n (elements)'
load 'across.gp'
octaves = log(real(X1) / X0) / log(2)
shrunk = NARROW ? 2 * octaves : octaves
every = shrunk > 32 ? 4 : shrunk > 16 ? 2 : 1
raised(k) = (k > 9 ? word("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", k / 10 + 1) : '').word("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", k % 10 + 1)
lowest = int(log(X0) / log(2) + 0.01)
set xtics ()
do for [k = lowest:lowest + int(octaves + 0.01):every] { set xtics add ('2'.raised(k) 2.0 ** k) }
