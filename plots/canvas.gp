# Opens a picture of width W. Its height is the sum of its heading (HEADING, SHOWN, and KEY_ROWS
# lines of names), plot and feet. All lengths are in pixels. For a paper, pixels are sized such that
# W spans the column (85 mm) or the page (178 mm).
FOOT = TITLED ? 18 : 0
if (W < 500 && NOTE ne '') { SHOWN = SHOWN.'; '.NOTE; NOTE = '' }

# Break SHOWN into lines that fit.
array LINE[12]
LINES = 1
LINE[1] = ''
do for [k = 1:words(SHOWN)] {
    w = word(SHOWN, k)
    if (LINE[LINES] ne '' && LINES < 12 && 6.9 * (strlen(LINE[LINES]) + 1 + strlen(w)) > W - 32) {
        LINES = LINES + 1
        LINE[LINES] = w
    } else { LINE[LINES] = LINE[LINES] eq '' ? w : LINE[LINES].' '.w }
}
HEAD = (TITLED ? 46 + 16 * LINES : 16) + 18 * KEY_ROWS
BOTTOM = FEET + FOOT
H = HEAD + PLOT_H + BOTTOM
TOP = H - HEAD

# px() and py() convert positions, in pixels from the lower left corner. Font sizes and line widths
# are in pixels as well.
px(x) = real(x) / W
py(y) = real(y) / H
PAPER = NARROW ? 85.0 / 25.4 * 72 / CANVAS : CANVAS == 756 ? 178.0 / 25.4 * 72 / CANVAS : 0.75
# Cairo assumes 96 points per inch for text, even in a PDF.
UNIT = format eq 'svg' ? 1 : (format eq 'pdf' ? PAPER : 1) * 9.5 / 12
fitting(text, room) = 7.3 * strlen(text) > room ? 12 * room / (7.3 * strlen(text)) : 12
font(size) = sprintf(',%g', size * UNIT)
if (format eq 'svg') {
    set terminal svg name chart size W,H dynamic enhanced font family.',12' background rgb 'white'
} else { if (format eq 'pdf') {
    set terminal pdfcairo size W * PAPER / 72,H * PAPER / 72 enhanced font family.font(12) fontscale 1 linewidth 2 * PAPER background rgb 'white'
} else {
    set terminal pngcairo size 2*W,2*H enhanced font family.font(12) fontscale 2 linewidth 2 pointscale 2 background rgb 'white'
} }
set output (exists('PICTURE') ? PICTURE : chart).'.'.format
# Returns round steps from 0 to `high` for an axis of `room` pixels with labels of `digits`
# characters.
step_of(high, room, digits) = round_step(1.0 * high / (room / (7.3 * digits + 14)))
round_step(x) = 10.0 ** floor(log10(x)) * (x / 10.0 ** floor(log10(x)) <= 1 ? 1 : x / 10.0 ** floor(log10(x)) <= 2 ? 2 : x / 10.0 ** floor(log10(x)) <= 5 ? 5 : 10)
