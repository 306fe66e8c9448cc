/*
 * Implements redsweep status, which shows the progress of a run or of a sweep's shards, and which
 * command to run next. It only reads files, so it works without Slurm and while the runs are still
 * writing.
 */
#include "analyze/commands.h"
#include "analyze/run_list.h"
#include "analyze/shards.h"
#include "analyze/view_output.h"
#include "base/clock.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/program.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

enum { FOLDERS_MOST = 4096 };

struct status_arguments {
    struct view_output output;
};

static const struct field options[] = {
    VIEW_OPTIONS(struct status_arguments, output, "a row per shard"), {0}};

void help_status(void)
{
    printf(
        "Shows the progress of a run (default: results/latest), or of the shards of `redsweep run\n"
        "--shard K/N --out DIR` in one row per shard, and the commands that resume or merge them.\n"
        "\n");
    options_print(options);
    printf("\nExit codes: 0 the run or every shard is complete, 2 usage error or no run, 3 the run "
           "or a\nshard is incomplete.\n");
}

struct shard_table {
    const struct shard_runs *runs;
    const char *first_folder; /* the first folder on the command line */
    uint32_t count;
};

static const struct shard_run *shard_at(const struct shard_table *t, size_t k)
{
    for (size_t i = 0; i < t->runs->items.count; i++)
        if (t->runs->items.items[i].index == k)
            return &t->runs->items.items[i];
    return NULL;
}

/*
 * Returns a shard's state in a few words. The status in run.json alone is not enough: it still says
 * "running" after a run was killed.
 */
static const char *state_of(const struct shard_run *s)
{
    if (!s)
        return "not started";
    if (s->busy)
        return "running";
    if (shard_complete(s))
        return s->manifest.status;
    const char *status = s->manifest.status;
    if (strcmp(status, "running") == 0)
        return "killed, or running on another host";
    return strcmp(status, "stopped") == 0 || strcmp(status, "failed") == 0 ? status : "incomplete";
}

/*
 * The member `member` of shard i. If the shard has not begun, SHARD_NUMBER() is NaN and
 * SHARD_TEXT() is "".
 */
#define SHARD_NUMBER(member) (of[i] ? (double)of[i]->member : NAN)
#define SHARD_TEXT(member) (of[i] ? of[i]->member : "")

static const char *changed_at(const struct shard_run *s, struct table *t)
{
    char when[32];
    return s ? table_keep(t, xstrdup(clock_utc(s->changed, when))) : "";
}

static void add_table(struct view *v, const struct shard_table *shards)
{
    struct table *t = &view_add_table(v, "shards", FOR_ALL, shards->count)->cells;
    const struct shard_run **of = xcalloc(t->row_count + 1, sizeof *of);
    for (size_t i = 0; i < shards->runs->items.count; i++)
        if (shards->runs->items.items[i].index < t->row_count)
            of[shards->runs->items.items[i].index] = &shards->runs->items.items[i];
    table_add_numbers(t, i, (double)i, "shard", .kind = COLUMN_COUNT);
    table_add_texts(t, i, state_of(of[i]), "status");
    table_add_numbers(t, i, SHARD_NUMBER(manifest.provenance.points), "points",
                      .kind = COLUMN_COUNT);
    table_add_numbers(t, i, SHARD_NUMBER(rows), "rows", .kind = COLUMN_COUNT);
    table_add_numbers(t, i, SHARD_NUMBER(bad), "bad", .kind = COLUMN_COUNT);
    table_add_numbers(t, i, SHARD_NUMBER(manifest.sessions.count), "sessions",
                      .kind = COLUMN_COUNT);
    table_add_texts(t, i, SHARD_TEXT(manifest.provenance.device.name), "device", .optional = true);
    table_add_texts(t, i, SHARD_TEXT(manifest.provenance.device.uuid), "device_uuid",
                    .heading = "card", .optional = true);
    table_add_texts(t, i, changed_at(of[i], t), "changed_at", .heading = "last change",
                    .optional = true);
    table_add_texts(t, i, SHARD_TEXT(folder), "folder", .audience = FOR_PROGRAMS, .optional = true);
    free(of);
}

static void add_resume(struct view *v, const struct shard_table *t, uint32_t k,
                       const struct provenance *p)
{
    struct text line = {0};
    shell_append(&line, "to resume: redsweep run @ --device ",
                 (const char *const[]){p->config_path});
    shell_word(&line, p->device_option);
    text_append(&line, " --shard %" PRIu32 "/%" PRIu32, k, t->count);
    shell_append(&line, " --out @", (const char *const[]){t->first_folder});
    view_line(v, "%s", line.bytes);
    text_free(&line);
}

