/*
 * Allocates, fills and reads GPU buffers. Inputs are generated on the GPU by a kernel, so they are
 * never copied from the host.
 */
#include "devices/cuda/cuda_device.h"

#include <stdio.h>
#include <string.h>

#include "support/input.h"

enum { STAGING_BYTES = 1 << 20 };

bool cuda_alloc(struct device *d, size_t bytes, struct buffer *out, struct error *e)
{
    (void)d;
    void *address = NULL;
    char attempted[96];
    bool large = bytes >= 1u << 30;
    snprintf(attempted, sizeof attempted, "allocating %zu bytes (%.1f %s) on the GPU", bytes,
             (double)bytes / (large ? 1u << 30 : 1u << 20), large ? "GiB" : "MiB");
    if (!cuda_ok(cudaMalloc(&address, bytes), attempted, e))
        return false;
    *out = (struct buffer){(uint64_t)(uintptr_t)address, bytes};
    return true;
}

void cuda_free(struct device *d, struct buffer b)
{
    (void)d;
    if (b.address)
        (void)cudaFree((void *)(uintptr_t)b.address);
}

bool cuda_fill(struct device *d, struct buffer b, uint8_t byte, struct error *e)
{
    d->slot.stale = true; /* if the buffer is large, CUDA launches a kernel of its own */
    /* All later work is queued in the same stream, so there is no need to wait. */
    return cuda_ok(cudaMemsetAsync((void *)(uintptr_t)b.address, byte, b.bytes, d->stream),
                   "filling a buffer", e);
}

bool cuda_read(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
               struct error *e)
{
    if (offset > b.bytes || bytes > b.bytes - offset)
        return FAIL(e, ERROR_INTERNAL,
                    "cannot read %zu bytes at offset %zu of a buffer of %zu bytes", bytes, offset,
                    b.bytes);
    /* If the result is small, copies it to pinned memory first, which the GPU can write directly.
     * For a few bytes, this takes half as long as copying to `host`. */
    if (!d->staging && !cuda_ok(cudaHostAlloc(&d->staging, STAGING_BYTES, cudaHostAllocDefault),
                                "allocating memory for results", e))
        return false;
    d->slot.stale = true;
    void *to = bytes <= STAGING_BYTES ? d->staging : host;
    if (!cuda_ok(cudaMemcpyAsync(to, (const char *)(uintptr_t)b.address + offset, bytes,
                                 cudaMemcpyDeviceToHost, d->stream),
                 "copying a result from the GPU", e) ||
        !cuda_ok(cudaStreamSynchronize(d->stream), "copying a result from the GPU", e))
        return false;
    if (to != host)
        memcpy(host, to, bytes);
    return true;
}

bool cuda_enqueue_generate(struct device *d, struct buffer b, const struct input *input,
                           struct error *e)
{
    bool wide = input->n > (1ull << 31);
    struct module **generator = &d->generators[input->type][wide];
    if (!*generator && !cuda_load_support(d, "generate", input->type, OP_SUM, wide, generator, e))
        return false;
    const unsigned block = 256;
    uint64_t wanted = (input->n + block - 1) / block;
    /* The kernel loops over the elements that are beyond the grid. */
    uint64_t most = (uint64_t)d->info.limits.sms * 32;
    struct launch l =
        cuda_support_launch(*generator, (unsigned)(wanted < most ? wanted : most), block);
    add_argument(&l, b.address, 8);
    add_argument(&l, input->n, wide ? 8 : 4);
    add_argument(&l, input->seed, 8);
    add_argument(&l, input_peak(input->seed, input->n), 8);
    add_argument(&l, (uint64_t)input->kind, 4);
    add_argument(&l, (uint64_t)input_values(input->op), 4);
    add_argument(&l, element_is_signed(input->type), 4);
    add_argument(&l, (uint64_t)element_significand(input->type), 4);
    return cuda_enqueue(d, &l, e);
}

bool cuda_generate(struct device *d, struct buffer b, const struct input *input, struct error *e)
{
    return cuda_enqueue_generate(d, b, input, e) &&
           cuda_ok(cudaStreamSynchronize(d->stream), "generating the input on the GPU", e);
}
