/*
 * Compares runs on several cards. For each problem, finds the configuration that is best across all
 * cards, and how much slower it is on each card than the card's own fastest configuration.
 *
 * A configuration's efficiency in a run is the time of the problem's fastest configuration divided
 * by the configuration's own time. Its performance portability is the harmonic mean of its
 * efficiencies over the runs (Pennycook, Sewall, Lee: A metric for performance portability, 2016).
 * It is defined for configurations that are right in all runs. best.h says which rows compete.
 */
#ifndef REDSWEEP_ANALYZE_PORTABILITY_H
#define REDSWEEP_ANALYZE_PORTABILITY_H

#include "analyze/view_output.h"
#include "base/error.h"

enum { PORTABILITY_RUNS_MAX = 64 };

/*
 * Reads the runs and writes a view with a row for each problem: the configuration that is best
 * across all runs, its performance portability, and how much slower it is in each run than the
 * run's fastest. Returns EXIT_REFUSED if a run cannot be read or no configuration has a time in all
 * runs. Otherwise returns EXIT_FINE, because the view gives no verdict.
 */
int portability_show(const char *const *paths, int count, const struct view_output *output,
                     struct error *e);

#endif
