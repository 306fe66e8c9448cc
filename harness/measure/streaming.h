/*
 * Runs the harness's own kernels that read, copy and write a buffer, as the STREAM benchmark does.
 * Used by ceilings.c and self_check.c.
 */
#ifndef REDSWEEP_MEASURE_STREAMING_H
#define REDSWEEP_MEASURE_STREAMING_H

#include "measure/group.h"

/* Returns the size in bytes of a buffer much larger than the cache, or 0 if there is too little
 * memory for one. */
uint64_t stream_bytes(const struct bench *b);

/* Loads kernels/support/NAME.cu for int32 sums. The bench owns the module. */
bool stream_module(struct bench *b, const char *name, struct module **out, struct error *e);

/* Makes a launch over the first `bytes` bytes of `input`. */
struct launch stream_launch(struct module *module, struct buffer input, struct buffer output,
                            unsigned threads, uint64_t blocks, uint64_t bytes);

/* Measures a launch's median time with a cold cache. */
bool stream_time(struct bench *b, const struct launch *launch, struct buffer input, double *us,
                 struct error *e);

#endif
