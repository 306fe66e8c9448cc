/*
 * `redsweep list` prints the available kernels, metrics, devices and so on, one item per line or as
 * JSON.
 */
#include "cli/commands.h"
#include "base/axes.h"
#include "base/options.h"
#include "spec/folders.h"
#include "spec/schema.h"
#include "charts/charts.h"
#include "cli/list_metrics.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/terminal.h"
#include "base/text.h"
#include "devices/device.h"
#include "metrics/metrics.h"
#include "record/columns.h"
#include "workloads/workload.h"

enum { MOST_DEVICES = 64 };

struct list_arguments {
    bool json, markdown;
    const char *kernels, *chip, *explain;
};

#define AT(member) .offset = offsetof(struct list_arguments, member)

static const struct field options[] = {
    {"--json", NULL, field_switch, AT(json), HELP(NULL, "print a JSON array")},
    {"--markdown", NULL, field_switch, AT(markdown),
     HELP(NULL,
          "print kernels or columns as Markdown, like docs/catalogue.md and docs/columns.md")},
    {"--kernel-folder", NULL, field_argument, AT(kernels),
     HELP("PATH", "another folder of kernels, or the file of one kernel")},
    {"--chip", NULL, field_argument, AT(chip),
     HELP("NAME",
          "list the metrics of this chip (GH100, AD102, sim, …), and how many passes each needs")},
    {"--explain", NULL, field_argument, AT(explain),
     HELP("METRIC", "explain one metric: print its meaning, formula and counters, and NVIDIA's "
                    "descriptions of the counters")},
    {0}};

void help_list(void)
{
    printf(
        "Lists the kernels, metrics, devices, axes, columns of results.csv or charts that this\n"
        "version of redsweep supports, one per line. Kernels come in the order\n"
        "of kernels/index.txt, where each idea builds on an earlier one. With a name or a glob,\n"
        "only the items that match are listed, as in `list columns 'time*'`. `list schema` prints\n"
        "a JSON Schema of configs, for editors.\n"
        "\n");
    options_print(options);
    printf("\n"
           "No list needs a GPU.\n");
}

struct listing {
    bool json, markdown;
    cJSON *array;
    const char *pattern;     /* a glob that selects the names to list; NULL: all names */
    VEC(const char *) names; /* all names that could be listed, to suggest a similar one */
    size_t listed;
};

static bool is_wanted(struct listing *l, const char *name)
{
    bool is = !l->pattern || fnmatch(l->pattern, name, 0) == 0;
    vec_push(&l->names, name);
    l->listed += is;
    return is;
}

/* Checks that the list is not empty because no name matched the pattern. */
static bool any_listed(const struct listing *l, const char *what, struct error *e)
{
    char suggestion[SUGGESTION_SIZE];
    return l->listed || !l->pattern ||
           FAIL(e, ERROR_USAGE, "there is no %s '%s'%s", what, l->pattern,
                text_suggestion(l->pattern, l->names.items, l->names.count, suggestion));
}

/*
 * Lists an item with its name and a sentence. Prints a line, wrapped at the terminal's width, and
 * returns NULL. For JSON, returns a new object instead, to which the caller can add members.
 */
static cJSON *list_item(struct listing *l, int width, const char *name, const char *sentence)
{
    if (!l->json) {
        int indent = printf("%-*s  ", width, name);
        terminal_print_words(stdout, sentence, (size_t)indent);
        return NULL;
    }
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddStringToObject(item, "meaning", sentence);
    cJSON_AddItemToArray(l->array, item);
    return item;
}

/* Prints a cell of a Markdown table. Vertical bars are escaped, because they would end the cell. */
static void print_cell(const char *text)
{
    for (; *text; text++)
        printf("%s%c", *text == '|' ? "\\" : "", *text);
}

/*
 * Prints the name of a kernel. If the kernel ships with redsweep, the name is a link for pages in
 * docs/, such as "[`unroll`](../kernels/book/unroll.cu)".
 */
static void print_name(const struct kernel *k, const char *kernel_folder)
{
    size_t length = strlen(kernel_folder);
    if (strncmp(k->path, kernel_folder, length) == 0 && k->path[length] == '/')
        printf("[`%s`](../kernels%s)", k->name, k->path + length);
    else
        printf("`%s`", k->name);
}

