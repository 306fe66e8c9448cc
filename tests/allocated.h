/*
 * The amount of allocated memory, for tests of functions that must free it.
 */
#ifndef REDSWEEP_TESTS_ALLOCATED_H
#define REDSWEEP_TESTS_ALLOCATED_H

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * Bytes, as glibc counts them. They include freed blocks that it keeps for the next calls, so
 * a test compares only after some calls. The value is always 0 if another allocator is in glibc's place, that of
 * valgrind or a sanitizer, which may count freed blocks and reports leaks itself.
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
