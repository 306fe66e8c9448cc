# The ladder: how many times faster than `neighbored` each kernel's fastest setting is, at one n.
load 'style.gp'
DEVICE = TIMED_DEVICE
W = RUNG_LABELS + 640
H = 130 + 20 * RUNGS
load 'canvas.gp'

HEADING = 'Speedup over neighbored at n = '.SPEEDUP_N
SHOWN = SLICE.'; the fastest setting per kernel'.(R_INTERVALS ? '; line ends: 95 % interval' : '')
UPWARDS = ''
BOTTOM = 62
TOP = H - 60
load 'heading.gp'

set lmargin at screen px(RUNG_LABELS)
set rmargin at screen px(W - (SPEEDUP_CPU ? 170 : 80))
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set border 1
set yrange [0.4:RUNGS + 0.6]
set grid noytics xtics
unset ytics
do for [i = 1:RUNGS] {
    set label 10 + i RUNG[i] at graph 0, first i offset -0.8,0 right noenhanced tc rgb INK
}
set logscale x
R0 = R0 / 1.1
R1 = R1 * 1.1
set xrange [R0:R1]
set xlabel 'speedup'
set xtics ()
do for [k = floor(log10(R0)):ceil(log10(R1))] {
    do for [m in (R1 < 100 * R0 ? "1 2 5" : "1")] {
        v = real(m) * 10.0 ** k
        set xtics add (sprintf('%g', v) v)
    }
}
set arrow 1 from 1, graph 0 to 1, graph 1 nohead lc rgb INK lw 1.2

plot 'speedup.dat' using (1):1:(1):2:($1 - 0.3):($1 + 0.3):(hue($5)) with boxxyerror fs solid 1.0 noborder lc rgb variable, \
     '' using ($3 < $4 ? $2 : NaN):1:3:4 with xerrorbars lc rgb INK lw 1 pt -1, \
     '' using ($4 > 1 ? $4 : 1):1:6 with labels left offset 0.7,0 noenhanced tc rgb INK