static void print_row(const struct kernel *k, const char *kernel_folder)
{
    printf("| ");
    print_name(k, kernel_folder);
    printf(" | ");
    print_cell(k->idea);
    if (k->racy)
        printf(" (racy, kept for study)");
    printf(" | ");
    print_cell(k->source);
    if (k->backend == BACKEND_CPU)
        printf(" | %s | %s | – |\n", k->in_place ? "yes" : "no", k->complete ? "yes" : "no");
    else if (k->workload->reduces)
        printf(" | %s | %s | sm_%d |\n", k->in_place ? "yes" : "no", k->complete ? "yes" : "no",
               k->min_cc);
    else
        printf(" | – | – | sm_%d |\n", k->min_cc);
}

/* Prints docs/catalogue.md, with the kernels in the order of the index. */
static void print_markdown(const struct catalogue *kernels, const char *kernel_folder)
{
    printf(
        "# The catalogue\n\n"
        "This page lists all kernels, with the facts from the top of their files. They are in the "
        "order of kernels/index.txt, where each idea builds on an earlier one. `make docs` "
        "generates the page; do not edit it.\n\n"
        "*In place*: the kernel overwrites its input, which is restored before every launch. "
        "*Complete*: the kernel leaves one value; other reductions leave one value per block. "
        "*From*: the minimum architecture. docs/kernels.md explains the facts.\n");
    const char *family = NULL;
    for (int i = 0; i < kernels->count; i++) {
        const struct kernel *k = kernels->kernels[i];
        if (!family || strcmp(family, k->family) != 0)
            printf("\n## %c%s\n\n| kernel | idea | source | in place | complete | from |\n"
                   "| --- | --- | --- | --- | --- | --- |\n",
                   *k->family ? toupper((unsigned char)*k->family) : 'O',
                   *k->family ? k->family + 1 : "ther kernels");
        family = k->family;
        print_row(k, kernel_folder);
    }
}

/*
 * Compares two kernels by their places in kernels/index.txt. Kernels that are not in this file come
 * last, sorted by name.
 */
static int by_place(const void *a, const void *b)
{
    const struct kernel *const *first = a, *const *second = b;
    if ((*first)->place != (*second)->place)
        return (*first)->place < (*second)->place ? -1 : 1;
    return strcmp((*first)->name, (*second)->name);
}

static bool list_kernels(struct listing *l, const char *more, struct error *e)
{
    char folder[4096];
    struct catalogue kernels, support;
    if (!find_kernel_folder(folder, sizeof folder, e) ||
        !read_catalogues(folder, &more, more ? 1 : 0, &kernels, &support, e))
        return false;
    if (kernels.count > 1)
        qsort(kernels.kernels, (size_t)kernels.count, sizeof *kernels.kernels, by_place);
    if (l->markdown)
        print_markdown(&kernels, folder);
    for (int i = 0; i < kernels.count && !l->markdown; i++) {
        const struct kernel *k = kernels.kernels[i];
        if (!is_wanted(l, k->name))
            continue;
        cJSON *item = list_item(l, 28, k->name, k->idea);
        if (!item)
            continue;
        cJSON_AddStringToObject(item, "source", k->source);
        cJSON_AddStringToObject(item, "path", k->path);
        cJSON_AddStringToObject(item, "family", k->family);
        cJSON_AddStringToObject(item, "workload", k->workload->name);
        cJSON_AddStringToObject(item, "role", k->role);
        cJSON_AddStringToObject(item, "backend", k->backend == BACKEND_CPU ? "cpu" : "gpu");
        cJSON_AddBoolToObject(item, "complete", k->complete);
        cJSON_AddBoolToObject(item, "in_place", k->in_place);
        cJSON_AddBoolToObject(item, "varies", k->varies);
        cJSON_AddNumberToObject(item, "min_compute_capability", k->min_cc);
        if (k->racy)
            cJSON_AddStringToObject(item, "racy", k->racy);
        cJSON *unrolls = cJSON_AddArrayToObject(item, "unroll");
        for (int u = 0; u < k->unrolls.count; u++)
            cJSON_AddItemToArray(unrolls, cJSON_CreateNumber(k->unrolls.values[u]));
    }
    bool ok = any_listed(l, "kernel", e);
    catalogue_free(&kernels);
    catalogue_free(&support);
    return ok;
}

