# Draws ALONG, the title of the horizontal axis, below a plot from FROM_X to TO_X pixels. The title
# is placed explicitly, because gnuplot's terminals put it in different places.
set label 9006 ALONG at screen px((FROM_X + TO_X) / 2.0),py(BOTTOM - 38) center noenhanced font font(fitting(ALONG, TO_X - FROM_X + 40)) tc rgb INK
