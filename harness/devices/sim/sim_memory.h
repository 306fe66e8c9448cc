/*
 * The simulator's global memory: a table of allocations, each with an address that a kernel sees.
 *
 * Device addresses begin above 2^32, are aligned to 4096 bytes, and have unused space between
 * them, so that an access just outside of one allocation never lands in another. Pages are
 * mapped when they are first touched. Two windows below 2^32 stand for shared and local memory
 * in the generic address space.
 */
#ifndef REDSWEEP_DEVICES_SIM_SIM_MEMORY_H
#define REDSWEEP_DEVICES_SIM_SIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SHARED_WINDOW 0x01000000ull
#define LOCAL_WINDOW 0x02000000ull
#define WINDOW_BYTES 0x01000000ull
#define FIRST_ADDRESS 0x200000000ull
#define GUARD_BYTES 0x10000ull

struct allocation {
    uint64_t address, bytes;
    uint8_t *host;
    size_t mapped;
};

struct memory {
    struct allocation *allocations; /* in the order of their addresses */
    int count;
    uint64_t next; /* address of the next allocation */
};

/* Reserves `bytes` (0 counts as 1); their contents are zero. */
bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e);
/* Gives an allocation back; an address that is none is ignored. */
void memory_free(struct memory *m, uint64_t address);
void memory_free_all(struct memory *m);

/* The allocation that holds [address, address + bytes), or NULL. */
const struct allocation *memory_find(const struct memory *m, uint64_t address, uint64_t bytes);
/* The same as a host pointer, or NULL. */
void *memory_host(const struct memory *m, uint64_t address, uint64_t bytes);

/* "12 bytes past the end of the 4096-byte allocation at 0x…" for a message. */
const char *memory_near(const struct memory *m, uint64_t address, char *buffer, size_t size);

#endif
