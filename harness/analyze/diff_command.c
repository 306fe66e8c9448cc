/*
 * redsweep diff: two runs against each other, with an exit code that can stop a merge.
 */
#include "analyze/commands.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/diff_arguments.h"

const char *const diff_finding_names[DIFF_FINDINGS] = {"slow", "wrong", "missing", "counts",
                                                       "none"};

struct diff_command {
    struct diff_arguments diff;
    const char *again;
    bool across_cards;
};

#define AT(member) .offset = offsetof(struct diff_command, member)

static const struct field options[] = {
    DIFF_OPTIONS(struct diff_command, diff),
    {"--aa", NULL, field_argument, AT(again),
     HELP("RUN",
          "a second run of A's config: the difference between the two is the minimum effect")},
    {"--across-cards", NULL, field_switch, AT(across_cards),
     HELP(NULL, "also give verdicts on times of two cards of one model")},
    {0}};

void help_diff(void)
{
    printf("Compares run B with run A (folders, or their results.csv), whatever their devices,\n"
           "kernels and axes. Points match when all their axes and tunables are equal. A may be\n"
           "a published table (results/published): then each of its cells is compared.\n\n");
    options_print(options);
    printf(
        "\nVerdicts, on one card: SLOW and FAST (certain, and beyond the minimum effect), SAME\n"
        "(certainly within it), UNKNOWN (neither: `detectable` is the smallest change that would\n"
        "have been found), for points, kernels in one problem, kernels and all; BROKEN and FIXED\n"
        "(ok in one run only), UNTIMED (timed in one run only). On two cards times are not\n"
        "judged.\n"
        "\nExit codes: 0 nothing that --fail-on names was found, 1 something was, or a count of a\n"
        "published table differs or is missing, 2 usage, no point in common, or nothing was\n"
        "compared, 3 with --strict.\n"
        "The last line names everything that was found.\n");
}

/* The spread between run A and a second run of the same becomes the minimum effect. */
static bool take_spread(const struct results *a, const char *path, struct diff_options *how,
                        struct error *e)
{
    struct results again;
    if (!results_read(path, &again, e))
        return false;
    bool ok = diff_spread(a, &again, &how->minimum_effect, e);
    results_free(&again);
    return ok;
}

struct diff_options diff_read_options(const struct diff_arguments *a)
{
    static const unsigned kinds[DIFF_FINDINGS] = {FAIL_SLOW, FAIL_WRONG, FAIL_MISSING, FAIL_COUNTS,
                                                  0};
    bool given = false;
    unsigned fail_on = 0;
    for (int i = 0; i < DIFF_FINDINGS; i++) {
        given = given || a->fail_on[i];
        fail_on |= a->fail_on[i] ? kinds[i] : 0;
    }
    return (struct diff_options){
        .minimum_effect = isnan(a->minimum_effect) ? 0.01 : a->minimum_effect,
        .error_rate = a->error_rate,
        .fail_on = (given ? fail_on : FAIL_BY_DEFAULT) | (a->bits ? FAIL_BITS : 0)};
}

int diff_show(const struct diff *d, const struct diff_arguments *a, struct error *e)
{
    struct view v = {0};
    diff_view(d, a->strict, &v);
    int code = view_output(&v, &a->output, e) ? diff_exit_code(d, a->strict) : EXIT_REFUSED;
    view_free(&v);
    return code;
}

static int compare(const struct diff_command *c, const struct results runs[2],
                   const struct diff_options *how, struct error *e)
{
    struct diff d;
    if (!diff_runs(&runs[0], &runs[1], how, &d, e))
        return EXIT_REFUSED;
    int code = diff_show(&d, &c->diff, e);
    diff_free(&d);
    return code;
}

int command_diff(int count, char **arguments, struct error *e)
{
    struct diff_command a = {.diff.minimum_effect = NAN};
    const char *paths[64]; /* more than two are told what answers for them */
    struct operands operands = {.items = paths, .max = sizeof paths / sizeof *paths};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (operands.count < 2) {
        FAIL(e, ERROR_USAGE, "diff needs two runs: redsweep diff A B");
        return EXIT_REFUSED;
    }
    if (operands.count > 2) {
        FAIL(e, ERROR_USAGE,
             "diff compares two runs; redsweep best --across-cards RUN RUN... finds the best "
             "configuration on all of several cards");
        return EXIT_REFUSED;
    }
    if (a.again && !isnan(a.diff.minimum_effect)) {
        FAIL(e, ERROR_USAGE, "--aa measures the minimum effect that --min-effect gives; name one");
        return EXIT_REFUSED;
    }
    struct diff_options how = diff_read_options(&a.diff);
    how.across_cards = a.across_cards;
    struct results runs[2];
    if (!results_read(paths[0], &runs[0], e))
        return EXIT_REFUSED;
    int code = EXIT_REFUSED;
    if ((!a.again || take_spread(&runs[0], a.again, &how, e)) &&
        results_read(paths[1], &runs[1], e)) {
        code = compare(&a, runs, &how, e);
        results_free(&runs[1]);
    }
    results_free(&runs[0]);
    return code;
}