/*
 * Lists the devices of a driver that this machine has, with their names, models, UUIDs and notes.
 */
static void list_found(struct listing *l, const struct device_driver *driver)
{
    struct device_found found[MOST_DEVICES];
    char why[512];
    bool present;
    int count = driver->find(found, MOST_DEVICES, &present, why);
    if (count == 0 && !l->json) {
        char *line = xasprintf("no device is available: %s", why);
        int indent = printf("%-8s  ", "");
        terminal_print_words(stdout, line, (size_t)indent);
        free(line);
    }
    for (int i = 0; i < count; i++) {
        char name[64], line[300];
        snprintf(name, sizeof name, "%.15s:%.16s", driver->name, found[i].argument);
        snprintf(line, sizeof line, "%s, %s, %s", found[i].name, found[i].uuid, found[i].note);
        cJSON *item = list_item(l, 8, name, line);
        if (item)
            cJSON_AddStringToObject(item, "uuid", found[i].uuid);
    }
}

static void list_devices(struct listing *l)
{
    for (int i = 0; device_drivers[i]; i++) {
        if (!is_wanted(l, device_drivers[i]->name))
            continue;
        list_item(l, 8, device_drivers[i]->name, device_drivers[i]->help);
        if (device_drivers[i]->find)
            list_found(l, device_drivers[i]);
    }
}

/* Lists the axes with their meanings and their keys in configs. */
static void list_axes(struct listing *l)
{
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        const struct axis *a = &axis_table[i];
        if (!is_wanted(l, a->name))
            continue;
        struct text line = {0};
        text_append(&line, "%s (config key: %s)", a->meaning, a->key);
        cJSON *item = list_item(l, 8, a->name, l->json ? a->meaning : line.bytes);
        text_free(&line);
        if (!item)
            continue;
        cJSON_AddStringToObject(item, "key", a->key);
        cJSON_AddStringToObject(item, "kind", a->kind == AXIS_TEXT ? "text" : "number");
        cJSON_AddStringToObject(item, "unit", a->unit);
        if (axis_is_run_time(i) && a->kind == AXIS_TEXT)
            cJSON_AddStringToObject(item, "default", a->fallback);
        else if (axis_is_run_time(i))
            cJSON_AddNumberToObject(item, "default", a->fallback_value);
    }
}

static void list_column(struct listing *l, const char *name, const char *kind, const char *unit,
                        const char *meaning)
{
    if (!is_wanted(l, name))
        return;
    if (l->markdown) {
        printf("| `%s` | %s | %s | ", name, kind, *unit ? unit : "–");
        print_cell(meaning);
        printf(" |\n");
        return;
    }
    struct text line = {0};
    text_append(&line, "%s%s%s%s", meaning, *unit ? " (" : "", unit, *unit ? ")" : "");
    cJSON *item = list_item(l, 28, name, l->json ? meaning : line.bytes);
    text_free(&line);
    if (!item)
        return;
    cJSON_AddStringToObject(item, "kind", kind);
    cJSON_AddStringToObject(item, "unit", unit);
}

/* Lists the columns of results.csv. In Markdown, the output is docs/columns.md. */
static void list_columns(struct listing *l)
{
    static const char head[] = "| column | kind | unit | meaning |\n| --- | --- | --- | --- |\n";
    int count;
    const struct metric *metrics = metric_table(&count);
    if (l->markdown)
        printf(
            "# The columns of results.csv\n"
            "\n"
            "Each row of results.csv is one point. `make docs` generates this page; do not edit "
            "it. `redsweep list columns` prints the same list. A run's `run.json` describes its "
            "columns and says why a column is empty. An empty cell is a missing value, never 0. A "
            "column contains *text*, a *number*, or a *count* (an integer).\n"
            "\n"
            "Each tunable of a kernel has a column before `grid`, named `t_` plus the macro in "
            "lower case (`t_loads` for LOADS). It contains a count, and is empty for kernels "
            "without the tunable. `samples.csv` has one row per sample: `id`, `sample` (from 0) "
            "and `time_us`. Shards and runs on several devices also have `anchors.csv`, with the "
            "same columns plus `anchored` (`start`, `together`, `end`). Its rows are the anchors, "
            "a few points that every device measures ([cluster.md](cluster.md)).\n"
            "\n"
            "## Columns of every run\n"
            "\n"
            "%s",
            head);
    for (int i = 0; known_column_at(i); i++) {
        const struct known_column *c = known_column_at(i);
        list_column(l, c->name, column_kind_names[c->kind], c->unit, c->meaning);
    }
    if (l->markdown)
        printf("\n"
               "## Metrics\n\n"
               "A run has a column for each metric that its config requests (`metrics`). A "
               "counter's column is named after the counter.\n\n"
               "%s",
               head);
    for (int i = 0; i < count; i++)
        list_column(l, metrics[i].name, column_kind_names[COLUMN_NUMBER], metrics[i].unit,
                    metrics[i].meaning);
}

