/* Implements run_list.h and the command `redsweep log`. */
#include "analyze/run_list.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/commands.h"
#include "analyze/conclusion.h"
#include "analyze/results.h"
#include "analyze/view_output.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "record/lock.h"

bool run_list_add(const char *folder, struct run_list *list, struct error *e)
{
    struct listed_run run = {0};
    struct error busy = {0};
    if (!manifest_read(folder, &run.manifest, NULL, e)) {
        manifest_free(&run.manifest);
        return false;
    }
    run.folder = xstrdup(folder);
    run.busy = !folder_is_idle(folder, &busy);
    vec_push(&list->items, run);
    return true;
}

static int compare_runs(const void *a, const void *b)
{
    const struct listed_run *x = a, *y = b;
    int order =
        strcmp(y->manifest.provenance.started, x->manifest.provenance.started); /* ISO 8601 */
    return order ? order : strcmp(y->folder, x->folder);
}

/*
 * Returns the position in the list of the run whose folder is `wanted`, or the length of the list
 * if this run is not listed.
 */
static size_t position_of(const struct run_list *list, const struct stat *wanted)
{
    struct stat st;
    size_t i = 0;
    while (i < list->items.count && (stat(list->items.items[i].folder, &st) != 0 ||
                                     st.st_ino != wanted->st_ino || st.st_dev != wanted->st_dev))
        i++;
    return i;
}

/* Adds a folder's subfolders or, if `links` is true, its links to folders. */
static void add_entries(DIR *entries, const char *folder, bool links, struct run_list *out)
{
    for (const struct dirent *entry; (entry = readdir(entries));) {
        struct stat st;
        struct error none = {0};
        char *path = xasprintf("%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && lstat(path, &st) == 0 && S_ISLNK(st.st_mode) == links &&
            stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
            (!links || position_of(out, &st) == out->items.count))
            (void)run_list_add(path, out, &none);
        free(path);
    }
}

bool run_list_read(const char *folder, struct run_list *out, struct error *e)
{
    *out = (struct run_list){0};
    DIR *entries = opendir(folder);
    if (!entries)
        return FAIL(e, ERROR_SYSTEM, "%s: %s; name a folder of runs, such as results", folder,
                    strerror(errno));
    add_entries(entries, folder, false, out);
    rewinddir(entries);
    /*
     * Folders are added before links, so that a link such as `latest` does not list its run again.
     */
    add_entries(entries, folder, true, out);
    closedir(entries);
    if (out->items.count)
        qsort(out->items.items, out->items.count, sizeof *out->items.items, compare_runs);
    return true;
}

void run_list_free(struct run_list *list)
{
    for (size_t i = 0; i < list->items.count; i++) {
        free(list->items.items[i].folder);
        manifest_free(&list->items.items[i].manifest);
    }
    vec_free(&list->items);
}

/*
 * Returns the position in the list of the run to which a link points, or 0 (the newest run) if this
 * run is not listed.
 */
static size_t find_latest(const struct run_list *list, const char *link)
{
    struct stat latest;
    size_t at = stat(link, &latest) == 0 ? position_of(list, &latest) : 0;
    return at < list->items.count ? at : 0;
}

bool run_list_resolve(const char *path, char **out, struct error *e)
{
    static const char name[] = "latest~";
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    const char *digits = last + sizeof name - 1;
    *out = NULL;
    if (strncmp(last, name, sizeof name - 1) != 0 || !*digits ||
        strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 6 ||
        access(path, F_OK) == 0)
        return true;
    char *folder = slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup("results");
    char *link = xasprintf("%s/latest", folder);
    struct run_list list;
    bool ok = run_list_read(folder, &list, e);
    size_t at = ok ? find_latest(&list, link) + strtoul(digits, NULL, 10) : 0;
    if (ok && at < list.items.count)
        *out = xstrdup(list.items.items[at].folder);
    else if (ok)
        ok = FAIL(
            e, ERROR_CONFIG,
            "%s does not exist, because %s contains only %zu run%s; `redsweep log %s` lists them",
            path, folder, list.items.count, list.items.count == 1 ? "" : "s", folder);
    run_list_free(&list);
    free(folder);
    free(link);
    return ok;
}

const char *listed_state(const struct listed_run *run)
{
    bool running = strcmp(run->manifest.status, "running") == 0;
    return run->busy ? "running" : running ? "killed" : run->manifest.status;
}

/* ---- The table ------------------------------------------------------------------------------- */

struct run_facts {
    double rows;
    char *winner;
};

