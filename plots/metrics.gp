# Draws kernels' metrics at one n: a small chart per metric, with a bar per kernel.
load 'style.gp'
# Panels in a row share the kernel names at the left.
MOST_W = CANVAS < 960 ? CANVAS : 1300
PANEL_W = PANEL_LABELS > 270 ? PANEL_LABELS : 270
ACROSS = int((MOST_W - BAR_LABELS) / PANEL_W)
ACROSS = ACROSS < 1 ? 1 : ACROSS > 3 ? 3 : ACROSS
ACROSS = ACROSS > PANELS ? PANELS : ACROSS
DOWN = (PANELS + ACROSS - 1) / ACROSS
if (CANVAS < 960) { PANEL_W = (CANVAS - BAR_LABELS - 20.0) / ACROSS }
PANEL_H = 20 * BARS + 8
SPACE = 70
W = BAR_LABELS + ACROSS * PANEL_W + 20
if (W < CANVAS) { PANEL_W = PANEL_W + (CANVAS - W) / ACROSS; W = CANVAS }
PLOT_H = DOWN * (PANEL_H + SPACE) - 14
FEET = 0

HEADING = 'Metrics per kernel at n = '.METRICS_N
SHOWN = SLICE.'; '.METRICS_OF.METRICS_MORE
load 'canvas.gp'

set multiplot
UPWARDS = ''
load 'heading.gp'
KEY_Y = H - HEAD + 18 * KEY_ROWS - 6
if (KEYS > 0) {
    load 'key.gp'
}
set border 1
set yrange [BARS + 0.5:0.5]
unset ytics
set xtics nomirror scale 0.4
set style fill solid 1.0 noborder
unset ylabel
unset xlabel
set grid noytics xtics

do for [p = 1:PANELS] {
    at_x = (p - 1) % ACROSS
    at_y = (p - 1) / ACROSS
    set lmargin at screen px(BAR_LABELS + at_x * PANEL_W + 6)
    set rmargin at screen px(BAR_LABELS + (at_x + 1) * PANEL_W - 24)
    set tmargin at screen py(TOP - 20 - at_y * (PANEL_H + SPACE))
    set bmargin at screen py(TOP - 20 - at_y * (PANEL_H + SPACE) - PANEL_H)
    # Leave space for the value beside the longest bar.
    set xrange [0:PANEL_HIGH[p] * 1.28]
    HIGH = PANEL_HIGH[p]
    ROOM = (PANEL_W - 30) / 1.28
    load 'steps.gp'
    title = PANEL[p].(PANEL_UNIT[p] eq '' ? '' : ' ('.PANEL_UNIT[p].')')
    set label 1 title at graph 0,1 offset 0,0.7 left noenhanced font font(fitting(title, PANEL_W - 10)) tc rgb INK
    if (at_x == 0) {
        do for [b = 1:BARS] {
            set label 10 + b BAR_NAME[b] at graph 0, first b offset -0.8,0 right noenhanced tc rgb INK
        }
    }
    plot DATA index p - 1 using (0):(column("place")):(0):(column("value")):(column("place") - 0.36):(column("place") + 0.36):(column("rgb")) with boxxyerror lc rgb variable, \
         '' index p - 1 using (column("end")):(column("place")):(stringcolumn("text")) with labels left offset 0.5,0 tc rgb INK
    do for [l = 9001:9300] { unset label l }
    do for [b = 1:BARS] { unset label 10 + b }
}
unset multiplot
