# Draws rows of color samples with their names, the top row at KEY_Y pixels. The variables KEYS and
# KEY_… must have been set, for example by loading a file CHART.key.
do for [k = 1:KEYS] {
    set label 9200 + k KEY_NAME[k] at screen px(22 + KEY_X[k]),py(KEY_Y - 18 * KEY_ROW[k]) left noenhanced tc rgb INK \
        point pt KEY_MARK[k] ps 0.8 lc rgb KEY_RGB[k] offset 0.9,-0.15
}
