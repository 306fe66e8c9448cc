/*
 * What comes before a timed launch: the input restored, scratch memory zeroed, the caches set.
 *
 * Cold means that nothing of the buffers is in the L2 cache and that no line in it is dirty. A
 * write of twice the L2's size evicts everything but leaves dirty lines, whose write-back would be
 * paid inside the timed kernel (on an H200 that makes a sum of 2^24 int32 30 % slower); a read of
 * another twice the L2's size replaces them by clean lines.
 * Warm means that the input was just read, by the same kind of sweep.
 */
#include "devices/cuda/cuda_device.h"

enum { SWEEP_BLOCK = 512, SWEEP_BLOCKS_PER_SM = 4 };

static size_t flush_bytes(const struct device *d)
{
    size_t least = 8u << 20; /* a GPU that does not tell its L2's size */
    size_t twice = 2 * (size_t)d->info.l2_bytes;
    return twice > least ? twice : least;
}

static bool load_sweep(struct device *d, const char *name, struct module **m, struct error *e)
{
    return *m || cuda_load_support(d, name, TYPE_INT32, OP_SUM, true, m, e);
}

static bool get_buffer(struct device *d, size_t bytes, struct buffer *b, struct error *e)
{
    return b->address || cuda_alloc(d, bytes, b, e) ||
           error_prefix(e, "memory to flush the cache with, whatever the kernel's size");
}

/* Whatever an earlier attempt got before it failed is kept. */
bool cuda_prepare_flush(struct device *d, struct error *e)
{
    if (d->sink.address)
        return true;
    size_t bytes = flush_bytes(d);
    return load_sweep(d, "sweep_read", &d->sweep_read, e) &&
           load_sweep(d, "sweep_write", &d->sweep_write, e) &&
           get_buffer(d, bytes, &d->flush_dirty, e) && get_buffer(d, bytes, &d->flush_clean, e) &&
           cuda_fill(d, d->flush_clean, 0x5a, e) && get_buffer(d, 256, &d->sink, e);
}

/* sweep_read(input, output, n) and sweep_write(input, output, n): n in 32-bit elements. */
static bool enqueue_sweep(struct device *d, struct module *m, struct buffer b, uint64_t elements,
                          struct error *e)
{
    unsigned grid = (unsigned)d->info.limits.sms * SWEEP_BLOCKS_PER_SM;
    struct launch l = cuda_support_launch(m, grid, SWEEP_BLOCK);
    add_argument(&l, b.address, 8);
    add_argument(&l, m == d->sweep_write ? b.address : d->sink.address, 8);
    add_argument(&l, elements, 8);
    return cuda_enqueue(d, &l, e);
}

bool cuda_enqueue_prepare(struct device *d, const struct trial *t, struct error *e)
{
    if (t->restore && !cuda_enqueue_generate(d, t->input, t->restore, e))
        return false;
    if (t->zero.bytes &&
        !cuda_ok(cudaMemsetAsync((void *)(uintptr_t)t->zero.address, 0, t->zero.bytes, d->stream),
                 "zeroing scratch memory", e))
        return false;
    if (!cuda_prepare_flush(d, e))
        return false;
    if (t->cache == CACHE_WARM)
        return enqueue_sweep(d, d->sweep_read, t->input, t->input.bytes / 4, e);
    return enqueue_sweep(d, d->sweep_write, d->flush_dirty, d->flush_dirty.bytes / 4, e) &&
           enqueue_sweep(d, d->sweep_read, d->flush_clean, d->flush_clean.bytes / 4, e);
}
