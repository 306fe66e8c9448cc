/*
 * Orders kernels in charts like the ladder, and colors them by family. Both come from
 * kernels/index.txt (spec/kernel_index.h, analyze/steps.h).
 */
#ifndef REDSWEEP_CHARTS_LADDER_H
#define REDSWEEP_CHARTS_LADDER_H

#include <stddef.h>

#include "spec/kernel_index.h"

/* Returns the kernel's family, or "other kernels" for a kernel outside the ladder. */
const char *ladder_family(const struct kernel_index *ladder, const char *kernel);
/* Returns the color of the kernel's family as 0xRRGGBB. */
int ladder_rgb(const struct kernel_index *ladder, const char *kernel);

/* Sorts names by their rung (position in the ladder), then alphabetically. */
void ladder_sort(const struct kernel_index *ladder, const char **kernels, size_t count);

#endif
