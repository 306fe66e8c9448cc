/*
 * Completes a run with invented rows. The run was begun on the simulator and then
 * stopped. The program shows how much time and memory commands need for a run of 10^6 points.
 *
 *   bench_rows RUN SAMPLES [REDSWEEP]
 *
 * Every point without a row gets a row with SAMPLES invented samples. The run's folder, config
 * and points are real, so that resume treats it as a complete run. If REDSWEEP is given, the
 * program then prints the memory and CPU time of each command that reads the run: NAME MB SECONDS.
 *
 *   bench_rows DIR SAMPLES REDSWEEP shards
 *
 * DIR contains one shard of the config, which may be complete or only begun. This shard and all
 * others are completed in the same way, each with the points that belong to it. The last shard is
 * then planned again (`run --dry-run`). All shards are listed and merged into DIR/merged, and the
 * merged run is resumed. The resume fails if a row of the merged run is not a point of the config.
 * (An earlier check ensures that the run contains each point of the config once.)
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "compile/compile.h"
#include "metrics/metrics.h"
#include "plan/shards.h"
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

/* All times differ and have many digits, because that takes the most memory. */
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

/* Completes the run, and adds the number of new rows to *added. */
static bool fill(struct bench_rows *b, const char *folder, int sample_count, uint32_t *added,
                 struct error *e)
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
    *added += rows;
    return record_close(r, "complete", "2026-01-01T00:00:00Z", ok ? e : NULL) && ok;
}

/* Copies one shard of the plan. Free the copy with free_part(). */
static struct plan part_of(const struct plan *whole, struct shard shard)
{
    struct plan part = *whole;
    part.points = xmalloc(whole->point_count * sizeof *part.points);
    part.variants = xmalloc((whole->variant_count + 1) * sizeof *part.variants);
    part.groups = xmalloc(whole->group_count * sizeof *part.groups);
    memcpy(part.points, whole->points, whole->point_count * sizeof *part.points);
    memcpy(part.variants, whole->variants, whole->variant_count * sizeof *part.variants);
    memcpy(part.groups, whole->groups, whole->group_count * sizeof *part.groups);
    plan_keep_shard(&part, shard);
    return part;
}

static void free_part(struct plan *part)
{
    free(part->points);
    free(part->variants);
    free(part->groups);
}

/* Makes another shard next to the first, without rows. */
static bool begin_shard(struct bench_rows *b, const char *folder, struct error *e)
{
    struct record *r;
    return record_create(folder, b->plan, &b->metrics, &b->manifest, &r, e) &&
           record_close(r, "stopped", "2026-01-01T00:00:00Z", e);
}

/* Checks that the shards together cover the whole plan. */
static bool fill_shards(struct bench_rows *b, const char *parent, int sample_count, uint32_t *added,
                        struct error *e)
{
    struct shard shard, first;
    uint32_t points = 0;
    struct plan *whole = b->plan;
    bool ok = shard_parse("provenance.shard", b->manifest.provenance.shard, &first, e);
    for (shard = first, shard.index = 0; ok && shard.index < first.count; shard.index++) {
        char *folder = xasprintf("%s/shard-%03" PRIu32, parent, shard.index);
        struct plan part = part_of(whole, shard);
        b->plan = &part;
        shard_text(shard, b->manifest.provenance.shard);
        points += part.point_count;
        ok = (access(folder, F_OK) == 0 || begin_shard(b, folder, e)) &&
             fill(b, folder, sample_count, added, e);
        b->plan = whole;
        free_part(&part);
        free(folder);
    }
    return ok && (points == whole->point_count ||
                  FAIL(e, ERROR_CONFIG, "the shards have %" PRIu32 " points, the config %" PRIu32,
                       points, whole->point_count));
}

/* Returns the folder of the first shard in DIR, or NULL if there is none. The caller frees it. */
static char *find_shard(const char *parent)
{
    char *found = NULL;
    DIR *d = opendir(parent);
    for (const struct dirent *entry; d && !found && (entry = readdir(d));)
        if (strncmp(entry->d_name, "shard-", 6) == 0)
            found = xasprintf("%s/%s", parent, entry->d_name);
    if (d)
        closedir(d);
    return found;
}

/* Runs a command, and prints its memory and CPU time. */
static bool take(const char *program, const char *const *arguments)
{
    char *list[16] = {xstrdup(program)};
    struct rusage used;
    int status, count = 1;
    while (*arguments && count < 15)
        list[count++] = xstrdup(*arguments++);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0 && dup2(nowhere, 1) == 1)
            execv(program, list);
        _exit(127);
    }
    bool ok = pid > 0 && wait4(pid, &status, 0, &used) == pid;
    if (ok)
        printf("%s %.0f %.1f\n", list[1], (double)used.ru_maxrss / 1000,
               (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
    while (count)
        free(list[--count]);
    return ok && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool read_by_all(const char *program, const char *run)
{
    bool ok = take(program, (const char *[]){"show", run, NULL});
    ok = take(program, (const char *[]){"best", run, NULL}) && ok;
    ok = take(program, (const char *[]){"resume", run, NULL}) && ok;
    return take(program, (const char *[]){"diff", run, run, NULL}) && ok;
}

static bool read_shards(const char *program, const char *parent, const struct provenance *p)
{
    char *merged = xasprintf("%s/merged", parent);
    bool ok = take(program, (const char *[]){"run", p->config_path, "--device", "sim", "--dry-run",
                                             "--shard", p->shard, NULL}) &&
              take(program, (const char *[]){"status", parent, NULL}) &&
              take(program, (const char *[]){"merge", parent, "--out", merged, NULL}) &&
              take(program, (const char *[]){"resume", merged, NULL});
    free(merged);
    return ok;
}

int main(int argc, char **argv)
{
    struct bench_rows b = {0};
    struct error e = {0};
    uint32_t added = 0;
    bool shards = argc == 5 && strcmp(argv[4], "shards") == 0;
    if (argc != 3 && argc != 4 && !shards) {
        fprintf(stderr, "usage: bench_rows RUN SAMPLES [REDSWEEP]\n"
                        "       bench_rows DIR SAMPLES REDSWEEP shards\n");
        return 2;
    }
    char *first = shards ? find_shard(argv[1]) : xstrdup(argv[1]);
    bool ok = (first || FAIL(&e, ERROR_USAGE, "%s contains no shard", argv[1])) &&
              open_run(&b, first, &e) &&
              (shards ? fill_shards(&b, argv[1], atoi(argv[2]), &added, &e)
                      : fill(&b, argv[1], atoi(argv[2]), &added, &e));
    if (ok)
        printf("%" PRIu32 " points, %" PRIu32 " rows added\n", b.plan->point_count, added);
    else
        fprintf(stderr, "bench_rows: %s\n", e.text);
    metric_plan_free(&b.metrics);
    plan_free(b.plan);
    config_free(b.config);
    catalogue_free(&b.kernels);
    catalogue_free(&b.support);
    free(first);
    if (b.device)
        b.driver->close(b.device);
    if (ok && argc > 3)
        ok = shards ? read_shards(argv[3], argv[1], &b.manifest.provenance)
                    : read_by_all(argv[3], argv[1]);
    manifest_free(&b.manifest);
    return ok ? 0 : 1;
}
