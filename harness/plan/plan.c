/*
 * The plan: the config's axes, multiplied out over the chosen kernels.
 *
 * Order (stable, whatever the machine): groups by type, operation, n, cache, backend, workload (in
 * the order of its table); in a group by kernel name, block, unroll, tunables (in the order of the
 * facts, the last one running fastest), scope.
 *
 * A kernel that cannot take part in a group at all, because its facts exclude the type or the
 * operation or it has none of the chosen unroll factors, has one skipped point there that says so:
 * at the first block and tunable values, and the first unroll factor of the config. No point that
 * can run looks like it.
 */
#include "plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "plan/axes.h"
#include "plan/plan_index.h"
#include "plan/shape.h"
#include "support/input.h"

static const uint64_t WIDE_ABOVE = 1ull << 31; /* n from which indices need 64 bits */

struct builder {
    struct plan *plan;
    const struct plan_limits *limits;
    struct kernel_axes *axes;
    int axes_count;
    uint32_t point_capacity, variant_capacity, group_capacity, reason_capacity;
    struct plan_index variants, reasons;
    struct text reason; /* scratch */
    struct error *e;
};

static bool no_memory(struct builder *b)
{
    return FAIL(b->e, ERROR_MEMORY,
                "no memory left for the plan after %" PRIu32 " points; make the sweep smaller",
                b->plan->point_count);
}

/*
 * The array with room for one more item, which grows by half; NULL after filling the error, and
 * then the old array is still there.
 */
static void *reserve(struct builder *b, void *items, uint32_t count, uint32_t *capacity,
                     size_t item_size)
{
    if (count < *capacity)
        return items;
    if (count > UINT32_MAX / 2) {
        FAIL(b->e, ERROR_CONFIG, "the sweep has more than %" PRIu32 " points; make it smaller",
             count);
        return NULL;
    }
    uint32_t wanted = *capacity + *capacity / 2 + 64;
    void *grown = realloc(items, wanted * item_size);
    if (!grown)
        no_memory(b);
    else
        *capacity = wanted;
    return grown;
}

/* Numbers are hashed byte by byte, least significant first, so ids do not depend on the machine. */
static uint64_t hash_number(uint64_t seed, uint64_t value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    return hash_bytes(seed, bytes, sizeof bytes);
}

static uint64_t hash_tunables(uint64_t seed, const struct kernel *k, const int32_t *tunables)
{
    for (int i = 0; i < k->tunable_count; i++) {
        seed = hash_text(seed, k->tunables[i].name);
        seed = hash_number(seed, (uint64_t)(int64_t)tunables[i]);
    }
    return seed;
}

static uint64_t point_id(const struct kernel *k, const struct point *p)
{
    uint64_t id = hash_text(HASH_START, k->name);
    id = hash_text(id, element_type_name((enum element_type)p->type));
    id = hash_text(id, operation_name((enum operation)p->op));
    id = hash_number(id, p->n);
    id = hash_number(id, p->block);
    id = hash_number(id, p->unroll);
    id = hash_tunables(id, k, p->tunables);
    id = hash_text(id, cache_state_name((enum cache_state)p->cache));
    return hash_text(id, scope_name((enum scope)p->scope));
}

static uint64_t variant_id(const struct kernel *k, const struct variant *v)
{
    uint64_t id = hash_text(HASH_START, k->name);
    id = hash_text(id, element_type_name((enum element_type)v->type));
    id = hash_text(id, operation_name((enum operation)v->op));
    id = hash_number(id, v->block);
    id = hash_number(id, v->unroll);
    id = hash_number(id, v->wide);
    return hash_tunables(id, k, v->tunables);
}

struct variant_search {
    const struct plan *plan;
    const struct variant *wanted;
};

static bool same_variant(const void *context, uint32_t position)
{
    const struct variant_search *s = context;
    const struct variant *a = &s->plan->variants[position], *b = s->wanted;
    return a->kernel == b->kernel && a->block == b->block && a->unroll == b->unroll &&
           a->type == b->type && a->op == b->op && a->wide == b->wide &&
           memcmp(a->tunables, b->tunables, sizeof a->tunables) == 0;
}

