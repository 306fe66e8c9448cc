/*
 * Keeps buffers, references (correct results) and the harness's own kernels, so that later groups
 * can use them again. modules.h does the same for the kernels under test.
 *
 * A reference is computed once per workload and input, and several groups share it, for example the
 * groups with cold and with warm caches. Memory is allocated once and reused, because allocating
 * and freeing GPU memory takes as long as measuring a small point.
 */
#ifndef REDSWEEP_MEASURE_BUFFER_POOL_H
#define REDSWEEP_MEASURE_BUFFER_POOL_H

#include "measure/group.h"

/*
 * What buffers are for. There is one buffer for each purpose, except that the kernels under test
 * have several sets of buffers at different addresses (timing.placements). The buffers of placement
 * p are BUFFER_PRISTINE + p, BUFFER_SCRATCH + p, BUFFER_OUTPUT + p and BUFFER_WORKSPACE + p.
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

struct buffer_pool; /* one bench's pool; NULL before the first use */

/*
 * Returns an input's reference, which the pool owns. For a row-wise workload, the reference also
 * depends on the point's rows, and is valid only until the next reference for such a workload is
 * requested. Fails with ERROR_MEMORY, or with the error of the workload's function.
 */
bool pool_reference(struct bench *b, const struct workload *workload, const struct input *input,
                    const struct point *point, struct reference *out, struct error *e);

/*
 * Returns a buffer whose size is `bytes` and whose contents are undefined. The memory behind it may
 * be larger. The buffer stays in use until the next call for the same purpose. If memory runs out,
 * frees all unused buffers and tries again.
 */
bool pool_buffer(struct bench *b, enum purpose purpose, uint64_t bytes, struct buffer *out,
                 struct error *e);

/* Returns one of the harness's own kernels, compiled with 64-bit indices. It is loaded once and
 * belongs to the pool. */
bool pool_support(struct bench *b, const struct kernel *kernel, enum element_type type,
                  enum operation op, struct module **out, struct error *e);

/*
 * Ends the use of all buffers after a group, and frees large ones. On a device without a clock,
 * such as the simulator, frees all buffers: keeping them saves no time there, and the simulator can
 * check accesses beyond the end of a buffer only if the buffer has exactly the requested size. If
 * `device_lost` is true, forgets the buffers without a call to the device.
 */
void pool_return(struct bench *b, bool device_lost);

/* Frees the pool and everything in it. */
void pool_free(struct bench *b, bool device_lost);

#endif
