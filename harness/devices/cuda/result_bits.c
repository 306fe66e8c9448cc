/*
 * Hashes the result of every timed trial, so that a single different result is noticed. A launch
 * after the trial's last event computes the hash. It writes the hash to host memory, so nothing has
 * to be copied while the GPU works.
 */
#include "devices/cuda/cuda_device.h"

enum { HASH_BLOCK = 256, WORDS_PER_THREAD = 16 };

/* Creates the buffers and loads the kernel for hashing, except what an earlier call created before
 * it failed. */
bool cuda_bits_open(struct device *d, struct error *e)
{
    enum { STATE_BYTES = 16 };
    if (d->bits_ready)
        return true;
    if (!d->result_bits &&
        !cuda_load_support(d, "result_bits", TYPE_INT32, OP_SUM, true, &d->result_bits, e))
        return false;
    if ((!d->bits_state.address && !cuda_alloc(d, STATE_BYTES, &d->bits_state, e)) ||
        !cuda_fill(d, d->bits_state, 0, e))
        return false;
    for (int s = 0; s < 2; s++) {
        struct timing_slot *slot = &d->slots[s];
        void *bits = slot->bits, *on_device = NULL;
        if (!bits &&
            !cuda_ok(cudaHostAlloc(&bits, TIMING_TRIALS * sizeof *slot->bits, cudaHostAllocMapped),
                     "allocating memory for hashes of results", e))
            return false;
        slot->bits = bits;
        if (!cuda_ok(cudaHostGetDevicePointer(&on_device, bits, 0),
                     "mapping memory for hashes of results", e))
            return false;
        slot->bits_device = (uint64_t)(uintptr_t)on_device;
    }
    d->bits_ready = true;
    return true;
}

void cuda_bits_close(struct device *d)
{
    for (int s = 0; s < 2; s++) {
        if (d->slots[s].bits)
            (void)cudaFreeHost(d->slots[s].bits);
        d->slots[s].bits = NULL;
    }
    cuda_free(d, d->bits_state);
    cuda_unload(d, d->result_bits);
}

bool cuda_enqueue_bits(struct device *d, struct timing_slot *slot, int i, const struct trial *t,
                       struct error *e)
{
    slot->bits_to[i] = t->bits;
    if (!t->bits)
        return true;
    uint64_t each = 4ull * HASH_BLOCK * WORDS_PER_THREAD,
             most = 4ull * (uint64_t)d->info.limits.sms;
    uint64_t blocks = t->result.bytes / each + 1;
    struct launch l =
        cuda_support_launch(d->result_bits, (unsigned)(blocks < most ? blocks : most), HASH_BLOCK);
    add_argument(&l, t->result.address, 8);
    add_argument(&l, slot->bits_device + (uint64_t)i * sizeof *slot->bits, 8);
    add_argument(&l, t->result.bytes, 8);
    add_argument(&l, d->bits_state.address, 8);
    return cuda_enqueue(d, &l, e);
}

void cuda_bits_collect(struct timing_slot *slot)
{
    for (int i = 0; i < slot->trials; i++)
        if (slot->bits_to[i])
            *slot->bits_to[i] = slot->bits[i];
}
