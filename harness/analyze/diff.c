/* Implements diff.h, which states the rules. */
#include "analyze/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/adjust.h"
#include "analyze/pool.h"
#include "base/memory.h"
#include "base/statistics.h"

const char *verdict_name(enum verdict v)
{
    static const char *const names[VERDICT_COUNT] = {"",        "FAST",   "SLOW",  "SAME",
                                                     "UNKNOWN", "BROKEN", "FIXED", "UNTIMED"};
    return names[v];
}

struct estimate diff_time(const struct results *r, size_t row)
{
    double median = results_good(r, row) ? column_number(r->known.time_us_median, row) : NAN;
    if (!isfinite(median) || median <= 0)
        return (struct estimate){NAN, NAN, NAN};
    return (struct estimate){median, column_number(r->known.time_us_ci95_lo, row),
                             column_number(r->known.time_us_ci95_hi, row)};
}

struct estimate diff_ratio(const struct diff *d, size_t pair)
{
    const struct point_effect *effect = d->points[pair].effect;
    struct pair rows = d->match.pairs.items[pair];
    return effect ? effect->ratio : ratio_of(diff_time(d->a, rows.a), diff_time(d->b, rows.b));
}

double diff_share(const struct diff *d, const struct results *r, size_t row)
{
    return results_good(r, row)
               ? column_number(d->of_peak ? r->known.peak_pct : r->known.ceiling_pct, row)
               : NAN;
}

/* Returns whether the row's point was executed. If not, its result is neither right nor wrong. */
static bool was_run(const struct results *r, size_t row)
{
    const char *status = column_text(r->known.status, row);
    return strcmp(status, "skipped") != 0 && strcmp(status, "unsupported") != 0;
}

/*
 * Returns whether both rows of a pair come from the same device. Each row names its own device,
 * because a run may have both CPU and GPU rows.
 */
static bool rows_share_device(const struct diff *d, const struct pair *pair)
{
    return strcmp(column_text(d->a->known.device, pair->a),
                  column_text(d->b->known.device, pair->b)) == 0 &&
           strcmp(column_text(d->a->known.backend, pair->a),
                  column_text(d->b->known.backend, pair->b)) == 0;
}

/* Sets a pair's verdict if it is BROKEN, FIXED or UNTIMED. These do not depend on other pairs. */
static void compare_pair(const struct diff *d, const struct pair *pair, struct point_diff *p)
{
    bool ok_a = results_good(d->a, pair->a), ok_b = results_good(d->b, pair->b);
    if (ok_a != ok_b && was_run(d->a, pair->a) && was_run(d->b, pair->b))
        p->verdict = ok_a ? VERDICT_BROKEN : VERDICT_FIXED;
    if (ok_a && ok_b && (d->same_device || d->other_card) && rows_share_device(d, pair) &&
        isnan(diff_time(d->a, pair->a).value) != isnan(diff_time(d->b, pair->b).value))
        p->verdict = VERDICT_UNTIMED;
}

/*
 * Returns the number of a pair's problem. CPU rows get separate problems, because their times do
 * not share an offset with the GPU times in the same run.
 */
static size_t problem_of(struct diff *d, size_t pair)
{
    uint32_t row = d->match.pairs.items[pair].a;
    size_t number = row_keys_number(&d->problems, d->problem_columns.items, row);
    if (number == d->problem_pairs.count)
        vec_push(&d->problem_pairs, pair);
    return number;
}

static enum verdict verdict_of_time(enum time_verdict v)
{
    static const enum verdict verdicts[TIME_VERDICTS] = {[TIME_UNKNOWN] = VERDICT_UNKNOWN,
                                                         [TIME_FAST] = VERDICT_FAST,
                                                         [TIME_SLOW] = VERDICT_SLOW,
                                                         [TIME_SAME] = VERDICT_SAME};
    return verdicts[v];
}

/*
 * Fills in the times of a row's processes. A pool has several processes. A single run has one
 * process, and the function then returns false unless the row's samples alternated between
 * placements.
 */
static bool process_times(const struct results *r, size_t row, struct process_times *out)
{
    if (!r->pooled)
        return process_times_of_placements(r, row, out);
    *out = r->pooled[row];
    return out->processes > 0;
}

