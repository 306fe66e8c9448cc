# Draws a bar per line of data, with the value's 95 % interval and the line's text. The chart
# `ladder` has two more columns of text at the right. Bars start at zero. If the values differ
# widely, dots on a logarithmic axis replace the bars. The lines before this file define the other
# variables.
load 'style.gp'
DEVICE = chart eq 'ladder' ? DEVICE : TIMED_DEVICE
NOTE = BAR_NOTE
# In narrow charts, the text at the right moves to a second line below the bar.
SECOND = NARROW && BAR_GAINS > 0
ROW = SECOND ? 36 : 20
W = NARROW ? CANVAS : BAR_LABELS + BAR_TEXTS + BAR_GAINS + BAR_WHYS + (BAR_GAINS > 0 ? 300 : 460)
if (CANVAS == 756 || W < CANVAS) { W = CANVAS }
PLOT_H = ROW * BARS + 8 + (BAR_GAINS > 0 && !SECOND ? 18 : 0)
FEET = 46
load 'canvas.gp'
UPWARDS = ''
load 'heading.gp'
KEY_Y = H - HEAD + 18 * KEY_ROWS - 6
if (KEYS > 0) {
    load 'key.gp'
}

RIGHT = W - (SECOND ? 0 : BAR_GAINS + BAR_WHYS) - 12
set lmargin at screen px(BAR_LABELS)
set rmargin at screen px(RIGHT)
set bmargin at screen py(BOTTOM)
set tmargin at screen py(TOP)
set border 1
set yrange [BARS + 0.6:BAR_GAINS > 0 && !SECOND ? -0.3 : 0.4]
unset ytics
set grid noytics xtics
FROM_X = BAR_LABELS
TO_X = RIGHT
ALONG = BAR_AXIS
load 'across.gp'
# Leave space for the text beside the longest bar, with round steps that fit.
room = RIGHT - BAR_LABELS
if (BAR_DOTS) {
    set logscale x 10
    span = (BAR_HIGH / BAR_LOW * 1.5) ** (1 + real(BAR_TEXTS) / (room - BAR_TEXTS))
    set xrange [BAR_LOW / 1.3:BAR_LOW / 1.3 * span]
    set xtics ()
    do for [k = floor(log10(BAR_LOW)):ceil(log10(BAR_HIGH))] { set xtics add (number(10.0 ** k) 10.0 ** k) }
} else {
    set xrange [0:BAR_HIGH * room / (room - BAR_TEXTS - 6.0)]
    HIGH = BAR_HIGH
    ROOM = room - BAR_TEXTS
    load 'steps.gp'
}
do for [i = 1:BARS] {
    set label 10 + i BAR_NAME[i] at graph 0, first i - (SECOND ? 0.22 : 0) offset -0.8,0 right noenhanced tc rgb INK
    if (BAR_GAINS > 0) {
        if (SECOND) {
            below = BAR_GAIN[i] eq '' ? '' : BAR_GAIN[i].'   '.BAR_WHY[i]
            set label 1000 + i below at screen px(W - 12), first i + 0.26 right noenhanced font font(10) tc rgb 0x555555
        } else {
            set label 1000 + i BAR_GAIN[i] at screen px(RIGHT + BAR_GAINS - 16), first i right noenhanced tc rgb INK
            set label 3000 + i BAR_WHY[i] at screen px(RIGHT + BAR_GAINS), first i left noenhanced tc rgb INK
        }
    }
}
if (BAR_GAINS > 0 && !SECOND) {
    set label 5001 GAINS at screen px(RIGHT + BAR_GAINS - 16), first 0 right noenhanced tc rgb 0x555555
    set label 5002 WHYS at screen px(RIGHT + BAR_GAINS), first 0 left noenhanced tc rgb 0x555555
}
if (BAR_LINE == BAR_LINE) { set arrow 1 from BAR_LINE, graph 0 to BAR_LINE, graph 1 nohead lc rgb INK lw 1 dt 2 }
half = SECOND ? 0.2 : 0.34
shift = SECOND ? 0.22 : 0
set style fill solid 1.0 noborder
set errorbars 0
end(value, high) = high > value ? high : value
if (BAR_DOTS) {
    plot DATA using (column("value")):(column("place") - shift):(column("rgb")) with points pt 7 ps 0.9 lc rgb variable, \
         '' using (column("low") < column("high") ? column("value") : NaN):(column("place") - shift):(column("low")):(column("high")) with xerrorbars lc rgb INK lw 1 pt -1, \
         '' using (end(column("value"), column("high"))):(column("place") - shift):(stringcolumn("text")) with labels left offset 0.8,0 noenhanced tc rgb INK
} else {
    plot DATA using (0):(column("place") - shift):(0):(column("value")):(column("place") - shift - half):(column("place") - shift + half):(column("rgb")) with boxxyerror lc rgb variable, \
         '' using (column("low") < column("high") ? column("value") : NaN):(column("place") - shift):(column("low")):(column("high")) with xerrorbars lc rgb INK lw 1 pt -1, \
         '' using (end(column("value"), column("high"))):(column("place") - shift):(stringcolumn("text")) with labels left offset 0.8,0 noenhanced tc rgb INK
}
