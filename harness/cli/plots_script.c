/*
 * Charts by plots/plot.sh: see plots_script.h. What is asked of the script is in its environment.
 */
#include "cli/plots_script.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/manifest.h"
#include "table/csv.h"

extern char **environ;

enum { LARGEST_MANIFEST = 16 << 20 };

/* ---- Copies of runs with the rows that were asked for ---------------------------------------- */

static void append_rows(const struct results *run, const bool *asked, struct text *out)
{
    struct text cell = {0};
    const struct table *t = &run->rows;
    for (size_t i = 0; i < t->columns.count; i++) {
        text_append(out, "%s", i ? "," : "");
        csv_append_text(out, t->columns.items[i]->name);
    }
    text_append(out, "\n");
    for (size_t row = 0; row < t->row_count; row++)
        for (size_t i = 0; (asked[row] || !results_good(run, row)) && i < t->columns.count; i++) {
            cell.length = 0;
            column_append(t->columns.items[i], row, &cell);
            text_append(&cell, "%s", "");
            text_append(out, "%s", i ? "," : "");
            csv_append_text(out, cell.length ? cell.bytes : "");
            text_append(out, "%s", i + 1 < t->columns.count ? "" : "\n");
        }
    text_free(&cell);
}

static bool write_text(const char *path, const char *bytes, size_t length, struct error *e)
{
    FILE *f = fopen(path, "wx");
    bool ok = f && fwrite(bytes, 1, length, f) == length;
    ok = (!f || fclose(f) == 0) && ok;
    return ok || FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path, strerror(errno));
}

static bool copy_manifest(const struct results *run, const char *folder, struct error *e)
{
    char *from = xasprintf("%s/" MANIFEST_FILE, run->folder), *bytes = NULL;
    char *to = xasprintf("%s/" MANIFEST_FILE, folder);
    size_t length;
    bool ok = !run->has_manifest || (file_read(from, LARGEST_MANIFEST, &bytes, &length, e) &&
                                     write_text(to, bytes, length, e));
    free(bytes);
    free(from);
    free(to);
    return ok;
}

/* WORK/I/NAME with the run's name, which charts show. */
static bool copy_run(const char *given, const struct chart_options *options, const char *work,
                     size_t i, char **copy, struct error *e)
{
    struct results run;
    struct text rows = {0};
    bool *asked = NULL;
    if (!results_read(given, &run, e))
        return false;
    char *home = realpath(run.folder, NULL), *above = xasprintf("%s/%zu", work, i);
    const char *slash = home ? strrchr(home, '/') : NULL;
    *copy = xasprintf("%s/%s", above, slash && slash[1] ? slash + 1 : "run");
    char *csv = xasprintf("%s/results.csv", *copy);
    bool ok = chart_rows_asked(&run, options, &asked, e);
    if (ok && (mkdir(above, 0700) != 0 || mkdir(*copy, 0700) != 0))
        ok = FAIL(e, ERROR_SYSTEM, "%s: cannot make a folder: %s", *copy, strerror(errno));
    if (ok) {
        append_rows(&run, asked, &rows);
        ok = write_text(csv, rows.bytes, rows.length, e) && copy_manifest(&run, *copy, e);
        free(asked);
    }
    text_free(&rows);
    free(csv);
    free(above);
    free(home);
    results_free(&run);
    return ok;
}

static void remove_copy(const char *copy)
{
    static const char *const files[] = {"results.csv", MANIFEST_FILE};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = xasprintf("%s/%s", copy, files[i]);
        unlink(path);
        free(path);
    }
    rmdir(copy);
    char *above = xstrndup(copy, (size_t)(strrchr(copy, '/') - copy));
    rmdir(above);
    free(above);
}

/* ---- The script ------------------------------------------------------------------------------ */

/* The script's own names of what the options say; others of the kind that are set already go. */
static bool set_environment(const struct script_plots *p, struct error *e)
{
    const struct chart_options *o = p->options;
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    bool rows = o->y && strcmp(o->y, "rows") == 0;
    bool kernel = o->kernels && !strpbrk(o->kernels, ", *?[");
    const struct {
        const char *name, *value;
    } set[] = {{"REDSWEEP", self},
               {"FORMAT", o->formats},
               {"WIDTH", o->width == CANVAS_COLUMN ? "column"
                         : o->width == CANVAS_PAGE ? "page"
                                                   : ""},
               {"TITLE", o->no_title ? "no" : ""},
               {"FONT", o->font},
               {"SUFFIX", o->suffix},
               {"OUT", p->out},
               {"TRUTH", p->truth},
               {"PEERS", p->peers},
               {"WANT_X", o->x},
               {"WANT_Y", o->y},
               {"WANT_METRIC", rows ? NULL : o->y},
               {"WANT_COLOR", o->by},
               {"WANT_UNROLL", o->by && strcmp(o->by, "unroll") == 0 ? "all" : NULL},
               {"WANT_KERNEL", kernel ? o->kernels : NULL}};
    for (char **v = environ; *v;) {
        char *name = xstrndup(*v, strcspn(*v, "="));
        bool goes = strncmp(name, "WANT_", 5) == 0 && unsetenv(name) == 0;
        v += !goes; /* the next one is in its place */
        free(name);
    }
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (set[i].value ? setenv(set[i].name, set[i].value, 1) != 0 : unsetenv(set[i].name) != 0)
            return FAIL(e, ERROR_SYSTEM, "cannot set the environment: %s", strerror(errno));
    return true;
}

static bool run_script(const char *const *words, bool *drawn, struct error *e)
{
    pid_t pid;
    int status, why = posix_spawn(&pid, words[0], NULL, NULL, (char *const *)words, environ);
    if (why != 0)
        return FAIL(e, ERROR_SYSTEM, "cannot start %s: %s", words[0], strerror(why));
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return FAIL(e, ERROR_SYSTEM, "cannot wait for %s: %s", words[0], strerror(errno));
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
    *drawn = code == 0;
    return code <= 1 || FAIL(e, ERROR_SYSTEM, "%s failed", words[0]);
}

static bool draw(const struct script_plots *p, char *const *copies, bool *drawn, struct error *e)
{
    char *script = xasprintf("%s/plots/plot.sh", p->options->data);
    VEC(const char *) words = {0};
    vec_push(&words, script);
    for (size_t i = 0; i < p->run_count; i++)
        vec_push(&words, copies[i]);
    for (size_t i = 0; i < p->chart_count; i++)
        vec_push(&words, p->charts[i]);
    vec_push(&words, NULL);
    fflush(stdout);
    bool ok = set_environment(p, e) && run_script(words.items, drawn, e);
    vec_free(&words);
    free(script);
    return ok;
}

bool plots_by_script(const struct script_plots *p, bool *drawn, struct error *e)
{
    const char *tmp = getenv("TMPDIR");
    char *work = xasprintf("%s/redsweep-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    char **copies = xcalloc(p->run_count + 1, sizeof *copies);
    bool made = mkdtemp(work) != NULL;
    bool ok = made || FAIL(e, ERROR_SYSTEM, "%s: cannot make a folder: %s", work, strerror(errno));
    for (size_t i = 0; ok && i < p->run_count; i++)
        ok = copy_run(p->runs[i], p->options, work, i, &copies[i], e);
    ok = ok && draw(p, copies, drawn, e);
    for (size_t i = 0; i < p->run_count && copies[i]; i++) {
        remove_copy(copies[i]);
        free(copies[i]);
    }
    if (made)
        rmdir(work);
    free(copies);
    free(work);
    return ok;
}