static struct estimate estimate_of(double us, double error)
{
    return (struct estimate){us, us - Z_95 * error, us + Z_95 * error};
}

/*
 * Fills in the times of a pair from the times of its processes. Returns false if these are unknown,
 * or if one process measured both sides. Samples taken with the same placement of the buffers
 * deviate in the same way, so they are not independent. Each row is therefore represented by its
 * trimmed mean, with one degree of freedom fewer than there are placements. All points of the
 * kernel share the error due to placements.
 *
 * If a side has several processes, its value is the mean over them. Processes differ by more than
 * their own errors explain. This excess is estimated from both sides together and included in the
 * error of the mean. All points of the kernel share the excess, too.
 */
static bool take_process_times(const struct diff *d, struct pair rows, struct timed_pair *t)
{
    struct process_times a, b;
    if (d->margins.one_process || !process_times(d->a, rows.a, &a) ||
        !process_times(d->b, rows.b, &b))
        return false;
    double square_a = a.us * a.us, square_b = b.us * b.us;
    double within_a = a.variance / square_a, within_b = b.variance / square_b;
    double more = a.processes + b.processes - 2;
    double share_a = 1.0 / a.processes, share_b = 1.0 / b.processes, beyond = 0;
    if (more > 0)
        beyond = (a.deviations / square_a + b.deviations / square_b) / more * (share_a + share_b);
    beyond = fmax(0, beyond - within_a - within_b);
    double beyond_a = beyond * share_a / (share_a + share_b);
    t->a = estimate_of(a.us, a.us * sqrt(within_a + beyond_a));
    t->b = estimate_of(b.us, b.us * sqrt(within_b + beyond - beyond_a));
    t->placed = true;
    t->median_a = a.median;
    t->median_b = b.median;
    t->least_us = b.shortest - a.longest;
    t->most_us = b.longest - a.shortest;
    t->processes = a.processes < b.processes ? a.processes : b.processes;
    t->shared = sqrt(a.shared / square_a + b.shared / square_b);
    t->beyond = sqrt(beyond);
    t->beyond_freedom = more;
    t->freedom = fmin(a.freedom, b.freedom);
    if (within_a + within_b > 0) /* See Welch, Biometrika 34 (1947). */
        t->freedom = pow(within_a + within_b, 2) /
                     (within_a * within_a / a.freedom + within_b * within_b / b.freedom);
    return true;
}

static struct timed_pair timed_pair(const void *diff, size_t i)
{
    const struct diff *d = diff;
    const struct timed_point *point = &d->timed.items[i];
    struct pair rows = d->match.pairs.items[point->pair];
    size_t count_a, count_b;
    struct timed_pair t = {.group = point->problem,
                           .kernel = point->kernel,
                           .a = diff_time(d->a, rows.a),
                           .b = diff_time(d->b, rows.b)};
    if (take_process_times(d, rows, &t))
        return t;
    t.samples_a = results_samples(d->a, rows.a, &count_a);
    t.samples_b = results_samples(d->b, rows.b, &count_b);
    t.count_a = (uint32_t)count_a;
    t.count_b = (uint32_t)count_b;
    return t;
}

/* Judges all pairs in which both times come from one device. */
static void judge_times(struct diff *d)
{
    match_columns(d->a, key_problem(), NULL, &d->problem_columns);
    vec_push(&d->problem_columns,
             (struct key_column){.column = d->a->known.backend, .number = NAN});
    d->problems.column_count = d->problem_columns.count;
    /* There may be 10^6 pairs, so reserve memory once. */
    if (d->same_device)
        vec_reserve(&d->timed, d->match.pairs.count);
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        const struct pair *pair = &d->match.pairs.items[i];
        if (!d->same_device || isnan(diff_ratio(d, i).value) || !rows_share_device(d, pair))
            continue;
        if (results_raced(d->a, pair->a) || results_raced(d->b, pair->b)) {
            /*
             * The search stopped sampling such a row because of its times, so its few samples are
             * biased.
             */
            d->points[i].verdict = VERDICT_UNKNOWN;
            continue;
        }
        const char *kernel = results_axis(d->a, pair->a, AXIS_kernel);
        vec_push(&d->timed, (struct timed_point){(uint32_t)i, (uint32_t)problem_of(d, i),
                                                 (uint32_t)numbering_add(&d->kernels, kernel)});
    }
    const struct times_rule rule = {d->options.minimum_effect, d->options.error_rate, d->margins};
    const struct timed_pairs pairs = {d->timed.count, timed_pair, d};
    times_judge(pairs, d->problems.first.count, d->kernels.texts.count, &rule, &d->times);
    for (size_t i = 0; i < d->timed.count; i++) {
        struct point_diff *p = &d->points[d->timed.items[i].pair];
        p->effect = &d->times.points[i];
        p->verdict = verdict_of_time(p->effect->verdict);
    }
}

