# Metrics per kernel: a small chart per metric, a bar per kernel, all at the same n.
load 'style.gp'
# Panels side by side share the kernels' names at the left.
PANEL_W = PANEL_LABELS > 270 ? PANEL_LABELS : 270
ACROSS = int((1300 - BAR_LABELS) / PANEL_W)
ACROSS = ACROSS < 1 ? 1 : ACROSS > 3 ? 3 : ACROSS
ACROSS = ACROSS > PANELS ? PANELS : ACROSS
DOWN = (PANELS + ACROSS - 1) / ACROSS
PANEL_H = 20 * BARS + 8
SPACE = 76
W = BAR_LABELS + ACROSS * PANEL_W + 20
if (W < 560) { PANEL_W = PANEL_W + (560 - W) / ACROSS; W = 560 }
H = 92 + DOWN * (PANEL_H + SPACE)
load 'canvas.gp'

HEADING = 'Metrics per kernel at n = '.METRICS_N
SHOWN = SLICE.'; block × unroll beside each name'.METRICS_MORE

set multiplot
UPWARDS = ''
load 'heading.gp'
set border 1
set yrange [BARS + 0.5:0.5]
unset ytics
set xtics nomirror scale 0.4
set style fill solid 1.0 noborder
unset ylabel
unset xlabel
set grid noytics xtics
set format x '%.0s%c'

do for [p = 1:PANELS] {
    column = (p - 1) % ACROSS
    row = (p - 1) / ACROSS
    set lmargin at screen px(BAR_LABELS + column * PANEL_W + 6)
    set rmargin at screen px(BAR_LABELS + (column + 1) * PANEL_W - 24)
    set tmargin at screen py(H - 92 - row * (PANEL_H + SPACE))
    set bmargin at screen py(H - 92 - row * (PANEL_H + SPACE) - PANEL_H)
    # Room for the value beside the longest bar.
    set xrange [0:PANEL_HIGH[p] * 1.28]
    step = 10.0 ** floor(log10(PANEL_HIGH[p]))
    every = PANEL_HIGH[p] / step < 2 ? step / 2 : PANEL_HIGH[p] / step < 5 ? step : 2 * step
    set xtics every
    set format x (PANEL_HIGH[p] < 1e5 ? '%g' : '%.0s%c')
    set label 1 PANEL[p].(PANEL_UNIT[p] eq '' ? '' : ' ('.PANEL_UNIT[p].')') \
        at graph 0,1 offset 0,0.7 left noenhanced tc rgb INK
    if (column == 0) {
        do for [b = 1:BARS] {
            set label 10 + b BAR_NAME[b] at graph 0, first b offset -0.8,0 right noenhanced tc rgb INK
        }
    }
    plot 'metrics.dat' index p - 1 using (0):1:(0):2:($1 - 0.36):($1 + 0.36):(hue($3)) with boxxyerror lc rgb variable, \
         '' index p - 1 using 4:1:5 with labels left offset 0.5,0 tc rgb INK
    do for [l = 9001:9003] { unset label l }
    do for [b = 1:BARS] { unset label 10 + b }
}
unset multiplot
