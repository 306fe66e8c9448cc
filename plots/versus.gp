# Two runs against each other: the ratio of times at each point, against the time in run a, with its
# 95 % interval; above 1 b is slower.
load 'style.gp'
W = CANVAS < 960 ? CANVAS : 680 + LABELS
if (NARROW) { LABELS = 20 }
PLOT_H = NARROW ? 250 : 376
FEET = 66

HEADING = 'Times: run b vs. run a'
SHOWN = sprintf('%d points; geometric mean %.4g', TIMED, MEAN).(JUDGED ? sprintf(': %d faster, %d slower, %d the same, %d unknown', COUNT[2], COUNT[3], COUNT[1], COUNT[4]) : '')
UPWARDS = 'time b / time a'
load 'canvas.gp'
EDGE = W - LABELS
load 'heading.gp'

set lmargin at screen px(NARROW ? 66 : 80)
set rmargin at screen px(EDGE)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set logscale x 10
set xrange [X0:X1]
FROM_X = NARROW ? 66 : 80
TO_X = EDGE
ALONG = 'time a (µs)'
load 'across.gp'
S_X0 = X0
S_X1 = X1
S_Y0 = 1
S_Y1 = 1e9 # the marks of y are set below
load 'decades.gp'
set logscale y 10
set yrange [Y0:Y1]
set format y '%g'
if (Y1 < 20 * Y0) {
    # Round steps: about six of them.
    wide = Y1 - Y0
    step = 10.0 ** floor(log10(wide / 3))
    step = wide / step > 15 ? 5 * step : wide / step > 7 ? 2 * step : step
    set ytics ()
    do for [k = ceil(Y0 / step):floor(Y1 / step)] { set ytics add (sprintf('%g', k * step) k * step) }
}
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb INK lw 1.2
if (!JUDGED) {
    set arrow 2 from graph 0, first MEAN to graph 1, first MEAN nohead lc rgb INK lw 1 dt 2
}
array BAR[4] = [0x929292, 0x0072B2, 0xD55E00, 0x929292]
array KIND[4] = [0x767676, 0x0072B2, 0xD55E00, 0x929292]
array FORM[4] = [7, 11, 9, 5]
do for [i = 1:EXTREMES] {
    if (NAME[i] ne '' && !NARROW) {
        y = py(BOTTOM + PLACE[i] * (TOP - BOTTOM))
        set arrow 100 + i from first LAST_X[i],LAST[i] to screen px(EDGE + 16),y nohead lc rgb 0x777777 lw 0.5 dt 3
        set label 100 + i NAME[i] at screen px(EDGE + 22),y left noenhanced tc rgb INK
    }
}
set errorbars 0
# Of very many points only those that differ show their intervals.
barred(k) = TIMED <= 600 || k == 2 || k == 3
plot for [k = 1:4] (barred(k) ? 'versus.dat' : '/dev/null') index k - 1 using 1:2:3:4 with yerrorbars lc rgb BAR[k] lw 0.8 pt -1, \
     for [k = 1:4] 'versus.dat' index k - 1 using 1:2 with points lc rgb (JUDGED ? KIND[k] : 0x0072B2) pt FORM[k] ps (k == 1 && JUDGED ? 0.5 : 0.9)
