/*
 * Compiles a library's images. Each image is requested twice. The first round of requests only
 * collects them. Then all images are compiled together. The second round of requests returns the
 * images, to be written.
 */
#include "tuned/writing.h"

#include <stdlib.h>

#include "base/host.h"
#include "base/vec.h"

/* The requests for one target. */
struct batch {
    struct compile_target target;
    VEC(struct variant) variants; /* each variant once */
    struct compiled *found;       /* NULL until the variants are compiled */
};

struct images {
    struct compiler *compiler;
    struct catalogue kernels; /* the variants' kernels, borrowed */
    struct batch *batches;
    size_t batch_count;
};

struct images *images_new(struct compiler *c)
{
    struct images *m = xcalloc(1, sizeof *m);
    m->compiler = c;
    return m;
}

static struct batch *batch_of(struct images *m, const struct compile_target *target)
{
    for (size_t i = 0; i < m->batch_count; i++)
        if (m->batches[i].target.kind == target->kind && m->batches[i].target.cc == target->cc)
            return &m->batches[i];
    array_push(m->batches, m->batch_count, (struct batch){.target = *target});
    return &m->batches[m->batch_count - 1];
}

static uint32_t number_of_kernel(struct images *m, const struct kernel *k)
{
    int i = 0;
    while (i < m->kernels.count && m->kernels.kernels[i] != k)
        i++;
    if (i == m->kernels.count)
        array_push(m->kernels.kernels, m->kernels.count, (struct kernel *)k);
    return (uint32_t)i;
}

bool images_get(struct images *m, const struct kernel *k, const struct variant *wanted,
                const struct compile_target *target, const struct image **out, struct error *e)
{
    struct batch *b = batch_of(m, target);
    struct variant v = *wanted;
    size_t i = 0;
    v.kernel = number_of_kernel(m, k);
    *out = NULL;
    while (i < b->variants.count && !variant_same(&b->variants.items[i], &v))
        i++;
    if (i == b->variants.count) {
        if (b->found)
            return FAIL(e, ERROR_INTERNAL,
                        "the compiler returned an image of %s that was not requested", k->name);
        vec_push(&b->variants, v);
    }
    if (!b->found)
        return true;
    if (b->found[i].error) {
        *e = *b->found[i].error;
        return false;
    }
    *out = &b->found[i].image;
    return true;
}

/* The progress of all batches together. */
struct sum {
    void (*progress)(void *context, uint32_t done, uint32_t total);
    void *context;
    uint32_t before, total;
};

static void add_up(void *context, uint32_t done, uint32_t total)
{
    const struct sum *s = context;
    (void)total;
    if (s->progress)
        s->progress(s->context, s->before + done, s->total);
}

void images_compile(struct images *m,
                    void (*progress)(void *context, uint32_t done, uint32_t total), void *context)
{
    struct sum sum = {.progress = progress, .context = context};
    for (size_t i = 0; i < m->batch_count; i++)
        sum.total += (uint32_t)m->batches[i].variants.count;
    for (size_t i = 0; i < m->batch_count; i++) {
        struct batch *b = &m->batches[i];
        b->found = xcalloc(b->variants.count, sizeof *b->found);
        compile_many(m->compiler, &m->kernels, b->variants.items, (uint32_t)b->variants.count,
                     &b->target, host_processors(COMPILE_THREADS), add_up, &sum, b->found);
        sum.before += (uint32_t)b->variants.count;
    }
}

void images_free(struct images *m)
{
    for (size_t i = 0; i < m->batch_count; i++) {
        struct batch *b = &m->batches[i];
        for (size_t k = 0; b->found && k < b->variants.count; k++)
            compiled_free(&b->found[k]);
        free(b->found);
        vec_free(&b->variants);
    }
    free(m->batches);
    free(m->kernels.kernels);
    free(m);
}
