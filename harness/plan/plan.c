/*
 * Builds the plan: all values of the config's axes, combined for each chosen kernel.
 *
 * The order is the same on all machines. Groups are ordered by type, operation, n, cache, run-time
 * axes, backend and workload (as in the table of workloads). A group's points are ordered by kernel
 * name, block, unroll factor, tunables and scope. Tunables are in the order of the facts, and the
 * last one changes fastest.
 *
 * Some kernels cannot take part in a group at all, because they do not support its type, its
 * operation or any of the chosen unroll factors. Such a kernel has one skipped point in the group,
 * whose reason says so. This point has the first block size, the tunables' first values, and the
 * config's first unroll factor. It differs from every point that can run.
 */
#include "plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "plan/axes.h"
#include "plan/excludes.h"
#include "plan/ids.h"
#include "base/axes.h"
#include "base/map.h"
#include "base/phase.h"
#include "base/sorted.h"
#include "base/vec.h"
#include "plan/shape.h"
#include "plan/sides.h"
#include "support/input.h"

static const uint64_t WIDE_ABOVE = 1ull << 31; /* above this n, indices need 64 bits */

struct builder {
    struct plan *plan;
    const struct device_limits *limits;
    struct plan_filter filter;
    struct kernel_axes *axes;
    int axes_count;
    VEC(struct point) points;
    VEC(struct variant) variants;
    VEC(struct group) groups;
    VEC(char *) reasons;
    struct map variants_by_id, reasons_by_hash;
    struct excludes excludes;
    bool two_sides;
    struct text reason; /* scratch for reasons */
    struct error *e;
};

struct variant_search {
    const struct builder *builder;
    const struct variant *wanted;
};

static bool is_wanted_variant(const void *context, uint32_t position)
{
    const struct variant_search *s = context;
    return variant_same(&s->builder->variants.items[position], s->wanted);
}

/* Returns the index of the variant that a point needs, and adds it if it is new. */
static uint32_t find_variant(struct builder *b, const struct point *p)
{
    const struct kernel *k = plan_kernel(b->plan, p);
    struct variant v = {.kernel = p->kernel,
                        .block = k->block_constant ? p->block : 0,
                        .unroll = p->unroll,
                        .type = p->type,
                        .op = p->op,
                        .wide = p->n > WIDE_ABOVE};
    memcpy(v.tunables, p->tunables, sizeof v.tunables);
    v.id = variant_id(k, &v);
    struct variant_search search = {b, &v};
    uint32_t found = map_find(&b->variants_by_id, v.id, is_wanted_variant, &search);
    if (found != MAP_NONE)
        return found;
    found = (uint32_t)b->variants.count;
    vec_push(&b->variants, v);
    map_add(&b->variants_by_id, v.id, found);
    return found;
}

struct reason_search {
    const struct builder *builder;
    const char *wanted;
};

static bool is_wanted_reason(const void *context, uint32_t position)
{
    const struct reason_search *s = context;
    return strcmp(s->builder->reasons.items[position], s->wanted) == 0;
}

/* Returns the index of a reason, and adds it if it is new. The empty reason has index 0. */
static uint32_t find_reason(struct builder *b, const char *reason)
{
    uint64_t hash = hash_text(HASH_START, reason);
    struct reason_search search = {b, reason};
    uint32_t found = map_find(&b->reasons_by_hash, hash, is_wanted_reason, &search);
    if (found != MAP_NONE)
        return found;
    found = (uint32_t)b->reasons.count;
    vec_push(&b->reasons, xstrdup(reason));
    map_add(&b->reasons_by_hash, hash, found);
    return found;
}

/* Returns whether the filter leaves out a point whose axes all have values. */
static bool is_unwanted(const struct builder *b, const struct point *p)
{
    return b->filter.takes && !b->filter.takes(b->filter.context, b->plan, p);
}

/* Counts excluded combinations. With a filter, counts none, because it is unknown how many of them
 * the filter would select. */
static void count_excluded(struct builder *b, const struct point *p, double count)
{
    if (b->filter.takes)
        return;
    b->plan->excluded += (uint64_t)count;
    b->plan->excluded_of[plan_kernel(b->plan, p)->side] += (uint64_t)count;
}

/* Returns whether points that cannot run are left out of the plan. This is so in a search, where
 * they may be most of the combinations, and need neither rows nor reasons. */
