/* Keeps references, memory and code that outlive a group. */
#include "measure/buffer_pool.h"
#include "base/phase.h"
#include "base/vec.h"
#include "measure/modules.h"

enum { KEEP_SHARE = 8 }; /* at most 1/KEEP_SHARE of the device's memory stays allocated */

struct known_reference {
    const struct workload *workload;
    struct input input;
    uint64_t row_length, inner;
    struct reference reference;
};

struct support_kernel {
    const struct kernel *kernel;
    enum element_type type;
    enum operation op;
    struct module *module;
};

struct buffer_pool {
    VEC(struct support_kernel) support;
    VEC(struct known_reference) known;
    struct buffer memory[BUFFER_PURPOSES];
    bool in_use[BUFFER_PURPOSES];
};

static struct buffer_pool *pool_of(struct bench *b)
{
    if (!b->pool)
        b->pool = xcalloc(1, sizeof *b->pool);
    return b->pool;
}

static bool same_input(const struct input *a, const struct input *b)
{
    return a->type == b->type && a->op == b->op && a->n == b->n && a->seed == b->seed &&
           a->kind == b->kind;
}

/* Removes the reference of a reduction along rows. The pool holds at most one such reference,
 * because they are large, and only the last one is in use. */
static void forget_rows(struct buffer_pool *pool)
{
    for (size_t i = 0; i < pool->known.count; i++)
        if (pool->known.items[i].reference.rows) {
            free(pool->known.items[i].reference.rows);
            pool->known.items[i] = pool->known.items[--pool->known.count];
            return;
        }
}

bool pool_reference(struct bench *b, const struct workload *workload, const struct input *input,
                    const struct point *point, struct reference *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    if (!workload->reference && !workload->rows_reference)
        return true;
    struct buffer_pool *pool = pool_of(b);
    for (size_t i = pool->known.count; i-- > 0;)
        if (pool->known.items[i].workload == workload &&
            pool->known.items[i].row_length == point->row_length &&
            pool->known.items[i].inner == point->inner &&
            same_input(&pool->known.items[i].input, input)) {
            *out = pool->known.items[i].reference;
            return true;
        }
    struct known_reference fresh = {.workload = workload,
                                    .input = *input,
                                    .row_length = point->row_length,
                                    .inner = point->inner};
    if (workload->rows_reference)
        forget_rows(pool);
    phase_begin(PHASE_REFERENCE, input->n);
    bool ok = workload->rows_reference
                  ? workload->rows_reference(input, point->row_length, point->inner, b->threads,
                                             &fresh.reference, e)
                  : workload->reference(input, b->threads, &fresh.reference, e);
    phase_end();
    if (!ok)
        return false;
    vec_push(&pool->known, fresh);
    *out = fresh.reference;
    return true;
}

static void free_buffer(struct bench *b, enum purpose purpose)
{
    struct buffer *memory = &b->pool->memory[purpose];
    if (memory->bytes)
        b->driver->free(b->device, *memory);
    *memory = (struct buffer){0};
}

/* Frees unused buffers. Returns whether there were any. */
static bool free_unused(struct bench *b)
{
    bool freed = false;
    for (int p = 0; p < BUFFER_PURPOSES; p++)
        if (!b->pool->in_use[p] && b->pool->memory[p].bytes) {
            free_buffer(b, (enum purpose)p);
            freed = true;
        }
    return freed;
}

bool pool_buffer(struct bench *b, enum purpose purpose, uint64_t bytes, struct buffer *out,
                 struct error *e)
{
    struct buffer_pool *pool = pool_of(b);
    struct buffer *memory = &pool->memory[purpose];
    pool->in_use[purpose] = false;
    if (memory->bytes < bytes) {
        free_buffer(b, purpose);
        struct error full = {0};
        if (!b->driver->alloc(b->device, bytes, memory, &full)) {
            *memory = (struct buffer){0};
            if (full.kind != ERROR_MEMORY || full.device_lost || !free_unused(b)) {
                if (e)
                    *e = full;
                return false;
            }
            if (!b->driver->alloc(b->device, bytes, memory, e)) {
                *memory = (struct buffer){0};
                return false;
            }
        }
    }
    pool->in_use[purpose] = true;
    *out = (struct buffer){memory->address, bytes};
    return true;
}

bool pool_support(struct bench *b, const struct kernel *kernel, enum element_type type,
                  enum operation op, struct module **out, struct error *e)
{
    struct buffer_pool *pool = pool_of(b);
    for (size_t i = 0; i < pool->support.count; i++) {
        const struct support_kernel *s = &pool->support.items[i];
        if (s->kernel == kernel && s->type == type && s->op == op) {
            *out = s->module;
            return true;
        }
    }
    struct variant v = {.unroll = 1, .type = (uint8_t)type, .op = (uint8_t)op, .wide = true};
    if (!module_load(b, kernel, &v, out, NULL, e))
        return false;
    vec_push(&pool->support, (struct support_kernel){kernel, type, op, *out});
    return true;
}

void pool_return(struct bench *b, bool device_lost)
{
    struct buffer_pool *pool = b->pool;
    if (!pool)
        return;
    memset(pool->in_use, 0, sizeof pool->in_use);
    if (device_lost) {
        memset(pool->memory, 0, sizeof pool->memory);
        return;
    }
    uint64_t bytes = 0;
    for (int p = 0; p < BUFFER_PURPOSES; p++)
        bytes += pool->memory[p].bytes;
    if (!b->info.can_time || bytes > b->info.memory_bytes / KEEP_SHARE)
        (void)free_unused(b);
}

void pool_free(struct bench *b, bool device_lost)
{
    if (!b->pool)
        return;
    pool_return(b, device_lost);
    if (!device_lost) {
        (void)free_unused(b);
        for (size_t i = 0; i < b->pool->support.count; i++)
            b->driver->unload(b->device, b->pool->support.items[i].module);
    }
    forget_rows(b->pool);
    vec_free(&b->pool->support);
    vec_free(&b->pool->known);
    free(b->pool);
    b->pool = NULL;
}
