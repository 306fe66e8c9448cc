/*
 * The store of loaded kernels: see modules.h.
 */
#include "measure/modules.h"

#include "base/map.h"
#include "base/vec.h"
#include "compile/compile.h"

struct loaded {
    struct variant variant;
    struct module *module;
    struct module_info info;
};

struct modules {
    VEC(struct loaded) loaded;
    struct map by_id; /* of the variant */
};

struct search {
    const struct modules *modules;
    const struct variant *wanted;
};

static bool is_wanted(const void *context, uint32_t position)
{
    const struct search *s = context;
    return variant_same(&s->modules->loaded.items[position].variant, s->wanted);
}

bool module_load(const struct bench *b, const struct kernel *k, const struct variant *v,
                 struct module **module, struct module_info *info, struct error *e)
{
    struct image image = {0};
    bool ok = compile_variant(b->compiler, k, v, &b->info.target, &image, e) &&
              b->driver->load(b->device, &image, module, info, e);
    image_free(&image);
    return ok;
}

bool modules_get(struct bench *b, const struct variant *variant, struct module **module,
                 struct module_info *info, struct error *e)
{
    if (!b->modules)
        b->modules = xcalloc(1, sizeof *b->modules);
    struct modules *m = b->modules;
    struct search search = {m, variant};
    uint32_t found = map_find(&m->by_id, variant->id, is_wanted, &search);
    if (found == MAP_NONE) {
        struct loaded l = {.variant = *variant};
        const struct kernel *k = b->catalogue->kernels[variant->kernel];
        if (!module_load(b, k, variant, &l.module, &l.info, e))
            return false;
        found = (uint32_t)m->loaded.count;
        vec_push(&m->loaded, l);
        map_add(&m->by_id, variant->id, found);
    }
    *module = m->loaded.items[found].module;
    *info = m->loaded.items[found].info;
    return true;
}

void modules_trim(struct bench *b)
{
    if (b->modules && b->modules->loaded.count > MODULES_MAX)
        modules_free(b, false);
}

void modules_free(struct bench *b, bool device_lost)
{
    if (!b->modules)
        return;
    for (size_t i = 0; !device_lost && i < b->modules->loaded.count; i++)
        b->driver->unload(b->device, b->modules->loaded.items[i].module);
    vec_free(&b->modules->loaded);
    map_free(&b->modules->by_id);
    free(b->modules);
    b->modules = NULL;
}