static bool leaves_out(const struct builder *b)
{
    return b->plan->config->search.strategy != SEARCH_EXHAUSTIVE;
}

/* Adds a point that is not excluded, with its id and its variant. */
static bool add_point(struct builder *b, struct point *p)
{
    struct plan *plan = b->plan;
    if (p->skip && leaves_out(b)) {
        plan->left_out++;
        return true;
    }
    if (b->points.count == PLAN_MAX_POINTS)
        return FAIL(
            b->e, ERROR_CONFIG,
            "%s: the sweep has more than %d points (counted up to the kernel %s), but at most %d "
            "are allowed; choose fewer sizes, kernels or values, or exclude more points",
            b->plan->config->path, PLAN_MAX_POINTS, plan_kernel(plan, p)->name, PLAN_MAX_POINTS);
    p->id = point_id(plan, p);
    p->variant = p->skip == 0 ? find_variant(b, p) : UINT32_MAX;
    vec_push(&b->points, *p);
    return true;
}

/* Returns how many points a kernel has once the axes before this level have been chosen. */
static double combinations_from(const struct kernel_axes *a, int level)
{
    double product = a->scope_count;
    if (level <= LEVEL_BLOCK)
        product *= a->block_count;
    if (level <= LEVEL_UNROLL)
        product *= a->unroll_count;
    for (int t = level > LEVEL_TUNABLES ? level - LEVEL_TUNABLES : 0; t < a->kernel->tunable_count;
         t++)
        product *= a->tunables[t].count;
    return product;
}

/* Finds the reason for skipping a combination. It is the same for all scopes. */
static bool find_skip(struct builder *b, const struct kernel_axes *a, struct point *p)
{
    struct combination c = combination_of(a->kernel, p, b->limits ? b->limits->sms : 0);
    c.brief = leaves_out(b);
    b->reason.length = 0;
    text_append_bytes(&b->reason, "", 0);
    if (!shape_skip_reason(&c, b->limits, &b->reason, b->e))
        return false;
    p->skip = c.brief ? b->reason.length > 0 : find_reason(b, b->reason.bytes);
    return true;
}

/* If the config skips the point, sets p->skip to the config's reason. Otherwise sets it to
 * `otherwise`, the reason that follows from the kernel and the device, or 0. */
static bool find_config_skip(struct builder *b, struct point *p, uint32_t otherwise)
{
    const char *reason;
    if (!excludes_skip(&b->excludes, p, &reason, b->e))
        return false;
    p->skip = !reason ? otherwise : leaves_out(b) ? 1 : find_reason(b, reason);
    return true;
}

static bool add_scopes(struct builder *b, const struct kernel_axes *a, struct point *p, int level)
{
    bool known = false, excluded;
    uint32_t skip = 0;
    for (int i = 0; i < a->scope_count; i++) {
        p->scope = (uint8_t)a->scopes[i];
        if (is_unwanted(b, p))
            continue;
        if (!excludes_apply(&b->excludes, p, level, &excluded, b->e))
            return false;
        if (excluded)
            count_excluded(b, p, 1);
        else if (!known && !find_skip(b, a, p))
            return false;
        if (excluded)
            continue;
        skip = known ? skip : p->skip;
        known = true;
        if (!find_config_skip(b, p, skip) || !add_point(b, p))
            return false;
    }
    return true;
}

/* Adds all combinations of the tunables from index t on. */
static bool add_tunables(struct builder *b, const struct kernel_axes *a, struct point *p, int t)
{
    int level = LEVEL_TUNABLES + t;
    if (t == a->kernel->tunable_count)
        return add_scopes(b, a, p, level);
    for (int i = 0; i < a->tunables[t].count; i++) {
        p->tunables[t] = a->tunables[t].values[i];
        if (excludes_narrow(&b->excludes, p, level))
            count_excluded(b, p, combinations_from(a, level + 1));
        else if (!add_tunables(b, a, p, t + 1))
            return false;
    }
    return true;
}

/* Appends the names that a kernel supports, and the option that chooses among them. */
static void append_supported(struct text *reason, const char *const *names, const bool *supported,
                             int count, const char *option)
{
    text_append(reason, "; it supports");
    for (int i = 0; i < count; i++)
        if (supported[i])
            text_append(reason, " %s", names[i]);
    text_append(reason, " (choose with %s)", option);
}

