# The chart's HEADING, below it what is shown (SHOWN), at the foot where it comes from and, where there
# is one, a NOTE; and UPWARDS, what the vertical axis of a plot from BOTTOM to TOP (pixels) says; ''
# for none.
set label 9001 HEADING at screen px(16),py(H - 22) noenhanced font ',15' tc rgb INK
set label 9002 SHOWN at screen px(16),py(H - 44) noenhanced tc rgb 0x555555
set label 9003 DEVICE.(RUN eq '' ? '' : '   ·   '.RUN) at screen px(16),py(14) noenhanced font ',9' tc rgb 0x777777
if (exists('NOTE')) { set label 9005 NOTE at screen px(W - 16),py(14) right noenhanced font ',9' tc rgb 0x777777 }
if (UPWARDS ne '') {
    set label 9004 UPWARDS at screen px(16),py((BOTTOM + TOP) / 2) center rotate by 90 tc rgb INK
}
