# Sets the ticks of a count axis on which 0 and HIGH are ROOM pixels apart: as many round steps as
# fit. The last tick may be slightly above HIGH, for example at 100 percent.
step = step_of(HIGH, ROOM, HIGH < 1e4 ? strlen(sprintf('%g', 5 * round_step(0.2 * HIGH))) : 4)
# Fractions have longer labels than whole numbers.
if (step < 1) { step = step_of(HIGH, ROOM, strlen(sprintf('%g', floor(HIGH) + step)) + 1) }
set xtics ()
do for [k = 0:floor(1.05 * HIGH / step)] { set xtics add (number(k * step) k * step) }
