/*
 * The order of kernels in charts, from the first idea to the last, and the colors of their families:
 * kernels/index.txt (spec/kernel_index.h, analyze/steps.h).
 */
#ifndef REDSWEEP_CHARTS_LADDER_H
#define REDSWEEP_CHARTS_LADDER_H

#include <stddef.h>

#include "spec/kernel_index.h"

/* "other kernels" for a kernel that is not in the ladder. */
const char *ladder_family(const struct kernel_index *ladder, const char *kernel);
/* Red, green and blue as 0xRRGGBB. */
int ladder_rgb(const struct kernel_index *ladder, const char *kernel);

/* Sorts names by rung, then by name. */
void ladder_sort(const struct kernel_index *ladder, const char **kernels, size_t count);

#endif
