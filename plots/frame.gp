# Draws the frame of a chart of lines against n: the heading, and margins with space for names at
# the right (below, in narrow charts). The n axis has ticks at powers of two, or at every second or
# fourth if there are many.
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

if (!exists('X_LOG')) { X_LOG = 1 }
if (X_LOG) { set logscale x 2 }
if (X_LOG) { set xrange [X0 * 0.92:X1 * 1.08] } else { set xrange [X0 - 0.04 * (X1 - X0):X1 + 0.04 * (X1 - X0)] }
FROM_X = LEFT
TO_X = EDGE
if (!exists('ALONG')) { ALONG = 'n (elements)' }
load 'across.gp'
raised(k) = (k > 9 ? word("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", k / 10 + 1) : '').word("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", k % 10 + 1)
if (X_LOG) {
    octaves = log(real(X1) / X0) / log(2)
    shrunk = NARROW ? 2 * octaves : octaves
    every = shrunk > 32 ? 4 : shrunk > 16 ? 2 : 1
    lowest = int(log(X0) / log(2) + 0.01)
    set xtics ()
    do for [k = lowest:lowest + int(octaves + 0.01):every] { set xtics add (exists('X') && X ne 'n' ? sprintf('%g', 2.0 ** k) : '2'.raised(k) 2.0 ** k) }
}
