/*
 * Reads samples.csv of a run whose rows have been read. Only results.c uses it.
 */
#ifndef REDSWEEP_ANALYZE_RESULTS_SAMPLES_H
#define REDSWEEP_ANALYZE_RESULTS_SAMPLES_H

#include "analyze/results.h"

/*
 * Fills `samples` and `first_sample` from samples.csv in the run's folder, line by line, if there
 * is one. Samples of points without a row are left out, because a run may be writing them.
 * ERROR_CONFIG if two rows of `csv` (its path, for messages) have the same point, or if a point
 * does not have as many samples as its row says.
 */
bool results_read_samples(struct results *r, const char *csv, struct error *e);

#endif
