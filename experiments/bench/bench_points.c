/*
 * Measures a config's points in a single process, without a parent process, a recorded run or a
 * progress line. Shows how much time counting takes, and can be profiled with ncu.
 *
 *   bench_points CONFIG POINTS count|plain|counters
 *
 * count     counts the config's metrics, and prints "name value" lines with the seconds of each
 *           phase
 * plain     launches each point once and checks it, without counting anything
 * counters  prints the counters of the config's metrics, separated by commas, for ncu --metrics
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "spec/folders.h"
#include "spec/config.h"
#include "measure/group.h"
#include "measure/buffer_pool.h"
#include "measure/modules.h"
#include "metrics/metrics.h"
#include "compile/compile.h"

static uint32_t right, counted;

static bool take_report(void *context, const struct report *r, struct error *e)
{
    (void)context, (void)e;
    counted += r->type == REPORT_COUNTS;
    if (r->type != REPORT_DONE)
        return true;
    if (r->outcome->status == STATUS_OK)
        right++;
    else
        fprintf(stderr, "bench_points: %s: %s\n", status_name(r->outcome->status),
                r->outcome->reason);
    return true;
}

static bool has_counter(void *context, const char *counter, char why[256])
{
    struct bench *b = context;
    return b->driver->has_counter(b->device, counter, why);
}

/* Takes the first `most` points, group by group. */
static bool measure(struct bench *b, const struct plan *plan, const struct metric_plan *metrics,
                    uint32_t most, struct error *e)
{
    struct task_point *points = xcalloc(plan->point_count, sizeof *points);
    bool ok = true;
    for (uint32_t g = 0; ok && g < plan->group_count && most > 0; g++) {
        const struct point *first = &plan->points[plan->groups[g].first];
        struct group_task task = {.points = points,
                                  .input = plan_input(plan, first),
                                  .counters = metrics->counters,
                                  .counter_count = metrics->counter_count};
        for (uint32_t i = 0; i < plan->groups[g].count && task.count < most; i++)
            if (!first[i].skip)
                points[task.count++] = (struct task_point){plan->groups[g].first + i, first[i],
                                                           plan->variants[first[i].variant]};
        most -= task.count;
        ok = task.count == 0 || measure_group(b, &task, take_report, NULL, e);
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
    if (!device_open("cuda", &setup, &b->driver, &b->device, NULL, e))
        return false;
    b->driver->describe(b->device, &b->info);
    b->catalogue = kernels;
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
    b.timing = config ? &config->timing : NULL;
    if (ok && strcmp(mode, "counters") == 0)
        print_counters(&metrics);
    else if (ok) {
        ok = measure(&b, plan, &metrics, (uint32_t)atoi(argv[2]), &e);
        print_phases(&b);
    }
    if (!ok)
        fprintf(stderr, "bench_points: %s\n", e.text);
    modules_free(&b, e.device_lost);
    pool_free(&b, e.device_lost);
    if (b.device && !e.device_lost)
        b.driver->close(b.device);
    return ok ? 0 : 1;
}
