# Draws names next to the ends of lines. LAST[i] is the end of line i, PLACE[i] the position of its
# name (from 0 at the lower to 1 at the upper end of the axis), and EDGE the right end of the axis
# in pixels. In narrow charts, the names are below (frame.gp).
if (!NARROW) {
    do for [i = 1:SERIES] {
        if (LAST[i] == LAST[i] && NAME[i] ne '') { # The end is not NaN, and the line is not grey.
            y = py(BOTTOM + PLACE[i] * (TOP - BOTTOM))
            set arrow 100 + i from first LAST_X[i],LAST[i] to screen px(EDGE + 16),y nohead lc rgb hue(COLOUR[i]) lw 0.5 dt 3
            set label 100 + i NAME[i] at screen px(EDGE + 22),y left noenhanced tc rgb INK \
                point pt mark(COLOUR[i]) ps 0.7 lc rgb hue(COLOUR[i]) offset 0.9,-0.15
        }
    }
}
