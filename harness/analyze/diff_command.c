/* Implements redsweep diff, which compares two runs. Its exit code can block a merge. */
#include "analyze/commands.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff_arguments.h"
#include "analyze/pool.h"
#include "base/memory.h"

const char *const diff_finding_names[DIFF_FINDINGS] = {"slow", "wrong", "missing", "counts",
                                                       "none"};

enum { RUNS_MAX = 64 };

/* A side of the comparison: one run, or runs of the same version in several processes. */
struct side {
    const char *paths[RUNS_MAX];
    int count;
};

struct diff_command {
    struct diff_arguments diff;
    struct side baseline, candidate;
    const char *again;
    bool across_cards;
};

#define AT(member) .offset = offsetof(struct diff_command, member)

/* Reads the next run of a side. */
static bool read_run_of_side(const struct reading *r, const struct field *f,
                             const struct field_path *at, const cJSON *value)
{
    struct side *side = field_member(r, f->offset);
    if (side->count == RUNS_MAX)
        return REFUSE(r, at, "too many runs; name at most %d", RUNS_MAX);
    struct reading into = *r;
    struct field path = *f;
    into.object = &side->paths[side->count++];
    path.offset = 0;
    return field_argument(&into, &path, at, value);
}

static const struct field options[] = {
    {"--baseline", NULL, read_run_of_side, AT(baseline),
     HELP("RUN...", "several runs in place of A, each measured by its own process; the list ends "
                    "at the next option")},
    {"--candidate", NULL, read_run_of_side, AT(candidate),
     HELP("RUN...", "several runs in place of B")},
    DIFF_OPTIONS(struct diff_command, diff),
    {"--aa", NULL, field_argument, AT(again),
     HELP("RUN", "a second run of A's config; the minimum effect becomes the difference between "
                 "this run and A")},
    {"--across-cards", NULL, field_switch, AT(across_cards),
     HELP(NULL, "also judge the times of two cards of the same model")},
    {0}};

void help_diff(void)
{
    printf(
        "Compares run B with run A. A and B are the runs' folders or their results.csv. The runs\n"
        "may have different devices, kernels and axes. Points match if all their axes and tunables "
        "are\n"
        "equal. A may also be a published table (results/published); then each cell of the table\n"
        "is compared.\n"
        "    redsweep diff A B\n"
        "    redsweep diff --baseline A1 A2 --candidate B1 B2\n"
        "A single run per side does not show how much one process differs from the next. Several\n"
        "runs per side do, and may decide points that two runs leave UNKNOWN.\n"
        "\n");
    options_print(options);
    printf(
        "\n"
        "If both runs are from one card, points, kernels at one problem, kernels as a whole and\n"
        "the whole run get a verdict. Times of two cards get none without --across-cards.\n"
        "    SLOW      B is certainly slower than A, by more than the minimum effect\n"
        "    FAST      B is certainly faster than A, by more than the minimum effect\n"
        "    SAME      the change is certainly smaller than the minimum effect\n"
        "    UNKNOWN   none of these is certain; `detectable` is the smallest change that would\n"
        "              have been found\n"
        "    BROKEN    (only points) the point is ok in A, but not in B\n"
        "    FIXED     (only points) the point is ok in B, but not in A\n"
        "    UNTIMED   (only points) the point has a time in only one run\n"
        "\n"
        "Exit codes: 0 none of the findings in --fail-on occurred, 1 at least one of them\n"
        "occurred, or a count of a published table differs or is missing, 2 usage error, no point\n"
        "in common, or nothing was compared, 3 (only with --strict) none of the findings in\n"
        "--fail-on occurred, but at least one point is UNKNOWN.\n"
        "The last line of the output names everything that was found.\n");
}

/* Reads the runs of a side and pools them in out[0]. The caller frees `count` runs. */
static bool read_side(const struct side *side, bool across_cards, struct results *out, int *count,
                      struct error *e)
{
    for (*count = 0; *count < side->count; (*count)++)
        if (!results_read(side->paths[*count], &out[*count], e))
            return false;
    return results_pool(out, (size_t)side->count, across_cards, e);
}

static void free_side(struct results *runs, int count)
{
    for (int i = 0; i < count; i++)
        results_free(&runs[i]);
    free(runs);
}

/* Sets the minimum effect to the spread between run A and another run of the same version. */
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
        .minimum_effect =
            isnan(a->minimum_effect) ? diff_default_options.minimum_effect : a->minimum_effect,
        .error_rate = a->error_rate,
        .fail_on = (given ? fail_on : FAIL_BY_DEFAULT) | (a->bits ? FAIL_BITS : 0)};
}

