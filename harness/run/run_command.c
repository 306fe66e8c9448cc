/*
 * redsweep run: from a config's path to a run's folder.
 */
#include "run/commands.h"
#include "base/options.h"
#include "spec/folders.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "compile/cache.h"
#include "run/dry_run.h"
#include "run/earlier.h"
#include "record/lock.h"
#include "run/folder.h"
#include "run/requeue.h"
#include "run/sweep.h"

#define AT(member) .offset = offsetof(struct sweep_request, member)

static const struct field run_options[] = {
    {"--device", "auto", field_argument, AT(device),
     HELP("NAME", "auto, cuda, cuda:N, sim, sim:kepler,sms=13; see `redsweep list devices`")},
    {"--out", NULL, field_argument, AT(out),
     HELP("DIR", "make DIR itself the run's folder (default: a new one under results/)")},
    {"--kernels", NULL, field_argument, AT(kernels),
     HELP("DIR", "an additional folder of kernels")},
    {"--shard", NULL, field_argument, AT(shard_option),
     HELP("K/N",
          "begin or continue part K (from 0) of N; its folder is DIR/shard-00K (--out DIR)")},
    {"--wait-lock", "0", field_int, AT(wait_lock_s), RANGE(0, 1e6),
     HELP("SECONDS", "how long to wait for another process that writes into the shard")},
    {"--requeue", "0", field_int, AT(requeue), RANGE(0, 1000),
     HELP("N", "queue this job of Slurm again when the shard is stopped, at most N times and only "
               "if points were added")},
    {"--dry-run", NULL, field_switch, AT(dry_run),
     HELP(NULL, "print what would be run, and run nothing")},
    {"--require-metrics", NULL, field_switch, AT(require_metrics),
     HELP(NULL, "exit with 1 when a metric of the config is not available")},
    {0}};

void help_run(void)
{
    printf(
        "Runs the sweep that CONFIG describes (configs/README.md explains how to write one).\n"
        "Results go to results/<name>-<device>-<UTC time>/, and results/latest points there.\n\n");
    options_print(run_options);
    printf("\nExit codes: 0 all points fine, 1 some failed or were wrong, or all were\n"
           "skipped, 2 usage or config error, 3 stopped before the end (what was measured is "
           "recorded),\n4 another process is writing into the folder.\n");
}

#define DRIFT_WORTH_A_WORD 2.0 /* percent */

static int processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 64 ? 64 : (int)count;
}

/* There were points, and every one was skipped. No points at all (an empty shard) is fine. */
static bool nothing_measured(const struct sweep_result *r)
{
    return r->rows > 0 && r->by_status[STATUS_SKIPPED] == r->rows;
}