/* The variant that a point needs, added when it is new. */
static bool find_variant(struct builder *b, const struct point *p, uint32_t *out)
{
    struct plan *plan = b->plan;
    const struct kernel *k = plan_kernel(plan, p);
    struct variant v = {.kernel = p->kernel,
                        .block = k->block_constant ? p->block : 0,
                        .unroll = p->unroll,
                        .type = p->type,
                        .op = p->op,
                        .wide = p->n > WIDE_ABOVE};
    memcpy(v.tunables, p->tunables, sizeof v.tunables);
    v.id = variant_id(k, &v);
    struct variant_search search = {plan, &v};
    *out = index_find(&b->variants, v.id, same_variant, &search);
    if (*out != UINT32_MAX)
        return true;
    void *grown = reserve(b, plan->variants, plan->variant_count, &b->variant_capacity, sizeof v);
    if (!grown)
        return false;
    plan->variants = grown;
    if (!index_add(&b->variants, v.id, plan->variant_count))
        return no_memory(b);
    *out = plan->variant_count;
    plan->variants[plan->variant_count++] = v;
    return true;
}

struct reason_search {
    const struct plan *plan;
    const char *wanted;
};

static bool same_reason(const void *context, uint32_t position)
{
    const struct reason_search *s = context;
    return strcmp(s->plan->reasons[position], s->wanted) == 0;
}

/* The number of a reason, added when it is new. The empty reason is number 0. */
static bool find_reason(struct builder *b, const char *reason, uint32_t *out)
{
    struct plan *plan = b->plan;
    uint64_t hash = hash_text(HASH_START, reason);
    struct reason_search search = {plan, reason};
    *out = index_find(&b->reasons, hash, same_reason, &search);
    if (*out != UINT32_MAX)
        return true;
    void *grown =
        reserve(b, plan->reasons, plan->reason_count, &b->reason_capacity, sizeof *plan->reasons);
    if (!grown)
        return false;
    plan->reasons = grown;
    char *copy = strdup(reason);
    if (!copy || !index_add(&b->reasons, hash, plan->reason_count)) {
        free(copy);
        return no_memory(b);
    }
    *out = plan->reason_count;
    plan->reasons[plan->reason_count++] = copy;
    return true;
}

/* What a config's `exclude` expressions may ask of a point. */
static const char *const exclude_names[] = {"kernel", "type",   "op",    "n",
                                            "block",  "unroll", "cache", "scope"};
enum { EXCLUDE_NAMES = sizeof exclude_names / sizeof *exclude_names };

struct exclude_context {
    const struct plan *plan;
    const struct point *point;
};

static bool exclude_look_up(void *context, const char *name, struct expr_value *value)
{
    const struct exclude_context *c = context;
    const struct point *p = c->point;
    int which = 0, tunable;
    while (which < EXCLUDE_NAMES && strcasecmp(exclude_names[which], name) != 0)
        which++;
    *value = (struct expr_value){0};
    switch (which) {
    case 0:
        value->text = plan_kernel(c->plan, p)->name;
        return true;
    case 1:
        value->text = element_type_name((enum element_type)p->type);
        return true;
    case 2:
        value->text = operation_name((enum operation)p->op);
        return true;
    case 3:
        value->number = (double)p->n;
        return true;
    case 4:
        value->number = p->block;
        return true;
    case 5:
        value->number = p->unroll;
        return true;
    case 6:
        value->text = cache_state_name((enum cache_state)p->cache);
        return true;
    case 7:
        value->text = scope_name((enum scope)p->scope);
        return true;
    }
    if (plan_tunable(c->plan, p, name, &tunable)) {
        value->number = tunable;
        return true;
    }
    value->number = __builtin_nan(""); /* a tunable of other kernels: missing here */
    for (int i = 0; i < c->plan->tunable_name_count; i++)
        if (strcasecmp(c->plan->tunable_names[i], name) == 0)
            return true;
    return false;
}

/* Whether the config leaves a point out. */
static bool is_excluded(struct builder *b, const struct point *p, bool *excluded)
{
    const struct config *config = b->plan->config;
    struct exclude_context context = {b->plan, p};
    *excluded = false;
    for (int i = 0; i < config->exclude_count && !*excluded; i++) {
        double value;
        if (!expr_number(config->excludes[i], exclude_look_up, &context, &value, b->e))
            return error_prefix(b->e, "%s: exclude[%d]", config->path, i);
        *excluded = value != 0 && value == value;
    }
    return true;
}

