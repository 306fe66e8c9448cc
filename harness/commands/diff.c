/*
 * redsweep diff: two runs against each other, with an exit code that can stop a merge.
 */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/diff.h"

enum { EXIT_SLOWER = 1, EXIT_AMBIGUOUS = 3 };

struct diff_arguments {
    const char *least_effect, *again, *rate, *csv, *json;
    bool strict;
};

static void fill_options(struct diff_arguments *a, struct option_row rows[7])
{
    const struct option_row filled[7] = {
        {"least-effect", "PERCENT", "changes below this do not matter (default: 1)",
         &a->least_effect, NULL},
        {"aa", "RUN",
         "a second run of what A measured: take what lies between those two as the "
         "least effect",
         &a->again, NULL},
        {"rate", "PERCENT", "false discoveries among what is found (default: 5)", &a->rate, NULL},
        {"strict", NULL, "exit with 3 when nothing is slower but something is ambiguous", NULL,
         &a->strict},
        {"csv", "FILE", "also write every point of both runs as CSV", &a->csv, NULL},
        {"json", "FILE", "also write the whole comparison as JSON", &a->json, NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    memcpy(rows, filled, sizeof filled);
}

void help_diff(void)
{
    struct diff_arguments a = {0};
    struct option_row rows[7];
    fill_options(&a, rows);
    printf("Compares run B with run A (folders, or their results.csv), whatever their devices,\n"
           "kernels and axes. Points match when kernel, type, op, n, block, unroll, tunables,\n"
           "cache and scope are equal.\n\n");
    options_print(rows);
    printf("\nVerdicts, on one device: FAST and SLOW (a difference is found and matters), SAME\n"
           "(none is found, or too small a one), AMBIG (found, but how large is unclear),\n"
           "BROKEN and FIXED (right in one run only). On two devices times are not judged.\n"
           "\nExit codes: 0 nothing slower, 1 something slower or broken, 2 usage or no point in\n"
           "common, 3 with --strict: nothing slower, something ambiguous.\n");
}

/* "1", "1%" and "1.5 %" are percent. */
static bool read_percent(const char *option, const char *text, double most, double *share,
                         struct error *e)
{
    if (!text)
        return true;
    char *end;
    double percent = strtod(text, &end);
    if (end != text && (strcmp(end, "") == 0 || strcmp(end, "%") == 0 || strcmp(end, " %") == 0) &&
        percent >= 0 && percent <= most) {
        *share = percent / 100;
        return true;
    }
    return FAIL(e, ERROR_USAGE, "--%s %s: it takes percent from 0 to %g, such as 1 or 0.5", option,
                text, most);
}

static bool write_file(const char *path, bool (*write)(const struct diff *, FILE *),
                       const struct diff *d, struct error *e)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path, strerror(errno));
    errno = 0;
    bool ok = write(d, f);
    int why = errno;
    if (fclose(f) != 0 && ok) {
        ok = false;
        why = errno;
    }
    return ok || FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path,
                      why ? strerror(why) : "out of memory");
}

/* The spread between run A and a second run of the same becomes the least effect. */
static bool take_spread(const struct results *a, const char *path, struct diff_options *options,
                        struct error *e)
{
    struct results again;
    if (!results_read(path, &again, e))
        return false;
    bool ok = diff_spread(a, &again, &options->least_effect, e);
    results_free(&again);
    return ok;
}

static int compare(const struct diff_arguments *a, const struct results runs[2],
                   const struct diff_options *options, struct error *e)
{
    struct diff d;
    if (!diff_runs(&runs[0], &runs[1], options, &d, e))
        return EXIT_REFUSED;
    diff_print(&d, stdout);
    int code = EXIT_FINE;
    if ((a->csv && !write_file(a->csv, diff_write_csv, &d, e)) ||
        (a->json && !write_file(a->json, diff_write_json, &d, e)))
        code = EXIT_REFUSED;
    else if (d.same_device && (d.all.verdicts[VERDICT_SLOW] || d.all.verdicts[VERDICT_BROKEN]))
        code = EXIT_SLOWER;
    else if (a->strict && d.all.verdicts[VERDICT_AMBIG])
        code = EXIT_AMBIGUOUS;
    diff_free(&d);
    return code;
}

int command_diff(int count, char **arguments, struct error *e)
{
    struct diff_arguments a = {0};
    struct option_row rows[7];
    const char *rest[2];
    int rest_count;
    fill_options(&a, rows);
    struct diff_options options = {.least_effect = 0.01, .rate = 0.05};
    if (!options_take(rows, count, arguments, rest, 2, &rest_count, e) ||
        !read_percent("least-effect", a.least_effect, 1000, &options.least_effect, e) ||
        !read_percent("rate", a.rate, 50, &options.rate, e))
        return EXIT_REFUSED;
    if (rest_count < 2) {
        FAIL(e, ERROR_USAGE, "redsweep diff needs two runs: redsweep diff A B");
        return EXIT_REFUSED;
    }
    if (a.again && a.least_effect) {
        FAIL(e, ERROR_USAGE, "--aa measures the least effect that --least-effect gives; name one");
        return EXIT_REFUSED;
    }
    struct results runs[2];
    if (!results_read(rest[0], &runs[0], e))
        return EXIT_REFUSED;
    int code = EXIT_REFUSED;
    if ((!a.again || take_spread(&runs[0], a.again, &options, e)) &&
        results_read(rest[1], &runs[1], e)) {
        code = compare(&a, runs, &options, e);
        results_free(&runs[1]);
    }
    results_free(&runs[0]);
    return code;
}
