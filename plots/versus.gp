# Compares two runs: draws each point's time in the second run relative to the first, with its 95 %
# interval, against n. UPWARDS, the axis title, names the first run. Colors are kernel families.
# Circles are points that `redsweep diff` calls neither FAST nor SLOW.
load 'style.gp'
load 'frame.gp'
set logscale y 10
set yrange [Y0:Y1]
set format y '%g'
if (Y1 < 20 * Y0) {
    # About six round steps.
    wide = Y1 - Y0
    step = 10.0 ** floor(log10(wide / 3))
    step = wide / step > 15 ? 5 * step : wide / step > 7 ? 2 * step : step
    set ytics ()
    do for [k = ceil(Y0 / step):floor(Y1 / step)] { set ytics add (sprintf('%g', k * step) k * step) }
}
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb INK lw 1.2
do for [i = 1:EXTREMES] {
    if (!NARROW) {
        y = py(BOTTOM + PLACE[i] * (TOP - BOTTOM))
        set arrow 100 + i from first LAST_X[i],LAST[i] to screen px(EDGE + 16),y nohead lc rgb 0x777777 lw 0.5 dt 3
        set label 100 + i NAME[i] at screen px(EDGE + 22),y left noenhanced tc rgb INK
    }
}
set errorbars 0
# With very many points, the intervals would cover everything.
BARS_SHOWN = VERSUS_POINTS <= 600 ? 1 : 0
plot for [k = 1:BARS_SHOWN] DATA using (column("n")):(column("ratio")):(column("low")):(column("high")) with yerrorbars lc rgb 0x929292 lw 0.8 pt -1, \
     DATA using (column("n")):(column("ratio")):(column("mark")):(column("rgb")) with points pt variable ps 0.6 lc rgb variable
