# Shows which kernel wins at which n: how much slower each kernel's fastest setting is than the
# fastest overall, in percent.
load 'style.gp'
DEVICE = TIMED_DEVICE
COLUMNS = WINNER_SIZES
ROWS = WINNERS
array ACROSS_NAME[COLUMNS]
array DOWN_NAME[ROWS]
do for [i = 1:COLUMNS] { ACROSS_NAME[i] = WINNER_N[i] }
do for [j = 1:ROWS] { DOWN_NAME[j] = WINNER[j] }
LEFT = WINNER_LABELS
RIGHT = 16
CELL_W = (CANVAS - LEFT - RIGHT) / real(COLUMNS)
if (CELL_W > 70) { CELL_W = 70 }
CELL_H = 24
W = LEFT + RIGHT + CELL_W * COLUMNS
if (W < 413) { W = 413 }
PLOT_H = CELL_H * ROWS
FEET = 48

UPWARDS = ''
load 'canvas.gp'
load 'heading.gp'
ACROSS = WINNER_ALONG
load 'matrix.gp'
set yrange [ROWS + 0.5:0.5]
load 'palette.gp'
set cbrange [0:1]
unset colorbox
# The lightest shade is that of the fastest kernel, and the darkest that of kernels that take at
# least twice as long.
shade(x) = x >= 2 ? 1 : sqrt(x - 1)
size = CELL_W < 30 ? 8 : CELL_W < 40 ? 9 : 11
plot DATA using (column("across")):(column("down")):(column("across") - 0.49):(column("across") + 0.49):(column("down") - 0.48):(column("down") + 0.48):(shade(column("ratio"))) with boxxyerror fs solid noborder lc palette, \
     '' using (column("wins") == 2 ? column("across") : NaN):(column("down")):(0.46):(0.42) with boxxyerror lc rgb 0xD55E00 lw 2.5 fs empty, \
     '' using (column("wins") > 1 ? NaN : column("across")):(column("down")):(stringcolumn("text")):(ink(shade(column("ratio")))) with labels noenhanced font font(size) tc rgb variable, \
     '' using (column("wins") > 1 ? column("across") : NaN):(column("down")):('{/:Bold '.stringcolumn("text").'}'):(ink(shade(column("ratio")))) with labels font font(size) tc rgb variable
