# Draws the spread of each point's samples against n: their standard deviation divided by their
# median. Colors are kernel families.
load 'style.gp'
DEVICE = TIMED_DEVICE
HEADING = 'Spread of the samples'
SHOWN = SLICE.'; every setting'
UPWARDS = 'standard deviation / median (%)'
load 'frame.gp'
set logscale y 10
set format y '%g'
set yrange [Y0:Y1]
plot DATA using (column("n")):(column("spread_pct")):(column("rgb")) with points pt 7 ps (POINTS > 600 ? 0.4 : 0.6) lc rgb variable