/* Adds one point unless it is excluded; `p` is complete but for its id and variant. */
static bool add_point(struct builder *b, struct point *p)
{
    struct plan *plan = b->plan;
    bool excluded;
    if (!is_excluded(b, p, &excluded))
        return false;
    if (excluded) {
        plan->excluded++;
        return true;
    }
    p->id = point_id(plan_kernel(plan, p), p);
    p->variant = UINT32_MAX;
    if (p->skip == 0 && !find_variant(b, p, &p->variant))
        return false;
    void *grown = reserve(b, plan->points, plan->point_count, &b->point_capacity, sizeof *p);
    if (!grown)
        return false;
    plan->points = grown;
    plan->points[plan->point_count++] = *p;
    return true;
}

/* Adds a point's scopes; whether it can run is the same for all of them. */
static bool add_scopes(struct builder *b, const struct kernel_axes *a, struct point *p)
{
    struct combination c = {.kernel = a->kernel,
                            .type = (enum element_type)p->type,
                            .n = p->n,
                            .block = p->block,
                            .unroll = p->unroll,
                            .tunables = p->tunables,
                            .sms = b->limits ? b->limits->sms : 0};
    b->reason.length = 0;
    text_append_bytes(&b->reason, "", 0);
    if (!shape_skip_reason(&c, b->limits, &b->reason, b->e))
        return false;
    if (b->reason.failed)
        return no_memory(b);
    if (!find_reason(b, b->reason.bytes, &p->skip))
        return false;
    for (int i = 0; i < a->scope_count; i++) {
        p->scope = (uint8_t)a->scopes[i];
        if (!add_point(b, p))
            return false;
    }
    return true;
}

/* All combinations of the tunables from position t on. */
static bool add_tunables(struct builder *b, const struct kernel_axes *a, struct point *p, int t)
{
    if (t == a->kernel->tunable_count)
        return add_scopes(b, a, p);
    for (int i = 0; i < a->tunables[t].count; i++) {
        p->tunables[t] = a->tunables[t].values[i];
        if (!add_tunables(b, a, p, t + 1))
            return false;
    }
    return true;
}

/* The one point of a kernel that cannot take part in a group. */
static bool add_absent(struct builder *b, const struct kernel_axes *a, struct point *p)
{
    const struct config *config = b->plan->config;
    const struct kernel *k = a->kernel;
    char reason[160];
    if (!k->types[p->type])
        snprintf(reason, sizeof reason, "the kernel does not do %s",
                 element_type_name((enum element_type)p->type));
    else if (!k->ops[p->op])
        snprintf(reason, sizeof reason, "the kernel does not do %s",
                 operation_name((enum operation)p->op));
    else
        snprintf(reason, sizeof reason, "the kernel has none of the chosen unroll factors");
    p->block = (uint16_t)a->blocks[0];
    p->unroll = (uint16_t)(a->unroll_count ? a->unrolls[0] : config->unrolls[0]);
    p->scope = (uint8_t)a->scopes[0];
    for (int t = 0; t < k->tunable_count; t++)
        p->tunables[t] = a->tunables[t].values[0];
    return find_reason(b, reason, &p->skip) && add_point(b, p);
}

static bool add_kernel(struct builder *b, const struct kernel_axes *a, const struct point *group)
{
    struct point p = *group;
    p.kernel = a->index;
    if (a->scope_count == 0 || a->block_count == 0)
        return true;
    if (!a->kernel->types[p.type] || !a->kernel->ops[p.op] || a->unroll_count == 0)
        return add_absent(b, a, &p);
    for (int i = 0; i < a->block_count; i++)
        for (int j = 0; j < a->unroll_count; j++) {
            p.block = (uint16_t)a->blocks[i];
            p.unroll = (uint16_t)a->unrolls[j];
            if (!add_tunables(b, a, &p, 0))
                return false;
        }
    return true;
}

/* The kernels of one workload and backend share an input and a device. */
static bool add_group(struct builder *b, const struct point *group, enum backend backend,
                      const struct workload *workload)
{
    struct plan *plan = b->plan;
    uint32_t first = plan->point_count;
    for (int i = 0; i < b->axes_count; i++) {
        const struct kernel *k = b->axes[i].kernel;
        if (k->backend == backend && k->workload == workload && !add_kernel(b, &b->axes[i], group))
            return false;
    }
    if (plan->point_count == first)
        return true;
    void *grown =
        reserve(b, plan->groups, plan->group_count, &b->group_capacity, sizeof *plan->groups);
    if (!grown)
        return false;
    plan->groups = grown;
    plan->groups[plan->group_count++] = (struct group){first, plan->point_count - first};
    return true;
}

