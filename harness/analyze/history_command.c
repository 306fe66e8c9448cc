/*
 * Implements redsweep history, which prints a line for each kernel: how its time changed over
 * several runs, and its noise.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/change_points.h"
#include "analyze/commands.h"
#include "analyze/history.h"
#include "analyze/view_output.h"
#include "base/memory.h"
#include "base/options.h"
#include "record/output.h"

enum { RUNS_MAX = 1000 };

static const double ALPHA = 0.05; /* the error rate for the changes in all lines together */

struct history_arguments {
    struct view_output output;
    const char *github, *bencher;
};

static const struct field options[] = {
    {"--github", NULL, field_argument, .offset = offsetof(struct history_arguments, github),
     HELP("FILE",
          "write the last run in the format of github-action-benchmark (customSmallerIsBetter)")},
    {"--bencher", NULL, field_argument, .offset = offsetof(struct history_arguments, bencher),
     HELP("FILE", "write the last run in the format of Bencher (--adapter json)")},
    VIEW_OPTIONS(struct history_arguments, output, "a row per kernel"),
    {0}};

void help_history(void)
{
    printf(
        "Shows how kernel times changed from run to run, in one line per kernel. The runs are\n"
        "RUN..., or all runs in a FOLDER (default: results), in the order in which they began.\n"
        "A kernel's value in a run is the geometric mean of its fastest times over the problems\n"
        "that occur in every run with this kernel. Noise is the standard deviation between\n"
        "neighboring runs. The test of Matteson and James finds changes, with an error rate of\n"
        "5 %% for all kernels together. To find a change, one kernel needs at least eight runs,\n"
        "and several kernels need more. If there are too few runs, a note says how many are\n"
        "needed. Runs in a FOLDER that cannot be read are left out, and their names are printed.\n"
        "\n");
    options_print(options);
}

/* ---- The runs -------------------------------------------------------------------------------- */

static int compare_started(const void *a, const void *b)
{
    const struct listed_run *x = a, *y = b;
    int order =
        /* ISO 8601 times sort chronologically as strings. */
        strcmp(x->manifest.provenance.started, y->manifest.provenance.started);
    return order ? order : strcmp(x->folder, y->folder);
}

/*
 * Reads the runs that the operands name. If the only operand is not a run but a folder of runs,
 * reads all of these and sets *folder.
 */
static bool read_runs(const struct operands *operands, struct run_list *runs, bool *folder,
                      struct error *e)
{
    const char *first = operands->count ? operands->items[0] : "results";
    struct error none = {0};
    bool ok = true;
    *folder = operands->count < 2 && !run_list_add(first, runs, &none);
    if (*folder) {
        run_list_free(runs);
        ok = run_list_read(first, runs, e);
    }
    for (int i = *folder || operands->count < 2 ? operands->count : 0; ok && i < operands->count;
         i++)
        ok = run_list_add(operands->items[i], runs, e);
    if (ok && !runs->items.count)
        ok = FAIL(e, ERROR_CONFIG, "%s contains no runs; name a folder of runs, such as results",
                  first);
    if (ok)
        qsort(runs->items.items, runs->items.count, sizeof *runs->items.items, compare_started);
    return ok;
}

/* ---- The table ------------------------------------------------------------------------------- */

struct line {
    const char *device, *kernel;
    size_t runs, problems;
    double last_us, change, noise;
    char *changes;
};

