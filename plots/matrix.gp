# Draws a matrix (heatmap.gp, winners.gp) of COLUMNS by ROWS cells, each CELL_W by CELL_H pixels,
# with margins of LEFT and RIGHT pixels at the sides. ACROSS_NAME has the names of the columns, and
# DOWN_NAME those of the rows. ACROSS is the title of the lower axis.
set lmargin at screen px(LEFT)
set rmargin at screen px(LEFT + CELL_W * COLUMNS)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set xrange [0.5:COLUMNS + 0.5]
FROM_X = LEFT
TO_X = LEFT + CELL_W * COLUMNS
ALONG = ACROSS
load 'across.gp'
set xtics () noenhanced
set ytics () noenhanced
# If names are wider than their cells, draw only every second, third, … one.
widest = 1
do for [i = 1:COLUMNS] { if (strlen(ACROSS_NAME[i]) > widest) { widest = strlen(ACROSS_NAME[i]) } }
every = ceil((7.3 * widest + 6) / CELL_W)
do for [i = 1:COLUMNS:every] { set xtics add (ACROSS_NAME[i] i) }
do for [j = 1:ROWS] { set ytics add (DOWN_NAME[j] j) }
set tics scale 0
unset grid
set border 0
