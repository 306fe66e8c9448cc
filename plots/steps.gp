# Marks of an axis of counts from 0 to HIGH that is ROOM pixels wide: round steps, as many as fit.
step = step_of(HIGH, ROOM, strlen(number(5 * round_step(0.2 * HIGH))))
set xtics ()
do for [k = 0:floor(HIGH / step * 1.0000001)] { set xtics add (number(k * step) k * step) }