static int compare_sizes(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * Returns the noise of a series, the standard deviation of its values. It is computed from the
 * median difference between neighboring values, which a single change hardly affects.
 */
static double noise_of(const double *values, size_t count)
{
    if (count < 3)
        return NAN;
    double *steps = xmalloc((count - 1) * sizeof *steps);
    for (size_t i = 1; i < count; i++)
        steps[i - 1] = fabs(values[i] - values[i - 1]);
    qsort(steps, count - 1, sizeof *steps, compare_sizes);
    size_t half = (count - 1) / 2;
    double median = (count - 1) % 2 ? steps[half] : (steps[half - 1] + steps[half]) / 2;
    free(steps);
    /* from the median difference to the standard deviation of one value */
    return 1.4826 * median / sqrt(2);
}

static const char *commit_of(const struct listed_run *run)
{
    const char *version = run->manifest.provenance.redsweep;
    const char *open = version ? strchr(version, '(') : NULL;
    return open ? open + 1 : "";
}

static char *words_of(const struct history *h, const struct change_point *points, size_t count,
                      const size_t *at)
{
    struct text t = {0};
    text_append(&t, "%s", "");
    for (size_t i = 0; i < count; i++) {
        const struct listed_run *run = &h->runs->items.items[at[points[i].at]];
        const char *slash = strrchr(run->folder, '/'), *commit = commit_of(run);
        text_append(&t, "%s%+.1f %% from %s", i ? "; " : "",
                    100 * expm1(points[i].after - points[i].before),
                    slash ? slash + 1 : run->folder);
        if (*commit)
            text_append(&t, " (%.*s)", (int)strcspn(commit, ")"), commit);
    }
    return t.bytes;
}

static struct line line_of(const struct history *h, size_t series, double alpha)
{
    size_t runs = h->runs->items.count;
    double *values = xcalloc(runs + 1, sizeof *values);
    size_t *at = xcalloc(runs + 1, sizeof *at);
    struct change_point *points = xcalloc(runs + 1, sizeof *points);
    const char *name = h->series.texts.items[series], *end = strchr(name, '\n');
    struct line line = {.device = name, .kernel = end + 1, .last_us = NAN, .change = NAN};
    line.runs = history_values(h, series, values, at, &line.problems);
    size_t changes = change_points_find(values, line.runs, alpha, points);
    line.changes = words_of(h, points, changes, at);
    line.noise = noise_of(values, line.runs);
    if (line.runs)
        line.last_us = exp(values[line.runs - 1]);
    if (line.runs > 1)
        line.change = exp(values[line.runs - 1] - values[0]);
    free(values);
    free(at);
    free(points);
    return line;
}

/*
 * Adds a note if there are too few runs to show any change. Without the note, people might think
 * that nothing changed.
 */
static void say_too_few(const struct line *lines, size_t count, struct view_table *view)
{
    size_t fewest = change_points_fewest(ALPHA / (double)count), most = 0;
    for (size_t i = 0; i < count; i++)
        most = lines[i].runs > most ? lines[i].runs : most;
    if (most < fewest)
        view_table_note(
            view,
            "there are too few runs to show a change. An error rate of %.0f %% for all %zu line%s "
            "together requires %zu runs, but there %s %zu; redsweep diff compares two runs",
            100 * ALPHA, count, count == 1 ? "" : "s", fewest, most == 1 ? "is" : "are", most);
}

static void add_lines(const struct history *h, struct view *v)
{
    size_t count = h->series.texts.count;
    struct line *lines = xcalloc(count + 1, sizeof *lines);
    for (size_t i = 0; i < count; i++)
        lines[i] = line_of(h, i, ALPHA / (double)count);
    struct view_table *view = view_add_table(v, "history", FOR_ALL, count);
    struct table *t = &view->cells;
    say_too_few(lines, count, view);
    table_add_texts(t, i, lines[i].kernel, "kernel", .rank = RANK_KEY);
    table_add_numbers(t, i, (double)lines[i].runs, "runs", .kind = COLUMN_COUNT);
    table_add_numbers(t, i, (double)lines[i].problems, "problems", .kind = COLUMN_COUNT);
    table_add_numbers(t, i, lines[i].last_us, "time_us", .heading = "µs", .kind = COLUMN_NUMBER,
                      .digits = 4);
    table_add_numbers(t, i, lines[i].change, "ratio", .heading = "since the first",
                      .kind = COLUMN_CHANGE);
    table_add_numbers(t, i, 100 * lines[i].noise, "noise_pct", .heading = "noise", .unit = "%",
                      .kind = COLUMN_NUMBER, .digits = 2);
    table_add_texts(t, i, lines[i].changes, "changes");
    table_add_texts(t, i, table_keep(t, xstrndup(lines[i].device, strcspn(lines[i].device, "\n"))),
                    "device");
    for (size_t i = 0; i < count; i++)
        free(lines[i].changes);
    free(lines);
}

static bool write_export(const struct history *h, const char *path,
                         void (*write)(const struct history *, FILE *), struct error *e)
{
    FILE *to;
    if (!path)
        return true;
    if (!output_open(path, &to, e))
        return false;
    write(h, to);
    return output_close(to, path, e);
}

int command_history(int count, char **arguments, struct error *e)
{
    struct history_arguments a = {0};
    const char *paths[RUNS_MAX];
    struct operands operands = {.items = paths, .max = RUNS_MAX};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    struct run_list runs = {0};
    struct history h = {0};
    struct view v = {.main_table = "history"};
    struct text passed_over = {0};
    bool folder, ok = read_runs(&operands, &runs, &folder, e) &&
                      history_read(&runs, &h, folder ? &passed_over : NULL, e);
    fputs(text_shown(&passed_over), stderr);
    text_free(&passed_over);
    if (ok && !h.series.texts.count)
        ok = FAIL(e, ERROR_CONFIG,
                  "no run contains times from its device; measure on a device with a clock");
    bool taken =
        (a.github && strcmp(a.github, "-") == 0) || (a.bencher && strcmp(a.bencher, "-") == 0);
    if (ok) {
        view_title(&v, "history of %zu run%s", runs.items.count, runs.items.count == 1 ? "" : "s");
        add_lines(&h, &v);
        ok = (taken ? view_write_files(&v, &a.output, e) : view_output(&v, &a.output, e)) &&
             write_export(&h, a.github, history_write_github, e) &&
             write_export(&h, a.bencher, history_write_bencher, e);
    }
    view_free(&v);
    history_free(&h);
    run_list_free(&runs);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
