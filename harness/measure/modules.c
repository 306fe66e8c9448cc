/*
 * The store of loaded kernels: see modules.h.
 */
#include "measure/modules.h"

#include <stdlib.h>

struct loaded {
    struct module *module; /* NULL: not loaded */
    struct module_info info;
};

struct modules {
    uint32_t loaded;          /* how many are */
    struct loaded variants[]; /* by the plan's variant number */
};

static bool load(struct bench *b, uint32_t variant, struct loaded *l, struct error *e)
{
    const struct variant *v = &b->plan->variants[variant];
    const struct kernel *k = b->plan->catalogue->kernels[v->kernel];
    struct image image = {0};
    bool ok = compile_variant(b->compiler, k, v, &b->info.target, &image, e) &&
              b->driver->load(b->device, &image, &l->module, &l->info, e);
    image_free(&image);
    return ok;
}

bool modules_get(struct bench *b, uint32_t variant, struct module **module,
                 struct module_info *info, struct error *e)
{
    if (!b->modules) {
        b->modules =
            calloc(1, sizeof *b->modules + b->plan->variant_count * sizeof b->modules->variants[0]);
        if (!b->modules)
            return FAIL(e, ERROR_MEMORY, "out of memory for %u variants", b->plan->variant_count);
    }
    struct loaded *l = &b->modules->variants[variant];
    if (!l->module) {
        if (!load(b, variant, l, e))
            return false;
        b->modules->loaded++;
    }
    *module = l->module;
    *info = l->info;
    return true;
}

static void unload_all(struct bench *b)
{
    for (uint32_t i = 0; i < b->plan->variant_count; i++) {
        struct loaded *l = &b->modules->variants[i];
        if (l->module)
            b->driver->unload(b->device, l->module);
        l->module = NULL;
    }
    b->modules->loaded = 0;
}

void modules_trim(struct bench *b)
{
    if (b->modules && b->modules->loaded > MODULES_MOST)
        unload_all(b);
}

void modules_free(struct bench *b, bool device_lost)
{
    if (!b->modules)
        return;
    if (!device_lost)
        unload_all(b);
    free(b->modules);
    b->modules = NULL;
}
