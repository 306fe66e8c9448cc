# What each run's winners cost in the others: the geometric mean over all n, and in brackets the worst.
load 'style.gp'
COLUMNS = COSTS
ROWS = COSTS
array ACROSS_NAME[COLUMNS]
array DOWN_NAME[ROWS]
do for [i = 1:COLUMNS] { ACROSS_NAME[i] = sprintf('%d', i); DOWN_NAME[i] = sprintf('%s  %d', COSTS_RUN[i], i) }
LEFT = COSTS_LABELS + 24
CELL_W = (CANVAS - LEFT - 16) / real(COLUMNS)
if (CELL_W > 110) { CELL_W = 110 }
CELL_H = 32
W = LEFT + 16 + CELL_W * COLUMNS
if (W < 413) { W = 413 }
PLOT_H = CELL_H * ROWS
FEET = 48

HEADING = "What each run's winners cost elsewhere"
SHOWN = SLICE.'; rows: whose winners, columns: where they run; percent slower than the winner there, mean over all n (in brackets the worst)'.(COSTS_MISSING > 0 ? sprintf('; %d winners were not measured elsewhere', COSTS_MISSING) : '')
UPWARDS = ''
load 'canvas.gp'
load 'heading.gp'
ACROSS = 'run'
load 'matrix.gp'
set yrange [ROWS + 0.5:0.5]
load 'palette.gp'
if (COSTS_HIGH < 10) { COSTS_HIGH = 10 }
set cbrange [0:1]
unset colorbox
shade(x) = x <= 0 ? 0 : sqrt(x / COSTS_HIGH)
plot 'costs.dat' using 1:2:($1 - 0.49):($1 + 0.49):($2 - 0.48):($2 + 0.48):(shade($3)) with boxxyerror fs solid noborder lc palette, \
     '' using 1:2:(strcol(1) eq strcol(2) ? '' : CELL_W < 80 ? strcol(5) : strcol(5).' ('.strcol(6).')'):(ink(shade($3))) with labels noenhanced font font(CELL_W < 50 ? 9 : 11) tc rgb variable
