/* Divides a plan into shards. shards.h explains the method. */
#include "plan/shards.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/element.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"

/*
 * The cost of a point besides reading its input, as the number of bytes that could be read in the
 * same time. Checking and timing a point with a small input takes about as long as reading this
 * many bytes. The number only serves to balance shards, so it need not be exact.
 */
#define POINT_BYTES (64.0 * 1024 * 1024)

/* A group, or all groups of a curve. */
struct part {
    uint64_t curve; /* a hash of what all groups of the curve have in common */
    /* A hash of the curve, the size and the seed, which orders parts of equal cost. */
    uint64_t order;
    double cost;
    uint32_t shard;
};

bool shard_parse(const char *option, const char *text, struct shard *out, struct error *e)
{
    char rest;
    if (sscanf(text, "%" SCNu32 "/%" SCNu32 "%c", &out->index, &out->count, &rest) == 2 &&
        text[0] >= '0' && text[0] <= '9' && strchr(text, '-') == NULL && out->count >= 1 &&
        out->count <= SHARDS_MAX && out->index < out->count)
        return true;
    return FAIL(e, ERROR_USAGE,
                "%s %s is not a shard; write K/N, such as 0/4, for shard K (from 0) of N, with N "
                "at most %d",
                option, text, SHARDS_MAX);
}

const char *shard_text(struct shard shard, char text[24])
{
    text[0] = '\0';
    if (shard.count)
        snprintf(text, 24, "%" PRIu32 "/%" PRIu32, shard.index, shard.count);
    return text;
}

static uint64_t curve_of(const struct plan *p, const struct group *g)
{
    const struct point *point = &p->points[g->first];
    const struct kernel *k = plan_kernel(p, point);
    char text[160];
    int used = snprintf(text, sizeof text, "%d %d %d %d %.40s", point->type, point->op,
                        point->cache, (int)k->backend, k->workload->name);
    for (enum axis_index axis = 0; axis < AXIS_COUNT; axis++)
        if (axis_is_run_time(axis) && used < (int)sizeof text)
            used += snprintf(text + used, sizeof text - (size_t)used, " %" PRIu64,
                             point_value(point, axis));
    return hash_text(HASH_START, text);
}

double plan_point_bytes(const struct point *point)
{
    return (double)point->n * (double)element_size((enum element_type)point->type);
}

double plan_group_cost(const struct plan *p, const struct group *g)
{
    return g->count * (POINT_BYTES + plan_point_bytes(&p->points[g->first]));
}

static uint64_t order_of(uint64_t curve, uint64_t n, uint64_t seed)
{
    uint64_t parts[] = {seed, n, curve};
    uint64_t state = hash_bytes(HASH_START, parts, sizeof parts) | 1;
    (void)random_next(&state); /* without this step, similar seeds would give similar results */
    return random_next(&state);
}

/* Makes one part per group. `parts` has one element per group. */
static void make_parts(const struct plan *p, struct part *parts)
{
    for (uint32_t g = 0; g < p->group_count; g++) {
        parts[g].curve = curve_of(p, &p->groups[g]);
        parts[g].cost = plan_group_cost(p, &p->groups[g]);
        parts[g].order = order_of(parts[g].curve, p->points[p->groups[g].first].n, p->config->seed);
    }
}

static int by_cost(const void *a, const void *b)
{
    const struct part *x = *(const struct part *const *)a, *y = *(const struct part *const *)b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void deal(struct part **sorted, size_t count, uint32_t shards)
{
    double *load = xcalloc(shards, sizeof *load);
    qsort(sorted, count, sizeof *sorted, by_cost);
    for (size_t i = 0; i < count; i++) {
        uint32_t lightest = 0;
        for (uint32_t s = 1; s < shards; s++)
            if (load[s] < load[lightest])
                lightest = s;
        sorted[i]->shard = lightest;
        load[lightest] += sorted[i]->cost;
    }
    free(load);
}

/* Finds the curves of these groups and returns how many there are. Stores each group's curve in
 * `curve_of_group`. */
static size_t find_curves(const struct part *groups, uint32_t count, uint64_t seed,
                          struct part *curves, uint32_t *curve_of_group)
{
    size_t found = 0;
    for (uint32_t g = 0; g < count; g++) {
        size_t c = 0;
        while (c < found && curves[c].curve != groups[g].curve)
            c++;
        if (c == found) {
            curves[found] = groups[g];
            curves[found].cost = 0;
            curves[found++].order = order_of(groups[g].curve, 0, seed);
        }
        curves[c].cost += groups[g].cost;
        curve_of_group[g] = (uint32_t)c;
    }
    return found;
}

/* Sets each group's shard. */
static void divide(const struct plan *p, uint32_t shards, struct part *groups)
{
    make_parts(p, groups);
    struct part *curves = xcalloc((size_t)p->group_count + 1, sizeof *curves);
    uint32_t *curve_of_group = xcalloc((size_t)p->group_count + 1, sizeof *curve_of_group);
    struct part **sorted = xcalloc((size_t)p->group_count + 1, sizeof *sorted);
    size_t found = find_curves(groups, p->group_count, p->config->seed, curves, curve_of_group);
    bool whole = found >= 2 * (size_t)shards;
    size_t count = whole ? found : p->group_count;
    for (size_t i = 0; i < count; i++)
        sorted[i] = whole ? &curves[i] : &groups[i];
    deal(sorted, count, shards);
    for (uint32_t g = 0; whole && g < p->group_count; g++)
        groups[g].shard = curves[curve_of_group[g]].shard;
    free(curves);
    free(curve_of_group);
    free(sorted);
}

void plan_keep_used_variants(struct plan *p)
{
    uint32_t used = 0, *place = xcalloc((size_t)p->variant_count + 1, sizeof *place);
    for (uint32_t i = 0; i < p->point_count; i++)
        if (!p->points[i].skip)
            place[p->points[i].variant] = 1;
    for (uint32_t v = 0; v < p->variant_count; v++)
        if (place[v]) {
            p->variants[used] = p->variants[v];
            place[v] = used++;
        }
    for (uint32_t i = 0; i < p->point_count; i++)
        if (!p->points[i].skip)
            p->points[i].variant = place[p->points[i].variant];
    p->variant_count = used;
    free(place);
}

void plan_keep_shard(struct plan *p, struct shard shard)
{
    if (shard.count == 0)
        return;
    struct part *groups = xcalloc((size_t)p->group_count + 1, sizeof *groups);
    divide(p, shard.count, groups);
    uint32_t points = 0, kept = 0;
    for (uint32_t g = 0; g < p->group_count; g++) {
        struct group from = p->groups[g];
        if (groups[g].shard != shard.index)
            continue;
        memmove(&p->points[points], &p->points[from.first], from.count * sizeof *p->points);
        p->groups[kept++] = (struct group){points, from.count};
        points += from.count;
    }
    p->point_count = points;
    p->group_count = kept;
    plan_keep_used_variants(p);
    free(groups);
}
