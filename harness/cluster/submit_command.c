/*
 * `redsweep submit` runs a sweep as an array of Slurm tasks, and merges their shards in another
 * job.
 *
 * A run must not contain rows from two GPU models. Therefore each partition that --partition names
 * gets its own array, shards and merge, unless --same-model states that the cards of all partitions
 * are of the same model.
 */
#include "cluster/commands.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/options.h"
#include "base/memory.h"
#include "base/program.h"
#include "cluster/job.h"
#include "plan/plan.h"
#include "plan/shards.h"
#include "record/output.h"
#include "run/dry_run.h"
#include "spec/folders.h"

/*
 * How many seconds of work each task should have at least, because it takes some seconds to start a
 * task (opening contexts, measuring ceilings, compiling).
 */
#define TASK_MIN_S 60
/*
 * The read bandwidth of a typical card in GB/s, with which the sweep's duration is estimated,
 * because the cards of the tasks are not known yet.
 */
#define ESTIMATE_GBS 1000

struct submit_arguments {
    struct job job;
    const char *out;
    int gpus; /* GPUs per task */
    bool same_model, dry_run;
};

#define AT(member) .offset = offsetof(struct submit_arguments, member)

static const struct field options[] = {
    {"--tasks", NULL, field_int, AT(job.tasks), RANGE(1, SHARDS_MAX),
     HELP("N", "the number of shards and array tasks; fewer are used if a task would take less "
               "than a minute")},
    {"--out", NULL, field_argument, AT(out),
     HELP("DIR", "the folder for scripts, logs, shards and the merged run (default: "
                 "results/NAME-cluster)")},
    {"--partition", NULL, field_argument, AT(job.partition),
     HELP("LIST", "the partitions; each partition runs its own array, in DIR/PARTITION")},
    {"--same-model", NULL, field_switch, AT(same_model),
     HELP(NULL,
          "state that all partitions have the same GPU model, so that one array uses all of them")},
    {"--gpus-per-task", "1", field_int, AT(gpus), RANGE(1, 64),
     HELP("G", "the number of GPUs of each task; the GPUs share the task's shard (redsweep run "
               "--device cuda:all)")},
    {"--gres", NULL, field_argument, AT(job.gres),
     HELP("GRES", "the generic resources of each task (default: gpu:G)")},
    {"--device", NULL, field_argument, AT(job.device),
     HELP("NAME",
          "the device of each task, named as for `redsweep run` (default: all GPUs of the task)")},
    {"--time", "30", field_int, AT(job.minutes), RANGE(1, 1e6),
     HELP("MINUTES", "the time limit of each task")},
    {"--limit", "0", field_int, AT(job.limit), RANGE(0, SHARDS_MAX),
     HELP("N", "the maximum number of concurrent tasks; 0 sets no limit")},
    {"--requeue", "3", field_int, AT(job.requeue), RANGE(0, 1000),
     HELP("N", "requeue a task that was stopped after adding points, at most N times")},
    {"--exclusive", NULL, field_switch, AT(job.exclusive), HELP(NULL, "request whole nodes")},
    {"--only", NULL, field_argument, AT(job.only),
     HELP("LIST", "measure only these shards again, such as 3,7 or 0-3")},
    {"--exclude-nodes", NULL, field_argument, AT(job.exclude_nodes),
     HELP("LIST", "the nodes on which no task may run")},
    {"--sbatch", NULL, field_argument, AT(job.more),
     HELP("ARGS", "further arguments of sbatch, such as '--account=x --qos=y'")},
    {"--dry-run", NULL, field_switch, AT(dry_run),
     HELP(NULL, "print the scripts, but write and submit nothing")},
    {0}};

void help_submit(void)
{
    printf(
        "Writes DIR/submit.sh, a Slurm job array with one task per shard of CONFIG's sweep, and\n"
        "DIR/merge.sh, which merges the shards into one run. Then submits both with sbatch. The\n"
        "scripts can also be edited and submitted by hand.\n"
        "\n");
    options_print(options);
    printf("\nExit codes: 0 the jobs were submitted, 2 usage or config error, or sbatch refused "
           "the\njobs.\n");
}

