# Time against n: a line per kernel through its fastest configuration at each n, with the 95 %
# interval of the median.
load 'style.gp'
DEVICE = TIMED_DEVICE
HEADING = 'Time per launch vs. input size'
SHOWN = SLICE.'; '.SERIES_WHAT.GREY_NOTE.CARD_NOTE
NOTE = ABOVE
UPWARDS = 'time, median (µs)'
load 'frame.gp'
load 'cards.gp'
set logscale y 10
set yrange [T0:T1]
set format y '%g'
# Less than two decades: 1, 2 and 5 of each.
if (T1 < 200 * T0) {
    set ytics ()
    do for [k = floor(log10(T0)):ceil(log10(T1))] {
        do for [m in "1 2 5"] {
            v = real(m) * 10.0 ** k
            set ytics add (sprintf('%g', v) v)
        }
    }
}

array LAST[SERIES]
array PLACE[SERIES]
do for [i = 1:SERIES] { LAST[i] = T_LAST[i]; PLACE[i] = T_PLACE[i] }
load 'labels.gp'

set errorbars 0
plot for [i = 1:SERIES] 'series.dat' index i - 1 using 1:2:3:4 with yerrorbars lc rgb hue(COLOUR[i]) lw 1 pt -1, \
     for [i = 1:SERIES] '' index i - 1 using 1:2 with linespoints lc rgb hue(COLOUR[i]) lw width(COLOUR[i]) pt mark(COLOUR[i]) ps size(COLOUR[i])
