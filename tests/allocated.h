/* For tests that functions free the memory that they allocate. */
#ifndef REDSWEEP_TESTS_ALLOCATED_H
#define REDSWEEP_TESTS_ALLOCATED_H

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

/* Returns how many bytes are allocated according to glibc. This includes freed blocks that glibc
 * keeps for the next calls, so a test compares two numbers only after it has called the tested
 * function a few times. With another allocator, it always returns 0. This affects valgrind and
 * the sanitizers, whose allocators may count freed blocks and which report leaks themselves. */
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