/* Estimates how many seconds the sweep takes on one card. */
static bool estimate(const struct config *config, double *seconds, struct error *e)
{
    char folder[4096];
    struct catalogue kernels, support;
    struct plan *plan;
    if (!find_kernel_folder(folder, sizeof folder, e) ||
        !read_catalogues(folder, (const char *const *)config->kernel_folders.names,
                         config->kernel_folders.count, &kernels, &support, e))
        return false;
    bool ok = plan_build(config, &kernels, NULL, &plan, e);
    if (ok) {
        struct device_info info = {.can_time = true, .estimate_gbs = ESTIMATE_GBS};
        *seconds = plan_estimate_s(plan, &info, config->metrics.count, 1);
        plan_free(plan);
    }
    catalogue_free(&kernels);
    catalogue_free(&support);
    return ok;
}

/* Sets the options --gres and --device according to --gpus-per-task, unless the user gave them. */
static void choose_gpus(struct submit_arguments *a, char gres[16])
{
    snprintf(gres, 16, "gpu:%d", a->gpus);
    if (!a->job.gres)
        a->job.gres = gres;
    if (!a->job.device)
        a->job.device = a->gpus > 1 ? "cuda:all" : "cuda:0";
}

static void choose_tasks(struct job *j, double seconds)
{
    int most = seconds < TASK_MIN_S ? 1 : (int)(seconds / TASK_MIN_S);
    if (j->tasks <= most)
        return;
    fprintf(stderr,
            "%d task%s instead of %d will run, because the sweep takes about %.0f s on the "
            "GPUs of one task. A task with less than %d s of work would spend most of its time "
            "starting\n",
            most, most == 1 ? "" : "s", j->tasks, seconds, TASK_MIN_S);
    j->tasks = most;
}

/*
 * Sets `path` to the config that the tasks use. This is a copy, so that the user can edit the
 * original while the tasks wait. But if the config names kernel folders, it is the original file,
 * because the folders' paths are relative to it.
 */
static bool place_config(const struct config *config, const char *folder, char path[PATH_MAX + 16],
                         struct error *e)
{
    if (config->kernel_folders.count) {
        if (!realpath(config->path, path))
            return FAIL(e, ERROR_SYSTEM, "%s: %s", config->path, strerror(errno));
        return true;
    }
    snprintf(path, PATH_MAX + 16, "%s/sweep.json", folder);
    FILE *f;
    if (!output_create(path, &f, e))
        return false;
    fputs(config->text, f);
    return output_close(f, path, e);
}

static void print_scripts(const struct job *j)
{
    struct text t = {0};
    text_append(&t, "# %s/submit.sh\n", j->folder);
    job_append_array(j, &t);
    text_append(&t, "\n# %s/merge.sh\n", j->folder);
    job_append_merge(j, &t);
    printf("%s\n", t.bytes);
    text_free(&t);
}

/*
 * Checks that the folder of the merged run does not exist yet, because the merge would fail
 * otherwise, hours later.
 */
static bool check_not_merged(const char *folder, struct error *e)
{
    char *merged = xasprintf("%s/merged", folder);
    bool ok = !folder_exists(merged) ||
              FAIL(e, ERROR_USAGE,
                   "%s exists, and merge never overwrites a run; remove or rename it", merged);
    free(merged);
    return ok;
}

/*
 * Checks that no option or name contains a control character. In the job's script, text after a
 * line end would run as a command.
 */
