# Which kernel wins in each run at each n (the colour), and with which block and unroll factor (the text).
load 'style.gp'
load 'best.key'
COLUMNS = BEST_COLUMNS
ROWS = BEST_ROWS
array ACROSS_NAME[COLUMNS]
array DOWN_NAME[ROWS]
do for [i = 1:COLUMNS] { ACROSS_NAME[i] = BEST_N[i] }
do for [j = 1:ROWS] { DOWN_NAME[j] = BEST_RUN[j] }
LEFT = BEST_LABELS
CELL_W = (CANVAS - LEFT - 16) / real(COLUMNS)
if (CELL_W > 80) { CELL_W = 80 }
CELL_H = 26
W = LEFT + 16 + CELL_W * COLUMNS
if (W < 413) { W = 413 }
PLOT_H = CELL_H * ROWS
FEET = 48

HEADING = 'Winner by run and n'
SHOWN = SLICE.'; color: the kernel, text: its block × unroll'.(BEST_EVERY > 1 ? sprintf('; one n of %d', BEST_EVERY) : '')
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
plot 'best.dat' using 1:2:($1 - 0.49):($1 + 0.49):($2 - 0.48):($2 + 0.48):(pale($3)) with boxxyerror fs solid noborder lc rgb variable, \
     '' using 1:2:4 with labels noenhanced font font(CELL_W < 52 ? 9 : 11) tc rgb 0x000000
