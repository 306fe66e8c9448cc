/* Estimates how long measuring energy takes, and checks its limits; see energy_plan.h. */
#include "run/energy_plan.h"

#include <inttypes.h>
#include <math.h>

#include "measure/energy.h"
#include "run/source.h"

/*
 * Counts the points of a group whose energy is measured: those that are not skipped and that do not
 * run a CPU function.
 */
static uint32_t metered_points(const struct plan *plan, const struct group *g)
{
    uint32_t count = 0;
    for (uint32_t i = g->first; i < g->first + g->count; i++)
        count +=
            !plan->points[i].skip && plan_kernel(plan, &plan->points[i])->backend != BACKEND_CPU;
    return count;
}

double energy_plan_s(const struct plan *plan)
{
    double seconds = 0, block_s = plan->config->timing.energy_s;
    for (uint32_t i = 0; block_s > 0 && i < plan->group_count; i++) {
        uint32_t count = metered_points(plan, &plan->groups[i]);
        seconds += count > 0 ? energy_estimate_s(count, 1, block_s) : 0;
    }
    return seconds;
}

bool energy_plan_check(const struct plan *plan, const struct device_info *info, struct error *e)
{
    const struct config *c = plan->config;
    if (c->timing.energy_s <= 0)
        return true;
    if (!info->can_meter)
        return FAIL(e, ERROR_DEVICE, "energy cannot be measured here: %s", energy_missing(info));
    if (source_kind_of(c)->by_times)
        return FAIL(e, ERROR_CONFIG,
                    "%s, timing.energy_s: a search does not measure energy; measure its finalists "
                    "with redsweep best RUN --remeasure DIR --energy",
                    c->path);
    for (uint32_t i = 0; i < plan->group_count; i++) {
        uint32_t count = metered_points(plan, &plan->groups[i]);
        if (count > ENERGY_FINALISTS)
            return FAIL(
                e, ERROR_CONFIG,
                "%s, timing.energy_s: %" PRIu32 " points have n = %" PRIu64
                " and share one input, but the energy of at most %d points can be measured "
                "together; choose finalists with redsweep best RUN --remeasure DIR --energy",
                c->path, count, plan->points[plan->groups[i].first].n, ENERGY_FINALISTS);
    }
    double seconds = energy_plan_s(plan);
    return seconds <= ENERGY_LIMIT_S ||
           FAIL(e, ERROR_CONFIG,
                "%s, timing.energy_s: measuring the energy would take about %.0f s, but at most %d "
                "s are allowed; choose fewer sizes, types, operations or finalists",
                c->path, ceil(seconds), ENERGY_LIMIT_S);
}
