/*
 * The simulator's global memory: a table of allocations, each with its device address.
 *
 * Allocations are above 2^32 and aligned to 4096 bytes. Gaps between them ensure that an access
 * just outside one never hits another. Pages are mapped when first touched. A lazy allocation
 * contains a repeated byte and perhaps an input, generated piece by piece on first touch. In the
 * generic address space, two windows below 2^32 hold shared and local memory.
 */
#ifndef REDSWEEP_DEVICES_SIM_SIM_MEMORY_H
#define REDSWEEP_DEVICES_SIM_SIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/input.h"

#define SHARED_WINDOW 0x01000000ull
#define LOCAL_WINDOW 0x02000000ull
#define WINDOW_BYTES 0x01000000ull
#define FIRST_ADDRESS 0x200000000ull
#define GUARD_BYTES 0x10000ull

/* The contents of a lazy allocation's untouched parts. */
struct lazy_contents;

struct allocation {
    uint64_t address, bytes;
    uint8_t *host;
    size_t mapped;
    struct lazy_contents *lazy; /* NULL: all contents exist */
    bool is_buffer;             /* made by memory_alloc_buffer() and not lazy */
};

struct memory {
    struct allocation *allocations; /* the allocations, sorted by address */
    int count;
    uint64_t next; /* address of the next allocation */
    bool lazy;     /* large allocations made from now on are lazy */
};

/* Allocates `bytes` zeroed bytes. A size of 0 is treated as 1. */
bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/*
 * Allocates a buffer for a point. Its size is intended, so it does not count towards the process's
 * memory limit. Also fails with ERROR_MEMORY if the buffers together would exceed the machine's
 * memory. Only the used parts of lazy buffers count.
 */
bool memory_alloc_buffer(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/* Frees an allocation. Ignores an unknown address. */
void memory_free(struct memory *m, uint64_t address);
void memory_free_all(struct memory *m);

/*
 * Fills a range with `byte`. Returns false if no allocation contains the range. Filling a whole
 * lazy allocation costs nothing until it is touched. Must not be called while a kernel runs.
 */
bool memory_fill(struct memory *m, uint64_t address, uint64_t bytes, uint8_t byte);
/* Makes an input the contents of a lazy allocation without generating it yet. Returns false and
 * does nothing if the allocation is not lazy. */
bool memory_generate_lazily(struct memory *m, uint64_t address, const struct input *input);

/* Generates the contents of a range of a lazy allocation. Thread-safe. */
void memory_make(const struct allocation *a, uint64_t offset, uint64_t bytes);
static inline void memory_touch(const struct allocation *a, uint64_t offset, uint64_t bytes)
{
    if (a->lazy)
        memory_make(a, offset, bytes);
}

/* Returns the allocation that contains [address, address + bytes), or NULL. */
const struct allocation *memory_find(const struct memory *m, uint64_t address, uint64_t bytes);
/* Returns the host memory of this range with its contents generated, or NULL. */
void *memory_host(const struct memory *m, uint64_t address, uint64_t bytes);

/* Writes a description for a message, such as "12 bytes past the end of the 4096-byte allocation at
 * 0x…". Returns `buffer`. */
const char *memory_near(const struct memory *m, uint64_t address, char *buffer, size_t size);

#endif
