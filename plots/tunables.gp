# Draws each tunable's marginal effect: for each of its values, the distribution of the times of all
# configurations with that value, relative to their kernel's fastest. The box spans the middle half
# of the times and marks the median; the lines extend from best to worst.
load 'style.gp'
DEVICE = TIMED_DEVICE
LEFT = NARROW ? 52 : 70
GAP = 26
# Panels are in rows. A value takes SLOT pixels, and a panel is at least as wide as its name.
values = 0
do for [p = 1:TUNE_PANELS] { values = values + TUNE_LAST[p] - TUNE_FIRST[p] + 1 }
SLOT = (CANVAS - LEFT - 16 - GAP * (TUNE_PANELS - 1)) / real(values)
SLOT = SLOT < 34 ? 34 : SLOT > 60 ? 60 : SLOT
array P_X[TUNE_PANELS]
array P_ROW[TUNE_PANELS]
array P_W[TUNE_PANELS]
x = 0
row = 0
do for [p = 1:TUNE_PANELS] {
    P_W[p] = SLOT * (TUNE_LAST[p] - TUNE_FIRST[p] + 1)
    named = 7.3 * strlen(TUNE_NAME[p]) + 8
    if (P_W[p] < named) { P_W[p] = named }
    if (P_W[p] > CANVAS - LEFT - 16) { P_W[p] = CANVAS - LEFT - 16 }
    if (x > 0 && x + P_W[p] > CANVAS - LEFT - 16) { x = 0; row = row + 1 }
    P_X[p] = x
    P_ROW[p] = row
    x = x + P_W[p] + GAP
}
PANEL_H = NARROW ? 150 : 190
ROW_H = PANEL_H + 78
PLOT_H = ROW_H * (row + 1)
FEET = 0
UPWARDS = ''
load 'canvas.gp'
SMALL = font(10)
set multiplot
load 'heading.gp'
set logscale y 10
set boxwidth 0.5
top = TUNE_HIGH * 1.08 < 1.3 ? 1.3 : TUNE_HIGH * 1.08
set yrange [0.97:top]
marks = top < 1.6 ? "1 1.1 1.2 1.3 1.4 1.5" : top < 4 ? "1 1.2 1.5 2 3 4" : top < 30 ? "1 2 3 5 10 20" : "1 2 5 10 20 50 100 200 500 1000"
set border 3
set grid noxtics ytics
do for [p = 1:TUNE_PANELS] {
    upper = TOP - P_ROW[p] * ROW_H - 34
    set lmargin at screen px(LEFT + P_X[p])
    set rmargin at screen px(LEFT + P_X[p] + P_W[p])
    set tmargin at screen py(upper)
    set bmargin at screen py(upper - PANEL_H)
    set xrange [TUNE_FIRST[p] - 0.5:TUNE_LAST[p] + 0.5]
    set xtics () noenhanced scale 0
    set xtics font SMALL
    do for [v = TUNE_FIRST[p]:TUNE_LAST[p]] { set xtics add (TUNE_LABEL[v] v) }
    set ytics ()
    if (P_X[p] == 0) {
        do for [m in marks] { set ytics add (m real(m)) }
        set label 3 'time / fastest' at screen px(NARROW ? 10 : 16),py(upper - PANEL_H / 2) center rotate by 90 tc rgb INK
    } else {
        do for [m in marks] { set ytics add ('' real(m)) }
        unset label 3
    }
    set label 1 TUNE_NAME[p] at graph 0,1 offset 0,1.6 left noenhanced tc rgb INK
    set label 2 TUNE_SHARE[p] at graph 0,1 offset 0,0.6 left noenhanced font font(10) tc rgb 0x555555
    plot DATA index p - 1 using (column("place")):(column("worst")) with points pt -1, \
         '' index p - 1 using (column("place")):(column("quarter")):(column("best")):(column("worst")):(column("three_quarters")) with candlesticks lc rgb 0x00508C lw 1 fs solid 0.25 border, \
         '' index p - 1 using (column("place")):(column("median")):(column("median")):(column("median")):(column("median")) with candlesticks lc rgb INK lw 2, \
         '' index p - 1 using (column("place")):(column("best")) with points pt 7 ps 0.5 lc rgb 0xD55E00
    do for [l = 9001:9120] { unset label l }
}
unset multiplot
