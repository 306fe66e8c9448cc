/*
 * The pool contains buffers that are reused from group to group. It also stores references and the
 * harness's own kernels, which are reused in the same way. The kernels under test are stored
 * elsewhere (modules.h).
 *
 * A reference is computed once for each workload and input. Several groups share it, for example
 * those with cold and those with warm caches. Memory is allocated once and reused, because
 * allocating and freeing memory on a GPU takes as long as measuring a small point.
 */
#ifndef REDSWEEP_MEASURE_BUFFER_POOL_H
#define REDSWEEP_MEASURE_BUFFER_POOL_H

#include "measure/group.h"

/*
 * The purposes of buffers. Each purpose has one buffer, except that the kernels under test have
 * several sets of buffers at different addresses (timing.placements). The buffers of placement p
 * are BUFFER_PRISTINE + p, BUFFER_SCRATCH + p, BUFFER_OUTPUT + p and BUFFER_WORKSPACE + p.
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

struct buffer_pool; /* the pool of one bench; NULL before the first use */

/*
 * Returns the reference of an input. For a row-wise workload, the reference also depends on the
 * rows of the point. The pool owns the reference. The reference of a row-wise workload is valid
 * until the next such reference is requested. Fails with ERROR_MEMORY, or with the error of the
 * workload's function.
 */
bool pool_reference(struct bench *b, const struct workload *workload, const struct input *input,
                    const struct point *point, struct reference *out, struct error *e);

/*
 * Returns a buffer with a size of exactly `bytes`; more memory than that may be allocated for it.
 * Its contents are undefined. The buffer stays in use until the next call for the same purpose. If
 * there is too little memory, all unused buffers are freed first.
 */
bool pool_buffer(struct bench *b, enum purpose purpose, uint64_t bytes, struct buffer *out,
                 struct error *e);

/* Returns one of the harness's own kernels, compiled with 64-bit indices. It is loaded once, and
 * the pool owns it. */
bool pool_support(struct bench *b, const struct kernel *kernel, enum element_type type,
                  enum operation op, struct module **out, struct error *e);

/*
 * Ends the use of all buffers after a group. If the buffers are large, they are freed. On a device
 * without a clock all buffers are freed: reuse saves no time there, and a simulator that checks the
 * ends of buffers needs their exact sizes. If `device_lost` is true, the buffers are forgotten
 * without a call to the device.
 */
void pool_return(struct bench *b, bool device_lost);

/* Frees the pool and everything in it. */
void pool_free(struct bench *b, bool device_lost);

#endif
