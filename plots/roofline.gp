# Draws the roofline (Williams, Waterman & Patterson, CACM 52, 2009): operations per second against
# operations per byte of DRAM, under the limits of the device: a slope, which is the memory's
# bandwidth, and a horizontal roof, which is the speed of arithmetic.
load 'style.gp'
DEVICE = TIMED_DEVICE
HEADING = 'Roofline at n = '.ROOF_N
SHOWN = SLICE.'; the fastest setting per kernel; DRAM bytes '.(ROOF_COUNTED ? 'as counted' : 'the minimum that must be read').(ROOF > 0 ? '' : '; the roof of '.ROOF_OF.' additions is not known').'; dotted: the fastest that any kernel moved bytes'.GREY_NOTE
UPWARDS = '10⁹ operations per second'
X0 = 1
X1 = 2
load 'frame.gp'
unset logscale x
set logscale xy 10
set xrange [F_X0:F_X1]
set yrange [F_Y0:F_Y1]
ALONG = 'operations per byte of DRAM'
load 'across.gp'
set format xy '%g'
set xtics autofreq
set ytics autofreq

load 'labels.gp'

# The names of the limits are written along their lines. The angle of the slope in the picture
# depends on the lengths of the axes.
decade_x = real(EDGE - LEFT) / log10(F_X1 / F_X0)
decade_y = real(TOP - BOTTOM) / log10(F_Y1 / F_Y0)
angle = atan2(decade_y, decade_x) * 180 / pi
roof(x) = ROOF > 0 && PEAK * x > ROOF ? ROOF : PEAK * x
# The slope's name is 12 pixels from the line, at a quarter or three quarters of the line's visible
# length, whichever is farther from the points.
from_x = F_Y0 / PEAK > F_X0 ? F_Y0 / PEAK : F_X0
to_x = (ROOF > 0 ? ROOF : F_Y1) / PEAK < F_X1 ? (ROOF > 0 ? ROOF : F_Y1) / PEAK : F_X1
points_x = from_x
do for [i = 1:SERIES] { if (LAST_X[i] == LAST_X[i]) { points_x = LAST_X[i] } }
along = NARROW ? 0.55 : log(points_x / from_x) / log(to_x / from_x) > 0.5 ? 0.25 : 0.75
at_x = from_x * (to_x / from_x) ** along
aside = 10 ** (12.0 / (decade_y * cos(angle * pi / 180)))
set label 1 sprintf('DRAM peak %.0f GB/s', PEAK) at at_x,PEAK * at_x * aside center rotate by angle tc rgb INK
if (ROOF > 0) {
    set label 2 sprintf('compute: %.0f · 10⁹ additions/s', ROOF) at F_X1 / 1.1,ROOF * 1.25 right noenhanced tc rgb INK
}
if (REACHED > 0) {
    set label 3 sprintf('reached %.0f GB/s', REACHED) at at_x,REACHED * at_x / aside / aside ** 0.3 center rotate by angle tc rgb 0x555555
}
below(x) = REACHED > 0 && (ROOF <= 0 || REACHED * x < ROOF) ? REACHED * x : NaN
set samples 400
# The data have a block per kernel timed at this n. DRAWN lists their numbers.
series(j) = word(DRAWN, j) + 0
plot roof(x) with lines lc rgb INK lw 1.6, below(x) with lines lc rgb INK lw 1 dt 3, \
     for [j = 1:words(DRAWN)] DATA index j - 1 using (column("operations_per_byte")):(column("giga_operations_per_second")) with points lc rgb hue(COLOUR[series(j)]) pt mark(COLOUR[series(j)]) ps 1.6 * size(COLOUR[series(j)])
