# The frame of a chart of lines against n: heading, margins with room for names at the right, and the
# axis of n in powers of two; every second or fourth power where they are many.
BOTTOM = 70
TOP = H - 60
EDGE = W - LABELS
load 'heading.gp'

set lmargin at screen px(80)
set rmargin at screen px(EDGE)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)

set logscale x 2
set xrange [X0 * 0.92:X1 * 1.08]
set xlabel 'n (elements)'
set format x '2^{%L}'
octaves = log(real(X1) / X0) / log(2)
every = octaves > 32 ? 16 : octaves > 16 ? 4 : 2
set xtics X0,every
