/*
 * This function counts the memory that is allocated, for tests which check that functions free
 * their memory.
 */
#ifndef REDSWEEP_TESTS_ALLOCATED_H
#define REDSWEEP_TESTS_ALLOCATED_H

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * This function returns the number of allocated bytes as glibc counts them. The number includes
 * freed blocks that glibc keeps for the next calls, so a test compares two numbers only after some
 * calls. The function always returns 0 if another allocator replaces glibc's. Valgrind and
 * the sanitizers have such allocators. They may count freed blocks, and they report leaks
 * themselves.
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
