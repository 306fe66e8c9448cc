/*
 * Reading and comparing what an earlier run was made with: see earlier.h.
 *
 * results.json is written with its members in a fixed order, each on a line of its own, the rows
 * last: reading stops where they begin, so that a long run's rows need no memory.
 */
#include "run/earlier.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

enum { HEAD_MOST = 16 << 20, CONFIG_MOST = 1 << 20 }; /* bytes */

/* The file up to its rows, closed as if there were none. */
static bool read_head(const char *path, struct text *head, struct error *e)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return FAIL(e, ERROR_CONFIG,
                    "%s: cannot open: %s; give the folder of a run, for example results/latest (a "
                    "run that was killed before this file was there has measured nothing: remove "
                    "its folder and start it again)",
                    path, strerror(errno));
    static const char rows[] = "\"rows\": [";
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while (head->length < HEAD_MOST && (length = getline(&line, &capacity, file)) > 0) {
        if (strncmp(line, rows, sizeof rows - 1) == 0) {
            text_append(head, "\"rows\": []}");
            break;
        }
        text_append_bytes(head, line, (size_t)length);
    }
    bool ok = !ferror(file) || FAIL(e, ERROR_SYSTEM, "%s: cannot read: %s", path, strerror(errno));
    if (head->failed || head->length >= HEAD_MOST)
        ok = FAIL(e, ERROR_CONFIG, "%s: its head has more than %d bytes; it is no file of redsweep",
                  path, HEAD_MOST);
    free(line);
    fclose(file);
    return ok;
}

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static const cJSON *provenance_of(const struct earlier *earlier)
{
    return cJSON_GetObjectItemCaseSensitive(earlier->document, "provenance");
}

static bool read_sessions(struct earlier *out, const char *path, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(provenance_of(out), "resumed");
    const cJSON *item;
    out->sessions = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *out->sessions);
    if (!out->sessions)
        return FAIL(e, ERROR_MEMORY, "%s: too little memory", path);
    cJSON_ArrayForEach(item, list)
    {
        struct resumption *s = &out->sessions[out->session_count++];
        const char *at = text_of(item, "at"), *changes = text_of(item, "changes");
        snprintf(s->at, sizeof s->at, "%s", at ? at : "");
        snprintf(s->changes, sizeof s->changes, "%s", changes ? changes : "");
    }
    return true;
}

bool earlier_read(const char *folder, struct earlier *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/results.json", folder);
    struct text head = {0};
    bool ok = read_head(path, &head, e);
    out->document = ok && head.bytes ? cJSON_Parse(head.bytes) : NULL;
    text_free(&head);
    if (!ok)
        return false;
    const cJSON *p = provenance_of(out);
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(out->document, "schema");
    if (!cJSON_IsNumber(schema) || schema->valuedouble != RECORD_SCHEMA)
        return FAIL(e, ERROR_CONFIG, "%s is no results.json of schema %d", path, RECORD_SCHEMA);
    out->status = text_of(out->document, "status");
    out->config_text = text_of(p, "config_text");
    out->config_path = text_of(p, "config_path");
    out->device_option = text_of(p, "device_option");
    out->more_kernels = text_of(p, "more_kernels");
    out->command = text_of(p, "command");
    out->started = text_of(p, "started");
    if (!out->status || !out->config_text || !out->config_path || !out->device_option)
        return FAIL(e, ERROR_CONFIG,
                    "%s does not hold the config and the device's name that its run was started "
                    "with, so it cannot be gone on with; start a new run",
                    path);
    return read_sessions(out, path, e);
}

void earlier_free(struct earlier *earlier)
{
    cJSON_Delete(earlier->document);
    free(earlier->sessions);
    memset(earlier, 0, sizeof *earlier);
}

/* Unknown texts are NULL there and "" here. */
static void compare_texts(struct text *out, const char *what, const char *was, const char *is)
{
    was = was ? was : "";
    if (strcmp(was, is) != 0)
        text_append(out, "  %s: was %s, is %s\n", what, *was ? was : "unknown",
                    *is ? is : "unknown");
}

