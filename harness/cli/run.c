/* `redsweep run` runs the sweep that a config or the command line describes, or one shard of it. */
#include "cli/commands.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyze/portability.h"
#include "base/options.h"
#include "base/text.h"
#include "cli/result.h"
#include "cli/resume.h"
#include "cluster/requeue.h"
#include "base/folder.h"
#include "record/lock.h"
#include "run/commands.h"
#include "run/earlier.h"
#include "run/folder.h"
#include "run/points.h"
#include "run/sweep.h"
#include "spec/folders.h"
#include "spec/config_options.h"

struct run_arguments {
    struct sweep_request request;
    cJSON *overrides; /* config keys that were given as options */
    bool open;
};

#define AT(member) .offset = offsetof(struct run_arguments, request.member)

static const struct field run_options[] = {
    {"--device", "auto", field_argument, AT(device),
     HELP("NAME",
          "the device: auto, cuda, cuda:1, cuda:GPU-ab12…, sim, sim:kepler,sms=13 or replay:RUN; "
          "several devices: cuda:all or cuda:0,2 (see `redsweep list devices`)")},
    {"--lanes", NULL, field_int, AT(lanes), RANGE(0, 1024),
     HELP("N", "use at most N of several devices (cuda:all) at a time (default: all)")},
    {"--each", NULL, field_switch, AT(each),
     HELP(NULL, "run the whole sweep on every device, write the runs to DIR/UUID (--out DIR), and "
                "compare them")},
    {"--out", NULL, field_argument, AT(out),
     HELP("DIR", "write the run into DIR (default: a new folder under results/)")},
    {"--kernel-folder", NULL, field_argument, AT(more_kernels),
     HELP("PATH", "another folder of kernels, or the file of one kernel")},
    {"--shard", NULL, field_argument, AT(shard_option),
     HELP("K/N", "start or resume shard K (from 0) of N in the folder DIR/shard-00K (--out DIR)")},
    {"--wait-lock", "0", field_int, AT(wait_lock_s), RANGE(0, 1e6),
     HELP("SECONDS", "how long to wait for another process that is writing into the shard")},
    {"--requeue", "0", field_int, AT(requeue), RANGE(0, 1000),
     HELP("N", "if the shard is stopped after adding points, requeue this Slurm job, at most N "
               "times")},
    {"--points", NULL, field_argument, AT(points),
     HELP("FILE", "measure the points in this CSV file, which uses the column names of "
                  "results.csv; with -, read points from standard input and answer each line with "
                  "its row (docs/search.md)")},
    {"--dry-run", NULL, field_switch, AT(dry_run),
     HELP(NULL, "print the plan, and measure nothing")},
    {"--quiet", NULL, field_switch, AT(quiet),
     HELP(NULL, "print only the path of results.csv and what went wrong (for scripts)")},
    {"--open", NULL, field_switch, .offset = offsetof(struct run_arguments, open),
     HELP(NULL, "open the run's page in a browser; it is updated during the run")},
    {"--require-metrics", NULL, field_switch, AT(require_metrics),
     HELP(NULL, "exit with code 1 if a metric of the config is not available")},
    {0}};

void help_run(void)
{
    printf(
        "Runs the sweep that CONFIG describes (configs/README.md explains how to write a config).\n"
        "The results are written to results/<name>-<device>-<UTC time>/, and the link\n"
        "results/latest points to this folder.\n"
        "\n");
    options_print(run_options);
    printf(
        "\n"
        "Every key of a config is also an option, which overrides the value in the config;\n"
        "only --exclude adds expressions to those of the config. CONFIG may be left out:\n"
        "\n"
        "  redsweep run --kernels unroll,smem_unroll --sizes 2^20..2^24 --blocks 128\n"
        "\n"
        "The range 2^20..2^24 contains the powers of two, and 1000..2000:100 counts in steps of\n"
        "100. `--metrics=` turns counting off.\n"
        "\n");
    config_options_print();
    printf(
        "\n"
        "Exit codes: 0 all points are fine, 1 some points failed or were wrong, all were skipped,\n"
        "or the run is doubtful, 2 usage or config error, 3 stopped before the end (the points\n"
        "measured so far are recorded), 4 another process is writing into the folder.\n");
}

/* Checks that the folder of a shard contains the requested shard of the same config. */
static bool check_shard(const struct sweep_request *request, const struct config *config,
                        const struct provenance *earlier, struct error *e)
{
    char wanted[24];
    if (strcmp(shard_text(request->shard, wanted), earlier->shard) != 0)
        return FAIL(e, ERROR_CONFIG,
                    "%s already contains %s%s, so shard %s cannot be written into it; choose "
                    "another folder with --out",
                    request->out, *earlier->shard ? "shard " : "",
                    *earlier->shard ? earlier->shard : "a run that is not a shard", wanted);
    return strcmp(config->text, earlier->config_text) == 0 ||
           FAIL(e, ERROR_CONFIG,
                "%s was started with a different config than %s; choose another folder with "
                "--out, or restore the config",
                request->out, config->path);
}

