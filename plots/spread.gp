# How far the samples of each point scatter: their standard deviation over their median, against n; colors are
# families of kernels.
load 'style.gp'
DEVICE = TIMED_DEVICE
HEADING = 'Spread of the samples'
SHOWN = SLICE.'; every setting'
UPWARDS = 'standard deviation / median (%)'
stats DATA using (column("n")) name 'N' nooutput
X0 = N_min
X1 = N_max > N_min ? N_max : 2 * N_min
load 'frame.gp'
set logscale y 10
set format y '%g'
spread(deviation, median) = deviation > 0 ? 100 * deviation / median : NaN
plot DATA using (column("n")):(spread(column("time_us_stdev"), column("time_us_median"))):(column("rgb")) with points pt 7 ps (POINTS > 600 ? 0.4 : 0.6) lc rgb variable
