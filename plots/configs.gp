# Every configuration at one n, from the fastest to the slowest, coloured by one axis.
load 'style.gp'
DEVICE = TIMED_DEVICE
load 'configs.key'
LEFT = NARROW ? 66 : 80
PLOT_H = LINES_H > 390 ? 390 : LINES_H
FEET = 48
HEADING = sprintf('%d configurations at n = ', CONFIGS).CONFIG_N.(CONFIG_KERNEL eq '' ? '' : ': '.CONFIG_KERNEL)
SHOWN = SLICE.sprintf('; color: %s, which explains %.0f %% of the variance', CONFIG_AXIS, CONFIG_SHARE).(CONFIG_RACED > 0 ? sprintf('; %d were dropped in races after few samples', CONFIG_RACED) : '')
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
plot for [i = 0:CONFIG_VALUES] 'configs.dat' index i using 1:2:3 with points pt 7 ps (CONFIGS > 300 ? 0.4 : 0.6) lc rgb variable
