# Shows how much slower each run's winners are in the other runs than those runs' own winners: the
# geometric mean over all n, with the worst n in parentheses.
load 'style.gp'
COLUMNS = COSTS
ROWS = COSTS
LEFT = COSTS_WIDEST + 44
CELL_W = (CANVAS - LEFT - 16) / real(COLUMNS)
if (CELL_W > 240) { CELL_W = 240 }
# The columns have the names of runs as headings if these fit, and numbers otherwise.
NAMED = COSTS_WIDEST < CELL_W - 10
array ACROSS_NAME[COLUMNS]
array DOWN_NAME[ROWS]
do for [i = 1:COLUMNS] {
    ACROSS_NAME[i] = NAMED ? COSTS_RUN[i] : sprintf('%d', i)
    DOWN_NAME[i] = NAMED ? COSTS_RUN[i] : sprintf('%s  %d', COSTS_RUN[i], i)
}
CELL_H = 32
W = CANVAS
PLOT_H = CELL_H * ROWS
FEET = 48

UPWARDS = ''
load 'canvas.gp'
load 'heading.gp'
ACROSS = 'run'
load 'matrix.gp'
set yrange [ROWS + 0.5:0.5]
load 'palette.gp'
set cbrange [0:1]
unset colorbox
change(mean, worst) = sprintf('%+.1f', mean).(CELL_W < 80 ? '' : sprintf(CELL_W < 160 ? ' (%+.0f)' : ' %% (worst %+.0f %%)', worst))
plot DATA using (column("across")):(column("down")):(column("across") - 0.49):(column("across") + 0.49):(column("down") - 0.48):(column("down") + 0.48):(column("shade")) with boxxyerror fs solid noborder lc palette, \
     '' using (column("across")):(column("down")):(column("across") == column("down") ? '' : change(column("mean_pct"), column("worst_pct"))):(ink(column("shade"))) with labels noenhanced font font(CELL_W < 50 ? 9 : 11) tc rgb variable
