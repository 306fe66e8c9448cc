/*
 * Implements the fake CUDA driver's contexts. The harness looks up these functions by name (see
 * fake_cuda.h).
 */
#include "fake_cuda_queue.h"

#include <string.h>

#include <cuda.h>

/* extra time per launch in the i-th context created */
static const uint64_t penalties_ns[] = {140, 0, 160, 40};
enum { PENALTIES = sizeof penalties_ns / sizeof penalties_ns[0], CONTEXTS_MOST = 64 };

static struct {
    bool open;
    uint64_t penalty_ns;
} contexts[CONTEXTS_MOST];
static int made;
static int current = -1; /* −1: the runtime's own context */

uint64_t fake_context_ns(void)
{
    return current < 0 ? 0 : contexts[current].penalty_ns;
}

void fake_contexts_reset(void)
{
    made = 0;
    current = -1;
    memset(contexts, 0, sizeof contexts);
}

static CUcontext handle_of(int i)
{
    static char the_runtimes;
    return i < 0 ? (CUcontext)&the_runtimes : (CUcontext)&contexts[i];
}

static CUresult get_current(CUcontext *context)
{
    *context = handle_of(current);
    return CUDA_SUCCESS;
}

static CUresult create(CUcontext *context, unsigned flags, CUdevice device)
{
    (void)flags;
    cudaError_t injected = fake_begin("cuCtxCreate", false);
    if (injected != cudaSuccess || device >= fake_settings.devices || made == CONTEXTS_MOST)
        return injected == cudaErrorMemoryAllocation ? CUDA_ERROR_OUT_OF_MEMORY
                                                     : CUDA_ERROR_UNKNOWN;
    contexts[made].open = true;
    contexts[made].penalty_ns = penalties_ns[made % PENALTIES];
    fake_cuda.live++;
    current = made;
    *context = handle_of(made++);
    return CUDA_SUCCESS;
}

static int index_of(CUcontext context, const char *function)
{
    for (int i = 0; i < made; i++)
        if (handle_of(i) == context && contexts[i].open)
            return i;
    fake_misuse("%s: no context", function);
    return -1;
}

static CUresult set_current(CUcontext context)
{
    int i = index_of(context, "cuCtxSetCurrent");
    if (i < 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (i != current)
        (void)fake_drain(NULL); /* all contexts share one queue */
    current = i;
    return CUDA_SUCCESS;
}

static CUresult destroy(CUcontext context)
{
    int i = index_of(context, "cuCtxDestroy");
    if (i < 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    contexts[i].open = false;
    fake_cuda.live--;
    if (current == i)
        current = -1;
    return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found)
{
    CALL();
    (void)version, (void)flags;
    *found = cudaDriverEntryPointSuccess;
    if (strcmp(name, "cuCtxGetCurrent") == 0)
        memcpy(function, &(CUresult(*)(CUcontext *)){get_current}, sizeof *function);
    else if (strcmp(name, "cuCtxCreate") == 0)
        memcpy(function, &(CUresult(*)(CUcontext *, unsigned, CUdevice)){create}, sizeof *function);
    else if (strcmp(name, "cuCtxSetCurrent") == 0)
        memcpy(function, &(CUresult(*)(CUcontext)){set_current}, sizeof *function);
    else if (strcmp(name, "cuCtxDestroy") == 0)
        memcpy(function, &(CUresult(*)(CUcontext)){destroy}, sizeof *function);
    else
        *found = cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
