# Shows which kernel wins in each run at each n (color), and with which block size and unroll factor
# (text).
load 'style.gp'
COLUMNS = BEST_COLUMNS
ROWS = BEST_ROWS
LEFT = CELL_LABELS
CELL_W = (CANVAS - LEFT - 16) / real(COLUMNS)
if (CELL_W > 80) { CELL_W = 80 }
CELL_H = 26
W = LEFT + 16 + CELL_W * COLUMNS
if (W < 413) { W = 413 }
PLOT_H = CELL_H * ROWS
FEET = 48

UPWARDS = ''
load 'canvas.gp'
load 'heading.gp'
KEY_Y = H - HEAD + 18 * KEY_ROWS - 6
load 'key.gp'
ACROSS = 'n (elements)'
load 'matrix.gp'
set yrange [ROWS + 0.5:0.5]
red(c) = int(255 - (255 - int(c / 65536)) * 0.5)
green(c) = int(255 - (255 - int(c / 256) % 256) * 0.5)
blue(c) = int(255 - (255 - int(c) % 256) * 0.5)
pale(c) = 65536 * red(c) + 256 * green(c) + blue(c)
plot DATA using (column("across")):(column("down")):(column("across") - 0.49):(column("across") + 0.49):(column("down") - 0.48):(column("down") + 0.48):(pale(column("rgb"))) with boxxyerror fs solid noborder lc rgb variable, \
     '' using (column("across")):(column("down")):(stringcolumn("text")) with labels noenhanced font font(CELL_W < 52 ? 9 : 11) tc rgb 0x000000
