# Draws the time for each pair of values of two tunables, for one kernel and n. The fastest cell is
# framed.
load 'style.gp'
DEVICE = TIMED_DEVICE
COLUMNS = HEAT_COLUMNS
ROWS = HEAT_ROWS
widest_down = 1
do for [j = 1:ROWS] { if (strlen(DOWN_NAME[j]) > widest_down) { widest_down = strlen(DOWN_NAME[j]) } }
LEFT = 40 + 7.3 * widest_down
RIGHT = 100
CELL_W = COLUMNS < 5 ? 410.0 / COLUMNS : COLUMNS > 12 ? 48 : 82
if (LEFT + RIGHT + CELL_W * COLUMNS > CANVAS) { CELL_W = (CANVAS - LEFT - RIGHT - 0.0) / COLUMNS }
CELL_H = CELL_W < 36 ? 24 : 40
W = LEFT + RIGHT + CELL_W * COLUMNS
PLOT_H = CELL_H * (ROWS < 4 ? 4 : ROWS)
FEET = 52

UPWARDS = HEAT_Y
load 'canvas.gp'
load 'heading.gp'
ACROSS = HEAT_X
load 'matrix.gp'
set yrange [0.5:ROWS + 0.5]

# Light cells are fast and dark ones slow.
load 'palette.gp'
# If this were a whole number, gnuplot would divide it as an integer.
HEAT_LOW = real(HEAT_LOW)
# If all times differ by just a few percent, no cell should have the darkest color.
if (HEAT_HIGH < 1.1 * HEAT_LOW) { HEAT_HIGH = HEAT_LOW * 1.1 }
set logscale cb 10
set cbrange [HEAT_LOW:HEAT_HIGH]
set colorbox user origin screen px(W - RIGHT + 14),py(BOTTOM) size screen px(14),py(TOP - BOTTOM)
set label 2 'time, median (µs)' at screen px(W - 12),py((BOTTOM + TOP) / 2) center rotate by 90 tc rgb INK
set format cb '%g'
set cbtics scale 0.4
if (HEAT_HIGH < 200 * HEAT_LOW) {
    set cbtics ()
    do for [t = 0:3] {
        v = HEAT_LOW * (HEAT_HIGH / HEAT_LOW) ** (t / 3.0)
        set cbtics add (sprintf(v >= 1000 ? '%.0f' : '%.3g', v) v)
    }
}
shade(t) = log(t / HEAT_LOW) / log(HEAT_HIGH / HEAT_LOW)

set object 1 rectangle center BEST_ACROSS,BEST_UP size 0.94,0.9 front fs empty border lc rgb 0xD55E00 lw 3

# Draw text only in cells that have room for it.
plot DATA using (column("across")):(column("up")):(column("across") - 0.49):(column("across") + 0.49):(column("up") - 0.48):(column("up") + 0.48):(column("time_us_median")) with boxxyerror fs solid noborder lc palette, \
     '' using (column("across")):(column("up")):(CELL_W < 36 ? '' : stringcolumn("text")):(ink(shade(column("time_us_median")))) with labels font font(CELL_W < 48 ? 9 : 12) tc rgb variable