static bool check_texts(const struct job *j, const char *folder, struct error *e)
{
    const struct {
        const char *what, *text;
    } texts[] = {{"--partition", j->partition},
                 {"--gres", j->gres},
                 {"--only", j->only},
                 {"--exclude-nodes", j->exclude_nodes},
                 {"--sbatch", j->more},
                 {"--device", j->device},
                 {"--out", folder},
                 {"the config's name", j->name}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (const char *c = texts[i].text; c && *c; c++)
            if (iscntrl((unsigned char)*c))
                return FAIL(e, ERROR_USAGE,
                            "%s: character %zu is a line end or a control character, which a job's "
                            "script cannot contain; remove it",
                            texts[i].what, (size_t)(c - texts[i].text) + 1);
    return true;
}

/*
 * Rejects a folder whose name contains a backslash: if the name of a log contains one, sbatch does
 * not replace %a in it by the number of the task.
 */
static bool check_backslash(const char *folder, struct error *e)
{
    return !strchr(folder, '\\') || FAIL(e, ERROR_USAGE,
                                         "--out %s contains a backslash, so sbatch would write the "
                                         "logs of all tasks into one file; choose another folder",
                                         folder);
}

static void print_submitted(const struct job *j, const char *array, const char *merge)
{
    struct text folder = {0};
    shell_quote(&folder, j->folder);
    printf("submitted the array %s with %d task%s, and the job %s, which merges the shards\n",
           array, j->tasks, j->tasks == 1 ? "" : "s", merge);
    printf("to see the progress: redsweep status %s; squeue -j %s\n", folder.bytes, array);
    printf("to cancel: scancel %s %s\n", array, merge);
    printf("The merged run will be %s/merged\n", j->folder);
    text_free(&folder);
}

/* Submits an array and its merge. Their scripts, logs and shards are in `folder`. */
static bool submit_one(const struct submit_arguments *a, const struct config *config, struct job j,
                       const char *folder, struct error *e)
{
    char absolute[PATH_MAX], path[PATH_MAX + 16], array[32], merge[32];
    j.name = config->name;
    if (!check_texts(&j, folder, e) || !check_backslash(folder, e))
        return false;
    if (a->dry_run) {
        j.folder = folder;
        j.config = config->path;
        print_scripts(&j);
        return true;
    }
    if (!folder_create(folder, 0777, e))
        return false;
    if (!realpath(folder, absolute))
        return FAIL(e, ERROR_SYSTEM, "%s: %s", folder, strerror(errno));
    j.folder = absolute;
    j.config = path;
    if (!check_not_merged(absolute, e) || !check_texts(&j, absolute, e) ||
        !check_backslash(absolute, e))
        return false;
    if (!place_config(config, absolute, path, e) || !job_write(&j, e) ||
        !job_submit(&j, array, merge, e))
        return false;
    print_submitted(&j, array, merge);
    return true;
}

static bool submit_all(const struct submit_arguments *a, const struct config *config,
                       const struct job *job, struct error *e)
{
    char *folder = a->out ? xstrdup(a->out) : xasprintf("results/%s-cluster", config->name);
    char *partitions = xstrdup(job->partition ? job->partition : ""), *rest = NULL;
    bool ok = true;
    if (!job->partition || a->same_model || !strchr(partitions, ',')) {
        ok = submit_one(a, config, *job, folder, e);
    } else {
        for (char *p = strtok_r(partitions, ",", &rest); ok && p; p = strtok_r(NULL, ",", &rest)) {
            struct job j = *job;
            j.partition = p;
            char *own = xasprintf("%s/%s", folder, p);
            ok = submit_one(a, config, j, own, e);
            free(own);
        }
    }
    free(partitions);
    free(folder);
    return ok;
}

static bool find_program(char path[PATH_MAX], struct error *e)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length < 0)
        return FAIL(e, ERROR_SYSTEM, "the path of this program cannot be determined: %s",
                    strerror(errno));
    path[length] = '\0';
    return true;
}

int command_submit(int count, char **arguments, struct error *e)
{
    struct submit_arguments a = {0};
    const char *path = NULL;
    char program[PATH_MAX], shipped[4200], gres[16];
    struct operands operands = {.items = &path, .max = 1};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    choose_gpus(&a, gres);
    if (!path || a.job.tasks == 0) {
        FAIL(e, ERROR_USAGE,
             "submit needs a config and the number of tasks; write redsweep submit CONFIG "
             "--tasks N");
        return EXIT_REFUSED;
    }
    struct config *config;
    double seconds = 0;
    if (!find_program(program, e) ||
        !config_read(find_config(path, shipped, sizeof shipped), &config, e))
        return EXIT_REFUSED;
    a.job.program = program;
    bool ok = estimate(config, &seconds, e);
    if (ok) {
        choose_tasks(&a.job, seconds / a.gpus);
        ok = submit_all(&a, config, &a.job, e);
    }
    config_free(config);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
