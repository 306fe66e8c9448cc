/* For tests that functions free the memory that they allocate. */
#ifndef REDSWEEP_TESTS_ALLOCATED_H
#define REDSWEEP_TESTS_ALLOCATED_H

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * Returns the number of allocated bytes as glibc counts them. The number includes freed blocks that
 * glibc keeps for the next calls. A test therefore compares two numbers only after it has called
 * the tested function a few times. If another allocator replaces glibc's, the function always
 * returns 0. This is so under valgrind and the sanitizers: their allocators may count freed blocks,
 * and they report leaks themselves.
 */
static inline size_t allocated_bytes(void)
{
    size_t bytes[2];
    for (int i = 0; i < 2; i++) {
        void *volatile block = malloc(100);
        free(block);
        struct mallinfo2 m = mallinfo2();
        bytes[i] = m.uordblks + m.hblkhd;
    }
    return bytes[0] == bytes[1] ? bytes[0] : 0;
}

#endif