/* Appends why a kernel has only a skipped point for a type and an operation. */
static void append_why_absent(struct text *reason, const struct kernel *k, enum element_type type,
                              enum operation op)
{
    if (!operation_allows(op, type)) {
        text_append(reason, "%s is not defined for %s", operation_name(op),
                    element_type_name(type));
    } else if (!k->types[type]) {
        text_append(reason, "the kernel does not support %s", element_type_name(type));
        append_supported(reason, element_type_names, k->types, TYPE_COUNT, "--types");
    } else if (!k->ops[op]) {
        text_append(reason, "the kernel does not support %s", operation_name(op));
        append_supported(reason, operation_names, k->ops, OP_COUNT, "--ops");
    } else {
        text_append(reason, "the kernel supports none of the chosen unroll factors");
    }
}

/* Adds the only point of a kernel that cannot take part in a group. */
static bool add_absent(struct builder *b, const struct kernel_axes *a, struct point *p)
{
    const struct config *config = b->plan->config;
    const struct kernel *k = a->kernel;
    enum element_type type = (enum element_type)p->type;
    enum operation op = (enum operation)p->op;
    bool allowed = operation_allows(op, type);
    if ((config->supported_types && (!k->types[type] || !allowed)) ||
        (config->supported_ops && (!k->ops[op] || !allowed)))
        return true;
    b->reason.length = 0;
    append_why_absent(&b->reason, k, type, op);
    p->block = (uint16_t)a->blocks[0];
    p->unroll =
        (uint16_t)(a->unroll_count ? a->unrolls[0] : config->axis_values[AXIS_unroll].values[0]);
    p->scope = (uint8_t)a->scopes[0];
    for (int t = 0; t < k->tunable_count; t++)
        p->tunables[t] = a->tunables[t].values[0];
    if (is_unwanted(b, p))
        return true;
    p->skip = find_reason(b, b->reason.bytes);
    bool excluded;
    if (!excludes_apply(&b->excludes, p, LEVEL_KERNEL, &excluded, b->e))
        return false;
    if (excluded)
        count_excluded(b, p, 1);
    return excluded || add_point(b, p);
}

static bool add_unrolls(struct builder *b, const struct kernel_axes *a, struct point *p)
{
    for (int i = 0; i < a->unroll_count; i++) {
        p->unroll = (uint16_t)a->unrolls[i];
        if (excludes_narrow(&b->excludes, p, LEVEL_UNROLL))
            count_excluded(b, p, combinations_from(a, LEVEL_TUNABLES));
        else if (!add_tunables(b, a, p, 0))
            return false;
    }
    return true;
}

static bool add_kernel(struct builder *b, const struct kernel_axes *a, const struct point *group)
{
    struct point p = *group;
    p.kernel = a->index;
    if (a->scope_count == 0 || a->block_count == 0)
        return true;
    if (!kernel_supports(a->kernel, (enum element_type)p.type, (enum operation)p.op) ||
        a->unroll_count == 0)
        return add_absent(b, a, &p);
    if (excludes_narrow(&b->excludes, &p, LEVEL_KERNEL)) {
        count_excluded(b, &p, combinations_from(a, LEVEL_BLOCK));
        return true;
    }
    for (int i = 0; i < a->block_count; i++) {
        p.block = (uint16_t)a->blocks[i];
        if (excludes_narrow(&b->excludes, &p, LEVEL_BLOCK))
            count_excluded(b, &p, combinations_from(a, LEVEL_UNROLL));
        else if (!add_unrolls(b, a, &p))
            return false;
    }
    return true;
}

static bool has_two_sides(const struct catalogue *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->kernels[i]->side)
            return true;
    return false;
}

