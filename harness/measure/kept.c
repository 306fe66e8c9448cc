/*
 * References, memory and code that outlive a group: see kept.h.
 */
#include "measure/kept.h"

#include <stdlib.h>
#include <string.h>

enum { KEEP_SHARE = 8 }; /* at most this part of the device's memory stays allocated */

struct known {
    const struct workload *workload;
    struct input input;
    struct reference reference;
};

struct support {
    const struct kernel *kernel;
    enum element_type type;
    enum operation op;
    struct module *module;
};

struct kept {
    struct support *support;
    size_t support_count;
    struct known *known;
    size_t known_count, known_capacity;
    struct buffer memory[BUFFER_PURPOSES];
    bool lent[BUFFER_PURPOSES];
};

static struct kept *open_kept(struct bench *b, struct error *e)
{
    if (!b->kept)
        b->kept = calloc(1, sizeof *b->kept);
    if (!b->kept)
        FAIL(e, ERROR_MEMORY, "out of memory");
    return b->kept;
}

static bool same_input(const struct input *a, const struct input *b)
{
    return a->type == b->type && a->op == b->op && a->n == b->n && a->seed == b->seed;
}

static bool remember(struct kept *k, const struct known *known, struct error *e)
{
    if (k->known_count == k->known_capacity) {
        size_t capacity = k->known_capacity ? 2 * k->known_capacity : 16;
        struct known *grown = realloc(k->known, capacity * sizeof *grown);
        if (!grown)
            return FAIL(e, ERROR_MEMORY, "out of memory for %zu references", capacity);
        k->known = grown;
        k->known_capacity = capacity;
    }
    k->known[k->known_count++] = *known;
    return true;
}

bool kept_reference(struct bench *b, const struct workload *workload, const struct input *input,
                    struct reference *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    if (!workload->reference)
        return true;
    struct kept *k = open_kept(b, e);
    if (!k)
        return false;
    for (size_t i = k->known_count; i-- > 0;)
        if (k->known[i].workload == workload && same_input(&k->known[i].input, input)) {
            *out = k->known[i].reference;
            return true;
        }
    struct known fresh = {.workload = workload, .input = *input};
    if (!workload->reference(input, b->threads, &fresh.reference, e) || !remember(k, &fresh, e))
        return false;
    *out = fresh.reference;
    return true;
}

static void give_back(struct bench *b, enum purpose purpose)
{
    struct buffer *memory = &b->kept->memory[purpose];
    if (memory->bytes)
        b->driver->free(b->device, *memory);
    *memory = (struct buffer){0};
}

/* Frees what nobody uses now; true when that was anything. */
static bool make_room(struct bench *b)
{
    bool freed = false;
    for (int p = 0; p < BUFFER_PURPOSES; p++)
        if (!b->kept->lent[p] && b->kept->memory[p].bytes) {
            give_back(b, (enum purpose)p);
            freed = true;
        }
    return freed;
}

bool kept_buffer(struct bench *b, enum purpose purpose, uint64_t bytes, struct buffer *out,
                 struct error *e)
{
    struct kept *k = open_kept(b, e);
    if (!k)
        return false;
    struct buffer *memory = &k->memory[purpose];
    k->lent[purpose] = false;
    if (memory->bytes < bytes) {
        give_back(b, purpose);
        struct error full = {0};
        if (!b->driver->alloc(b->device, bytes, memory, &full)) {
            *memory = (struct buffer){0};
            if (full.kind != ERROR_MEMORY || full.device_lost || !make_room(b)) {
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
    k->lent[purpose] = true;
    *out = (struct buffer){memory->address, bytes};
    return true;
}

bool kept_support(struct bench *b, const struct kernel *kernel, enum element_type type,
                  enum operation op, struct module **out, struct error *e)
{
    struct kept *k = open_kept(b, e);
    if (!k)
        return false;
    for (size_t i = 0; i < k->support_count; i++)
        if (k->support[i].kernel == kernel && k->support[i].type == type &&
            k->support[i].op == op) {
            *out = k->support[i].module;
            return true;
        }
    struct support *grown = realloc(k->support, (k->support_count + 1) * sizeof *grown);
    if (!grown)
        return FAIL(e, ERROR_MEMORY, "out of memory");
    k->support = grown;
    struct variant v = {.unroll = 1, .type = (uint8_t)type, .op = (uint8_t)op, .wide = true};
    struct image image = {0};
    bool ok = compile_variant(b->compiler, kernel, &v, &b->info.target, &image, e) &&
              b->driver->load(b->device, &image, out, NULL, e);
    image_free(&image);
    if (ok)
        grown[k->support_count++] = (struct support){kernel, type, op, *out};
    return ok;
}

void kept_return(struct bench *b, bool device_lost)
{
    struct kept *k = b->kept;
    if (!k)
        return;
    memset(k->lent, 0, sizeof k->lent);
    if (device_lost) {
        memset(k->memory, 0, sizeof k->memory);
        return;
    }
    uint64_t bytes = 0;
    for (int p = 0; p < BUFFER_PURPOSES; p++)
        bytes += k->memory[p].bytes;
    if (!b->info.can_time || bytes > b->info.memory_bytes / KEEP_SHARE)
        (void)make_room(b);
}

void kept_free(struct bench *b, bool device_lost)
{
    if (!b->kept)
        return;
    kept_return(b, device_lost);
    if (!device_lost) {
        (void)make_room(b);
        for (size_t i = 0; i < b->kept->support_count; i++)
            b->driver->unload(b->device, b->kept->support[i].module);
    }
    free(b->kept->support);
    free(b->kept->known);
    free(b->kept);
    b->kept = NULL;
}
