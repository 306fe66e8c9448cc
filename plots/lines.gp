# Draws a line per kernel or value of --by, with the median's 95 % interval if known. The DRAM peak,
# the theoretical bandwidth of the device's memory, is a line as well. Unless another line coincides
# with it, a dotted line shows the limit at each n, with its interval: the highest bandwidth at
# which any kernel read the same bytes.
load 'style.gp'
DEVICE = TIMED_DEVICE
if (LIMITS_SHOWN) { SHOWN = SHOWN.'; dotted: the fastest reader at each size' }
SHOWN = SHOWN.GREY_NOTE.CARD_NOTE
if (PEAK > 0 && !PEAK_SHOWN) { SHOWN = SHOWN.sprintf('; the DRAM peak of %.0f GB/s is far above', PEAK) }
NOTE = ABOVE
load 'frame.gp'
load 'cards.gp'

if (Y_LOG) {
    set logscale y 10
    set yrange [Y0:Y1]
    # If the axis has less than three and a half decades, ticks are at 1, 2 and 5 of each decade. If
    # it has less than one decade, there are more ticks.
    set ytics ()
    do for [k = floor(log10(Y0)):ceil(log10(Y1))] {
        do for [m in (Y1 < 10 * Y0 ? "1 1.5 2 3 4 5 6 8" : Y1 < 3000 * Y0 ? "1 2 5" : "1")] {
            v = real(m) * 10.0 ** k
            set ytics add (number(v) v)
        }
    }
} else {
    set yrange [0:Y1]
    if (Y1 >= 1e5) {
        set ytics ()
        step = step_of(Y1, LINES_H / 2.0, 4)
        do for [k = 0:floor(Y1 / step)] { set ytics add (number(k * step) k * step) }
    }
}
if (PEAK_SHOWN) {
    set arrow 1 from graph 0, first PEAK to graph 1, first PEAK nohead lc rgb INK lw 1.2 dt 2
    set label 1 PEAK_TEXT at graph 0.01, first PEAK offset 0,0.6 left tc rgb INK
}
load 'labels.gp'

set errorbars 0
BARS_OF = INTERVALS ? SERIES : 0
if (LIMITS_SHOWN) {
    plot DATA index SERIES using (column(X)):(column("low")):(column("high")) with filledcurves fc rgb 0xE2E2E2 fs solid noborder, \
         for [i = 1:SERIES] '' index i - 1 using (column(X)):(column("y")) with linespoints lc rgb hue(COLOUR[i]) lw width(COLOUR[i]) dt dash(COLOUR[i]) pt mark(COLOUR[i]) ps size(COLOUR[i]), \
         '' index SERIES using (column(X)):(column("y")) with lines lc rgb INK lw 1.2 dt 3
} else {
    plot for [i = 1:BARS_OF] DATA index i - 1 using (column(X)):(column("y")):(column("low")):(column("high")) with yerrorbars lc rgb hue(COLOUR[i]) lw 1 pt -1, \
         for [i = 1:SERIES] DATA index i - 1 using (column(X)):(column("y")) with linespoints lc rgb hue(COLOUR[i]) lw width(COLOUR[i]) dt dash(COLOUR[i]) pt mark(COLOUR[i]) ps size(COLOUR[i])
}
