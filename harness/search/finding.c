/* Makes the finding of a search; see finding.h. */
#include "search/finding.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/element.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "base/text.h"

static const double WITHIN = 0.01, CONFIDENCE = 0.95;

double finding_missed_share(uint32_t points, uint32_t probes)
{
    /*
     * The probability that no probe is among the best k points is C(points − k, probes) / C(points,
     * probes). Increasing k by 1 multiplies this probability by (points − probes − k) / (points −
     * k).
     */
    double missed = 1;
    uint32_t k = 0;
    while (k < points && missed > 1 - CONFIDENCE) {
        double left = (double)points - (double)probes - (double)k;
        missed *= left > 0 ? left / ((double)points - (double)k) : 0;
        k++;
    }
    /*
     * If k points were better than the best probe, it would be too unlikely that no probe is one of
     * them. So at most k − 1 points are better.
     */
    return points > 0 ? (double)(k - 1) / (double)points : NAN;
}

double finding_more(const struct search_finding *f, const struct config_search *c)
{
    bool first = f->probes > c->probes;
    double start = first ? c->start : c->probes + c->tops + c->guesses;
    return fmax(0, round(((double)f->measured - start) / c->batch) - TRANSFER_FEWEST);
}

/* Writes the name of a group's problem without n, such as "int32 sum cold kernel". */
static void name_problem(const struct plan *plan, const struct point *p, char *out, size_t size)
{
    const struct kernel *k = plan_kernel(plan, p);
    size_t used = (size_t)snprintf(
        out, size, "%s %s %s %s", element_type_name((enum element_type)p->type),
        operation_name((enum operation)p->op), cache_state_name((enum cache_state)p->cache),
        scope_name((enum scope)p->scope));
    if (p->offset && used < size)
        used += (size_t)snprintf(out + used, size - used, " offset %d", p->offset);
    if (strcmp(k->workload->name, "reduce") != 0 && used < size)
        used += (size_t)snprintf(out + used, size - used, " %s", k->workload->name);
    if (k->backend == BACKEND_CPU && used < size)
        snprintf(out + used, size - used, " on the CPU");
}

void finding_make(const struct transfer_search *t, double step_us, struct search_finding *out)
{
    const struct point *first = &t->plan->points[t->group.first];
    uint32_t *tops = xcalloc((size_t)t->config->finalists, sizeof *tops);
    uint32_t top_count = transfer_tops(t, tops);
    double best_us = INFINITY;
    *out = (struct search_finding){.n = (int64_t)first->n,
                                   .points = t->group.count,
                                   .within = -1,
                                   .time_us = NAN,
                                   .better_share = NAN};
    name_problem(t->plan, first, out->problem, sizeof out->problem);
    snprintf(out->first, sizeof out->first, "%016" PRIx64, first->id);
    struct summary s;
    struct text ids = {0};
    for (uint32_t i = 0; i < top_count; i++)
        text_append(&ids, "%s%016" PRIx64, i ? " " : "", t->plan->points[tops[i]].id);
    member_set(&out->tops, ids.bytes);
    text_free(&ids);
    bool found = top_count > 0;
    if (found && summarize(t->points[tops[0] - t->group.first].samples.items,
                           t->points[tops[0] - t->group.first].samples.count, &s))
        best_us = s.median;
    free(tops);
    for (uint32_t i = 0; i < t->group.count; i++) {
        const struct searched *p = &t->points[i];
        out->measured += p->asked;
        out->probes += p->random && !p->failed;
        if (!p->random || p->failed || !found || !summarize(p->samples.items, p->samples.count, &s))
            continue;
        out->within += (out->within < 0) + (s.median <= best_us * (1 + WITHIN) ||
                                            s.median <= best_us + step_us * 1.001);
    }
    if (!found)
        return;
    out->time_us = best_us;
    if (out->probes > 0)
        out->better_share = finding_missed_share((uint32_t)out->points, (uint32_t)out->probes);
}
