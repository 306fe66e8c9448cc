/* Computes the ids of points and variants. */
#include "plan/ids.h"

#include "base/axes.h"
#include "base/text.h"

/* Hashes a number byte by byte, least significant first, so that ids are the same on all
 * machines. */
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

uint64_t point_id(const struct plan *plan, const struct point *p)
{
    uint64_t id = HASH_START;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        if (i == AXIS_AFTER_TUNABLES)
            id = hash_tunables(id, plan_kernel(plan, p), p->tunables);
        struct expr_value value = plan_axis_value(plan, p, i);
        if (axis_is_run_time(i)) {
            if (point_value(p, i) == (uint64_t)axis_table[i].fallback_value)
                continue; /* ids are then the same as before the axis existed */
            id = hash_text(id, axis_table[i].name);
        }
        id = value.text ? hash_text(id, value.text) : hash_number(id, (uint64_t)value.number);
    }
    return id;
}

uint64_t variant_id(const struct kernel *k, const struct variant *v)
{
    uint64_t id = hash_text(HASH_START, k->name);
    id = hash_text(id, element_type_name((enum element_type)v->type));
    id = hash_text(id, operation_name((enum operation)v->op));
    id = hash_number(id, v->block);
    id = hash_number(id, v->unroll);
    id = hash_number(id, v->wide);
    return hash_tunables(id, k, v->tunables);
}
