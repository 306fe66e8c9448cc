/*
 * The simulator's global memory: a table of allocations, each with an address that a kernel sees.
 *
 * Device addresses begin above 2^32, are aligned to 4096 bytes, and have unused space between them,
 * so that an access just outside of one allocation never lands in another. Pages are mapped when
 * they are first touched. An allocation may be lazy: its contents, a repeated byte and perhaps an
 * input, are then made piece by piece when they are first touched. Two windows below 2^32 stand for
 * shared and local memory in the generic address space.
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

/* The contents of a lazy allocation where nothing has been touched yet. */
struct lazy_contents;

struct allocation {
    uint64_t address, bytes;
    uint8_t *host;
    size_t mapped;
    struct lazy_contents *lazy; /* NULL: all contents exist */
    bool is_buffer;             /* made by memory_alloc_buffer(), and not lazy */
};

struct memory {
    struct allocation *allocations; /* the allocations in the order of their addresses */
    int count;
    uint64_t next; /* address of the next allocation */
    bool lazy;     /* large allocations made from now on are lazy */
};

/* Reserves `bytes` (0 counts as 1); their contents are zero. */
bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/*
 * Reserves a buffer of a point, which does not count towards the process's limit of memory, because its
 * size is known and intended. Only the used part of a lazy buffer counts. ERROR_MEMORY also if all
 * buffers together would take more memory than the machine has.
 */
bool memory_alloc_buffer(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/* Frees an allocation; an unknown address is ignored. */
void memory_free(struct memory *m, uint64_t address);
void memory_free_all(struct memory *m);

/*
 * Sets a range to one byte; returns false if no allocation contains it. Setting the whole of a lazy
 * allocation costs nothing until it is touched. It must not be called while a kernel runs.
 */
bool memory_fill(struct memory *m, uint64_t address, uint64_t bytes, uint8_t byte);
/* Puts an input into a lazy allocation, lazily; returns false, and does nothing, if it is not
 * lazy. */
bool memory_generate_lazily(struct memory *m, uint64_t address, const struct input *input);

/* Makes the contents of a range of a lazy allocation; any thread may call it. */
void memory_make(const struct allocation *a, uint64_t offset, uint64_t bytes);
static inline void memory_touch(const struct allocation *a, uint64_t offset, uint64_t bytes)
{
    if (a->lazy)
        memory_make(a, offset, bytes);
}

/* Returns the allocation that contains [address, address + bytes), or NULL. */
const struct allocation *memory_find(const struct memory *m, uint64_t address, uint64_t bytes);
/* The host memory of that range, with its contents made; or NULL. */
void *memory_host(const struct memory *m, uint64_t address, uint64_t bytes);

/* "12 bytes past the end of the 4096-byte allocation at 0x…" for a message. */
const char *memory_near(const struct memory *m, uint64_t address, char *buffer, size_t size);

#endif