/* Adds the group of one workload and backend. Its kernels share an input and a device. */
static bool add_group(struct builder *b, const struct point *group, enum backend backend,
                      const struct workload *workload)
{
    uint32_t first = (uint32_t)b->points.count;
    for (int i = 0; i < b->axes_count; i++) {
        const struct kernel *k = b->axes[i].kernel;
        if (k->backend != backend || k->workload != workload ||
            k->workload->by_rows != (group->row_length > 0) ||
            (group->inner > 1 && !k->workload->any_axis))
            continue;
        if (!add_kernel(b, &b->axes[i], group))
            return false;
        phase_add(1);
    }
    if (b->two_sides && b->points.count > first)
        sides_pair(b->plan, b->points.items + first, (uint32_t)b->points.count - first);
    if (b->points.count > first)
        vec_push(&b->groups, (struct group){first, (uint32_t)b->points.count - first});
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

/* Returns whether different values of an axis make different groups. All other axes depend on the
 * kernels' facts (struct kernel_axes). */
static bool makes_groups(enum axis_index axis)
{
    return axis != AXIS_kernel && axis != AXIS_block && axis != AXIS_unroll && axis != AXIS_scope;
}

/* Returns how many values the config chooses for an axis. This is 1, the default, for a run-time
 * axis that the config does not name. */
static int axis_value_count(const struct config *config, enum axis_index axis)
{
    int count = config->axis_values[axis].count;
    return count == 0 && axis_is_run_time(axis) ? 1 : count;
}

static uint64_t axis_value(const struct config *config, enum axis_index axis, int i)
{
    const struct config_values *v = &config->axis_values[axis];
    return v->count ? v->values[i] : (uint64_t)axis_table[axis].fallback_value;
}

/*
 * The inputs that agree with the values chosen so far for n, row_length and inner: all combinations
 * of these axes if `product` is true, and the config's shapes from index `first` up to, but not
 * including, `end`.
 */
struct inputs {
    bool product;
    int first, end;
};

static uint64_t shape_value(const struct config_shape *s, enum axis_index axis)
{
    return axis == AXIS_n ? s->n : axis == AXIS_row_length ? s->row_length : s->inner;
}

/*
 * Adds the groups for all combinations of this axis's values and those of the axes after it. The
 * last axis changes fastest. If shapes can set the axis, the values in the config's shapes are
 * merged with those in the axis's key, in ascending order and without duplicates.
 */
static bool add_groups(struct builder *b, struct point *group, enum axis_index axis,
                       struct inputs inputs)
{
    while (axis < AXIS_COUNT && !makes_groups(axis))
        axis++;
    if (axis == AXIS_COUNT)
        return add_backends(b, group);
    const struct config *config = b->plan->config;
    bool shapes = axis_chosen_by_shapes(axis);
    int own = shapes && !inputs.product ? 0 : axis_value_count(config, axis);
    int i = 0, s = shapes ? inputs.first : inputs.end;
    while (i < own || s < inputs.end) {
        uint64_t mine = i < own ? axis_value(config, axis, i) : UINT64_MAX;
        uint64_t shaped = s < inputs.end ? shape_value(&config->shapes[s], axis) : UINT64_MAX;
        uint64_t value = mine < shaped ? mine : shaped;
        struct inputs with = shapes ? (struct inputs){mine == value, s, s} : inputs;
        while (shapes && with.end < inputs.end &&
               shape_value(&config->shapes[with.end], axis) == value)
            with.end++;
        i += mine == value;
        s = with.end;
        point_set(group, axis, value);
        if (!add_groups(b, group, axis + 1, with))
            return false;
    }
    return true;
}

/* Returns the number of inputs: combinations of the axes that make groups. A shape that is also
 * such a combination is counted twice. */
static double group_inputs(const struct config *config)
{
    double others = 1, product = !config->only_shapes;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (makes_groups(i))
            *(axis_chosen_by_shapes(i) ? &product : &others) *= axis_value_count(config, i);
    return others * (product + config->shape_count);
}

/* Returns how many points a kernel has in a group of this type and operation: its combinations, or
 * 1 for a single skipped point. */
static double combinations(const struct kernel_axes *a, int type, int op)
{
    if (!kernel_supports(a->kernel, (enum element_type)type, (enum operation)op) ||
        a->unroll_count == 0)
        return 1;
    return combinations_from(a, LEVEL_BLOCK);
}

/* Rejects a sweep that is too large before memory is allocated. The effect of excludes or a filter
 * is not known here, so with these only add_point() checks the number of points. */
static bool check_point_count(struct builder *b)
{
    const struct config *c = b->plan->config;
    if (c->exclude_count > 0 || b->filter.takes)
        return true;
    const struct config_values *types = &c->axis_values[AXIS_type], *ops = &c->axis_values[AXIS_op];
    double per_input = 0;
    for (int t = 0; t < types->count; t++)
        for (int o = 0; o < ops->count; o++)
            for (int i = 0; i < b->axes_count; i++)
                per_input += combinations(&b->axes[i], (int)types->values[t], (int)ops->values[o]);
    double points = per_input * group_inputs(c) / types->count / ops->count;
    struct text inputs = {0};
    if (c->shape_count > 0)
        text_append(&inputs, "%d shapes%s", c->shape_count, c->only_shapes ? " x " : " and ");
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        int count = axis_value_count(c, i);
        if (!makes_groups(i) || i == AXIS_type || i == AXIS_op ||
            (axis_chosen_by_shapes(i) && c->only_shapes))
            continue;
        if (i == AXIS_n || count > 1)
            text_append(&inputs, "%d %s x ", count, axis_table[i].key);
    }
    bool ok =
        points <= PLAN_MAX_POINTS ||
        FAIL(b->e, ERROR_CONFIG,
             "%s: the sweep has %.0f points, but at most %d are allowed. It consists of %s%.0f "
             "combinations of kernels (%d), types (%d), operations (%d), block sizes (%d), unroll "
             "factors (%d), scopes and tunables; choose fewer of them",
             c->path, points, PLAN_MAX_POINTS, inputs.bytes, per_input, b->axes_count, types->count,
             ops->count, c->axis_values[AXIS_block].count, c->axis_values[AXIS_unroll].count);
    text_free(&inputs);
    return ok;
}