static bool add_backends(struct builder *b, const struct point *group)
{
    static const enum backend backends[] = {BACKEND_GPU, BACKEND_CPU};
    int count;
    const struct workload *workloads = workload_table(&count);
    for (int i = 0; i < 2; i++)
        for (int w = 0; w < count; w++)
            if (!add_group(b, group, backends[i], &workloads[w]))
                return false;
    return true;
}

static bool add_groups(struct builder *b)
{
    const struct config *config = b->plan->config;
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT && config->types[type]; op++)
            for (int size = 0; size < config->size_count && config->ops[op]; size++)
                for (int cache = 0; cache < CACHE_COUNT; cache++) {
                    struct point group = {.n = config->sizes[size],
                                          .type = (uint8_t)type,
                                          .op = (uint8_t)op,
                                          .cache = (uint8_t)cache};
                    if (config->caches[cache] && !add_backends(b, &group))
                        return false;
                }
    return true;
}

struct name_check {
    const struct plan *plan;
    const char *unknown;
};

static void check_exclude_name(void *context, const char *name)
{
    struct name_check *c = context;
    for (int i = 0; i < EXCLUDE_NAMES; i++)
        if (strcasecmp(exclude_names[i], name) == 0)
            return;
    for (int i = 0; i < c->plan->tunable_name_count; i++)
        if (strcasecmp(c->plan->tunable_names[i], name) == 0)
            return;
    if (!c->unknown)
        c->unknown = name;
}

/* Names are checked before anything is expanded: an exclude may be evaluated late, or never. */
static bool check_excludes(const struct plan *plan, struct error *e)
{
    for (int i = 0; i < plan->config->exclude_count; i++) {
        struct name_check c = {plan, NULL};
        expr_names(plan->config->excludes[i], check_exclude_name, &c);
        if (!c.unknown)
            continue;
        const char *nearest = text_nearest(c.unknown, exclude_names, EXCLUDE_NAMES);
        if (!nearest)
            nearest = text_nearest(c.unknown, (const char *const *)plan->tunable_names,
                                   (size_t)plan->tunable_name_count);
        return FAIL(e, ERROR_CONFIG,
                    "%s: exclude[%d]: \"%s\": nothing is called \"%s\"%s%s%s; allowed are kernel, "
                    "type, op, n, block, unroll, cache, scope and the tunables of the chosen "
                    "kernels",
                    plan->config->path, i, expr_source(plan->config->excludes[i]), c.unknown,
                    nearest ? " (did you mean \"" : "", nearest ? nearest : "",
                    nearest ? "\"?)" : "");
    }
    return true;
}

static bool build(struct builder *b)
{
    struct plan *plan = b->plan;
    uint32_t none;
    return axes_choose(plan->config, plan->catalogue, &b->axes, &b->axes_count, b->e) &&
           axes_tunable_names(b->axes, b->axes_count, &plan->tunable_names,
                              &plan->tunable_name_count, b->e) &&
           check_excludes(plan, b->e) && find_reason(b, "", &none) && add_groups(b);
}

/* Gives back what growing left over; where that fails the array stays as it is. */
static void *shrink(void *items, uint32_t count, size_t item_size)
{
    void *smaller = count ? realloc(items, count * item_size) : NULL;
    return smaller ? smaller : items;
}

bool plan_build(const struct config *config, const struct catalogue *catalogue,
                const struct plan_limits *limits, struct plan **out, struct error *e)
{
    *out = NULL;
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return FAIL(e, ERROR_MEMORY, "no memory left for the plan");
    plan->config = config;
    plan->catalogue = catalogue;
    struct builder b = {.plan = plan, .limits = limits, .e = e};
    bool ok = build(&b);
    index_free(&b.variants);
    index_free(&b.reasons);
    text_free(&b.reason);
    free(b.axes);
    if (!ok) {
        plan_free(plan);
        return false;
    }
    plan->points = shrink(plan->points, plan->point_count, sizeof *plan->points);
    plan->variants = shrink(plan->variants, plan->variant_count, sizeof *plan->variants);
    *out = plan;
    return true;
}

void plan_free(struct plan *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->reason_count; i++)
        free(p->reasons[i]);
    for (int i = 0; i < p->tunable_name_count; i++)
        free(p->tunable_names[i]);
    free(p->reasons);
    free(p->tunable_names);
    free(p->points);
    free(p->variants);
    free(p->groups);
    free(p);
}
