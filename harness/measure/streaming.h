/*
 * The harness's own streaming reads, copies and writes of a buffer (as STREAM has them), shared by
 * ceilings.c and self_check.c.
 */
#ifndef REDSWEEP_MEASURE_STREAMING_H
#define REDSWEEP_MEASURE_STREAMING_H

#include "measure/group.h"

/* Bytes of a buffer that is far larger than the cache; 0 if memory is too small for one. */
uint64_t stream_bytes(const struct bench *b);

/* kernels/support/NAME.cu for int32 sums, loaded; it stays the bench's. */
bool stream_module(struct bench *b, const char *name, struct module **out, struct error *e);

/* A launch over the first `bytes` of `input`. */
struct launch stream_launch(struct module *module, struct buffer input, struct buffer output,
                            unsigned threads, uint64_t blocks, uint64_t bytes);

/* Its median time, cold. */
bool stream_time(struct bench *b, const struct launch *launch, struct buffer input, double *us,
                 struct error *e);

#endif
