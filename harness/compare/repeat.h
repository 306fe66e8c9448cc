/*
 * Times of several launches between one pair of events (the column `repeat`) beside times of
 * another number of launches.
 *
 * A sample is the time between two events over the number of launches between them. What goes with
 * the events, and not with each launch, is in it once: the fewer launches, the more of it each of
 * them is charged. It is at most what lies between two events around a kernel that does nothing,
 * which every run measures (empty_us of its ceilings).
 */
#ifndef REDSWEEP_COMPARE_REPEAT_H
#define REDSWEEP_COMPARE_REPEAT_H

#include "compare/results.h"

/* How many launches a row's samples are of; 1 where the run does not tell. */
double repeat_of(const struct results *r, size_t row);

/*
 * By how many µs row_a's time may be longer only because fewer launches were timed together than
 * for row_b: 0 when they were as many or more; NaN when a's run does not tell empty_us.
 */
double repeat_excess_us(const struct results *a, size_t row_a, const struct results *b,
                        size_t row_b);

#endif
