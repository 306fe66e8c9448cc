/*
 * redsweep list: what there is to choose from, a line each, or JSON for other programs.
 */
#include "commands/commands.h"
#include "commands/list_metrics.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "devices/device.h"

void help_list(void)
{
    printf(
        "Lists the kernels, metrics or devices that this redsweep knows, one a line.\n\n"
        "  --json            the same as a JSON array\n"
        "  --markdown        kernels as the tables of docs/catalogue.md\n"
        "  --kernels DIR     also the kernels of this folder\n"
        "  --chip NAME       metrics as this chip serves them, with passes: GH100, AD102, sim, …\n"
        "  --explain METRIC  one metric: its sentence, formula, counters, and what NVIDIA says\n"
        "\nNo GPU is needed for any of it.\n");
}

struct listing {
    bool json, markdown;
    cJSON *array;
};

/* One line, or one object: name and sentence, and further pairs that only the JSON shows. */
static cJSON *list_item(struct listing *l, int width, const char *name, const char *sentence)
{
    if (!l->json) {
        printf("%-*s  %s\n", width, name, sentence);
        return NULL;
    }
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddStringToObject(item, "meaning", sentence);
    cJSON_AddItemToArray(l->array, item);
    return item;
}

/* A text as a table's cell: a bar would end it. */
static void print_cell(const char *text)
{
    for (; *text; text++)
        printf("%s%c", *text == '|' ? "\\" : "", *text);
}

static void print_row(const struct kernel *k)
{
    printf("| `%s` | ", k->name);
    print_cell(k->idea);
    printf(" | ");
    print_cell(k->source);
    if (k->backend == BACKEND_CPU)
        printf(" | %s | %s | – |\n", k->in_place ? "yes" : "no", k->complete ? "yes" : "no");
    else if (k->workload->reduces)
        printf(" | %s | %s | sm_%d |\n", k->in_place ? "yes" : "no", k->complete ? "yes" : "no",
               k->least_cc);
    else
        printf(" | – | – | sm_%d |\n", k->least_cc);
}

enum section { SECTION_REDUCTIONS, SECTION_RACY, SECTION_OTHER, SECTION_CPU, SECTION_COUNT };

static enum section section_of(const struct kernel *k)
{
    if (k->backend == BACKEND_CPU)
        return SECTION_CPU;
    if (!k->workload->reduces)
        return SECTION_OTHER;
    return k->racy ? SECTION_RACY : SECTION_REDUCTIONS;
}

/* The whole of docs/catalogue.md. */
static void print_markdown(const struct catalogue *kernels)
{
    static const char *const titles[SECTION_COUNT] = {
        "Reductions", "Racy originals, kept to be studied", "Not reductions", "On the CPU"};
    printf(
        "# The catalogue\n\n"
        "Every kernel, as the facts at the top of its file state it. Made by `make docs`; do not "
        "edit it here.\n\n"
        "*In place*: it overwrites its input, which is made anew before every launch. "
        "*Complete*: it leaves one value; other reductions leave one per block. "
        "*From*: the least architecture. docs/kernels.md explains the facts.\n");
    for (int section = 0; section < SECTION_COUNT; section++) {
        printf("\n## %s\n\n| kernel | idea | source | in place | complete | from |\n"
               "| --- | --- | --- | --- | --- | --- |\n",
               titles[section]);
        for (int i = 0; i < kernels->count; i++)
            if (section_of(kernels->kernels[i]) == (enum section)section)
                print_row(kernels->kernels[i]);
    }
}

static bool list_kernels(struct listing *l, const char *more, struct error *e)
{
    char folder[4096];
    struct catalogue kernels, support;
    if (!find_kernel_folder(folder, sizeof folder, e) ||
        !read_catalogues(folder, &more, more ? 1 : 0, &kernels, &support, e))
        return false;
    if (l->markdown)
        print_markdown(&kernels);
    for (int i = 0; i < kernels.count && !l->markdown; i++) {
        const struct kernel *k = kernels.kernels[i];
        cJSON *item = list_item(l, 28, k->name, k->idea);
        if (!item)
            continue;
        cJSON_AddStringToObject(item, "source", k->source);
        cJSON_AddStringToObject(item, "path", k->path);
        cJSON_AddStringToObject(item, "workload", k->workload->name);
        cJSON_AddStringToObject(item, "backend", k->backend == BACKEND_CPU ? "cpu" : "gpu");
        cJSON_AddBoolToObject(item, "complete", k->complete);
        cJSON_AddBoolToObject(item, "in_place", k->in_place);
        cJSON_AddNumberToObject(item, "least_compute_capability", k->least_cc);
        if (k->racy)
            cJSON_AddStringToObject(item, "racy", k->racy);
        cJSON *unrolls = cJSON_AddArrayToObject(item, "unroll");
        for (int u = 0; u < k->unrolls.count; u++)
            cJSON_AddItemToArray(unrolls, cJSON_CreateNumber(k->unrolls.values[u]));
    }
    catalogue_free(&kernels);
    catalogue_free(&support);
    return true;
}

static void list_devices(struct listing *l)
{
    for (int i = 0; device_drivers[i]; i++)
        list_item(l, 8, device_drivers[i]->name, device_drivers[i]->help);
}

static bool print_json(struct listing *l, struct error *e)
{
    if (!l->json)
        return true;
    char *text = cJSON_Print(l->array);
    if (!text)
        return FAIL(e, ERROR_MEMORY, "out of memory for the JSON");
    printf("%s\n", text);
    cJSON_free(text);
    return true;
}

int command_list(int count, char **arguments, struct error *e)
{
    static const char *const subjects[] = {"kernels", "metrics", "devices"};
    struct listing l = {0};
    const char *more = NULL, *chip = NULL, *explain = NULL, *rest[1];
    int rest_count;
    const struct option_row rows[] = {
        {"json", NULL, "", NULL, &l.json},         {"markdown", NULL, "", NULL, &l.markdown},
        {"kernels", "DIR", "", &more, NULL},       {"chip", "NAME", "", &chip, NULL},
        {"explain", "METRIC", "", &explain, NULL}, {0}};
    if (!options_take(rows, count, arguments, rest, 1, &rest_count, e))
        return EXIT_REFUSED;
    const char *what = rest_count ? rest[0] : "";
    if (l.markdown && (l.json || strcmp(what, "kernels") != 0)) {
        FAIL(e, ERROR_USAGE, "--markdown goes with `redsweep list kernels`, and not with --json");
        return EXIT_REFUSED;
    }
    if ((chip || explain) && strcmp(what, "metrics") != 0) {
        FAIL(e, ERROR_USAGE, "--chip and --explain go with `redsweep list metrics`");
        return EXIT_REFUSED;
    }
    if (strcmp(what, "metrics") == 0)
        return list_metrics(chip, explain, l.json, e) ? EXIT_FINE : EXIT_REFUSED;
    l.array = cJSON_CreateArray();
    bool ok = true;
    if (strcmp(what, "kernels") == 0) {
        ok = list_kernels(&l, more, e);
    } else if (strcmp(what, "devices") == 0) {
        list_devices(&l);
    } else {
        const char *nearest = text_nearest(what, subjects, 3);
        ok = FAIL(e, ERROR_USAGE, "redsweep list %s: there are kernels, metrics and devices%s%s%s",
                  what, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                  nearest ? "'?" : "");
    }
    ok = ok && print_json(&l, e);
    cJSON_Delete(l.array);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
