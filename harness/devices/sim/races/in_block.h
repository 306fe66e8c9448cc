/*
 * Orders between threads of one block besides barriers: flags with fences, barriers in shared
 * memory at which one thread arrives, and the wait for asynchronous copies. Only races/ uses it.
 *
 *   flag    a volatile or relaxed store, or an atomic, by a thread that has executed a fence since
 *           its last write, if a volatile or stronger load, or an atomic, of the same address sees
 *           it. The writer's accesses, those of its warp before the last warp barrier, and those
 *           that the writer knew of are then ordered before the reader's, and from the next warp
 *           barrier on before those of the reader's warp.
 *   copy    writes shared memory from its issue until somebody has waited for it: the issuing
 *           thread by cp.async.wait_group, any thread by a wait at the barrier in shared memory that
 *           the copy reports to. Others know of its end after a barrier with a thread that has waited.
 */
#ifndef REDSWEEP_DEVICES_SIM_RACES_IN_BLOCK_H
#define REDSWEEP_DEVICES_SIM_RACES_IN_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum access_strength { STRENGTH_PLAIN, STRENGTH_VOLATILE, STRENGTH_RELAXED, STRENGTH_ATOMIC };

/* One access, as a shadow remembers it. */
struct note {
    uint32_t block;
    uint16_t thread;
    uint8_t bytes;    /* mask of the word's four bytes; 0: no access */
    uint8_t strength; /* enum access_strength */
    uint32_t epoch, warp_epoch;
    int32_t at;       /* the instruction */
    uint16_t program; /* its program, as an index of race_pairs.programs */
    bool block_scope; /* strong only for its own block */
    bool launched;    /* whether a grid that the thread launched made it */
    bool released;    /* a write by a thread that had executed a fence since its last one */
    uint64_t step;    /* number of the warp's memory instruction, equal in all lanes */
};

struct in_block; /* the orders within one block */

struct in_block *in_block_new(void);
void in_block_free(struct in_block *b); /* NULL is ignored */

/* Notes that thread n->thread writes, or has read, the flag at `key`, an address in any memory. */
void in_block_release(struct in_block *b, uint64_t key, const struct note *n);
void in_block_acquire(struct in_block *b, uint64_t key, const struct note *n);
/* Returns whether flags order a, which came earlier in the simulation, before n. */
bool in_block_ordered(const struct in_block *b, const struct note *a, const struct note *n);

/*
 * Notes that thread n->thread issues a copy to [to, to + bytes) of shared memory. It reports to the barrier
 * at `barrier` in the phase of this parity, or if that is UINT64_MAX to its thread's open group.
 */
void in_block_copy(struct in_block *b, uint64_t to, uint64_t bytes, uint64_t barrier, bool parity,
                   const struct note *n);
/* cp.async.mbarrier.arrive: the copies of the thread's groups report to this barrier, too. */
void in_block_attach(struct in_block *b, uint64_t barrier, bool parity, const struct note *n);
void in_block_commit(struct in_block *b, const struct note *n);
/* Notes that the thread has waited for all groups except the last `open` ones; -1: for all copies. */
void in_block_wait_groups(struct in_block *b, int open, const struct note *n);
/* Notes that the thread has seen the end of a phase of this parity. */
void in_block_wait_barrier(struct in_block *b, uint64_t barrier, bool parity, const struct note *n);

/*
 * Returns a copy to any of [at, at + bytes) of whose completion n's thread does not know, or NULL if there is
 * none.
 */
const struct note *in_block_unseen(const struct in_block *b, uint64_t at, unsigned bytes,
                                   const struct note *n);

#endif