static struct run_facts read_facts(const struct listed_run *run)
{
    struct results r;
    struct error none = {0};
    struct run_facts facts = {NAN, NULL};
    /* A run is listed even if its results cannot be read. */
    if (!results_read(run->folder, &r, &none))
        return facts;
    struct text winner = {0};
    conclusion_append_winner(&r, &winner);
    facts = (struct run_facts){(double)r.rows.row_count, winner.bytes};
    results_free(&r);
    return facts;
}

static const char *name_of(const struct listed_run *run)
{
    const char *slash = strrchr(run->folder, '/');
    return slash && slash[1] ? slash + 1 : run->folder;
}

static const char *points_of(const struct listed_run *run, double rows, struct table *t)
{
    int64_t points = run->manifest.provenance.points;
    if (isnan(rows))
        return "";
    return table_keep(t, points > 0 && (double)points != rows
                             ? xasprintf("%.0f of %lld", rows, (long long)points)
                             : xasprintf("%.0f", rows));
}

/*
 * Returns the commit from a version such as "0.3.0 (d70d032f18ef)", or the whole version if it has
 * no parentheses.
 */
static const char *commit_of(const struct listed_run *run, struct table *t)
{
    const char *version = run->manifest.provenance.redsweep;
    const char *open = version ? strchr(version, '(') : NULL;
    return !version ? ""
           : open   ? table_keep(t, xstrndup(open + 1, strcspn(open + 1, ")")))
                    : version;
}

void run_list_view(const struct run_list *list, size_t count, struct view *v)
{
    const struct listed_run *of = list->items.items;
    struct run_facts *facts = xcalloc(count + 1, sizeof *facts);
    for (size_t i = 0; i < count; i++)
        facts[i] = read_facts(&of[i]);
    struct view_table *view = view_add_table(v, "runs", FOR_ALL, count);
    struct table *t = &view->cells;
    table_add_texts(t, i, name_of(&of[i]), "run", .rank = RANK_KEY);
    table_add_texts(t, i, listed_state(&of[i]), "state");
    table_add_texts(t, i, points_of(&of[i], facts[i].rows, t), "points", .audience = FOR_PEOPLE);
    table_add_numbers(t, i, facts[i].rows, "rows", .kind = COLUMN_COUNT, .audience = FOR_PROGRAMS);
    table_add_numbers(t, i, (double)of[i].manifest.provenance.points, "planned",
                      .kind = COLUMN_COUNT, .audience = FOR_PROGRAMS);
    table_add_texts(t, i, facts[i].winner ? facts[i].winner : "", "winner", .optional = true);
    table_add_texts(t, i, of[i].manifest.provenance.started, "when");
    table_add_texts(t, i, of[i].manifest.provenance.device.name, "device");
    table_add_texts(t, i, of[i].manifest.provenance.run, "config");
    table_add_texts(t, i, commit_of(&of[i], t), "commit");
    table_add_texts(t, i, of[i].folder, "folder", .audience = FOR_PROGRAMS);
    for (size_t i = 0; i < count; i++)
        free(facts[i].winner);
    free(facts);
}

/* ---- redsweep log ---------------------------------------------------------------------------- */

struct log_arguments {
    struct view_output output;
    int head;
};

static const struct field options[] = {
    {"--head", "20", field_int, .offset = offsetof(struct log_arguments, head), RANGE(0, 1000000),
     HELP("ROWS", "list at most this many runs; 0 lists all")},
    VIEW_OPTIONS(struct log_arguments, output, "a row per run"),
    {0}};

void help_log(void)
{
    printf(
        "Lists the runs in a folder (default: results), newest first. Each line has the run's\n"
        "state, the number of points, the fastest kernel at the largest n, the start, the device,\n"
        "the config and the commit. In all commands, latest means results/latest, and latest~1\n"
        "(or results/latest~1) means the run before results/latest.\n"
        "\n");
    options_print(options);
}

int command_log(int count, char **arguments, struct error *e)
{
    struct log_arguments a = {0};
    const char *folder = "results";
    struct operands operands = {.items = &folder, .max = 1};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    struct run_list list = {0};
    struct view v = {.main_table = "runs"};
    bool ok = run_list_read(folder, &list, e);
    size_t all = list.items.count, shown = a.head && all > (size_t)a.head ? (size_t)a.head : all;
    if (ok) {
        view_title(&v, "runs in %s", folder);
        run_list_view(&list, shown, &v);
        if (shown < all)
            view_line(&v, "--head 0 also lists %zu more run%s", all - shown,
                      all - shown == 1 ? "" : "s");
        else if (!all)
            view_line(&v, "there are no runs in %s", folder);
        ok = view_output(&v, &a.output, e);
    }
    view_free(&v);
    run_list_free(&list);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
