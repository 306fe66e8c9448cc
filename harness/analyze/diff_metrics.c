/*
 * Compares the counts of two runs. Counts that depend only on the kernel's code are compared
 * exactly. All other counts agree if they differ by no more than the minimum effect.
 *
 * A count is compared exactly only if both devices count in the same way. Kepler counts
 * transactions in 128-byte lines, while later chips count 32-byte sectors (metrics/table.c has
 * formulas for the chip "kepler"). The simulator executes PTX and a GPU executes SASS, so
 * instruction counts differ while memory requests are the same. Instruction counts also differ
 * between architectures. Counts extrapolated from a sample of the blocks are not compared exactly
 * either.
 */
#include "analyze/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/metrics.h"

/*
 * Returns the index of the metric's formula for the run's chip, or −1 if the chip uses the common
 * formula.
 */
static int special_formula(const struct metric *m, const struct results *r)
{
    const struct manifest_device *device = &r->manifest.provenance.device;
    bool kepler = strncmp(device->compute_capability, "3.", 2) == 0;
    for (int f = 0; f < METRIC_MAX_FORMULAS && m->formulas[f].formula; f++) {
        const char *only = m->formulas[f].chip;
        if (only &&
            (text_glob_match(only, device->chip) || (kepler && strcmp(only, "kepler") == 0)))
            return f;
    }
    return -1;
}

static bool counts_instructions(const struct metric *m)
{
    static const char *const parts[] = {"smsp__inst_executed.", "smsp__average_inst",
                                        "thread_inst_executed", "inst_issued"};
    for (int f = 0; f < METRIC_MAX_FORMULAS && m->formulas[f].formula; f++)
        for (int c = 0; c < METRIC_MAX_COUNTERS && m->formulas[f].counters[c]; c++)
            for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
                if (strstr(m->formulas[f].counters[c], parts[i]))
                    return true;
    return false;
}

static const char *rule_difference(const struct diff *d, const struct metric *m)
{
    if (!m)
        return "";
    bool simulated_a = strcmp(results_backend(d->a), "sim") == 0;
    bool simulated_b = strcmp(results_backend(d->b), "sim") == 0;
    if (special_formula(m, d->a) != special_formula(m, d->b))
        return "one device counts lines of 128 bytes, and the other counts sectors of 32 bytes";
    if (simulated_a != simulated_b && counts_instructions(m))
        return "the simulator counts PTX instructions, and the hardware counts machine "
               "instructions";
    if (strcmp(d->a->manifest.provenance.device.compute_capability,
               d->b->manifest.provenance.device.compute_capability) != 0 &&
        counts_instructions(m))
        return "the two architectures execute different instructions for the same source";
    return "";
}

static bool whole(const struct results *r, size_t row)
{
    double share = column_number(r->known.sampled_share, row);
    return isnan(share) || share >= 1;
}

int diff_places(const char *cell)
{
    const char *point = strchr(cell, '.');
    return point && !strpbrk(cell, "eE") ? (int)strspn(point + 1, "0123456789") : 0;
}

bool diff_equal_as_printed(double a, double b, int places)
{
    return a == b || (places > 0 && fabs(a - b) <= 0.5000001 * pow(10, -places));
}

/*
 * Returns whether the code alone determines the counts. The counts of a kernel that polls other
 * blocks, for example, vary.
 */
static bool counts_fixed(const struct diff *d, const struct pair *pair)
{
    return !results_counts_vary(d->a, pair->a) && !results_counts_vary(d->b, pair->b);
}

/*
 * Returns whether two printed cells are equal. Published tables round to a few decimal places:
 * 25.0122 is printed as 25.01. A number without decimal places is a count and is not rounded.
 */
static bool cells_equal(const char *a, const char *b)
{
    int places_a = diff_places(a), places_b = diff_places(b);
    return diff_equal_as_printed(strtod(a, NULL), strtod(b, NULL),
                                 places_a < places_b ? places_a : places_b);
}

