/*
 * Compares runs on several cards. For each problem, it finds the configuration that is best over
 * all cards. It also finds how much slower this configuration is on each card than the card's own
 * fastest configuration.
 *
 * In a problem, a configuration's efficiency in a run is the time of the run's fastest
 * configuration divided by the configuration's own time. Its performance portability over the runs
 * is the harmonic mean of its efficiencies (Pennycook, Sewall, Lee: A metric for performance
 * portability, 2016). This is defined for configurations that are right in all runs. best.h defines
 * which rows compete.
 */
#ifndef REDSWEEP_ANALYZE_PORTABILITY_H
#define REDSWEEP_ANALYZE_PORTABILITY_H

#include "analyze/view_output.h"
#include "base/error.h"

enum { PORTABILITY_RUNS_MAX = 64 };

/*
 * Reads the runs and writes the view. Each problem has a row with the configuration that is best
 * over all runs, its performance portability, and how much slower it is in each run than the run's
 * fastest configuration. Returns EXIT_REFUSED if a run cannot be read or no configuration has a
 * time in all runs. Otherwise returns EXIT_FINE, because the view gives no verdict.
 */
int portability_show(const char *const *paths, int count, const struct view_output *output,
                     struct error *e);

#endif
