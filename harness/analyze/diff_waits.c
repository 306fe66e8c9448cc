/*
 * Lists what one process per side cannot decide, and commands that measure more processes; see
 * diff_view_waits() in diff.h.
 */
#include "analyze/diff.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/memory.h"
#include "base/program.h"

size_t diff_kernels_waiting(const struct diff *d)
{
    double most = 1 + d->options.minimum_effect;
    size_t count = 0;
    for (size_t i = 0; i < d->times.kernel_count; i++) {
        const struct effect *e = &d->times.kernels[i];
        count += e->verdict == TIME_UNKNOWN && e->ratio.low < e->ratio.high &&
                 (e->ratio.value > most || e->ratio.value < 1 / most);
    }
    return count;
}

/*
 * Appends `redsweep run` options for the keys that the run's command line set. For example,
 * {"timing":{"contexts":3}} becomes --timing.contexts=3.
 */
static void append_options(const cJSON *keys, const char *prefix, struct text *out)
{
    const cJSON *key, *item;
    cJSON_ArrayForEach(key, keys)
    {
        char *name = xasprintf("%s%s", prefix, key->string);
        struct text value = {0};
        if (cJSON_IsObject(key)) {
            char *below = xasprintf("%s.", name);
            append_options(key, below, out);
            free(below);
            free(name);
            continue;
        }
        if (cJSON_IsArray(key))
            cJSON_ArrayForEach(item, key)
            {
                char *text = cJSON_IsString(item) ? xstrdup(item->valuestring) : cJSON_Print(item);
                text_append(&value, "%s%s", value.length ? "," : "", text);
                free(text);
            }
        else {
            char *text = cJSON_IsString(key) ? xstrdup(key->valuestring) : cJSON_Print(key);
            text_append(&value, "%s", text);
            free(text);
        }
        text_append(out, " --%s=", name);
        if (value.length)
            shell_word(out, value.bytes);
        text_free(&value);
        free(name);
    }
}

/*
 * Appends a command that repeats a run into `folder`, or nothing if the run does not record how it
 * was started.
 */
static void append_run(const struct results *r, const char *folder, struct text *out)
{
    const struct provenance *p = &r->manifest.provenance;
    cJSON *keys = *p->config_overrides ? cJSON_Parse(p->config_overrides) : NULL;
    if (*p->config_path && *p->device_option) {
        text_append(out, "redsweep run");
        if (*p->config_path == '/') {
            text_append(out, " ");
            shell_word(out, p->config_path);
        }
        append_options(keys, "", out);
        text_append(out, " --device ");
        shell_word(out, p->device_option);
        text_append(out, " --out ");
        shell_word(out, folder);
    }
    cJSON_Delete(keys);
}

/*
 * Appends the arguments that name a side's runs and, unless `more` is NULL, the additional run in
 * the folder `more`.
 */
static void append_side(const struct results *r, const char *more, struct text *out)
{
    if (r->pooled_words.length)
        text_append(out, " %s", r->pooled_words.bytes);
    else {
        text_append(out, " ");
        shell_word(out, r->path);
    }
    if (more) {
        text_append(out, " ");
        shell_word(out, more);
    }
}

/*
 * Returns the name of a new folder for one more run of a side, such as RUN-2, or NULL if the side
 * already has several runs. The caller frees the name.
 */
static char *next_folder(const struct results *r)
{
    if (r->pooled)
        return NULL;
    for (int k = 2;; k++) {
        char *folder = xasprintf("%s-%d", r->path, k);
        if (access(folder, F_OK) != 0)
            return folder;
        free(folder);
    }
}

static void append_count(struct text *out, size_t count, const char *one, const char *several)
{
    if (count)
        text_append(out, "%s%zu %s", out->length ? ", " : "", count, count == 1 ? one : several);
}

void diff_view_waits(const struct diff *d, struct view *v)
{
    struct text what = {0}, command = {0};
    const struct results *sides[] = {d->a, d->b};
    char *more[2];
    append_count(&what, diff_kernels_waiting(d), "kernel", "kernels");
    append_count(&what, d->times.cells_alone, "kernel at one problem", "kernels at one problem");
    append_count(&what, d->times.points_held, "point", "points");
    if (!d->same_device || d->margins.one_process || (d->a->pooled && d->b->pooled) ||
        !what.length) {
        text_free(&what);
        return;
    }
    view_line(v,
              "\n"
              "These may have changed: %s. With one process per side,\n"
              "a change cannot be told from a difference between processes. Measure more runs per "
              "side,\n"
              "each in its own process:",
              what.bytes);
    text_append(&command, "redsweep diff");
    for (int i = 0; i < 2; i++) {
        struct text run = {0};
        more[i] = next_folder(sides[i]);
        if (more[i])
            append_run(sides[i], more[i], &run);
        if (run.length)
            view_line(v, "  %s", run.bytes);
        text_free(&run);
        text_append(&command, " --%s", i == 0 ? "baseline" : "candidate");
        append_side(sides[i], more[i], &command);
        free(more[i]);
    }
    view_line(v, "  %s", command.bytes);
    view_fact(v, "decides", command.bytes);
    text_free(&command);
    text_free(&what);
}
