/* Makes allocations of host memory fail. The linker replaces malloc, calloc, realloc and strdup
 * with the functions of failing_memory.c (ld --wrap). */
#ifndef REDSWEEP_TESTS_FAULTS_FAILING_MEMORY_H
#define REDSWEEP_TESTS_FAULTS_FAILING_MEMORY_H

#include <stdbool.h>

/* Makes the k-th allocation after this call fail (0: none). */
void failing_memory_arm(int k);
/* Returns whether the selected allocation has failed. */
bool failing_memory_failed(void);
/* While this number is above 0, allocations belong to a fake. Such allocations do not count and do
 * not fail. */
extern int failing_memory_spared;

#endif
