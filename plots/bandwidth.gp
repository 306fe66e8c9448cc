# Bandwidth against n: minimum bytes that must be moved / median time, of each kernel's
# fastest configuration at each n; the device's peak as a line, and what limits a kernel at each n: the
# fastest that any kernel read the same bytes, with its 95 % interval.
load 'style.gp'
DEVICE = TIMED_DEVICE

HEADING = 'Bandwidth vs. input size'
SHOWN = SLICE.'; '.SERIES_WHAT.(LIMITS ? '; band: the fastest reader at each size' : '').GREY_NOTE.CARD_NOTE
if (PEAK > 0 && !PEAK_SHOWN) { SHOWN = SHOWN.sprintf('; the peak of %.0f GB/s is far above', PEAK) }
UPWARDS = 'bandwidth (GB/s)'
load 'frame.gp'
load 'cards.gp'
set yrange [0:B1]

if (PEAK_SHOWN) {
    set arrow 1 from graph 0, first PEAK to graph 1, first PEAK nohead lc rgb INK lw 1.2 dt 2
    set label 1 sprintf('peak %.0f GB/s', PEAK) at graph 0.01, first PEAK offset 0,0.6 left tc rgb INK
}

array LAST[SERIES]
array PLACE[SERIES]
do for [i = 1:SERIES] { LAST[i] = B_LAST[i]; PLACE[i] = B_PLACE[i] }
load 'labels.gp'

LIMIT_FILE = LIMITS > 0 ? 'limit.dat' : '/dev/null'
plot LIMIT_FILE using 1:3:4 with filledcurves fc rgb 0xE2E2E2 fs solid noborder, \
     '' using 1:2 with lines lc rgb 0x929292 lw 5, \
     for [i = 1:SERIES] 'series.dat' index i - 1 using 1:5 with linespoints lc rgb hue(COLOUR[i]) lw width(COLOUR[i]) pt mark(COLOUR[i]) ps size(COLOUR[i])
