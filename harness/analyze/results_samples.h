/* Reads the samples.csv of a run whose rows have been read, for results.c. */
#ifndef REDSWEEP_ANALYZE_RESULTS_SAMPLES_H
#define REDSWEEP_ANALYZE_RESULTS_SAMPLES_H

#include "analyze/results.h"

/*
 * Fills `samples` and `first_sample` from the run's samples.csv, if there is one. Ignores samples
 * of points without a row, because a run may still be writing both files. `csv` is the path of
 * results.csv for messages. Fails with ERROR_CONFIG if two rows have the same point, or if a point
 * has more or fewer samples than its row states.
 */
bool results_read_samples(struct results *r, const char *csv, struct error *e);

#endif
