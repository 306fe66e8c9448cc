/*
 * Questions about one point of a plan: its kernel, shape, tunables, input and label.
 */
#include "plan/plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "base/text.h"
#include "plan/shape.h"
#include "support/input.h"

const struct kernel *plan_kernel(const struct plan *p, const struct point *point)
{
    return p->catalogue->kernels[point->kernel];
}

bool plan_shape(const struct plan *p, const struct point *point, int sms, struct shape *out,
                struct error *e)
{
    struct combination c = {.kernel = plan_kernel(p, point),
                            .type = (enum element_type)point->type,
                            .n = point->n,
                            .block = point->block,
                            .unroll = point->unroll,
                            .tunables = point->tunables,
                            .sms = sms};
    return shape_evaluate(&c, out, NULL, e);
}

bool plan_tunable(const struct plan *p, const struct point *point, const char *name, int *value)
{
    const struct kernel *k = plan_kernel(p, point);
    for (int i = 0; i < k->tunable_count; i++)
        if (strcasecmp(k->tunables[i].name, name) == 0) {
            *value = point->tunables[i];
            return true;
        }
    return false;
}

/*
 * The hash is mixed once more, because FNV-1a's lowest bit is only the parity of the bytes' lowest
 * bits: with powers of two for n nearly all seeds would be odd, or all even (see input_peak()).
 */
struct input plan_input(const struct plan *p, const struct point *point)
{
    struct input input = {.type = (enum element_type)point->type,
                          .op = (enum operation)point->op,
                          .n = plan_kernel(p, point)->workload->input_elements(point->n)};
    uint64_t hash = hash_text(HASH_START, element_type_name(input.type));
    hash = hash_text(hash, operation_name(input.op));
    for (int i = 0; i < 8; i++) {
        unsigned char bytes[2] = {(unsigned char)(point->n >> (8 * i)),
                                  (unsigned char)(p->config->seed >> (8 * i))};
        hash = hash_bytes(hash, bytes, sizeof bytes);
    }
    input.seed = input_bits(hash, 0);
    return input;
}

const char *plan_point_label(const struct plan *p, const struct point *point, char *buffer,
                             size_t size)
{
    const struct kernel *k = plan_kernel(p, point);
    size_t used = 0;
    int wrote = snprintf(buffer, size, "%s %s %s n=%" PRIu64 " block=%d", k->name,
                         element_type_name((enum element_type)point->type),
                         operation_name((enum operation)point->op), point->n, (int)point->block);
    used = wrote > 0 ? (size_t)wrote : 0;
    if (used < size && k->unrolls.count)
        used += (size_t)snprintf(buffer + used, size - used, " unroll=%d", (int)point->unroll);
    for (int i = 0; i < k->tunable_count && used < size; i++) {
        size_t begin = used;
        used += (size_t)snprintf(buffer + used, size - used, " %s=%d", k->tunables[i].name,
                                 (int)point->tunables[i]);
        for (size_t j = begin; j < used && j < size; j++) /* as its column is called */
            buffer[j] = (char)tolower((unsigned char)buffer[j]);
    }
    if (used < size)
        snprintf(buffer + used, size - used, " %s %s",
                 cache_state_name((enum cache_state)point->cache),
                 scope_name((enum scope)point->scope));
    return buffer;
}
