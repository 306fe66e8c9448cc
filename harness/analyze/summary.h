/*
 * What a run found, in at most a screen: the end of `redsweep run`.
 */
#ifndef REDSWEEP_ANALYZE_SUMMARY_H
#define REDSWEEP_ANALYZE_SUMMARY_H

#include "analyze/results.h"
#include "analyze/view.h"

/*
 * With times: the winner at each size of the run's device (never a function of the CPU, unless the
 * run is on the CPU), beside the kernel that the config names first, and as a share of the
 * achievable bandwidth. Without times: the counts of each kernel side by side, and no winner.
 * Nothing where no row can be shown. The view needs `r` and the summary until summary_free().
 */
struct summary;
struct summary *summary_make(const struct results *r, struct view *v);
void summary_free(struct summary *s);

#endif