static bool build(struct builder *b)
{
    struct plan *plan = b->plan;
    if (!axes_choose(plan->config, plan->catalogue, &b->axes, &b->axes_count, b->e))
        return false;
    axes_tunable_names(b->axes, b->axes_count, &plan->tunable_names, &plan->tunable_name_count);
    find_reason(b, "");
    struct point first = {0};
    if (!excludes_begin(&b->excludes, plan, b->e) || !check_point_count(b))
        return false;
    phase_begin(PHASE_PLAN, (uint64_t)group_inputs(plan->config) * (uint64_t)b->axes_count);
    const struct inputs all = {!plan->config->only_shapes, 0, plan->config->shape_count};
    bool ok = add_groups(b, &first, 0, all);
    phase_end();
    if (!ok)
        return false;
    struct text notes = {0};
    excludes_note_unused(&b->excludes, &notes);
    axes_note_unused(plan->config, b->axes, b->axes_count, &notes);
    plan->notes = xstrdup(text_shown(&notes));
    text_free(&notes);
    return true;
}

bool plan_build_filtered(const struct config *config, const struct catalogue *catalogue,
                         const struct device_limits *limits, struct plan_filter filter,
                         struct plan **out, struct error *e)
{
    *out = NULL;
    struct plan *plan = xcalloc(1, sizeof *plan);
    plan->config = config;
    plan->catalogue = catalogue;
    if (limits)
        memcpy(plan->device, limits->backend, sizeof plan->device);
    struct builder b = {.plan = plan,
                        .limits = limits,
                        .filter = filter,
                        .two_sides = has_two_sides(catalogue),
                        .e = e};
    bool ok = build(&b);
    map_free(&b.variants_by_id);
    map_free(&b.reasons_by_hash);
    excludes_end(&b.excludes);
    text_free(&b.reason);
    free(b.axes);
    /* Frees the unused capacity of the points, the only large array. */
    if (b.points.count)
        b.points.items = xrealloc(b.points.items, b.points.count * sizeof *b.points.items);
    plan->points = b.points.items;
    plan->point_count = (uint32_t)b.points.count;
    plan->variants = b.variants.items;
    plan->variant_count = (uint32_t)b.variants.count;
    plan->groups = b.groups.items;
    plan->group_count = (uint32_t)b.groups.count;
    plan->reasons = b.reasons.items;
    plan->reason_count = (uint32_t)b.reasons.count;
    if (ok)
        *out = plan;
    else
        plan_free(plan);
    return ok;
}

static bool takes_listed(const void *context, const struct plan *plan, const struct point *p)
{
    const struct config_points *points = context;
    return sorted_has(points->ids, (size_t)points->count, point_id(plan, p));
}

bool plan_build(const struct config *config, const struct catalogue *catalogue,
                const struct device_limits *limits, struct plan **out, struct error *e)
{
    struct plan_filter filter = {0};
    if (config->points.count > 0)
        filter = (struct plan_filter){takes_listed, &config->points};
    return plan_build_filtered(config, catalogue, limits, filter, out, e);
}

void plan_free(struct plan *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->reason_count; i++)
        free(p->reasons[i]);
    for (int i = 0; i < p->tunable_name_count; i++)
        free(p->tunable_names[i]);
    free(p->notes);
    free(p->reasons);
    free(p->tunable_names);
    free(p->points);
    free(p->variants);
    free(p->groups);
    free(p);
}
