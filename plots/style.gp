# Defines what all charts share: data, colors and axes. Every chart loads this file first, then sets
# W (its width in pixels), PLOT_H and FEET (the heights of the plot and of the part below it),
# HEADING and SHOWN, loads canvas.gp, sets UPWARDS and loads heading.gp.
#
# harness/charts/picture.c writes the lines before this file: `format` (svg, png or pdf), `chart` (its name), `family`
# (the font), DATA, and the chart's own variables.

load 'run.gp'
load 'numbers.gp'

# Okabe and Ito's colors, which color-blind people can tell apart, with darker blues that are
# further apart, and brown instead of orange and yellow. All have a contrast of at least 3 with
# white (tests/plots/contrast.awk). From the eighth series on, the colors repeat with open marks and
# dashed lines, so that no two of fourteen series look alike.
array HUE[7] = [0x00508C, 0xD55E00, 0x009E73, 0xCC79A7, 0x2F9BDB, 0x7D3C0F, 0x000000]
array MARK[5] = [7, 5, 9, 13, 11]
# Color 0 is for the background: gray, with small points.
hue(i) = i < 1 ? 0x929292 : HUE[(int(i) - 1) % 7 + 1]
mark(i) = i < 1 ? 7 : MARK[(int(i) - 1) % 5 + 1] - (i > 7)
dash(i) = i > 7 ? 2 : 1
size(i) = i < 1 ? 0.35 : 0.7
width(i) = i < 1 ? 0.8 : 1.4

GREY_NOTE = !exists('GREYS') ? '' : GREYS == 0 ? '' : sprintf('; grey: %d %s kernels', GREYS, exists('GREY_WHAT') ? GREY_WHAT : 'slower')
CARD_NOTE = !exists('CARD_CHANGES') ? '' : CARD_CHANGES eq '' ? '' : '; dotted: the card changes'
NOTE = ''

INK = 0x222222
FAINT = 0xD8D8D8

W = CANVAS
if (!exists('KEY_ROWS')) { KEY_ROWS = 0 }

set encoding utf8
set border 3 lc rgb INK lw 1
set tics out nomirror scale 0.6
set grid xtics ytics back lt 1 lc rgb FAINT lw 0.6
unset key
