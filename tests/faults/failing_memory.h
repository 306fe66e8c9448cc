/*
 * With these functions, tests make allocations of host memory fail. The program is linked so that
 * they replace the C library's functions (ld --wrap of malloc, calloc, realloc and strdup).
 */
#ifndef REDSWEEP_TESTS_FAULTS_FAILING_MEMORY_H
#define REDSWEEP_TESTS_FAULTS_FAILING_MEMORY_H

#include <stdbool.h>

/* Makes the k-th allocation after this call fail. If k is 0, no allocation fails. */
void failing_memory_arm(int k);
/* Returns whether the chosen allocation has failed. */
bool failing_memory_failed(void);
/* While this is above 0, allocations belong to a fake, so they are not counted and do not fail. */
extern int failing_memory_spared;

#endif
