# Compares the counts of two runs, such as the simulator's and the hardware's: a small chart per
# metric, with a mark per point. Marks on the diagonal have equal counts.
load 'style.gp'
ACROSS = METRICS < 3 ? METRICS : 3
if (NARROW) { ACROSS = 1 }
if (CANVAS == 756 && ACROSS > 2) { ACROSS = 2 }
DOWN = (METRICS + ACROSS - 1) / ACROSS
CELL = 330
W = 40 + ACROSS * CELL
if (!NARROW && W < 620) { W = 620 }
if (CANVAS < 960) { W = CANVAS }
PLOT_H = DOWN * CELL - 14
FEET = 0

HEADING = 'Counts of two runs'
UPWARDS = ''
load 'canvas.gp'
set multiplot
load 'heading.gp'
set logscale xy 10
unset xlabel
SMALL = font(9)
set xtics rotate by 0 font SMALL
set ytics font SMALL

do for [m = 1:METRICS] {
    at = (m - 1) % ACROSS
    row = (m - 1) / ACROSS
    set lmargin at screen px(40 + at * CELL + 34)
    set rmargin at screen px(40 + (at + 1) * CELL - 16)
    set tmargin at screen py(TOP - 44 - row * CELL)
    set bmargin at screen py(TOP - 44 - (row + 1) * CELL + 92)
    set xrange [LOW[m]:HIGH[m]]
    set yrange [LOW[m]:HIGH[m]]
    # As space allows, there are ticks at 1 … 9 of each decade, at 1, 2 and 5, or only every few
    # decades.
    span = HIGH[m] / real(LOW[m])
    steps = span < 8 ? "1 2 3 4 5 6 7 8 9" : span < 100 ? "1 2 5" : "1"
    every = span < 1e6 ? 1 : ceil(log10(span) / 6)
    set xtics ()
    set ytics ()
    do for [k = floor(log10(LOW[m])):ceil(log10(HIGH[m])):every] {
        do for [s in steps] {
            v = real(s) * 10.0 ** k
            set xtics add (number(v) v)
            set ytics add (number(v) v)
        }
    }
    set label 1 TITLE[m] at graph 0,1 offset 0,1.7 left noenhanced tc rgb INK
    set label 2 FOUND[m] at graph 0,1 offset 0,0.7 left noenhanced font font(fitting(FOUND[m], CELL - 50) < 10 ? fitting(FOUND[m], CELL - 50) : 10) tc rgb 0x555555
    plot x with lines lc rgb INK lw 1, \
         DATA index m - 1 using (column("a")):(column("b")):(column("rgb")) with points pt 7 ps 0.4 lc rgb variable
    do for [l = 9001:9120] { unset label l }
}
unset multiplot
