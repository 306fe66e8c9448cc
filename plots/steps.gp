# Marks of an axis of counts where 0 and HIGH are ROOM pixels apart: round steps, as many as fit.
step = step_of(HIGH, ROOM, HIGH < 1e4 ? strlen(sprintf('%g', 5 * round_step(0.2 * HIGH))) : 4)
set xtics ()
do for [k = 0:floor(HIGH / step * 1.0000001)] { set xtics add (number(k * step) k * step) }
