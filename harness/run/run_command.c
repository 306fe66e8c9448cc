/*
 * What `run`, `resume` and `gate` have in common: from a config to the folder of a run, and what is
 * said about it.
 */
#include "run/commands.h"
#include "spec/folders.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/host.h"
#include "base/program.h"
#include "base/text.h"
#include "compile/cache.h"
#include "compile/compile.h"
#include "run/device_names.h"
#include "run/each.h"
#include "run/run_command.h"
#include "run/run_kernels.h"
#include "run/sweep.h"

#define DRIFT_WORTH_A_WORD 2.0 /* percent */

/* There were points, and every one was skipped. No points at all (an empty shard) is fine. */
static bool nothing_measured(const struct sweep_result *r)
{
    return r->rows > 0 && r->by_status[STATUS_SKIPPED] == r->rows;
}

static void print_statuses(const struct sweep_result *r)
{
    fprintf(stderr, "%" PRIu64 " points:", r->rows);
    for (int s = 0; s < STATUS_COUNT; s++)
        if (r->by_status[s])
            fprintf(stderr, " %" PRIu64 " %s", r->by_status[s], status_name((enum status)s));
    fprintf(stderr, "%s%s\n", r->search[0] ? "\n" : "", r->search);
}

static void print_notes(const struct sweep_result *r)
{
    text_print_notes(r->missing_metrics, stderr);
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
    if (nothing_measured(r) || r->doubt[0])
        return EXIT_POINTS_FAILED;
    uint64_t good = r->by_status[STATUS_OK] + r->by_status[STATUS_SAMPLED];
    return r->rows == good + r->by_status[STATUS_SKIPPED] ? EXIT_FINE : EXIT_POINTS_FAILED;
}

static void print_command(const char *command, const char *folder, const char *rest, FILE *to)
{
    struct text word = {0};
    shell_word(&word, folder);
    fprintf(to, "%s%s%s", command, word.bytes, rest);
    text_free(&word);
}

int run_report(const struct sweep_options *options, const struct sweep_request *request,
               const struct sweep_result *r)
{
    bool ok = r->error.kind == ERROR_NONE;
    bool asked = options->setup.config->points.asked; /* then standard output has the answers */
    if (!r->recorded)
        return ok ? EXIT_FINE : r->stopped ? EXIT_STOPPED : EXIT_REFUSED;
    if (!request->quiet)
        print_statuses(r);
    print_notes(r);
    if (request->show && !request->quiet && !asked) {
        if (request->earlier && r->rows == r->earlier_rows) /* 10^6 rows take seconds */
            print_command("no new rows; redsweep show ", r->folder, " prints those that it has\n",
                          stdout);
        else
            request->show(r->folder);
    }
    if (!request->gate)
        fprintf(asked ? stderr : stdout, "%s/results.csv\n", r->folder);
    if (request->result)
        *request->result = *r;
    if (!request->gate && (!ok || r->stopped) && access(r->folder, F_OK) == 0)
        print_command("to resume: redsweep resume ", r->folder, "\n", stderr);
    return ok ? exit_code(r, request->require_metrics) : EXIT_STOPPED;
}

/* One run on one device, or on several that share its points. */
static int run_one(const struct sweep_options *options, const struct sweep_request *request,
                   struct error *e)
{
    static struct sweep_result result; /* large: kept off the stack */
    (void)sweep_run(options, &result, e);
    return run_report(options, request, &result);
}

/* A lane for each device, with the kernels known. */
static int run_on_devices(struct sweep_options *options, const struct sweep_request *request,
                          struct error *e)
{
    struct device_names devices;
    int code = EXIT_REFUSED;
    if (device_names_find(request->device, &devices, e)) {
        int count = (int)devices.items.count;
        options->devices = (const char *const *)devices.items.items;
        options->device_count = request->lanes && request->lanes < count ? request->lanes : count;
        options->device_count = request->dry_run || request->each ? 0 : options->device_count;
        options->setup.device_name = options->devices[0];
        if (options->setup.config->points.asked && options->device_count > 1)
            FAIL(e, ERROR_USAGE, "--points -: expected one device, not %d", options->device_count);
        else
            code = request->each && !request->dry_run ? run_each(options, request, &devices, e)
                                                      : run_one(options, request, e);
    }
    device_names_free(&devices);
    return code;
}

/* What a search cannot be a part of. */
static bool check_search(const struct sweep_request *request, const struct config *config,
                         struct error *e)
{
    enum search_strategy strategy = config->search.strategy;
    if (request->gate && strategy != SEARCH_EXHAUSTIVE)
        return FAIL(e, ERROR_CONFIG,
                    "%s: search.strategy: a gate compares all points; expected exhaustive, not %s",
                    config->path, search_strategy_names[strategy]);
    if (request->shard.count && strategy == SEARCH_TRANSFER)
        return FAIL(e, ERROR_CONFIG,
                    "%s: search.strategy: transfer goes from each n to the next and cannot be "
                    "divided into shards; use race, or a config for each problem",
                    config->path);
    return true;
}

/* Questions come one after another, to a run that begins with the first. */
static bool check_asked(const struct sweep_request *request, const struct config *config,
                        struct error *e)
{
    if (!config->points.asked)
        return true;
    if (request->earlier)
        return FAIL(e, ERROR_CONFIG,
                    "%s: its points were asked for by another program (run --points -), which "
                    "cannot be resumed; start a new run",
                    request->out);
    return (!request->gate && !request->shard.count && !request->each && !request->dry_run) ||
           FAIL(e, ERROR_USAGE,
                "--points -: the points are not known yet; not with a gate, --shard, --each or "
                "--dry-run");
}

int run_request(const struct sweep_request *request, const struct config *config, struct error *e)
{
    char kernel_folder[4096], cache_folder[4096], more_kernels[PATH_MAX];
    struct catalogue kernels, support;
    if (!check_search(request, config, e) || !check_asked(request, config, e) ||
        !find_kernel_folder(kernel_folder, sizeof kernel_folder, e) ||
        !find_more_kernels(request->more_kernels, more_kernels, e) ||
        !(request->gate
              ? read_two_sides(kernel_folder, request->gate->kernels, &kernels, &support, e)
              : read_kernels(config, request->more_kernels ? more_kernels : NULL, kernel_folder,
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
                  .threads = host_processors(COMPILE_THREADS),
                  .shard = request->shard},
        .device_option = request->device,
        .gate = request->gate,
        .out = request->out,
        .command = request->command,
        .more_kernels = request->more_kernels ? more_kernels : NULL,
        .locked = request->locked,
        .earlier = request->earlier,
        .anyway = request->anyway,
        .dry_run = request->dry_run,
        .quiet = request->quiet,
    };
    memcpy(options.retry, request->retry, sizeof options.retry);
    int code = run_on_devices(&options, request, e);
    catalogue_free(&kernels);
    catalogue_free(&support);
    return code;
}
