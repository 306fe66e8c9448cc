/*
 * Libraries of host code that launch kernels of their own, such as CUB: a module without a cubin.
 *
 * A library is opened once and stays open: CUDA's runtime, of which it holds a copy, cannot be
 * taken out of a process that has used it. Its work goes into this device's stream like any other.
 */
#include "devices/cuda/cuda_device.h"

#include <stdio.h>

#include "base/library.h"

bool cuda_load_host(const struct image *image, struct module *m, struct module_info *info,
                    struct error *e)
{
    const char *names[] = {image->library, NULL};
    char path[LIBRARY_PATH_SIZE], function[sizeof image->entry + 16];
    void *library = library_open(names, NULL, path, e);
    if (!library)
        return error_prefix(e, "kernel %s", image->entry);
    snprintf(function, sizeof function, "redsweep_%s", image->entry);
    /* POSIX says that a function's address fits an object pointer; C does not. */
    void *address = library_function(library, path, function, e);
    if (!address)
        return error_prefix(e, "kernel %s", image->entry);
    *(void **)&m->host = address;
    m->type = image->type;
    m->op = image->op;
    *info = (struct module_info){-1, -1, -1, -1};
    return true;
}

static void *pointer_argument(const struct launch *l, int i)
{
    return (void *)(uintptr_t)l->arguments[i].bits;
}

bool cuda_enqueue_host(struct device *d, const struct launch *l, struct error *e)
{
    if (l->argument_count < 5)
        return FAIL(e, ERROR_INTERNAL, "host code needs 5 arguments, not %d", l->argument_count);
    int status = l->module->host(l->module->type, l->module->op, pointer_argument(l, 0),
                                 pointer_argument(l, 1), l->arguments[2].bits,
                                 pointer_argument(l, 3), (size_t)l->arguments[4].bits, d->stream);
    return cuda_ok((cudaError_t)status, "launching kernels from a library", e);
}