/* Returns the logarithm of b / a for the measured medians of a pair. */
static double log_of_change(const struct diff *d, size_t pair)
{
    const struct pair *rows = &d->match.pairs.items[pair];
    return log(diff_time(d->b, rows->b).value / diff_time(d->a, rows->a).value);
}

/* Summarizes the pairs of one kernel, or of all kernels if `kernel` is NULL. */
static struct diff_summary summary_of(const struct diff *d, const char *kernel)
{
    size_t count = d->match.pairs.count, count_a = 0, count_b = 0;
    double *a = xcalloc(2 * count + 2, sizeof *a), *b = a + count + 1, logs = 0;
    struct diff_summary s = {.kernel = kernel};
    for (size_t i = 0; i < count; i++) {
        const struct point_diff *p = &d->points[i];
        struct pair rows = d->match.pairs.items[i];
        if (kernel && strcmp(kernel, results_axis(d->a, rows.a, AXIS_kernel)) != 0)
            continue;
        s.verdicts[p->verdict]++;
        if (isnan(diff_ratio(d, i).value))
            continue;
        s.timed++;
        logs += log_of_change(d, i);
        a[count_a] = diff_share(d, d->a, rows.a);
        count_a += !isnan(a[count_a]);
        b[count_b] = diff_share(d, d->b, rows.b);
        count_b += !isnan(b[count_b]);
    }
    s.geometric_mean = s.timed ? exp(logs / (double)s.timed) : NAN;
    s.share_a = median_in_place(a, count_a);
    s.share_b = median_in_place(b, count_b);
    size_t number = kernel ? numbering_find(&d->kernels, kernel) : 0;
    if (d->timed.count > 0 && number != NUMBERING_NONE)
        s.effect = kernel ? &d->times.kernels[number] : &d->times.all;
    free(a);
    return s;
}

static void summarise(struct diff *d)
{
    struct numbering names = {0};
    VEC(struct diff_summary) kernels = {0};
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        const char *kernel = results_axis(d->a, d->match.pairs.items[i].a, AXIS_kernel);
        if (numbering_add(&names, kernel) == kernels.count)
            vec_push(&kernels, summary_of(d, kernel));
    }
    for (size_t i = 0; i < kernels.count; i++)
        if (kernels.items[i].timed)
            vec_push(&d->summaries, kernels.items[i]);
    d->timed_kernels = d->summaries.count;
    vec_push(&d->summaries, summary_of(d, NULL));
    for (size_t i = 0; i < kernels.count; i++)
        if (!kernels.items[i].timed)
            vec_push(&d->summaries, kernels.items[i]);
    d->all = &d->summaries.items[d->timed_kernels];
    vec_free(&kernels);
    numbering_free(&names);
}

/*
 * Returns whether any row of the run has a ceiling_pct. Shares can then be relative to the device's
 * measured ceiling.
 */
static bool has_ceiling(const struct results *r)
{
    bool any = false;
    for (size_t row = 0; !any && row < r->rows.row_count; row++)
        any = !isnan(column_number(r->known.ceiling_pct, row));
    return any;
}

static bool refuse_no_match(const struct diff *d, struct error *e)
{
    struct text names = {0};
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (results_has_axis(d->a, i))
            text_append(&names, "%s%s", i ? "," : "", axis_table[i].name);
    FAIL(e, ERROR_CONFIG,
         "the runs have no point in common: none of the %zu rows of %s has the same axes and "
         "tunables as any of the %zu rows of %s; `redsweep show RUN --columns %s` lists a run's "
         "points",
         d->a->rows.row_count, d->a->path, d->b->rows.row_count, d->b->path, names.bytes);
    text_free(&names);
    return false;
}

