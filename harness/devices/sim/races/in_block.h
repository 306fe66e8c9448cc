/*
 * Tracks orderings between threads of one block that do not come from block or warp barriers, but
 * from flags with fences, from shared-memory barriers at which a single thread arrives, and from
 * waits for asynchronous copies. Private to races/.
 *
 *   flag    A thread that has executed a fence since its last write executes a volatile or relaxed
 *           store, or an atomic. Another thread reads the written value with an atomic or with a
 *           load that is at least volatile. Three groups of accesses are then ordered before the
 *           reader's accesses: those of the writing thread, those of its warp before the last warp
 *           barrier, and those that are themselves ordered before the writing thread's accesses.
 *           From the next warp barrier on, they are also ordered before the accesses of the
 *           reader's warp.
 *   copy    A copy writes shared memory from its issue until a thread has waited for it. The
 *           issuing thread waits with cp.async.wait_group. Any thread may wait at the barrier in
 *           shared memory that the copy reports to. For any other thread, the copy has ended once
 *           this thread has met, at a barrier, a thread that has waited.
 */
#ifndef REDSWEEP_DEVICES_SIM_RACES_IN_BLOCK_H
#define REDSWEEP_DEVICES_SIM_RACES_IN_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum access_strength { STRENGTH_PLAIN, STRENGTH_VOLATILE, STRENGTH_RELAXED, STRENGTH_ATOMIC };

/* One access, as stored in a shadow. */
struct note {
    uint32_t block;
    uint16_t thread;
    uint8_t bytes;    /* a mask of the word's four bytes; 0: no access */
    uint8_t strength; /* enum access_strength */
    uint32_t epoch, warp_epoch;
    int32_t at;       /* the instruction */
    uint16_t program; /* its program, as an index into race_pairs.programs */
    bool block_scope; /* strong only within its own block */
    bool launched;    /* made by a grid that the thread launched */
    bool released;    /* a write whose thread has executed a fence since its last write */
    uint64_t step;    /* the number of the warp's memory instruction, equal in all lanes */
};

struct in_block; /* the orders within one block */

struct in_block *in_block_new(void);
void in_block_free(struct in_block *b); /* NULL is ignored */

/* Record that thread n->thread writes or has read the flag at `key`, an address in any memory. */
void in_block_release(struct in_block *b, uint64_t key, const struct note *n);
void in_block_acquire(struct in_block *b, uint64_t key, const struct note *n);
/* Returns whether flags order access a, which came earlier in the simulation, before access n. */
bool in_block_ordered(const struct in_block *b, const struct note *a, const struct note *n);

/*
 * Records that thread n->thread issues a copy to [to, to + bytes) of shared memory. The copy
 * reports to the barrier at `barrier`, in the phase with this parity. If `barrier` is UINT64_MAX,
 * the copy joins the thread's open group.
 */
void in_block_copy(struct in_block *b, uint64_t to, uint64_t bytes, uint64_t barrier, bool parity,
                   const struct note *n);
/* Records a cp.async.mbarrier.arrive: copies in the thread's groups report to this barrier, too. */
void in_block_attach(struct in_block *b, uint64_t barrier, bool parity, const struct note *n);
void in_block_commit(struct in_block *b, const struct note *n);
/*
 * Records that the thread has waited for all but the last `open` groups, or for all copies if
 * `open` is -1.
 */
void in_block_wait_groups(struct in_block *b, int open, const struct note *n);
/* Records that the thread has seen a phase with this parity end. */
void in_block_wait_barrier(struct in_block *b, uint64_t barrier, bool parity, const struct note *n);

/*
 * Returns a copy to [at, at + bytes) that n's thread has not waited for, directly or through other
 * threads, or NULL if there is none.
 */
const struct note *in_block_unseen(const struct in_block *b, uint64_t at, unsigned bytes,
                                   const struct note *n);

#endif
