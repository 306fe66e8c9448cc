/*
 * Runs a trial: the operations before its launches, and then the launches in order.
 */
#include "devices/cuda/cuda_device.h"

bool cuda_enqueue_all(struct device *d, const struct trial *t, struct error *e)
{
    for (int i = 0; i < t->launch_count; i++)
        if (!cuda_enqueue(d, &t->launches[i], e))
            return false;
    return true;
}

bool cuda_run(struct device *d, const struct trial *t, struct error *e)
{
    return cuda_enqueue_prepare(d, t, e) && cuda_enqueue_all(d, t, e) &&
           cuda_ok(cudaStreamSynchronize(d->stream), "running a kernel", e);
}