/*
 * Lists the charts of `redsweep plots`. The charts of a single run come before those of several
 * runs.
 */
static void list_charts(struct listing *l)
{
    for (size_t i = 0; chart_at(i); i++) {
        if (!is_wanted(l, chart_at(i)->name))
            continue;
        cJSON *item = list_item(l, 10, chart_at(i)->name, chart_at(i)->sentence);
        if (item)
            cJSON_AddStringToObject(item, "of", chart_at(i)->several ? "several runs" : "one run");
    }
}

/* Checks the options that only some lists use. */
static bool check_options(const char *what, const struct list_arguments *a, struct error *e)
{
    bool has_pages = strcmp(what, "kernels") == 0 || strcmp(what, "columns") == 0;
    if (a->markdown && (a->json || !has_pages))
        return FAIL(e, ERROR_USAGE,
                    "--markdown applies only to `redsweep list kernels` and `redsweep list "
                    "columns` without --json; leave it out");
    return strcmp(what, "metrics") == 0 || (!a->chip && !a->explain) ||
           FAIL(e, ERROR_USAGE,
                "--chip and --explain apply only to `redsweep list metrics`; leave them out");
}

int command_list(int count, char **arguments, struct error *e)
{
    static const char *const subjects[] = {"kernels", "metrics", "devices", "axes",
                                           "columns", "charts",  "schema"};
    struct list_arguments a = {0};
    const char *words[2] = {"", NULL}, *what;
    struct operands operands = {.items = words, .max = 2};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    what = words[0];
    if (words[1] && strcmp(what, "metrics") == 0 && !a.explain)
        a.explain = words[1];
    if (!check_options(what, &a, e))
        return EXIT_REFUSED;
    struct listing l = {a.json, a.markdown, cJSON_CreateArray(), words[1], {0}, 0};
    bool ok = true;
    if (strcmp(what, "kernels") == 0) {
        ok = list_kernels(&l, a.kernels, e);
    } else if (strcmp(what, "metrics") == 0) {
        ok = list_metrics(a.chip, a.explain, a.json ? l.array : NULL, e);
    } else if (strcmp(what, "devices") == 0) {
        list_devices(&l);
        ok = any_listed(&l, "device", e);
    } else if (strcmp(what, "axes") == 0) {
        list_axes(&l);
        ok = any_listed(&l, "axis", e);
    } else if (strcmp(what, "columns") == 0) {
        list_columns(&l);
        ok = any_listed(&l, "column", e);
    } else if (strcmp(what, "charts") == 0) {
        list_charts(&l);
        ok = any_listed(&l, "chart", e);
    } else if (strcmp(what, "schema") == 0) {
        struct text schema = {0};
        config_append_schema(&schema);
        fputs(text_shown(&schema), stdout);
        text_free(&schema);
    } else if (!*what) {
        ok = FAIL(
            e, ERROR_USAGE,
            "list needs the name of a list: kernels, metrics, devices, axes, columns, charts or "
            "schema");
    } else {
        char suggestion[SUGGESTION_SIZE];
        ok = FAIL(e, ERROR_USAGE,
                  "list has no '%s'; it lists kernels, metrics, devices, axes, columns, charts or "
                  "schema%s",
                  what,
                  text_suggestion(what, subjects, sizeof subjects / sizeof *subjects, suggestion));
    }
    if (ok && l.json && strcmp(what, "schema") != 0) {
        char *text = cJSON_Print(l.array);
        printf("%s\n", text);
        cJSON_free(text);
    }
    cJSON_Delete(l.array);
    vec_free(&l.names);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
