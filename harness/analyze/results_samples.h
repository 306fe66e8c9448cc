/*
 * Reads samples.csv of a run whose rows have been read. Only results.c uses it.
 */
#ifndef REDSWEEP_ANALYZE_RESULTS_SAMPLES_H
#define REDSWEEP_ANALYZE_RESULTS_SAMPLES_H

#include "analyze/results.h"

/*
 * Fills `samples` and `first_sample` from samples.csv in the run's folder, if this file exists. It
 * reads the file line by line. It ignores samples of points without a row, because a run may still
 * be writing both files. `csv` is the path of results.csv for messages. The error is ERROR_CONFIG
 * if two rows have the same point, or if the number of a point's samples differs from the number
 * that its row states.
 */
bool results_read_samples(struct results *r, const char *csv, struct error *e);

#endif
