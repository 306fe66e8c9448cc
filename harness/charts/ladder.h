/*
 * The order and the colors of kernels in charts. Kernels are in the order of the ladder, and those
 * of a family have the same color. kernels/index.txt states the order and the families (see
 * spec/kernel_index.h and analyze/steps.h).
 */
#ifndef REDSWEEP_CHARTS_LADDER_H
#define REDSWEEP_CHARTS_LADDER_H

#include <stddef.h>

#include "spec/kernel_index.h"

/* Returns the kernel's family, or "other kernels" if the kernel is not in the ladder. */
const char *ladder_family(const struct kernel_index *ladder, const char *kernel);
/* Returns the color of the kernel's family as 0xRRGGBB. */
int ladder_rgb(const struct kernel_index *ladder, const char *kernel);

/*
 * Sorts the names of kernels by their position in the ladder. Kernels that are not in it come last,
 * in alphabetical order.
 */
void ladder_sort(const struct kernel_index *ladder, const char **kernels, size_t count);

#endif
