# Compares two runs. At each point, it draws the time in the second run divided by the time in the first one, with its
# 95 % interval, against n. UPWARDS, the title of the axis, names the first run. Colors stand for families of kernels.
# Points that `redsweep diff` calls neither FAST nor SLOW are circles.
load 'style.gp'
load 'frame.gp'
set logscale y 10
set yrange [Y0:Y1]
set format y '%g'
if (Y1 < 20 * Y0) {
    # The steps are round, and there are about six of them.
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
# If there are very many points, their intervals would cover everything.
BARS_SHOWN = VERSUS_POINTS <= 600 ? 1 : 0
plot for [k = 1:BARS_SHOWN] DATA using (column("n")):(column("ratio")):(column("low")):(column("high")) with yerrorbars lc rgb 0x929292 lw 0.8 pt -1, \
     DATA using (column("n")):(column("ratio")):(column("mark")):(column("rgb")) with points pt variable ps 0.6 lc rgb variable
