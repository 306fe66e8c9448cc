# Draws the chart's HEADING, the lines of SHOWN below it, and the source at the foot with the NOTE,
# if any. Also draws UPWARDS, the title of the vertical axis of a plot from BOTTOM to TOP (pixels),
# unless it is ''. If the chart is drawn without titles (TITLED is 0), writes all of these texts
# except the axis title to caption.txt.
if (TITLED) {
    large = 9.4 * strlen(HEADING) > W - 32 ? 15.0 * (W - 32) / (9.4 * strlen(HEADING)) : 15
    set label 9001 HEADING at screen px(16),py(H - 22) noenhanced font font(large) tc rgb INK
    do for [k = 1:LINES] {
        set label 9100 + k LINE[k] at screen px(16),py(H - 28 - 16 * k) noenhanced tc rgb 0x555555
    }
    from = DEVICE.(RUN eq '' ? '' : '   ·   '.RUN)
    set label 9003 from at screen px(16),py(13) noenhanced font font(5.8 * strlen(from) > W - 32 ? 9.0 * (W - 32) / (5.8 * strlen(from)) : 9) tc rgb 0x6B6B6B
    if (NOTE ne '') { set label 9005 NOTE at screen px(W - 16),py(13) right noenhanced font font(9) tc rgb 0x6B6B6B }
} else {
    set print (exists('HERE') ? HERE : '').'caption.txt'
    print HEADING.': '.SHOWN.(NOTE eq '' ? '' : '; '.NOTE).'. '.DEVICE.(RUN eq '' ? '' : ', '.RUN).'.'
    set print
}
if (UPWARDS ne '') {
    set label 9004 UPWARDS at screen px(NARROW ? 10 : 16),py((BOTTOM + TOP) / 2) center rotate by 90 noenhanced tc rgb INK
}
