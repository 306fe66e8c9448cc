/*
 * Completes a run on the simulator that was begun and stopped, with rows that nobody measured: what
 * a run of 10^6 points costs those that read it.
 *
 *   bench_rows RUN SAMPLES [REDSWEEP]
 *
 * Every point without a row gets one, with that many invented samples. The run's folder, config and
 * points are real, so that resume takes it for a complete run. Then, if the program is given, it
 * prints the memory and CPU time of each command that reads the run: NAME MB SECONDS.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "compile/compile.h"
#include "metrics/metrics.h"
#include "record/writer.h"
#include "spec/config.h"
#include "spec/folders.h"

struct bench_rows {
    struct config *config;
    struct catalogue kernels, support;
    struct plan *plan;
    struct metric_plan metrics;
    struct manifest manifest;
    const struct device_driver *driver;
    struct device *device;
};

static bool has_counter(void *context, const char *counter, char why[256])
{
    struct bench_rows *b = context;
    return b->driver->has_counter(b->device, counter, why);
}

static bool open_run(struct bench_rows *b, const char *folder, struct error *e)
{
    char kernel_folder[4096];
    bool found;
    struct device_setup setup = {0};
    struct device_info info;
    const struct provenance *p = &b->manifest.provenance;
    if (!manifest_read(folder, &b->manifest, &found, e) ||
        !config_parse(p->config_path, p->config_text, &b->config, e) ||
        !find_kernel_folder(kernel_folder, sizeof kernel_folder, e) ||
        !read_catalogues(kernel_folder, NULL, 0, &b->kernels, &b->support, e) ||
        !device_open("sim", &setup, &b->driver, &b->device, NULL, e))
        return false;
    b->driver->describe(b->device, &info);
    return plan_build(b->config, &b->kernels, &info.limits, &b->plan, e) &&
           metrics_resolve((const char *const *)b->config->metrics.names, b->config->metrics.count,
                           info.chip, has_counter, b, NULL, &b->metrics, e);
}

/* Times of many digits, all different: what takes most memory. */
static void invent(uint32_t point, double *samples, int count, double *metrics, int metric_count)
{
    uint64_t random = point;
    for (int i = 0; i < count; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        samples[i] = 9 + point % 100000 / 100.0 + 1e-6 * (double)((random >> 33) % 1000000);
    }
    for (int i = 0; i < metric_count; i++)
        metrics[i] = (double)(point % (1000u << 4 * (i % 3)));
}

static bool fill(struct bench_rows *b, const char *folder, int sample_count, struct error *e)
{
    struct record *r;
    struct recorded found;
    if (!record_open(folder, b->plan, &b->metrics, &b->manifest, &r, &found, e))
        return false;
    double *samples = xcalloc((size_t)sample_count + 1, sizeof *samples);
    double *metrics = xcalloc((size_t)b->metrics.count + 1, sizeof *metrics);
    bool ok = true;
    uint32_t rows = 0;
    for (uint32_t i = 0; ok && i < b->plan->point_count; i++) {
        const struct point *point = &b->plan->points[i];
        struct outcome o;
        if (recorded_has(&found, point->id))
            continue;
        outcome_clear(&o);
        o.status = point->skip ? STATUS_SKIPPED : STATUS_OK;
        if (point->skip)
            snprintf(o.reason, sizeof o.reason, "%.1023s", b->plan->reasons[point->skip]);
        invent(i, samples, sample_count, metrics, b->metrics.count);
        o.grid = (int64_t)(point->n / 64);
        o.samples = samples;
        o.sample_count = point->skip ? 0 : (size_t)sample_count;
        o.metrics = metrics;
        snprintf(o.result, sizeof o.result, "%u", i * 2654435761u);
        ok = record_add(r, point, &o, e) && (++rows % 1024 || record_flush(r, e));
    }
    recorded_free(&found);
    free(samples);
    free(metrics);
    printf("%u points, %u rows added\n", b->plan->point_count, rows);
    return record_close(r, "complete", "2026-01-01T00:00:00Z", ok ? e : NULL) && ok;
}

/* Runs a command that reads the run, and prints what it took. */
static bool read_by(const char *program, const char *command, const char *run)
{
    const char *other = strcmp(command, "diff") == 0 ? run : NULL;
    struct rusage used;
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0 && dup2(nowhere, 1) == 1)
            execl(program, program, command, run, other, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
        return false;
    printf("%s %.0f %.1f\n", command, (double)used.ru_maxrss / 1000,
           (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool read_by_all(const char *program, const char *run)
{
    static const char *const commands[] = {"show", "best", "resume", "diff"};
    bool ok = true;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        ok = read_by(program, commands[i], run) && ok;
    return ok;
}

int main(int argc, char **argv)
{
    struct bench_rows b = {0};
    struct error e = {0};
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: bench_rows RUN SAMPLES [REDSWEEP]\n");
        return 2;
    }
    bool ok = open_run(&b, argv[1], &e) && fill(&b, argv[1], atoi(argv[2]), &e);
    if (!ok)
        fprintf(stderr, "bench_rows: %s\n", e.text);
    metric_plan_free(&b.metrics);
    plan_free(b.plan);
    config_free(b.config);
    catalogue_free(&b.kernels);
    catalogue_free(&b.support);
    manifest_free(&b.manifest);
    if (b.device)
        b.driver->close(b.device);
    ok = ok && (argc < 4 || read_by_all(argv[3], argv[1]));
    return ok ? 0 : 1;
}