/* The first line in which two texts differ. */
static void show_difference(struct text *out, const char *path, const char *was, const char *is)
{
    int line = 1;
    for (;;) {
        size_t a = strcspn(was, "\n"), b = strcspn(is, "\n");
        if (a != b || memcmp(was, is, a) != 0 || !was[a] || !is[b]) {
            text_append(out, "  config %s: line %d was '%.*s', is '%.*s'\n", path, line,
                        (int)(a < 200 ? a : 200), was, (int)(b < 200 ? b : 200), is);
            return;
        }
        was += a + 1;
        is += b + 1;
        line++;
    }
}

/* The stored config is what counts; a file that says something else by now may be meant. */
static void compare_config(struct text *out, const struct earlier *earlier)
{
    FILE *file = fopen(earlier->config_path, "r");
    char *is = file ? malloc(CONFIG_MOST + 1) : NULL;
    if (is) {
        size_t length = fread(is, 1, CONFIG_MOST, file);
        is[length] = '\0';
        if (!ferror(file) && strcmp(is, earlier->config_text) != 0)
            show_difference(out, earlier->config_path, earlier->config_text, is);
    }
    free(is);
    if (file)
        fclose(file);
}

static const struct kernel *used_kernel(const struct plan *plan, const char *name)
{
    const struct kernel *k = catalogue_find(plan->catalogue, name);
    for (uint32_t i = 0; k && i < plan->point_count; i++)
        if (plan_kernel(plan, &plan->points[i]) == k)
            return k;
    return NULL;
}

static void compare_kernels(struct text *out, const struct earlier *earlier,
                            const struct provenance *now, const struct plan *plan)
{
    const cJSON *p = provenance_of(earlier), *item;
    size_t before = out->length;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(p, "kernels"))
    {
        const char *name = text_of(item, "name");
        const struct kernel *k = name ? used_kernel(plan, name) : NULL;
        char what[128], is[17] = "gone";
        if (k)
            snprintf(is, sizeof is, "%016" PRIx64, k->code_hash);
        snprintf(what, sizeof what, "source of kernel %.64s (hash)", name ? name : "?");
        compare_texts(out, what, text_of(item, "source_hash"), is);
    }
    if (out->length == before)
        compare_texts(out, "files that the kernels include (hash)", text_of(p, "sources_hash"),
                      now->sources);
}

static void version_text(char out[32], int version)
{
    out[0] = '\0';
    if (version > 0) /* as results.json writes it */
        snprintf(out, 32, "%d.%d", version / 1000, version % 1000 / 10);
}

void earlier_compare(const struct earlier *earlier, const struct provenance *now,
                     const struct plan *plan, struct text *differences)
{
    const cJSON *p = provenance_of(earlier);
    const cJSON *device = cJSON_GetObjectItemCaseSensitive(p, "device");
    char driver[32], points[32], was[32] = "";
    version_text(driver, now->device.driver_version);
    compare_config(differences, earlier);
    compare_kernels(differences, earlier, now, plan);
    compare_texts(differences, "backend", text_of(device, "backend"), now->device.backend);
    compare_texts(differences, "device", text_of(device, "name"), now->device.name);
    compare_texts(differences, "device's UUID", text_of(device, "uuid"), now->device.uuid);
    compare_texts(differences, "driver", text_of(device, "driver"), driver);
    compare_texts(differences, "compiler", text_of(p, "compiler"), now->compiler);
    const cJSON *count = cJSON_GetObjectItemCaseSensitive(p, "points");
    if (cJSON_IsNumber(count))
        snprintf(was, sizeof was, "%.0f", count->valuedouble);
    snprintf(points, sizeof points, "%" PRIu32, plan->point_count);
    compare_texts(differences, "number of points", was, points);
}

bool earlier_conditions(const struct earlier *earlier, struct text *out)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(earlier->document, "conditions"), *item;
    cJSON_ArrayForEach(item, list)
    {
        char *text = cJSON_PrintUnformatted(item);
        if (!text)
            return false;
        text_append(out, "%s%s", out->length ? ",\n" : "", text);
        cJSON_free(text);
    }
    return !out->failed;
}
