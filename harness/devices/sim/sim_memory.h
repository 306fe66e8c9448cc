/*
 * The simulator's global memory: a table of allocations, each with its device address.
 *
 * Allocations have addresses above 2^32 that are multiples of 4096. There are gaps between
 * allocations, so an access just outside of one is never inside another. The host maps a page when
 * it is first accessed.
 *
 * If an allocation is lazy, its contents are not written when a buffer is filled or an input is
 * generated. Each piece of it is generated when it is first accessed.
 *
 * In the generic address space, two ranges below 2^32 (windows) stand for shared and local memory.
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

/* describes what a lazy allocation contains where it has not been accessed */
struct lazy_contents;

struct allocation {
    uint64_t address, bytes;
    uint8_t *host;
    size_t mapped;
    struct lazy_contents *lazy; /* NULL if the allocation is not lazy */
    bool is_buffer;             /* true if it is not lazy and was made by memory_alloc_buffer() */
};

struct memory {
    struct allocation *allocations; /* the allocations, sorted by address */
    int count;
    uint64_t next; /* address of the next allocation */
    bool lazy;     /* if true, large allocations made from now on are lazy */
};

/* Allocates `bytes` bytes of memory, all 0. A size of 0 is treated as 1. */
bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/*
 * Allocates a buffer for a point. Buffers are meant to be large, so they do not count towards the
 * process's memory limit, except for those parts of a lazy buffer that have been accessed. Fails
 * with ERROR_MEMORY if all buffers that are not lazy would be larger than the machine's memory.
 */
bool memory_alloc_buffer(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/* Frees an allocation. Ignores an unknown address. */
void memory_free(struct memory *m, uint64_t address);
void memory_free_all(struct memory *m);

/*
 * Fills a range with `byte`. Returns false if no allocation contains the range. If the range is a
 * whole lazy allocation, nothing is written until it is accessed. Must not be called while a kernel
 * runs.
 */
bool memory_fill(struct memory *m, uint64_t address, uint64_t bytes, uint8_t byte);
/* Places an input at `address` in a lazy allocation, but does not generate it yet. Returns false
 * and does nothing if the allocation is not lazy. */
bool memory_generate_lazily(struct memory *m, uint64_t address, const struct input *input);

/* Generates a range of a lazy allocation, unless it exists. May be called by several threads at
 * once. */
void memory_make(const struct allocation *a, uint64_t offset, uint64_t bytes);
static inline void memory_touch(const struct allocation *a, uint64_t offset, uint64_t bytes)
{
    if (a->lazy)
        memory_make(a, offset, bytes);
}

/* Returns the allocation that contains [address, address + bytes), or NULL. */
const struct allocation *memory_find(const struct memory *m, uint64_t address, uint64_t bytes);
/* Returns the host memory of this range, after generating its contents. Returns NULL if no
 * allocation contains the range. */
void *memory_host(const struct memory *m, uint64_t address, uint64_t bytes);

/* Writes a description for a message, such as "12 bytes past the end of the 4096-byte allocation at
 * 0x…". Returns `buffer`. */
const char *memory_near(const struct memory *m, uint64_t address, char *buffer, size_t size);

#endif
