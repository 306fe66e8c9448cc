# Shows which kernel is the fastest: a cell for each n, type, operation and row length, in the
# kernel's color. The number in a cell is how much slower the second fastest kernel is, in percent.
load 'style.gp'
DEVICE = TIMED_DEVICE
COLUMNS = CHOICE_COLUMNS
ROWS = CHOICE_ROWS
LEFT = CELL_LABELS
RIGHT = 16
CELL_W = (CANVAS - LEFT - RIGHT) / real(COLUMNS)
if (CELL_W > 70) { CELL_W = 70 }
if (CELL_W < 24) { CELL_W = 24 }
CELL_H = 24
W = LEFT + RIGHT + CELL_W * COLUMNS
if (W < 413) { W = 413 }
PLOT_H = CELL_H * ROWS
FEET = 48
SHOWN = CELLS_SHOWN
UPWARDS = ''
load 'canvas.gp'
load 'heading.gp'
KEY_Y = H - HEAD + 18 * KEY_ROWS - 6
if (KEYS > 0) {
    load 'key.gp'
}
ACROSS = 'n (elements)'
load 'matrix.gp'
set yrange [ROWS + 0.5:0.5]
size = CELL_W < 30 ? 8 : CELL_W < 40 ? 9 : 11
plot DATA using (column("across")):(column("down")):(column("across") - 0.49):(column("across") + 0.49):(column("down") - 0.48):(column("down") + 0.48):(column("rgb")) with boxxyerror fs solid noborder lc rgb variable, \
     '' using (column("across")):(column("down")):(stringcolumn("text")) with labels noenhanced font font(size) tc rgb 'white'