static uint32_t add_next_steps(struct view *v, const struct shard_table *t)
{
    uint32_t complete = 0;
    const struct provenance *p = &t->runs->items.items[0].manifest.provenance;
    for (uint32_t k = 0; k < t->count; k++) {
        const struct shard_run *s = shard_at(t, k);
        complete += s && shard_complete(s);
        if ((!s || !shard_complete(s)) && !(s && s->busy))
            add_resume(v, t, k, p);
    }
    char *merged = xasprintf("%s/merged", t->first_folder);
    struct text next = {0};
    if (complete == t->count && folder_exists(merged))
        shell_append(
            &next,
            "the shards have already been merged: redsweep show @ (to merge them again, remove "
            "this run first)",
            (const char *const[]){merged});
    else if (complete == t->count)
        shell_append(&next, "to merge: redsweep merge @ --out @",
                     (const char *const[]){t->first_folder, merged});
    if (next.length)
        view_line(v, "%s", next.bytes);
    text_free(&next);
    free(merged);
    return complete;
}

static int show_status(const struct shard_table *t, const struct view_output *output,
                       struct error *e)
{
    struct view v = {.main_table = "shards"};
    char line[80];
    view_title(&v, "%s", t->first_folder);
    add_table(&v, t);
    uint32_t complete = add_next_steps(&v, t);
    snprintf(line, sizeof line, "%" PRIu32 " of %" PRIu32 " shards are complete", complete,
             t->count);
    view_conclude(&v, line);
    bool ok = view_output(&v, output, e);
    view_free(&v);
    return !ok ? EXIT_REFUSED : complete == t->count ? EXIT_FINE : EXIT_STOPPED;
}

/*
 * Returns whether `redsweep resume` can continue a run. A run cannot be continued if another
 * program chose its points, or if it is one side of a gate.
 */
static bool can_resume(const struct provenance *p)
{
    cJSON *config = cJSON_Parse(p->config_text);
    const char *points = cJSON_GetStringValue(cJSON_GetObjectItem(config, "points"));
    bool asked = points && strcmp(points, "asked") == 0;
    cJSON_Delete(config);
    return !asked && !*p->process;
}

static int show_run(const char *folder, const struct run_list *list,
                    const struct view_output *output, struct error *e)
{
    struct view v = {.main_table = "runs"};
    const char *state = listed_state(&list->items.items[0]);
    bool over = strcmp(state, "complete") == 0 || strcmp(state, "doubtful") == 0 ||
                strcmp(state, "published") == 0;
    struct text line = {0};
    view_title(&v, "%s", folder);
    run_list_view(list, 1, &v);
    const struct listed_run *run = &list->items.items[0];
    if (!over && !run->busy && can_resume(&run->manifest.provenance))
        shell_append(&line, "to resume: redsweep resume @", (const char *const[]){folder});
    if (line.length)
        view_line(&v, "%s", line.bytes);
    text_free(&line);
    bool ok = view_output(&v, output, e);
    view_free(&v);
    return !ok ? EXIT_REFUSED : over ? EXIT_FINE : EXIT_STOPPED;
}

/*
 * Returns whether the only operand is a whole run rather than a shard or a folder of shards. Adds
 * the run to the list.
 */
static bool is_whole_run(const struct operands *operands, struct run_list *list)
{
    struct error none = {0};
    return operands->count == 1 && run_list_add(operands->items[0], list, &none) &&
           !*list->items.items[0].manifest.provenance.shard;
}

int command_status(int count, char **arguments, struct error *e)
{
    static const char *folders[FOLDERS_MOST];
    struct status_arguments a = {0};
    struct operands operands = {.items = folders, .max = FOLDERS_MOST};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (operands.count == 0)
        folders[operands.count++] = "results/latest";
    struct shard_runs runs = {0};
    struct run_list list = {0};
    int code = EXIT_REFUSED;
    if (is_whole_run(&operands, &list))
        code = show_run(folders[0], &list, &a.output, e);
    else if (shard_runs_read(folders, operands.count, &runs, e)) {
        struct shard_table table = {&runs, folders[0], runs.items.items[0].count};
        code = show_status(&table, &a.output, e);
    }
    shard_runs_free(&runs);
    run_list_free(&list);
    return code;
}
