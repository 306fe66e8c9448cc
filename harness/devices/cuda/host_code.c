/*
 * Calls host libraries that launch their own kernels, such as CUB. The module of such a library has
 * no cubin.
 *
 * A library stays open, because it contains its own copy of the CUDA runtime, which cannot be
 * unloaded once it has been used. The library queues its launches in this device's stream.
 */
#include "devices/cuda/cuda_device.h"

#include <stdio.h>

#include "base/library.h"

bool cuda_load_host(const struct image *image, struct module *m, struct module_info *info,
                    struct error *e)
{
    const char *names[] = {image->library, NULL};
    char path[LIBRARY_PATH_SIZE], function[sizeof image->entry + 24];
    void *library = library_open(names, NULL, path, e);
    if (!library)
        return error_prefix(e, "kernel %s", image->entry);
    snprintf(function, sizeof function, "redsweep_%s", image->entry);
    /* POSIX guarantees that an object pointer can hold a function's address; ISO C does not. */
    void *address = library_function(library, path, function, e);
    if (!address)
        return error_prefix(e, "kernel %s", image->entry);
    *(void **)&m->host = address;
    *(void **)&m->host_more = address;
    struct error untold = {0};
    snprintf(function, sizeof function, "redsweep_%s_launches", image->entry);
    *(void **)&m->host_count = library_function(library, path, function, &untold);
    m->type = image->type;
    m->op = image->op;
    *info = (struct module_info){-1, -1, -1, -1, 0, 0, ""};
    return true;
}

static void *pointer_argument(const struct launch *l, int i)
{
    return (void *)(uintptr_t)l->arguments[i].bits;
}

static uint64_t sixth_argument(const struct launch *l)
{
    return l->argument_count > 5 ? l->arguments[5].bits : 0;
}

static int call(host_code *f, struct device *d, const struct launch *l)
{
    if (l->argument_count > 5)
        return l->module->host_more(l->module->type, l->module->op, pointer_argument(l, 0),
                                    pointer_argument(l, 1), l->arguments[2].bits,
                                    pointer_argument(l, 3), (size_t)l->arguments[4].bits, d->stream,
                                    sixth_argument(l));
    return f(l->module->type, l->module->op, pointer_argument(l, 0), pointer_argument(l, 1),
             l->arguments[2].bits, pointer_argument(l, 3), (size_t)l->arguments[4].bits, d->stream);
}

bool cuda_count_host(struct device *d, const struct launch *l, struct error *e)
{
    struct module *m = l->module;
    if (!m->host || l->argument_count < 5 ||
        (m->host_launches > 0 && m->host_n == l->arguments[2].bits &&
         m->host_sixth == sixth_argument(l)))
        return true;
    int counted = m->host_count && l->argument_count == 5 ? call(m->host_count, d, l) : 1;
    if (counted < 0)
        return cuda_ok((cudaError_t)-counted, "counting the launches of a library", e);
    m->host_launches = (unsigned)counted;
    m->host_n = l->arguments[2].bits;
    m->host_sixth = sixth_argument(l);
    d->slot.stale = true;
    return true;
}

unsigned cuda_launches(const struct launch *l)
{
    return !l->module->host ? 1 : l->module->host_launches > 0 ? l->module->host_launches : 1;
}

bool cuda_enqueue_host(struct device *d, const struct launch *l, struct error *e)
{
    if (l->argument_count < 5)
        return FAIL(e, ERROR_INTERNAL, "host code needs 5 arguments, not %d", l->argument_count);
    d->launches += cuda_launches(l);
    return cuda_ok((cudaError_t)call(l->module->host, d, l), "launching kernels from a library", e);
}
