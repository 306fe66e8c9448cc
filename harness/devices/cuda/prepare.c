/*
 * Prepares timed launches: restores the input, zeroes scratch memory and the output, and puts the
 * caches into the requested state, cold or warm.
 *
 * Cold means that the L2 cache contains none of the data in the trial's buffers, and no dirty
 * lines. Writing a buffer as large as the L2 evicts the data but leaves dirty lines, which would be
 * written back during the timed kernel. To replace them with clean lines, another buffer of four
 * times the L2's size is read. On an H200, a sum of 2^22 int32 elements took 9.7 us after the write
 * alone, 8.5 us after also reading twice the L2's size, and 8.1 us after reading three times its
 * size or more. Warm means that a kernel has just read the input.
 */
#include "devices/cuda/cuda_device.h"

enum { SUPPORT_BLOCK = 512, SUPPORT_BLOCKS_PER_SM = 4 };
/* the sizes of the buffers to write and to read, in multiples of the L2's size */
enum { DIRTY_TIMES = 1, CLEAN_TIMES = 4 };

static size_t flush_bytes(const struct device *d, int times)
{
    /* the size to assume if a GPU does not report the size of its L2 */
    size_t unknown = 8u << 20;
    size_t l2 = (size_t)d->info.l2_bytes;
    return (size_t)times * (l2 > 0 ? l2 : unknown);
}

static bool load_support(struct device *d, const char *name, struct module **m, struct error *e)
{
    return *m || cuda_load_support(d, name, TYPE_INT32, OP_SUM, true, m, e);
}

static bool get_buffer(struct device *d, size_t bytes, struct buffer *b, struct error *e)
{
    return b->address || cuda_alloc(d, bytes, b, e) ||
           error_prefix(e, "the buffer for the cache flush, which is needed at every size");
}

/*
 * Creates the buffers and loads the kernels that the cache flush needs, except those that an
 * earlier call created before it failed.
 */
bool cuda_prepare_flush(struct device *d, struct error *e)
{
    if (d->sink.address)
        return true;
    size_t dirty = flush_bytes(d, DIRTY_TIMES), clean = flush_bytes(d, CLEAN_TIMES);
    return load_support(d, "sweep_read", &d->streaming_read, e) &&
           load_support(d, "sweep_write", &d->streaming_write, e) &&
           load_support(d, "zero", &d->zero, e) && get_buffer(d, dirty, &d->flush_dirty, e) &&
           get_buffer(d, clean, &d->flush_clean, e) && cuda_fill(d, d->flush_clean, 0x5a, e) &&
           get_buffer(d, 256, &d->sink, e);
}

/* Returns a launch of sweep_read(input, output, n) or sweep_write(input, output, n), where n counts
 * 32-bit elements. */
static struct launch streaming_launch(struct device *d, struct module *m, struct buffer b,
                                      uint64_t elements)
{
    unsigned grid = (unsigned)d->info.limits.sms * SUPPORT_BLOCKS_PER_SM;
    struct launch l = cuda_support_launch(m, grid, SUPPORT_BLOCK);
    add_argument(&l, b.address, 8);
    add_argument(&l, m == d->streaming_write ? b.address : d->sink.address, 8);
    add_argument(&l, elements, 8);
    return l;
}

static bool enqueue_streaming(struct device *d, struct module *m, struct buffer b,
                              uint64_t elements, struct error *e)
{
    struct launch l = streaming_launch(d, m, b, elements);
    return cuda_enqueue(d, &l, e);
}

bool cuda_tiny_launch(struct device *d, struct launch *out, struct buffer *input, struct error *e)
{
    enum { TINY_BYTES = 64 << 10, TINY_BLOCKS = 16 };
    if (!cuda_prepare_flush(d, e))
        return false;
    *input = (struct buffer){d->flush_clean.address, TINY_BYTES};
    *out = streaming_launch(d, d->streaming_read, *input, TINY_BYTES / 4);
    out->grid[0] = TINY_BLOCKS;
    return true;
}

/* Zeroes a buffer with a kernel rather than a memset. Queue slots depend on the number of launches,
 * and CUDA implements some memsets as launches but not others. */
static bool enqueue_zero(struct device *d, struct buffer b, struct error *e)
{
    uint64_t words = b.bytes / 4, blocks = (words + SUPPORT_BLOCK - 1) / SUPPORT_BLOCK;
    uint64_t most = (uint64_t)d->info.limits.sms * SUPPORT_BLOCKS_PER_SM;
    /* A memset of fewer than 4 bytes is not a launch. */
    void *rest = (void *)(uintptr_t)(b.address + 4 * words);
    if (b.bytes % 4 &&
        !cuda_ok(cudaMemsetAsync(rest, 0, b.bytes % 4, d->stream), "zeroing memory", e))
        return false;
    if (words == 0)
        return true;
    struct launch l =
        cuda_support_launch(d->zero, (unsigned)(blocks < most ? blocks : most), SUPPORT_BLOCK);
    add_argument(&l, b.address, 8);
    add_argument(&l, b.address, 8);
    add_argument(&l, words, 8);
    return cuda_enqueue(d, &l, e);
}

bool cuda_enqueue_zero(struct device *d, const struct trial *t, struct error *e)
{
    return enqueue_zero(d, t->zero, e) && enqueue_zero(d, t->zero_output, e);
}

unsigned cuda_prepare_launches(const struct trial *t)
{
    return (t->restore != NULL) + (t->zero.bytes >= 4) + (t->zero_output.bytes >= 4) +
           (t->cache == CACHE_WARM ? 1 : 2);
}

/* Returns b with its beginning moved back to a multiple of 16 bytes, because the streaming kernels
 * load 16 bytes at a time. An input may begin at another address, but the allocation that contains
 * it begins at a multiple of 16. */
static struct buffer whole_packs(struct buffer b)
{
    uint64_t before = b.address % 16;
    return (struct buffer){b.address - before, b.bytes + before};
}

bool cuda_enqueue_prepare(struct device *d, const struct trial *t, struct error *e)
{
    if (t->restore && !cuda_enqueue_generate(d, t->input, t->restore, e))
        return false;
    if (!cuda_prepare_flush(d, e) || !cuda_enqueue_zero(d, t, e))
        return false;
    if (t->cache == CACHE_WARM)
        return enqueue_streaming(d, d->streaming_read, whole_packs(t->input), t->input.bytes / 4,
                                 e);
    return enqueue_streaming(d, d->streaming_write, d->flush_dirty, d->flush_dirty.bytes / 4, e) &&
           enqueue_streaming(d, d->streaming_read, d->flush_clean, d->flush_clean.bytes / 4, e);
}
