# A search's progress: how far the best so far was from the best known at each second, a line per n. Where each n
# was recorded as a whole (SEARCH_WHOLE) the line is the time that the n took. SEARCH_FOLLOWED: run.json says what was the best when.
load 'style.gp'
DEVICE = TIMED_DEVICE
load 'search.key'
LEFT = NARROW ? 66 : 80
PLOT_H = LINES_H > 390 ? 390 : LINES_H
FEET = 48
HEADING = SEARCH_WHOLE ? 'What the search found at each n' : 'Progress of the search'
SHOWN = SLICE.sprintf('; %d rows; loss against the fastest ', SEARCH_ROWS).(SEARCH_TRUTH eq '' ? 'that this run found' : 'of '.SEARCH_TRUTH).(SEARCH_FOLLOWED ? '; a point is a batch after which another configuration was the best so far' : '').(SEARCH_WHOLE ? '; each n was recorded when it was finished: a line is the time that it took, a number its rows' : '')
UPWARDS = SEARCH_WHOLE ? 'loss of the best of n (%)' : 'loss of the best so far (%)'
load 'canvas.gp'
load 'heading.gp'
KEY_Y = H - HEAD + 18 * KEY_ROWS - 6
load 'key.gp'
set lmargin at screen px(LEFT)
set rmargin at screen px(W - 20)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set xrange [0:SEARCH_X1]
FROM_X = LEFT
TO_X = W - 20
ALONG = 'seconds since the run began'
load 'across.gp'
set yrange [SEARCH_Y0:SEARCH_Y1]
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb INK lw 1
plot for [i = 1:SEARCHES] 'search.dat' index i - 1 using 1:2 with steps lc rgb KEY_RGB[i] lw 1.4, \
     for [i = 1:SEARCHES] (SEARCH_WHOLE ? 'search.dat' : '/dev/null') index i - 1 using 1:2:3 every ::1 with labels left offset -0.5,0.7 tc rgb INK, \
     for [i = 1:SEARCHES] 'search.dat' index i - 1 using 1:2 every ::SEARCH_WHOLE with points lc rgb KEY_RGB[i] pt 7 ps 0.6