/* Begins or continues the shard in a locked folder. */
static int run_locked_shard(struct sweep_request *request, const struct config *config,
                            struct error *e)
{
    char file[4200];
    snprintf(file, sizeof file, "%s/" MANIFEST_FILE, request->out);
    if (access(file, F_OK) != 0)
        return run_folder_clear_unbegun(request->out, e) ? run_request(request, config, e)
                                                         : EXIT_REFUSED;
    struct manifest earlier;
    bool same = earlier_read(request->out, &earlier, e) &&
                check_shard(request, config, &earlier.provenance, e);
    manifest_free(&earlier);
    return same ? resume_locked(request, request->out, e) : EXIT_REFUSED;
}

static int run_shard(const struct sweep_request *asked, const struct config *config,
                     struct error *e)
{
    struct sweep_request request = *asked;
    char folder[4096];
    int lock;
    if ((size_t)snprintf(folder, sizeof folder, "%s/shard-%03" PRIu32, request.out,
                         request.shard.index) >= sizeof folder) {
        FAIL(e, ERROR_USAGE, "the path given with --out is too long; choose a shorter one");
        return EXIT_REFUSED;
    }
    request.out = folder;
    request.locked = true;
    if (!run_allowed(&request, config, e) || !folder_create(folder, 0777, e) ||
        !folder_lock_wait(folder, request.wait_lock_s, &lock, e))
        return EXIT_REFUSED;
    static struct sweep_result result; /* static, because it is too large for the stack */
    request.result = &result;
    int code = run_locked_shard(&request, config, e);
    folder_unlock(folder, lock);
    if (code == EXIT_STOPPED && request.requeue > 0)
        requeue_task(request.requeue, result.rows - result.earlier_rows);
    return code;
}

/* Prints how the runs of --each on the different devices differ. */
static void compare_runs(const char *const *folders, int count)
{
    const struct view_output terminal = {0};
    struct error why = {0};
    /* portability_show() fails if the runs have no times, as on the simulator */
    if (portability_show(folders, count, &terminal, &why) != EXIT_FINE)
        fprintf(stderr, "the runs on the devices cannot be compared: %s\n", why.text);
}

static bool check_options(struct sweep_request *a, struct error *e)
{
    if (a->each && a->shard_option)
        return FAIL(e, ERROR_USAGE,
                    "--each and --shard cannot be combined, because with --each every device "
                    "measures all points; leave --shard out");
    return !a->shard_option ||
           (shard_parse("--shard", a->shard_option, &a->shard, e) &&
            (a->dry_run || a->out ||
             FAIL(e, ERROR_USAGE,
                  "--shard %s needs --out DIR; DIR is the folder that contains all shards",
                  a->shard_option)));
}

/* Adds the points that --points names to the options that override the config. */
static bool apply_points(struct run_arguments *a, const char *config, struct error *e)
{
    const char *file = a->request.points;
    if (!file)
        return true;
    if (!a->overrides)
        a->overrides = cJSON_CreateObject();
    cJSON *search = cJSON_GetObjectItemCaseSensitive(a->overrides, "search");
    if (!search)
        search = cJSON_AddObjectToObject(a->overrides, "search");
    /* Measure all points unless the user chose a strategy. */
    if (!cJSON_HasObjectItem(search, "strategy"))
        cJSON_AddStringToObject(search, "strategy", search_strategy_names[SEARCH_EXHAUSTIVE]);
    if (strcmp(file, "-") != 0)
        return points_override(file, config, a->request.more_kernels, a->overrides, e);
    cJSON_AddStringToObject(a->overrides, "points", "asked");
    return true;
}

int command_run(int count, char **arguments, struct error *e)
{
    struct run_arguments a = {0};
    struct sweep_request *request = &a.request;
    const char *path = NULL;
    char shipped[4200];
    struct operands operands = {.items = &path, .max = 1};
    const struct field *options =
        config_options(run_options, offsetof(struct run_arguments, overrides));
    struct config *config;
    int code = EXIT_REFUSED;
    bool ok =
        options_read(options, &a, count, arguments, &operands, e) && check_options(request, e);
    path = ok ? find_config(path, shipped, sizeof shipped) : NULL;
    if (ok && apply_points(&a, path, e) &&
        config_from_options("run", path, a.overrides, &config, e)) {
        struct text command = {0};
        text_append(&command, "redsweep run");
        for (int i = 0; i < count; i++)
            text_append(&command, " %s", arguments[i]);
        request->command = command.bytes;
        request->show = show_result;
        request->page = write_page;
        request->end = end_page;
        if (a.open)
            open_page();
        request->compare = compare_runs;
        code = request->shard.count && !request->dry_run ? run_shard(request, config, e)
                                                         : run_request(request, config, e);
        config_free(config);
        text_free(&command);
    }
    cJSON_Delete(a.overrides);
    return code;
}
