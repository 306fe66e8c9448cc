# What the horizontal axis says, ALONG, below a plot from FROM_X to TO_X pixels: at a place of its own, as each
# terminal has another idea of where it belongs.
set label 9006 ALONG at screen px((FROM_X + TO_X) / 2.0),py(BOTTOM - 38) center noenhanced font font(fitting(ALONG, TO_X - FROM_X + 40)) tc rgb INK