/*
 * Returns whether b is worse than a: lower for a percentage of the best possible value, higher for
 * any other metric.
 */
static bool is_worse(const struct metric *m, double a, double b)
{
    return strcmp(m->unit, "%") == 0 ? b < a : b > a;
}

/* Returns whether a pair's values of a metric are compared exactly. */
static bool is_exact(const struct diff *d, const struct metric_diff *m, const struct pair *pair)
{
    return m->deterministic && counts_fixed(d, pair) && whole(d->a, pair->a) &&
           whole(d->b, pair->b);
}

/*
 * Returns whether the counts of a pair can be compared. If only one result is right, the two sides
 * did different work. Both results may be wrong: those of kernels that are not reductions always
 * are ("count_wrong").
 */
static bool counts_compare(const struct diff *d, const struct pair *pair)
{
    return (results_good(d->a, pair->a) && results_good(d->b, pair->b)) ||
           (results_wrong(d->a, pair->a) && results_wrong(d->b, pair->b));
}

bool diff_count_is_worse(const struct diff *d, const struct metric_diff *m, size_t i)
{
    const struct pair *pair = &d->match.pairs.items[i];
    double a = column_number(m->a, pair->a), b = column_number(m->b, pair->b);
    return !isnan(a) && !isnan(b) && counts_compare(d, pair) && is_exact(d, m, pair) && !*m->rule &&
           !cells_equal(column_cell(m->a, pair->a), column_cell(m->b, pair->b)) &&
           is_worse(metric_find(m->a->name), a, b);
}

size_t diff_worse_counts(const struct diff *d, size_t pair, struct text *names)
{
    size_t count = 0;
    for (size_t i = 0; i < d->metrics.count; i++)
        if (d->metrics.items[i].worse && diff_count_is_worse(d, &d->metrics.items[i], pair)) {
            if (names)
                text_append(names, "%s%s", count ? ", " : "", d->metrics.items[i].a->name);
            count++;
        }
    return names ? count : count > 0;
}

static void compare_metric(const struct diff *d, const struct metric *known, struct metric_diff *m)
{
    double logs = 0;
    size_t positive = 0;
    m->largest = m->geometric_mean = NAN;
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        const struct pair *pair = &d->match.pairs.items[i];
        double a = column_number(m->a, pair->a);
        double b = column_number(m->b, pair->b);
        if (isnan(a) || isnan(b) || !counts_compare(d, pair))
            continue;
        bool exact = is_exact(d, m, pair);
        m->both++;
        bool equal = exact ? cells_equal(column_cell(m->a, pair->a), column_cell(m->b, pair->b))
                           : fabs(b - a) <= d->options.minimum_effect * fabs(a);
        m->equal += equal;
        exact = exact && !*m->rule;
        m->exact += exact;
        if (exact && !equal) {
            bool worse = is_worse(known, a, b);
            m->worse += worse;
            m->better += !worse;
        }
        if (!(a > 0 && b > 0)) {
            if (a != b && isnan(m->largest))
                m->largest_pair = i;
            continue;
        }
        positive++;
        logs += log(b / a);
        if (isnan(m->largest) || fabs(log(b / a)) > fabs(log(m->largest))) {
            m->largest = b / a;
            m->largest_pair = i;
        }
    }
    if (positive)
        m->geometric_mean = exp(logs / (double)positive);
}

void diff_metrics(struct diff *d)
{
    for (size_t i = 0; i < d->a->rows.columns.count; i++) {
        const struct column *c = d->a->rows.columns.items[i];
        const struct column *other = table_find(&d->b->rows, c->name);
        if (d->a->columns[i].role != ROLE_METRIC || !other)
            continue;
        const struct metric *known = metric_find(c->name);
        struct metric_diff m = {.a = c,
                                .b = other,
                                .deterministic = known && known->deterministic,
                                .rule = rule_difference(d, known)};
        compare_metric(d, known, &m);
        if (m.both)
            vec_push(&d->metrics, m);
    }
}
