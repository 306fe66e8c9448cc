/*
 * The simulator's global memory: a table of allocations, each with an address that kernels see.
 *
 * The addresses of allocations are above 2^32 and aligned to 4096 bytes. There is unused space
 * between allocations, so an access just outside of one allocation is never in another one. Pages
 * are mapped when they are first touched. The contents of a lazy allocation are a repeated byte and
 * perhaps an input. They are made piece by piece when they are first touched. In the generic
 * address space, two windows below 2^32 contain shared and local memory.
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

/* Describes the contents of those parts of a lazy allocation that were not touched yet. */
struct lazy_contents;

struct allocation {
    uint64_t address, bytes;
    uint8_t *host;
    size_t mapped;
    struct lazy_contents *lazy; /* NULL: all contents exist */
    bool is_buffer;             /* whether memory_alloc_buffer() made it and it is not lazy */
};

struct memory {
    struct allocation *allocations; /* the allocations, sorted by address */
    int count;
    uint64_t next; /* the address of the next allocation */
    bool lazy;     /* large allocations made from now on are lazy */
};

/* Reserves `bytes` bytes, which contain zeros. A size of 0 is treated as 1. */
bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/*
 * Reserves a buffer for a point. The buffer does not count towards the process's memory limit,
 * because its size is known and intended. This function also fails with ERROR_MEMORY if all buffers
 * together would take more memory than the machine has. Only the used parts of lazy buffers count.
 */
bool memory_alloc_buffer(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/* Frees an allocation. Ignores an unknown address. */
void memory_free(struct memory *m, uint64_t address);
void memory_free_all(struct memory *m);

/*
 * Sets each byte of a range to `byte`. Returns false if no allocation contains the range. Setting a
 * whole lazy allocation costs nothing until it is touched. The function must not be called while a
 * kernel runs.
 */
bool memory_fill(struct memory *m, uint64_t address, uint64_t bytes, uint8_t byte);
/* Makes an input the contents of a lazy allocation, without generating the input yet. Returns
 * false, and does nothing, if the allocation is not lazy. */
bool memory_generate_lazily(struct memory *m, uint64_t address, const struct input *input);

/* Makes the contents of a range of a lazy allocation. Any thread may call this function. */
void memory_make(const struct allocation *a, uint64_t offset, uint64_t bytes);
static inline void memory_touch(const struct allocation *a, uint64_t offset, uint64_t bytes)
{
    if (a->lazy)
        memory_make(a, offset, bytes);
}

/* Returns the allocation that contains [address, address + bytes), or NULL. */
const struct allocation *memory_find(const struct memory *m, uint64_t address, uint64_t bytes);
/* Returns the host memory of this range, after its contents were made, or NULL. */
void *memory_host(const struct memory *m, uint64_t address, uint64_t bytes);

/* Writes a description for a message, such as "12 bytes past the end of the 4096-byte allocation at
 * 0x…". Returns `buffer`. */
const char *memory_near(const struct memory *m, uint64_t address, char *buffer, size_t size);

#endif
