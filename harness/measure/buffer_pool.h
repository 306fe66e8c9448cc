/*
 * Buffers that are reused from group to group, and other objects that outlive a group, apart from
 * the kernels under test: references and the harness's own kernels.
 *
 * A reference is computed once for each workload and input, although many groups (cold and warm, a
 * block size each …) share it. Memory is allocated once and reused: allocating and freeing on a GPU
 * takes as long as measuring a small point.
 */
#ifndef REDSWEEP_MEASURE_BUFFER_POOL_H
#define REDSWEEP_MEASURE_BUFFER_POOL_H

#include "measure/group.h"

/*
 * The purposes of buffers; each has one at a time. Buffers of the kernels under test exist several
 * times at different addresses (timing.placements): BUFFER_PRISTINE + p, BUFFER_SCRATCH + p,
 * BUFFER_OUTPUT + p and BUFFER_WORKSPACE + p are those of placement p.
 */
enum purpose {
    BUFFER_PRISTINE,
    BUFFER_SCRATCH = BUFFER_PRISTINE + PLACEMENTS_MAX,
    BUFFER_OUTPUT = BUFFER_SCRATCH + PLACEMENTS_MAX,
    BUFFER_WORKSPACE = BUFFER_OUTPUT + PLACEMENTS_MAX,
    BUFFER_SCALAR = BUFFER_WORKSPACE + PLACEMENTS_MAX,
    BUFFER_SECOND_WORKSPACE,
    BUFFER_PURPOSES
};

struct buffer_pool; /* of one bench; NULL before the first use */

/*
 * The reference of an input, by the point's rows where the workload is. It stays the pool's, and
 * that of rows is valid until the next one of rows. ERROR_MEMORY, or the error of the workload's
 * own function.
 */
bool pool_reference(struct bench *b, const struct workload *workload, const struct input *input,
                    const struct point *point, struct reference *out, struct error *e);

/*
 * A buffer of exactly `bytes`, in memory that may be larger; its contents are undefined. It is in
 * use until the next call for the same purpose. If memory runs out, everything that is not in use
 * is freed first.
 */
bool pool_buffer(struct bench *b, enum purpose purpose, uint64_t bytes, struct buffer *out,
                 struct error *e);

/* One of the harness's own kernels, with 64-bit indices; loaded once; it stays the pool's. */
bool pool_support(struct bench *b, const struct kernel *kernel, enum element_type type,
                  enum operation op, struct module **out, struct error *e);

/*
 * The group is over: nothing is in use any more. Large buffers are freed, and on a device without a
 * clock all of them: reuse gains nothing there, and a simulator that guards the ends of buffers
 * needs the true ends. `device_lost`: everything is forgotten without a call to the device.
 */
void pool_return(struct bench *b, bool device_lost);

/* Frees everything. */
void pool_free(struct bench *b, bool device_lost);

#endif
