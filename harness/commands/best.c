/*
 * redsweep best: which configuration to use, and what cannot be told apart from it.
 */
#include "commands/commands.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/best.h"

enum { MOST_RUNS = 64 };

struct best_arguments {
    const char *metric, *csv, *remeasure, *device;
};

static void fill_options(struct best_arguments *a, struct option_row rows[5])
{
    const struct option_row filled[5] = {
        {"metric", "COLUMN", "what the winner has least of (default: time_us_median)", &a->metric,
         NULL},
        {"csv", "FILE", "also write winners, ties, references and limits as CSV", &a->csv, NULL},
        {"remeasure", "DIR",
         "measure what is tied again, interleaved, into DIR, and decide by that", &a->remeasure,
         NULL},
        {"device", "NAME", "the device to measure on again (default: auto)", &a->device, NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    memcpy(rows, filled, sizeof filled);
}

void help_best(void)
{
    struct best_arguments a = {0};
    struct option_row rows[5];
    fill_options(&a, rows);
    printf(
        "Finds the fastest configuration for every device, type, op, n, cache and scope of the\n"
        "runs, and all that cannot be told apart from it; then a winner per range of n, and one\n"
        "choice for all sizes with its regret. Wrong rows and racy kernels never win. Where a\n"
        "point is in several runs, the last run counts.\n\n");
    options_print(rows);
}

static bool write_csv(const char *path, const struct best *b, struct error *e)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path, strerror(errno));
    bool ok = best_write_csv(b, f);
    ok = fclose(f) == 0 && ok;
    return ok || FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path, strerror(errno));
}

static bool write_config(const char *path, const struct text *t, struct error *e)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path, strerror(errno));
    bool ok = fwrite(t->bytes, 1, t->length, f) == t->length;
    ok = fclose(f) == 0 && ok;
    return ok || FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path, strerror(errno));
}

/* Runs the tied points again; *measured says whether there were any. */
static bool measure_again(const struct best_arguments *a, const struct best *b, bool *measured,
                          struct error *e)
{
    struct text config = {0};
    char *path = NULL;
    bool ok =
        best_remeasure_config(b, &config) && asprintf(&path, "%s.config.json", a->remeasure) >= 0;
    if (!ok)
        FAIL(e, ERROR_MEMORY, "out of memory for a config");
    *measured = ok && config.length > 0;
    if (*measured) {
        char *arguments[] = {path, "--out", (char *)(uintptr_t)a->remeasure, "--device",
                             (char *)(uintptr_t)(a->device ? a->device : "auto")};
        ok = write_config(path, &config, e);
        ok = ok && command_run(5, arguments, e) != EXIT_REFUSED;
    } else if (ok) {
        fprintf(stderr, "nothing is tied: nothing to measure again\n");
    }
    free(path);
    text_free(&config);
    return ok;
}

/* Times of another device decide nothing here. */
static bool same_device(const struct results *runs, size_t count, struct error *e)
{
    const struct results *last = &runs[count];
    for (size_t i = 0; i < count; i++)
        if (strcmp(results_device(last), results_device(&runs[i])) == 0 &&
            strcmp(results_backend(last), results_backend(&runs[i])) == 0)
            return true;
    return FAIL(e, ERROR_CONFIG,
                "%s was measured on %s, the runs on %s; name their device with --device",
                last->path, results_device(last), results_device(&runs[0]));
}

/* Finds, and once more with the run that was made for what is tied. */
static bool find_best(const struct best_arguments *a, struct results *runs, size_t *count,
                      struct best *b, struct error *e)
{
    struct best_options options = {.metric = a->metric ? a->metric : "time_us_median"};
    if (!best_find(runs, *count, &options, b, e))
        return false;
    bool measured = false;
    bool ok = !a->remeasure || measure_again(a, b, &measured, e);
    if (ok && !measured)
        return true;
    best_free(b);
    if (!ok || !results_read(a->remeasure, &runs[*count], e))
        return false;
    (*count)++;
    if (!same_device(runs, *count - 1, e))
        return false;
    options.last_run_alone = true;
    return best_find(runs, *count, &options, b, e);
}

int command_best(int count, char **arguments, struct error *e)
{
    struct best_arguments a = {0};
    struct option_row rows[5];
    const char *rest[MOST_RUNS] = {"results/latest"};
    int rest_count;
    fill_options(&a, rows);
    if (!options_take(rows, count, arguments, rest, MOST_RUNS, &rest_count, e))
        return EXIT_REFUSED;
    if (a.device && !a.remeasure) {
        FAIL(e, ERROR_USAGE, "--device is for --remeasure; without it nothing is measured");
        return EXIT_REFUSED;
    }
    static struct results runs[MOST_RUNS + 1]; /* large: kept off the stack */
    size_t run_count = 0, wanted = rest_count ? (size_t)rest_count : 1;
    bool ok = true;
    while (ok && run_count < wanted) {
        ok = results_read(rest[run_count], &runs[run_count], e);
        run_count += ok;
    }
    struct best b;
    ok = ok && find_best(&a, runs, &run_count, &b, e);
    if (ok) {
        best_print(&b, stdout);
        ok = !a.csv || write_csv(a.csv, &b, e);
        best_free(&b);
    }
    while (run_count > 0)
        results_free(&runs[--run_count]);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
