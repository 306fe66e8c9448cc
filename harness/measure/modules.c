/* Keeps loaded kernels. */
#include "measure/modules.h"

#include "base/map.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "compile/image_code.h"

struct loaded {
    struct variant variant;
    /* NULL if the variant was compiled ahead (modules_compile()) but is not loaded yet. */
    struct module *module;
    struct module_info info;
    struct compiled ahead; /* the result of compiling ahead, until loading */
};

struct modules {
    VEC(struct loaded) loaded;
    struct map by_id; /* finds variants by id */
};

struct search {
    const struct modules *modules;
    const struct variant *wanted;
};

/* Sets the members of `info` that the device cannot know. */
static void describe_image(const struct image *image, struct module_info *info)
{
    info->compile_ms = image->compile_ms;
    if (!image_code(image, &info->code))
        info->code = 0;
}

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
    if (ok && info)
        describe_image(&image, info);
    image_free(&image);
    return ok;
}

static bool load_variant(struct bench *b, struct loaded *l, struct error *e)
{
    const struct kernel *k = b->catalogue->kernels[l->variant.kernel];
    struct compiled *ahead = &l->ahead;
    if (ahead->error) {
        *e = *ahead->error;
        return false;
    }
    if (!ahead->image.bytes)
        return module_load(b, k, &l->variant, &l->module, &l->info, e);
    bool ok = b->driver->load(b->device, &ahead->image, &l->module, &l->info, e);
    describe_image(&ahead->image, &l->info);
    if (ok)
        image_free(&ahead->image);
    return ok;
}

static uint32_t find_variant(const struct modules *m, const struct variant *variant)
{
    struct search search = {m, variant};
    return map_find(&m->by_id, variant->id, is_wanted, &search);
}

static uint32_t add_loaded(struct modules *m, const struct loaded *l)
{
    uint32_t position = (uint32_t)m->loaded.count;
    vec_push(&m->loaded, *l);
    map_add(&m->by_id, l->variant.id, position);
    return position;
}

static struct modules *modules_of(struct bench *b)
{
    if (!b->modules)
        b->modules = xcalloc(1, sizeof *b->modules);
    return b->modules;
}

void modules_compile(struct bench *b, const struct task_point *points, uint32_t count)
{
    struct modules *m = modules_of(b);
    VEC(struct variant) missing = {0};
    uint32_t first = (uint32_t)m->loaded.count;
    for (uint32_t i = 0; i < count; i++) {
        if (find_variant(m, &points[i].variant) != MAP_NONE)
            continue;
        add_loaded(m, &(struct loaded){.variant = points[i].variant});
        vec_push(&missing, points[i].variant);
    }
    struct compiled *compiled = xcalloc(missing.count + 1, sizeof *compiled);
    if (missing.count > 0 && b->info.target.kind != IMAGE_NONE)
        compile_many(b->compiler, b->catalogue, missing.items, (uint32_t)missing.count,
                     &b->info.target, b->threads, NULL, NULL, compiled);
    for (size_t i = 0; i < missing.count; i++)
        m->loaded.items[first + i].ahead = compiled[i];
    free(compiled);
    vec_free(&missing);
}

bool modules_get(struct bench *b, const struct variant *variant, struct module **module,
                 struct module_info *info, struct error *e)
{
    struct modules *m = modules_of(b);
    uint32_t found = find_variant(m, variant);
    if (found == MAP_NONE) {
        struct loaded l = {.variant = *variant};
        if (!load_variant(b, &l, e))
            return false;
        found = add_loaded(m, &l);
    }
    struct loaded *l = &m->loaded.items[found];
    if (!l->module && !load_variant(b, l, e))
        return false;
    *module = l->module;
    *info = l->info;
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
    for (size_t i = 0; i < b->modules->loaded.count; i++) {
        struct loaded *l = &b->modules->loaded.items[i];
        compiled_free(&l->ahead);
        if (l->module && !device_lost)
            b->driver->unload(b->device, l->module);
    }
    vec_free(&b->modules->loaded);
    map_free(&b->modules->by_id);
    free(b->modules);
    b->modules = NULL;
}
