/*
 * Prints how many points a plan has, how many of them are skipped and why, how many variants must
 * be compiled, how often each launch is replayed to read the counters, and roughly how long the
 * sweep takes.
 */
#include "run/dry_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/terminal.h"
#include "metrics/metrics.h"
#include "plan/shards.h"
#include "run/energy_plan.h"

double plan_estimate_s(const struct plan *plan, const struct device_info *info, int passes,
                       int threads)
{
    struct point_cost cost = plan_point_cost(plan, info, passes);
    double seconds = (double)plan->variant_count * COMPILE_S / threads;
    for (uint32_t i = 0; i < plan->point_count; i++) {
        const struct point *p = &plan->points[i];
        if (!p->skip)
            seconds += cost_of(&cost, plan_point_bytes(p));
    }
    return seconds + (info->can_meter ? energy_plan_s(plan) : 0);
}

static void print_skips(const struct plan *plan)
{
    uint32_t *counts = xcalloc(plan->reason_count, sizeof *counts);
    uint32_t skipped = 0;
    for (uint32_t i = 0; i < plan->point_count; i++)
        if (plan->points[i].skip) {
            counts[plan->points[i].skip]++;
            skipped++;
        }
    printf("  skipped     %" PRIu32 "\n", skipped);
    for (uint32_t i = 1; i < plan->reason_count; i++)
        /* the count is 0 if the config excludes all points that would be skipped for this reason */
        if (counts[i]) {
            int indent = printf("    %6" PRIu32 "    ", counts[i]);
            terminal_print_words(stdout, plan->reasons[i], (size_t)indent);
        }
    free(counts);
}

static void print_metrics(const struct metric_plan *metrics, int passes)
{
    printf("  metrics    ");
    for (int i = 0; i < metrics->count; i++)
        printf(" %s", metrics->choices[i].name);
    printf("%s\n", metrics->count ? "" : " none");
    if (passes > 0)
        printf("  passes      %d (how often each launch is replayed to read all counters)\n",
               passes);
    for (int i = 0; i < metrics->count; i++)
        if (metrics->choices[i].formula < 0)
            printf("    %s will be empty: %s\n", metrics->choices[i].name,
                   metrics->choices[i].reason);
}

/* Prints the plan for a device. If no device was opened, `info` is NULL and `why_none` says why. */
static void print_plan(const struct run_setup *setup, const struct plan *plan,
                       const struct metric_plan *metrics, const struct device_info *info,
                       int passes, const char *why_none)
{
    print_safely(stdout, "%s on %s\n", setup->config->name, info ? info->name : "no device");
    if (!info)
        printf("  device      no device is available, so device limits are not checked (%s)\n",
               why_none);
    printf("  points      %" PRIu32 " in %" PRIu32 " groups\n", plan->point_count,
           plan->group_count);
    print_skips(plan);
    printf("  excluded    %" PRIu64 " (by the config)\n", plan->excluded);
    if (plan->left_out)
        printf("  left out    %" PRIu64
               " points that cannot run (a search writes no rows for them)\n",
               plan->left_out);
    printf("  variants    %" PRIu32 " to compile\n", plan->variant_count);
    text_print_notes(plan->notes, stdout);
    print_metrics(metrics, passes);
    if (info && !info->can_time)
        printf("  times       none, because this device has no clock\n");
    if (info)
        printf("  takes about %.0f s (a rough estimate)\n",
               plan_estimate_s(plan, info, passes, setup->threads));
}

bool dry_run(const struct sweep *s, struct error *e)
{
    const struct device_info *info =
        s->no_device.length ? NULL : &s->lanes[0].supervisor.hello.info;
    if (info && !energy_plan_check(s->plan, info, e))
        return false;
    plan_keep_shard(s->plan, s->options->setup.shard);
    print_plan(&s->options->setup, s->plan, &s->metrics, info,
               s->counters.passes > 0 ? s->counters.passes : 0, text_shown(&s->no_device));
    return true;
}
