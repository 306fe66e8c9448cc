/*
 * Host memory that runs out on command, for tests: the program is linked so that these functions
 * stand before the C library's (ld --wrap of malloc, calloc, realloc and strdup).
 */
#ifndef REDSWEEP_TESTS_FAULTS_FAILING_MEMORY_H
#define REDSWEEP_TESTS_FAULTS_FAILING_MEMORY_H

#include <stdbool.h>

/* The k-th allocation from now on fails; 0: none does. */
void failing_memory_arm(int k);
/* Whether the last one that was to fail has. */
bool failing_memory_failed(void);
/* While this is above 0 allocations neither count nor fail: they are a fake's own. */
extern int failing_memory_spared;

#endif
