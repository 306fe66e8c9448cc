/* Compares an earlier run's provenance with the current state; see earlier.h. */
#include "run/earlier.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "spec/json.h"

bool earlier_read(const char *folder, struct manifest *out, struct error *e)
{
    bool found;
    bool ok = manifest_read(folder, out, &found, e);
    if (!found)
        return FAIL(e, ERROR_CONFIG,
                    "%s/" MANIFEST_FILE
                    " does not exist; name the folder of a run, for example results/latest. If the "
                    "run was killed before it wrote this file, nothing was measured; remove the "
                    "folder and start the run again",
                    folder);
    const struct provenance *p = &out->provenance;
    if (ok && *p->process)
        return FAIL(e, ERROR_CONFIG,
                    "%s is one of the two runs of a gate; a gate cannot be resumed, because one "
                    "process must measure both runs. Start the gate again",
                    folder);
    if (ok && (!*out->status || !*p->config_text || !*p->config_path || !*p->device_option))
        return FAIL(e, ERROR_CONFIG,
                    "%s/" MANIFEST_FILE
                    " lacks the config or the device's name that the run was started with, so the "
                    "run cannot be resumed; start a new run",
                    folder);
    return ok;
}

/*
 * Appends a line about `what` if `was` and `is` differ. An empty string means that the value is
 * unknown.
 */
static void compare_texts(struct text *out, const char *what, const char *was, const char *is)
{
    if (strcmp(was, is) != 0)
        text_append_safely(out, "  %s: was %s, is now %s\n", what, *was ? was : "unknown",
                           *is ? is : "unknown");
}

enum { LINE_SHOWN = 200 };

/*
 * Returns how many bytes of a line to show: all of them, or about LINE_SHOWN of a longer line,
 * which is cut between words if possible.
 */
static size_t shown_length(const char *line, size_t length)
{
    if (length <= LINE_SHOWN)
        return length;
    size_t end = LINE_SHOWN;
    while (end > 0 && line[end] != ' ')
        end--;
    return end > 0 ? end : LINE_SHOWN;
}

/*
 * Appends the first line of the stored config that differs from the config's file. The file's own
 * line is not shown, because the file's path comes from run.json, and a run.json from someone else
 * could name any file on the user's machine.
 */
static void show_difference(struct text *out, const char *path, const char *was, const char *is)
{
    int line = 1;
    for (;;) {
        size_t a = strcspn(was, "\n"), b = strcspn(is, "\n");
        if (a != b || memcmp(was, is, a) != 0 || !was[a] || !is[b]) {
            const size_t shown = shown_length(was, a);
            text_append_safely(out, "  config %s: line %d was '%.*s%s' and has changed\n", path,
                               line, (int)shown, was, shown < a ? " …" : "");
            return;
        }
        was += a + 1;
        is += b + 1;
        line++;
    }
}

/*
 * Appends a line if the config's file has changed. A resumed run uses the stored config in any
 * case.
 */
static void compare_config(struct text *out, const struct provenance *p)
{
    char *is, *merged;
    if (!file_read(p->config_path, JSON_MAX_BYTES, &is, NULL, NULL))
        return;
    if (*p->config_overrides &&
        config_override(p->config_path, is, p->config_overrides, &merged, NULL)) {
        free(is);
        is = merged;
    }
    if (strcmp(is, p->config_text) != 0)
        show_difference(out, p->config_path, p->config_text, is);
    free(is);
}

static const struct kernel *used_kernel(const struct plan *plan, const char *name)
{
    const struct kernel *k = catalogue_find(plan->catalogue, name);
    for (uint32_t i = 0; k && i < plan->point_count; i++)
        if (plan_kernel(plan, &plan->points[i]) == k)
            return k;
    return NULL;
}

static void compare_kernels(struct text *out, const struct provenance *p,
                            const struct provenance *now, const struct plan *plan)
{
    size_t before = out->length;
    for (size_t i = 0; i < p->kernels.count; i++) {
        const struct manifest_kernel *was = &p->kernels.items[i];
        const struct kernel *k = used_kernel(plan, was->name);
        char what[128], is[17] = "gone";
        if (k)
            snprintf(is, sizeof is, "%016" PRIx64, k->code_hash);
        snprintf(what, sizeof what, "hash of the source of kernel %.64s", was->name);
        compare_texts(out, what, was->source_hash, is);
    }
    if (out->length == before)
        compare_texts(out, "hash of the files that the kernels include", p->sources_hash,
                      now->sources_hash);
}

void earlier_compare(const struct provenance *was, const struct provenance *now,
                     const struct plan *plan, struct text *differences)
{
    const struct manifest_device *a = &was->device, *b = &now->device;
    char before[32] = "", points[32];
    compare_config(differences, was);
    compare_kernels(differences, was, now, plan);
    compare_texts(differences, "backend", a->backend, b->backend);
    compare_texts(differences, "device", a->name, b->name);
    if (!*was->shard) /* a shard may continue on another card of the same model */
        compare_texts(differences, "device's UUID", a->uuid, b->uuid);
    compare_texts(differences, "driver", a->driver, b->driver);
    /*
     * If the earlier session stored no compiler, it could not load one, so no row depends on the
     * compiler.
     */
    if (*was->compiler)
        compare_texts(differences, "compiler", was->compiler, now->compiler);
    if (was->points >= 0)
        snprintf(before, sizeof before, "%" PRId64, was->points);
    snprintf(points, sizeof points, "%" PRIu32, plan->point_count);
    compare_texts(differences, "number of points", before, points);
}
