# Draws every sample of each kernel's fastest setting at one n, relative to the setting's median.
# Each kernel has a line of samples, the first ones at the top, and its quartiles.
load 'style.gp'
DEVICE = TIMED_DEVICE
LEFT = BAR_LABELS
PLOT_H = (NARROW ? 20 : 30) * SAMPLED + 10
FEET = 48
UPWARDS = ''
load 'canvas.gp'
load 'heading.gp'
set lmargin at screen px(LEFT)
set rmargin at screen px(W - 20)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set xrange [SAMPLES_X0:SAMPLES_X1]
set yrange [SAMPLED + 0.6:0.4]
FROM_X = LEFT
TO_X = W - 20
ALONG = ALONG_X
load 'across.gp'
set border 1
set ytics () noenhanced
do for [i = 1:SAMPLED] { set ytics add (DOWN_NAME[i] i) }
set grid noytics
plot DATA index 0 using (column("percent")):(column("at")):(column("rgb")) with points pt 7 ps 0.25 lc rgb variable, \
     '' index 1 using (column("quarter")):(column("place") - 0.3):(0):(0.6) with vectors nohead lc rgb INK lw 1.4, \
     '' index 1 using (100):(column("place") - 0.3):(0):(0.6) with vectors nohead lc rgb INK lw 2.4, \
     '' index 1 using (column("three_quarters")):(column("place") - 0.3):(0):(0.6) with vectors nohead lc rgb INK lw 1.4
