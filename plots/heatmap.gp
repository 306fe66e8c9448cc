# Time by block and unroll, for one kernel and one n; the fastest cell has a frame.
load 'style.gp'
DEVICE = TIMED_DEVICE
CELL_W = HEAT_COLUMNS < 5 ? 410.0 / HEAT_COLUMNS : HEAT_COLUMNS > 12 ? 48 : 82
W = 250 + CELL_W * HEAT_COLUMNS
H = 170 + 46 * (HEAT_ROWS < 3 ? 3 : HEAT_ROWS)
load 'canvas.gp'

HEADING = 'Time by block and unroll: '.HEAT_KERNEL.', n = '.HEAT_N
SHOWN = SLICE.'; frame: the fastest'
BOTTOM = 76
TOP = H - 66
UPWARDS = 'unroll'
load 'heading.gp'

set lmargin at screen px(74)
set rmargin at screen px(W - 110)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)

set xrange [0.5:HEAT_COLUMNS + 0.5]
set yrange [0.5:HEAT_ROWS + 0.5]
set xlabel 'block (threads)'
set xtics ()
set ytics ()
do for [i = 1:HEAT_COLUMNS] { set xtics add (sprintf('%d', HEAT_BLOCK[i]) i) }
do for [j = 1:HEAT_ROWS] { set ytics add (sprintf('%d', HEAT_UNROLL[j]) j) }
set tics scale 0
unset grid
set border 0

# Light is fast and dark is slow, in equal steps of brightness: this survives a grey print.
set palette defined (0 '#F7F4E9', 0.25 '#C5DDB8', 0.5 '#6FB3A8', 0.75 '#2F7295', 1 '#1B2F63')
# Differences of a few percent are no reason for the darkest colour.
if (HEAT_HIGH < 1.25 * HEAT_LOW) { HEAT_HIGH = HEAT_LOW * 1.25 }
set logscale cb 10
set cbrange [HEAT_LOW:HEAT_HIGH]
set colorbox user origin screen px(W - 96),py(BOTTOM) size screen px(18),py(TOP - BOTTOM)
set label 2 'time, median (µs)' at screen px(W - 14),py((BOTTOM + TOP) / 2) center rotate by 90 tc rgb INK
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

set object 1 rectangle center BEST_I,BEST_J size 0.94,0.9 front fs empty border lc rgb 0xD55E00 lw 3

plot 'heat.dat' using 1:2:($1 - 0.49):($1 + 0.49):($2 - 0.48):($2 + 0.48):3 with boxxyerror fs solid noborder lc palette, \
     '' using 1:2:4:(shade($3) > 0.6 ? 0xFFFFFF : 0x222222) with labels tc rgb variable
