/*
 * Measuring the points of a config in this process, without a parent, a record and a terminal: what
 * counting costs, and what a profiler from outside (ncu) can be put around.
 *
 *   bench_points CONFIG POINTS count|plain|counters
 *
 * count     the config's metrics are counted; prints "name value" lines with the seconds of each
 *           phase
 * plain     each point is launched once and checked, nothing is counted
 * counters  prints the counters of the config's metrics with commas between them, for ncu --metrics
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "config/config.h"
#include "measure/group.h"
#include "measure/kept.h"
#include "measure/modules.h"

static uint32_t right, counted;

static bool on_point(void *context, uint32_t point, struct error *e)
{
    (void)context, (void)point, (void)e;
    return true;
}

static bool on_samples(void *context, uint32_t point, const double *us, size_t count,
                       struct error *e)
{
    (void)context, (void)point, (void)us, (void)count, (void)e;
    return true;
}

static bool on_metrics(void *context, uint32_t point, const double *values, struct error *e)
{
    (void)context, (void)point, (void)values, (void)e;
    counted++;
    return true;
}

static bool on_done(void *context, uint32_t point, const struct outcome *o, struct error *e)
{
    (void)context, (void)point, (void)e;
    if (o->status == STATUS_OK)
        right++;
    else
        fprintf(stderr, "bench_points: %s: %s\n", status_name(o->status), o->reason);
    return true;
}

static bool has_counter(void *context, const char *counter, char why[256])
{
    struct bench *b = context;
    return b->driver->has_counter(b->device, counter, why);
}

/* The first `most` points, group by group. */
static bool measure(struct bench *b, const struct plan *plan, uint32_t most, struct error *e)
{
    struct sink sink = {.begin = on_point,
                        .checked = on_point,
                        .samples = on_samples,
                        .metrics = on_metrics,
                        .done = on_done};
    uint32_t *points = calloc(plan->point_count, sizeof *points);
    bool ok = points || FAIL(e, ERROR_MEMORY, "out of memory");
    for (uint32_t g = 0; ok && g < plan->group_count && most > 0; g++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < plan->groups[g].count && count < most; i++)
            if (!plan->points[plan->groups[g].first + i].skip)
                points[count++] = plan->groups[g].first + i;
        most -= count;
        ok = count == 0 || measure_group(b, points, count, false, &sink, e);
    }
    free(points);
    return ok;
}

static void print_counters(const struct metric_plan *metrics)
{
    for (int i = 0; i < metrics->counter_count; i++)
        printf("%s%s", i ? "," : "", metrics->counters[i]);
    printf("\n");
}

static void print_phases(const struct bench *b)
{
    printf("points %u\ncounted %u\nprepare_s %.4f\nreference_s %.4f\ncheck_s %.4f\ncount_s %.4f\n",
           right, counted, b->phases.prepare_s, b->phases.reference_s, b->phases.check_s,
           b->phases.count_s);
}

static bool open_bench(struct bench *b, struct catalogue *kernels, struct catalogue *support,
                       struct error *e)
{
    char folder[4096], cache[4096];
    if (!find_kernel_folder(folder, sizeof folder, e) ||
        !read_catalogues(folder, NULL, 0, kernels, support, e))
        return false;
    find_cache_folder(cache, sizeof cache);
    if (!compiler_open(cache, folder, &b->compiler, e))
        return false;
    struct device_setup setup = {.compiler = b->compiler, .support = support};
    if (!device_open("cuda", &setup, &b->driver, &b->device, e))
        return false;
    b->driver->describe(b->device, &b->info);
    b->support = support;
    b->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: bench_points CONFIG POINTS count|plain|counters\n");
        return 2;
    }
    const char *mode = argv[3];
    bool counts = strcmp(mode, "plain") != 0;
    struct error e = {0};
    struct bench b = {0};
    struct config *config = NULL;
    struct catalogue kernels, support;
    struct plan *plan = NULL;
    struct metric_plan metrics = {0};
    bool ok = config_read(argv[1], &config, &e) && open_bench(&b, &kernels, &support, &e) &&
              plan_build(config, &kernels, &b.info.limits, &plan, &e) &&
              metrics_resolve((const char *const *)config->metrics.names,
                              counts ? config->metrics.count : 0, b.info.chip,
                              b.info.can_count ? has_counter : NULL, &b, b.info.counters_missing,
                              &metrics, &e);
    b.plan = plan;
    b.metrics = &metrics;
    if (ok && strcmp(mode, "counters") == 0)
        print_counters(&metrics);
    else if (ok) {
        ok = measure(&b, plan, (uint32_t)atoi(argv[2]), &e);
        print_phases(&b);
    }
    if (!ok)
        fprintf(stderr, "bench_points: %s\n", e.text);
    modules_free(&b, e.device_lost);
    kept_free(&b, e.device_lost);
    if (b.device && !e.device_lost)
        b.driver->close(b.device);
    return ok ? 0 : 1;
}