static void print_summary(const struct sweep_result *r)
{
    fprintf(stderr, "%" PRIu64 " points:", r->rows);
    for (int s = 0; s < STATUS_COUNT; s++)
        if (r->by_status[s])
            fprintf(stderr, " %" PRIu64 " %s", r->by_status[s], status_name((enum status)s));
    fprintf(stderr, "\n");
    for (const char *line = r->missing_metrics; *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(stderr, "note: %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
    if (fabs(r->drift_pct) >= DRIFT_WORTH_A_WORD)
        fprintf(stderr, "note: achievable read bandwidth drifted by %+.1f %% during the run\n",
                r->drift_pct);
    if (nothing_measured(r))
        fprintf(stderr, "warning: nothing was measured: every point was skipped; column reason of "
                        "results.csv says why\n");
    if (r->doubt[0])
        fprintf(stderr, "warning: do not trust this run: %s\n", r->doubt);
    if (r->stopped)
        fprintf(stderr, "stopped before the end: %s\n", r->stopped_why);
}

static int exit_code(const struct sweep_result *r, bool require_metrics)
{
    if (r->stopped)
        return EXIT_STOPPED;
    if (require_metrics && r->missing_metrics[0])
        return EXIT_POINTS_FAILED;
    if (nothing_measured(r))
        return EXIT_POINTS_FAILED;
    uint64_t good = r->by_status[STATUS_OK] + r->by_status[STATUS_SAMPLED];
    return r->rows == good + r->by_status[STATUS_SKIPPED] ? EXIT_FINE : EXIT_POINTS_FAILED;
}

/* The folder of further kernels as an absolute path, so that `resume` finds it from anywhere. */
static bool find_more_kernels(const char *given, char path[PATH_MAX], struct error *e)
{
    return !given || realpath(given, path) ||
           FAIL(e, ERROR_USAGE, "--kernels %s: %s", given, strerror(errno));
}

static int run_sweep(const struct sweep_options *options, const struct sweep_request *request,
                     struct error *e)
{
    static struct sweep_result result; /* large: kept off the stack */
    bool ok = sweep_run(options, &result, e);
    if (!ok && !result.recorded)
        return result.stopped ? EXIT_STOPPED : EXIT_REFUSED;
    print_summary(&result);
    if (!request->gate)
        printf("%s/results.csv\n", result.folder);
    if (request->result)
        *request->result = result;
    if (!request->gate && (!ok || result.stopped))
        fprintf(stderr, "to resume: redsweep resume '%s'\n", result.folder);
    return ok ? exit_code(&result, request->require_metrics) : EXIT_STOPPED;
}

/* The kernels of the config's folders and of --kernels, besides redsweep's own. */
static bool read_kernels(const struct config *config, const char *more_kernels,
                         const char *kernel_folder, struct catalogue *kernels,
                         struct catalogue *support, struct error *e)
{
    const char *more[65];
    int more_count = 0;
    for (; more_count < config->kernel_folders.count && more_count < 64; more_count++)
        more[more_count] = config->kernel_folders.names[more_count];
    if (more_kernels)
        more[more_count++] = more_kernels;
    return read_catalogues(kernel_folder, more, more_count, kernels, support, e);
}

int run_request(const struct sweep_request *request, const struct config *config, struct error *e)
{
    char kernel_folder[4096], cache_folder[4096], more_kernels[PATH_MAX];
    struct catalogue kernels, support;
    if (!find_kernel_folder(kernel_folder, sizeof kernel_folder, e) ||
        !find_more_kernels(request->kernels, more_kernels, e) ||
        !(request->gate
              ? read_two_sides(kernel_folder, request->gate->kernels, &kernels, &support, e)
              : read_kernels(config, request->kernels ? more_kernels : NULL, kernel_folder,
                             &kernels, &support, e)))
        return EXIT_REFUSED;
    find_cache_folder(cache_folder, sizeof cache_folder);
    struct error no_cache = {0};
    if (!cache_prepare(cache_folder, &no_cache))
        fprintf(stderr, "note: %s; kernels are compiled each time\n", no_cache.text);
    struct sweep_options options = {
        .setup = {.config = config,
                  .catalogue = &kernels,
                  .support = &support,
                  .device_name = request->device,
                  .kernel_folder = kernel_folder,
                  .cache_folder = no_cache.kind == ERROR_NONE ? cache_folder : NULL,
                  .threads = processors(),
                  .shard = request->shard},
        .gate = request->gate,
        .out = request->out,
        .command = request->command,
        .more_kernels = request->kernels ? more_kernels : NULL,
        .locked = request->locked,
        .earlier = request->earlier,
        .anyway = request->anyway,
    };
    memcpy(options.retry, request->retry, sizeof options.retry);
    int code = request->dry_run ? dry_run(&options.setup, e) ? EXIT_FINE : EXIT_REFUSED
                                : run_sweep(&options, request, e);
    catalogue_free(&kernels);
    catalogue_free(&support);
    return code;
}

static int run_config(const struct sweep_request *request, const char *path, struct error *e)
{
    struct config *config;
    if (!config_read(path, &config, e))
        return EXIT_REFUSED;
    int code = run_request(request, config, e);
    config_free(config);
    return code;
}

/* Whether the shard that a folder holds is the one that was asked for. */
static bool check_shard(const struct sweep_request *request, const char *path,
                        const struct provenance *earlier, struct error *e)
{
    struct config *config;
    char wanted[24];
    if (!config_read(path, &config, e))
        return false;
    bool same = strcmp(config->text, earlier->config_text) == 0;
    config_free(config);
    if (strcmp(shard_text(request->shard, wanted), earlier->shard) != 0)
        return FAIL(e, ERROR_CONFIG, "%s holds shard %s, not %s; choose another folder with --out",
                    request->out, *earlier->shard ? earlier->shard : "of no sweep", wanted);
    return same || FAIL(e, ERROR_CONFIG,
                        "%s was begun with another config than %s is now; choose another folder "
                        "with --out, or restore the config",
                        request->out, path);
}

/* Begins the shard in a locked folder, or continues it. */
static int run_locked_shard(struct sweep_request *request, const char *path, struct error *e)
{
    char file[4200];
    snprintf(file, sizeof file, "%s/" MANIFEST_FILE, request->out);
    if (access(file, F_OK) != 0)
        return folder_clear_unbegun(request->out, e) ? run_config(request, path, e) : EXIT_REFUSED;
    struct manifest earlier;
    bool same = earlier_read(request->out, &earlier, e) &&
                check_shard(request, path, &earlier.provenance, e);
    manifest_free(&earlier);
    return same ? resume_locked(request, request->out, e) : EXIT_REFUSED;
}

static int run_shard(struct sweep_request *request, const char *path, struct error *e)
{
    char folder[4096];
    int lock;
    if ((size_t)snprintf(folder, sizeof folder, "%s/shard-%03" PRIu32, request->out,
                         request->shard.index) >= sizeof folder) {
        FAIL(e, ERROR_USAGE, "--out: the path is too long");
        return EXIT_REFUSED;
    }
    request->out = folder;
    request->locked = true;
    if (!folder_make_missing(folder, e) ||
        !folder_lock_wait(folder, request->wait_lock_s, &lock, e))
        return EXIT_REFUSED;
    static struct sweep_result result; /* large: kept off the stack */
    request->result = &result;
    int code = run_locked_shard(request, path, e);
    folder_unlock(folder, lock);
    if (code == EXIT_STOPPED && request->requeue > 0)
        requeue_task(request->requeue, result.rows - result.earlier_rows);
    return code;
}

int command_run(int count, char **arguments, struct error *e)
{
    struct sweep_request a = {0};
    const char *path = NULL;
    struct operands operands = {.items = &path, .max = 1};
    if (!options_read(run_options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (!path) {
        FAIL(e, ERROR_USAGE, "run needs a config, for example configs/quick.json");
        return EXIT_REFUSED;
    }
    if (a.shard_option && (!shard_parse("--shard", a.shard_option, &a.shard, e) ||
                           !(a.dry_run || a.out ||
                             FAIL(e, ERROR_USAGE,
                                  "--shard %s: needs --out DIR, the folder that "
                                  "the shards have in common",
                                  a.shard_option))))
        return EXIT_REFUSED;
    struct text command = {0};
    text_append(&command, "redsweep run");
    for (int i = 0; i < count; i++)
        text_append(&command, " %s", arguments[i]);
    a.command = command.bytes;
    int code = a.shard.count && !a.dry_run ? run_shard(&a, path, e) : run_config(&a, path, e);
    text_free(&command);
    return code;
}
