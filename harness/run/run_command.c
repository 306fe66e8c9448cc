/* Runs the sweep that a config describes, for the commands `run`, `resume` and `gate`. */
#include "run/commands.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/host.h"
#include "compile/cache.h"
#include "compile/compile.h"
#include "run/device_names.h"
#include "run/each.h"
#include "run/source.h"
#include "run/summary.h"
#include "run/sweep.h"
#include "spec/config.h"
#include "spec/folders.h"
#include "spec/more_kernels.h"

/* Runs one sweep. If there are several devices, they share its points. */
static int run_one(const struct sweep_options *options, const struct sweep_request *request,
                   struct error *e)
{
    static struct sweep_result result; /* static, because it is too large for the stack */
    (void)sweep_run(options, &result, e);
    return summary_print(options, request, &result);
}

/*
 * Finds the devices, and runs one sweep that has a lane for each device. With --each, runs one
 * sweep on each device.
 */
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
            FAIL(e, ERROR_USAGE,
                 "--points - measures on one device, but --device names %d; name one device",
                 options->device_count);
        else
            code = request->each && !request->dry_run ? run_each(options, request, &devices, e)
                                                      : run_one(options, request, e);
    }
    device_names_free(&devices);
    return code;
}

/* Rejects options that the config's search strategy does not support. */
static bool check_search(const struct sweep_request *request, const struct config *config,
                         struct error *e)
{
    const struct source_kind *kind = source_kind_of(config);
    if (request->gate && kind->by_times)
        return FAIL(e, ERROR_CONFIG,
                    "%s, search.strategy: a gate compares all points, so it cannot use %s; write "
                    "exhaustive",
                    config->path, kind->name);
    if (request->shard.count && kind->whole)
        return FAIL(
            e, ERROR_CONFIG,
            "%s, search.strategy: %s uses the results at one n to choose points at the next, "
            "so the sweep cannot be divided into shards; use race, or write a config for "
            "each problem",
            config->path, kind->name);
    return true;
}

/*
 * Rejects options that do not work with `--points -`, where another program requests points during
 * the run.
 */
static bool check_asked(const struct sweep_request *request, const struct config *config,
                        struct error *e)
{
    if (!config->points.asked)
        return true;
    if (request->earlier)
        return FAIL(e, ERROR_CONFIG,
                    "%s cannot be resumed, because another program asked for its points (run "
                    "--points -); start a new run",
                    request->out);
    return (!request->gate && !request->shard.count && !request->each && !request->dry_run) ||
           FAIL(e, ERROR_USAGE,
                "--points - cannot be combined with a gate, --shard, --each or --dry-run, because "
                "the points are not known in advance");
}

bool run_allowed(const struct sweep_request *request, const struct config *config, struct error *e)
{
    return check_search(request, config, e) && check_asked(request, config, e);
}

int run_request(const struct sweep_request *request, const struct config *config, struct error *e)
{
    char kernel_folder[4096], cache_folder[4096], more_kernels[PATH_MAX] = "";
    struct catalogue kernels, support;
    if (!run_allowed(request, config, e) ||
        !find_kernel_folder(kernel_folder, sizeof kernel_folder, e) ||
        (!request->gate && !find_more_kernels(request->more_kernels, &config->kernels,
                                              kernel_folder, more_kernels, e)) ||
        !(request->gate
              ? read_two_sides(kernel_folder, request->gate->kernels, &kernels, &support, e)
              : read_kernels(config, more_kernels, kernel_folder, &kernels, &support, e)))
        return EXIT_REFUSED;
    find_cache_folder(cache_folder, sizeof cache_folder);
    struct error no_cache = {0};
    if (!cache_prepare(cache_folder, &no_cache))
        fprintf(stderr,
                "note: kernels are compiled again in each run, because the compile cache cannot be "
                "used: %s\n",
                no_cache.text);
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
        .more_kernels = *more_kernels ? more_kernels : NULL,
        .locked = request->locked,
        .earlier = request->earlier,
        .anyway = request->anyway,
        .dry_run = request->dry_run,
        .quiet = request->quiet,
        .page = request->page,
    };
    memcpy(options.retry, request->retry, sizeof options.retry);
    int code = run_on_devices(&options, request, e);
    catalogue_free(&kernels);
    catalogue_free(&support);
    return code;
}
