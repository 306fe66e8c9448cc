# Draws every configuration at one n from fastest to slowest, colored by the value of one axis.
load 'style.gp'
DEVICE = TIMED_DEVICE
LEFT = NARROW ? 66 : 80
PLOT_H = NARROW ? 250 : CANVAS == 756 ? 330 : 390
FEET = 48
UPWARDS = 'time, median (µs)'
load 'canvas.gp'
load 'heading.gp'
KEY_Y = H - HEAD + 18 * KEY_ROWS - 6
if (KEYS > 0) {
    load 'key.gp'
}
set lmargin at screen px(LEFT)
set rmargin at screen px(W - 20)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set xrange [0:CONFIGS + 1]
FROM_X = LEFT
TO_X = W - 20
ALONG = 'configurations, from the fastest'
load 'across.gp'
set logscale y 10
set yrange [CONFIG_Y0:CONFIG_Y1]
set format y '%g'
S_X0 = 1
S_X1 = 1e9
S_Y0 = CONFIG_Y0
S_Y1 = CONFIG_Y1
load 'decades.gp'
set xtics autofreq
plot DATA using (column("rank")):(column("time_us_median")):(column("rgb")) with points pt 7 ps (CONFIGS > 300 ? 0.4 : 0.6) lc rgb variable