int diff_show(const struct diff *d, const struct diff_arguments *a, struct error *e)
{
    struct view v = {0};
    const struct results both[2] = {*d->a, *d->b}; /* a->charts() takes an array. */
    char *charts = a->output.html && a->charts ? a->charts(both, 2) : NULL;
    diff_view(d, a->strict, charts, &v);
    int code = view_output(&v, &a->output, e) ? diff_exit_code(d, a->strict) : EXIT_REFUSED;
    view_free(&v);
    free(charts);
    return code;
}

static int compare(const struct diff_command *c, struct error *e)
{
    struct diff_options how = diff_read_options(&c->diff);
    how.across_cards = c->across_cards;
    struct results *a = xcalloc(RUNS_MAX, sizeof *a), *b = xcalloc(RUNS_MAX, sizeof *b);
    int count_a = 0, count_b = 0, code = EXIT_REFUSED;
    struct diff d;
    if (read_side(&c->baseline, how.across_cards, a, &count_a, e) &&
        (!c->again || take_spread(a, c->again, &how, e)) &&
        read_side(&c->candidate, how.across_cards, b, &count_b, e) &&
        diff_runs(a, b, &how, &d, e)) {
        code = diff_show(&d, &c->diff, e);
        diff_free(&d);
    }
    free_side(a, count_a);
    free_side(b, count_b);
    return code;
}

/*
 * Expands the short form `--baseline A B` to `--baseline A --baseline B` in `out`. Returns the
 * number of arguments in `out`.
 */
static int spell_out_sides(int count, char **arguments, char **out)
{
    char *side = NULL;
    int spelt = 0;
    for (int i = 0; i < count; i++) {
        bool option = strncmp(arguments[i], "--", 2) == 0;
        bool names_side =
            strcmp(arguments[i], "--baseline") == 0 || strcmp(arguments[i], "--candidate") == 0;
        if (!option && side && i > 0 && strcmp(arguments[i - 1], side) != 0)
            out[spelt++] = side;
        if (option)
            side = names_side ? arguments[i] : NULL;
        out[spelt++] = arguments[i];
    }
    return spelt;
}

/*
 * Takes A and B from the operands or from --baseline and --candidate. Using both forms is an error.
 */
static bool choose_sides(struct diff_command *a, const struct operands *operands, struct error *e)
{
    bool sides = a->baseline.count > 0 || a->candidate.count > 0;
    if (sides && operands->count > 0)
        return FAIL(e, ERROR_USAGE,
                    "%s belongs to neither side; write it after --baseline or --candidate",
                    operands->items[0]);
    if (sides && (a->baseline.count == 0 || a->candidate.count == 0))
        return FAIL(e, ERROR_USAGE, "--%s needs --%s with the runs of the other side",
                    a->baseline.count ? "baseline" : "candidate",
                    a->baseline.count ? "candidate" : "baseline");
    if (!sides && operands->count < 2)
        return FAIL(e, ERROR_USAGE, "diff needs two runs; write redsweep diff A B");
    if (operands->count > 2)
        return FAIL(e, ERROR_USAGE,
                    "redsweep diff compares two runs, or several runs of two sides (--baseline A1 "
                    "A2 --candidate B1 B2); use redsweep best --across-cards RUN RUN... to find "
                    "the configuration that is best across several cards");
    if (!sides) {
        a->baseline = (struct side){{operands->items[0]}, 1};
        a->candidate = (struct side){{operands->items[1]}, 1};
    }
    if (a->again && !isnan(a->diff.minimum_effect))
        return FAIL(
            e, ERROR_USAGE,
            "--aa measures the minimum effect, and --min-effect states it; use only one of them");
    return true;
}

int diff_command(int count, char **arguments,
                 char *(*charts)(const struct results *runs, size_t count), struct error *e)
{
    struct diff_command a = {.diff.minimum_effect = NAN, .diff.charts = charts};
    /* If there are more than two operands, a message names the options. */
    const char *paths[RUNS_MAX];
    struct operands operands = {.items = paths, .max = RUNS_MAX};
    char **spelt = xcalloc(2 * (size_t)count + 1, sizeof *spelt);
    count = spell_out_sides(count, arguments, spelt);
    bool ok =
        options_read(options, &a, count, spelt, &operands, e) && choose_sides(&a, &operands, e);
    int code = ok ? compare(&a, e) : EXIT_REFUSED;
    free(spelt);
    return code;
}
