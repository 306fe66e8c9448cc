# Bandwidth against n: minimum bytes that must be moved / median time, of each kernel's
# fastest configuration at each n; the device's peak and the measured ceiling as lines.
load 'style.gp'
DEVICE = TIMED_DEVICE
W = WIDTH
H = HEIGHT
load 'canvas.gp'

HEADING = 'Bandwidth vs. input size'
SHOWN = SLICE.'; the fastest setting per kernel and size'.GREY_NOTE
if (PEAK > 0 && !PEAK_SHOWN) { SHOWN = SHOWN.sprintf('; the peak of %.0f GB/s is far above', PEAK) }
UPWARDS = 'bandwidth (GB/s)'
load 'frame.gp'
set yrange [0:B1]

if (PEAK_SHOWN) {
    set arrow 1 from graph 0, first PEAK to graph 1, first PEAK nohead lc rgb INK lw 1.2 dt 2
    set label 1 sprintf('peak %.0f GB/s', PEAK) at graph 0.01, first PEAK offset 0,0.6 left tc rgb INK
    if (CEILING > 0) {
        set arrow 2 from graph 0, first CEILING to graph 1, first CEILING nohead lc rgb INK lw 1.2 dt 3
        set label 2 sprintf('measured ceiling %.0f GB/s', CEILING) at graph 0.01, first CEILING offset 0,-0.7 left tc rgb INK
    }
}

array LAST[SERIES]
array PLACE[SERIES]
do for [i = 1:SERIES] { LAST[i] = B_LAST[i]; PLACE[i] = B_PLACE[i] }
load 'labels.gp'

plot for [i = 1:SERIES] 'series.dat' index i - 1 using 1:5 with linespoints lc rgb hue(COLOUR[i]) lw width(COLOUR[i]) pt mark(COLOUR[i]) ps size(COLOUR[i])
