/*
 * Tracks how accesses by threads of one block are ordered by anything but block barriers and warp
 * barriers: by flags with fences, by shared-memory barriers at which a single thread arrives, and
 * by waiting for asynchronous copies. Used only in races/.
 *
 *   flag    A thread executes a fence and then, as its next write, a volatile or relaxed store or
 *           an atomic. Another thread, the reader, reads the written value with an atomic or with a
 *           load that is volatile, relaxed or stronger. Three groups of accesses are then ordered
 *           before the later accesses of the reader: those of the writing thread, those of its warp
 *           before the last warp barrier, and those that are ordered before accesses of the writing
 *           thread. After the reader's next warp barrier, they are also ordered before the accesses
 *           of the reader's warp.
 *   copy    For a thread, a copy writes shared memory from its issue until the thread has waited
 *           for it. The issuing thread can wait with cp.async.wait_group. Any thread can wait at
 *           the barrier in shared memory to which the copy reports. Instead of waiting itself, a
 *           thread can meet a thread that has waited, at a block barrier or a warp barrier.
 */
#ifndef REDSWEEP_DEVICES_SIM_RACES_IN_BLOCK_H
#define REDSWEEP_DEVICES_SIM_RACES_IN_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum access_strength { STRENGTH_PLAIN, STRENGTH_VOLATILE, STRENGTH_RELAXED, STRENGTH_ATOMIC };

/* Describes one access to a word of memory. */
struct note {
    uint32_t block;
    uint16_t thread;
    /* a mask of those of the word's four bytes that are accessed; 0: there is no access */
    uint8_t bytes;
    uint8_t strength; /* enum access_strength */
    uint32_t epoch, warp_epoch;
    int32_t at;       /* the index of the instruction */
    uint16_t program; /* the instruction's program, as an index into race_pairs.programs */
    bool block_scope; /* true if the access is strong only within its own block (.cta) */
    bool launched;    /* true if a grid that the thread launched made the access */
    /* true for a write if its thread has executed a fence since its previous write */
    bool released;
    uint64_t step; /* the number of the warp's memory instruction, equal in all lanes */
};

struct in_block; /* what is known about the order of accesses in one block */

struct in_block *in_block_new(void);
void in_block_free(struct in_block *b); /* NULL is ignored */

/* Record that thread n->thread writes the flag at `key` (release), or has read it (acquire). `key`
 * stands for an address in any memory. */
void in_block_release(struct in_block *b, uint64_t key, const struct note *n);
void in_block_acquire(struct in_block *b, uint64_t key, const struct note *n);
/* Returns whether flags order access a before access n. The simulator executed a before n. */
bool in_block_ordered(const struct in_block *b, const struct note *a, const struct note *n);

/*
 * Records that thread n->thread issues a copy to [to, to + bytes) of shared memory. The copy
 * reports to the barrier at `barrier`, in the phase with this parity. If `barrier` is UINT64_MAX,
 * the copy is part of the next group that the thread commits.
 */
void in_block_copy(struct in_block *b, uint64_t to, uint64_t bytes, uint64_t barrier, bool parity,
                   const struct note *n);
/* Records a cp.async.mbarrier.arrive, which makes all copies in the thread's groups report to this
 * barrier. */
void in_block_attach(struct in_block *b, uint64_t barrier, bool parity, const struct note *n);
void in_block_commit(struct in_block *b, const struct note *n);
/*
 * Records that the thread has waited for all groups but the `open` most recent ones, or for all
 * copies if `open` is -1.
 */
void in_block_wait_groups(struct in_block *b, int open, const struct note *n);
/* Records that the thread has waited for the end of the barrier's phase with this parity. */
void in_block_wait_barrier(struct in_block *b, uint64_t barrier, bool parity, const struct note *n);

/*
 * Returns a copy to [at, at + bytes) that may still be writing for thread n->thread, or NULL if
 * there is none. See `copy` above.
 */
const struct note *in_block_unseen(const struct in_block *b, uint64_t at, unsigned bytes,
                                   const struct note *n);

#endif
