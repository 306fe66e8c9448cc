# Draws the speed at each shape: columns on the horizontal axis, n (or rows) on the vertical one,
# and a small chart for each type, operation and library.
load 'style.gp'
DEVICE = TIMED_DEVICE
MOST = CANVAS < 960 ? CANVAS : 1300
SCALE = 76
CELL_W = 34.0
CELL_H = 24.0
LEFT = 66
# Each library has a column of panels, with cells as narrow as their text allows. A line of panels
# that does not fit is broken into several lines.
fits = ((MOST - SCALE) / real(SHAPE_LIBRARIES) - LEFT - 12) / SHAPE_COLUMNS
if (fits < CELL_W) { CELL_W = fits < 21 ? 34.0 : fits }
if (LEFT + CELL_W * SHAPE_COLUMNS + 12 + SCALE > MOST) { CELL_W = (MOST - LEFT - 12 - SCALE) / SHAPE_COLUMNS }
PANEL_W = LEFT + CELL_W * SHAPE_COLUMNS + 12
PANEL_H = 88 + CELL_H * SHAPE_ROWS
ACROSS = int((MOST - SCALE) / PANEL_W)
ACROSS = ACROSS > SHAPE_LIBRARIES ? SHAPE_LIBRARIES : ACROSS
DEEP = (SHAPE_LIBRARIES + ACROSS - 1) / ACROSS
DOWN = SHAPE_LINES * DEEP
W = ACROSS * PANEL_W + SCALE
if (W < CANVAS) { W = CANVAS }
PAD = (W - ACROSS * PANEL_W - SCALE) / 2.0
PLOT_H = DOWN * PANEL_H
FEET = 0
UPWARDS = ''
load 'canvas.gp'
set multiplot
load 'heading.gp'
load 'palette.gp'
set palette negative # Light cells are fast.
unset grid
set tics scale 0
set border 0
set xrange [0.5:SHAPE_COLUMNS + 0.5]
set yrange [0.5:SHAPE_ROWS + 0.5]
set xtics ()
set ytics ()
every = CELL_W < 24 ? 2 : 1
do for [i = 1:SHAPE_COLUMNS:every] { set xtics add (SHAPE_ACROSS[i] i) }
do for [j = 1:SHAPE_ROWS] { set ytics add (SHAPE_UP[j] j) }
set cbrange [0:SHAPE_HIGH]
scale_h = PANEL_H - 88 < 120 ? 120 : PANEL_H - 88
if (scale_h > PLOT_H - 40) { scale_h = PLOT_H - 40 }
set colorbox user origin screen px(W - PAD - SCALE + 14),py(TOP - 26 - scale_h) size screen px(14),py(scale_h)
set cbtics scale 0.4 step_of(SHAPE_HIGH, scale_h, 4)
shade(v) = 1 - v / SHAPE_HIGH
do for [p = 1:SHAPES] {
    column = int(SHAPE_LIBRARY[p])
    from_x = PAD + (column % ACROSS) * PANEL_W + LEFT
    from_y = TOP - (int(SHAPE_LINE[p]) * DEEP + column / ACROSS + 1) * PANEL_H + 62
    set lmargin at screen px(from_x)
    set rmargin at screen px(from_x + CELL_W * SHAPE_COLUMNS)
    set bmargin at screen py(from_y)
    set tmargin at screen py(from_y + CELL_H * SHAPE_ROWS)
    set label 1 SHAPE_TITLE[p] at graph 0,1 offset 0,0.65 left noenhanced font font(fitting(SHAPE_TITLE[p], PANEL_W - LEFT)) tc rgb INK
    set label 2 'columns (elements per row)' at screen px(from_x + CELL_W * SHAPE_COLUMNS / 2),py(from_y - 36) center noenhanced font font(10) tc rgb INK
    set label 3 SHAPE_Y at screen px(from_x - 52),py(from_y + CELL_H * SHAPE_ROWS / 2) center rotate by (SHAPE_Y eq 'n' ? 0 : 90) noenhanced font font(10) tc rgb INK
    plot DATA index p - 1 using (column("across")):(column("up")):(column("across") - 0.48):(column("across") + 0.48):(column("up") - 0.47):(column("up") + 0.47):(column("value")) with boxxyerror fs solid noborder lc palette, \
         '' index p - 1 using (column("across")):(column("up")):(stringcolumn("text")):(ink(shade(column("value")))) with labels font font(CELL_W < 30 ? 8 : 10) tc rgb variable
    do for [l = 9001:9300] { unset label l }
    unset colorbox
}
unset multiplot