bool diff_runs(const struct results *a, const struct results *b, const struct diff_options *options,
               struct diff *out, struct error *e)
{
    *out = (struct diff){
        .a = a, .b = b, .axes = results_axes(a, 1) | results_axes(b, 1), .options = *options};
    match_runs(a, b, &out->match);
    if (out->match.pairs.count == 0 && !results_published(a)) {
        refuse_no_match(out, e);
        diff_free(out);
        return false;
    }
    bool same_model = strcmp(results_device(a), results_device(b)) == 0 &&
                      strcmp(results_backend(a), results_backend(b)) == 0;
    if (same_model && !diff_cards(a, b, options->minimum_effect, &out->cards, e)) {
        diff_free(out);
        return false;
    }
    out->other_card = same_model && out->cards.other;
    out->same_device = same_model && (!out->other_card || options->across_cards);
    if (out->same_device)
        out->margins = launch_margins(a, b);
    out->of_peak = !has_ceiling(a) || !has_ceiling(b);
    out->points = xcalloc(out->match.pairs.count + 1, sizeof *out->points);
    for (size_t i = 0; i < out->match.pairs.count; i++)
        compare_pair(out, &out->match.pairs.items[i], &out->points[i]);
    judge_times(out);
    summarise(out);
    diff_metrics(out);
    diff_transfers(out);
    diff_provenance(a, b, &out->changes);
    if (results_published(a))
        diff_published(out);
    diff_find(out);
    if (!results_published(a) || out->figures.count)
        return true;
    diff_free(out);
    return FAIL(
        e, ERROR_CONFIG,
        "%s contains neither times nor metrics, so nothing can be compared; name a table that "
        "contains some",
        a->path);
}

void diff_free(struct diff *d)
{
    for (size_t i = 0; i < d->figures.count; i++)
        free(d->figures.items[i].why);
    vec_free(&d->figures);
    vec_free(&d->lost);
    vec_free(&d->summaries);
    vec_free(&d->metrics);
    vec_free(&d->transfers);
    match_free(&d->match);
    free(d->points);
    times_free(&d->times);
    vec_free(&d->timed);
    numbering_free(&d->kernels);
    row_keys_free(&d->problems);
    vec_free(&d->problem_columns);
    vec_free(&d->problem_pairs);
    text_free(&d->changes);
    memset(d, 0, sizeof *d);
}

const struct diff_options diff_default_options = {
    .minimum_effect = 0.01, .error_rate = 0.05, .fail_on = FAIL_BY_DEFAULT};

bool diff_spread(const struct results *a, const struct results *again, double *share,
                 struct error *e)
{
    struct diff d;
    if (!diff_runs(a, again, &diff_default_options, &d, e))
        return false;
    VEC(double) sizes = {0};
    for (size_t i = 0; i < d.timed.count; i++)
        vec_push(&sizes, fabs(log_of_change(&d, d.timed.items[i].pair)));
    diff_free(&d);
    if (!sizes.count)
        return FAIL(e, ERROR_CONFIG,
                    "%s and %s have no times of the same device in common, so the spread between "
                    "processes is unknown; measure the config twice on one device",
                    a->path, again->path);
    sort_numbers(sizes.items, sizes.count);
    /* the rank of the 95th percentile */
    size_t rank = (95 * sizes.count + 99) / 100;
    *share = exp(sizes.items[rank - 1]) - 1;
    vec_free(&sizes);
    return true;
}

static double size_of_change(const struct diff *d, size_t pair)
{
    return fabs(log(diff_ratio(d, pair).value));
}

/*
 * Inserts each pair into a short sorted list. If the list is full, the smallest change drops off
 * the end.
 */
size_t diff_largest(const struct diff *d, enum verdict v, size_t *pairs, size_t max)
{
    size_t count = 0;
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        if (d->points[i].verdict != v)
            continue;
        size_t at = count;
        while (at > 0 && size_of_change(d, i) > size_of_change(d, pairs[at - 1]))
            at--;
        if (at == max)
            continue;
        if (count < max)
            count++;
        memmove(pairs + at + 1, pairs + at, (count - 1 - at) * sizeof *pairs);
        pairs[at] = i;
    }
    return count;
}
