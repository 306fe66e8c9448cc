/*
 * Comparing the times of two runs: see diff.h for the rules.
 */
#include "compare/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "compare/repeat.h"

const char *verdict_name(enum verdict v)
{
    static const char *const names[VERDICT_COUNT] = {"",      "FAST",   "SLOW", "SAME",
                                                     "AMBIG", "BROKEN", "FIXED"};
    return names[v];
}

static struct estimate time_of(const struct results *r, size_t row)
{
    return (struct estimate){results_number(r, row, "time_us_median"),
                             results_number(r, row, "time_us_ci95_lo"),
                             results_number(r, row, "time_us_ci95_hi")};
}

/* A row that nobody ran is neither right nor wrong. */
static bool was_run(const struct results *r, size_t row)
{
    const char *status = results_text(r, row, "status");
    return strcmp(status, "skipped") != 0 && strcmp(status, "unsupported") != 0;
}

/* Within one run the CPU's rows may stand beside those of the GPU: each row names its own device.
 */
static bool rows_share_device(const struct diff *d, const struct pair *pair)
{
    return strcmp(results_text(d->a, pair->a, "device"), results_text(d->b, pair->b, "device")) ==
               0 &&
           strcmp(results_text(d->a, pair->a, "backend"), results_text(d->b, pair->b, "backend")) ==
               0;
}

/* How far b's times are moved towards a's: as far as the margin allows. */
static double towards(const struct diff *d, const struct point_diff *p)
{
    double margin = d->margin.step_us + d->margin.context_us, gap = p->b.value - p->a.value;
    return fmax(-margin, fmin(margin, gap));
}

static bool test_samples(const struct diff *d, const struct pair *pair, double shift,
                         struct rank_test *out)
{
    size_t count_a, count_b;
    const double *a = results_samples(d->a, pair->a, &count_a);
    const double *b = results_samples(d->b, pair->b, &count_b);
    double *moved = malloc((count_b + 1) * sizeof *moved);
    /* Rounded to what times are written with, so that equal ones stay equal. */
    for (size_t i = 0; moved && i < count_b; i++)
        moved[i] = shift == 0 ? b[i] : round((b[i] - shift) * 1e6) / 1e6;
    bool ok = moved && rank_test(a, count_a, moved, count_b, out);
    free(moved);
    return ok;
}

/* Everything about a pair but its verdict, which needs all the others. */
static bool compare_pair(const struct diff *d, const struct pair *pair, struct point_diff *p)
{
    *p = (struct point_diff){.p = NAN, .q = NAN, .share_a = NAN, .share_b = NAN};
    p->a = p->b = p->ratio = p->beyond = (struct estimate){NAN, NAN, NAN};
    bool ok_a = results_ok(d->a, pair->a), ok_b = results_ok(d->b, pair->b);
    if (ok_a != ok_b && was_run(d->a, pair->a) && was_run(d->b, pair->b))
        p->verdict = ok_a ? VERDICT_BROKEN : VERDICT_FIXED;
    if (ok_a) {
        p->a = time_of(d->a, pair->a);
        p->share_a = results_number(d->a, pair->a, d->ceiling);
    }
    if (ok_b) {
        p->b = time_of(d->b, pair->b);
        p->share_b = results_number(d->b, pair->b, d->ceiling);
    }
    p->ratio = ratio_of(p->a, p->b);
    p->repeat_a = repeat_of(d->a, pair->a);
    p->repeat_b = repeat_of(d->b, pair->b);
    p->excess_a = repeat_excess_us(d->a, pair->a, d->b, pair->b);
    p->excess_b = repeat_excess_us(d->b, pair->b, d->a, pair->a);
    p->judged = d->same_device && rows_share_device(d, pair);
    if (!p->judged || isnan(p->ratio.value))
        return true;
    double shift = towards(d, p);
    struct rank_test test = {.p = NAN};
    if (!test_samples(d, pair, shift, &test))
        return false;
    p->beyond =
        ratio_of(p->a, (struct estimate){p->b.value - shift, p->b.low - shift, p->b.high - shift});
    p->from_interval = isnan(test.p);
    p->p = p->from_interval ? ratio_p(p->beyond) : test.p;
    p->least_p = p->from_interval ? 0 : test.least_p;
    return true;
}

static bool beyond(double ratio, double least_effect)
{
    return ratio > 1 + least_effect || ratio < 1 / (1 + least_effect);
}

/*
 * Is the change more than what timing other numbers of launches together may make of it? Only the
 * longer time can be too long by that; an unknown excess (NaN) says no.
 */
static bool outlasts_repeat(const struct diff_options *o, const struct point_diff *p)
{
    double factor = p->ratio.value > 1 ? (p->b.value - p->excess_b) / p->b.value
                                       : p->a.value / (p->a.value - p->excess_a);
    double value = p->ratio.value * factor;
    return p->ratio.value > 1 ? value > 1 + o->least_effect && p->ratio.low * factor > 1
                              : value < 1 / (1 + o->least_effect) && p->ratio.high * factor < 1;
}

static void judge(const struct diff_options *o, struct point_diff *p)
{
    if (p->verdict != VERDICT_NONE || isnan(p->ratio.value))
        return;
    const struct estimate *r = &p->ratio, *moved = &p->beyond;
    bool known = !isnan(r->low) && !isnan(r->high);
    bool large = beyond(r->value, o->least_effect);
    bool found = p->q <= o->rate; /* false for NaN */
    bool wide = !known || beyond(r->low, o->least_effect) || beyond(r->high, o->least_effect);
    if (found && large && known && (moved->low > 1 || moved->high < 1))
        p->verdict = r->value > 1 ? VERDICT_SLOW : VERDICT_FAST;
    else if (found ? wide : large && (isnan(p->p) || p->least_p > o->rate))
        p->verdict = VERDICT_AMBIG;
    else
        p->verdict = VERDICT_SAME;
    p->by_repeat = (p->verdict == VERDICT_SLOW || p->verdict == VERDICT_FAST) &&
                   p->repeat_a != p->repeat_b && !outlasts_repeat(o, p);
    if (p->by_repeat)
        p->verdict = VERDICT_AMBIG;
    p->blind = p->verdict == VERDICT_SAME && wide;
}

static bool judge_all(struct diff *d)
{
    size_t count = d->match.pair_count;
    double *list = calloc(2 * count + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        list[i] = d->points[i].p;
    bool ok = list && false_discovery(list, count, list + count);
    for (size_t i = 0; ok && i < count; i++) {
        d->points[i].q = list[count + i];
        if (d->points[i].judged)
            judge(&d->options, &d->points[i]);
    }
    free(list);
    return ok;
}

/* Sums up the pairs of one kernel, or of all (NULL). `scratch` holds 2 numbers a pair. */
static void summarise(const struct diff *d, const char *kernel, double *scratch,
                      struct diff_summary *s)
{
    size_t count = d->match.pair_count, shares_a = 0, shares_b = 0;
    double *b = scratch + count, logs = 0;
    *s = (struct diff_summary){.kernel = kernel};
    for (size_t i = 0; i < count; i++) {
        const struct point_diff *p = &d->points[i];
        if (kernel && strcmp(kernel, results_text(d->a, d->match.pairs[i].a, "kernel")) != 0)
            continue;
        s->verdicts[p->verdict]++;
        s->blind += p->blind;
        if (isnan(p->ratio.value))
            continue;
        s->timed++;
        s->other_repeat += p->repeat_a != p->repeat_b;
        s->by_repeat += p->by_repeat;
        logs += log(p->ratio.value);
        if (!isnan(p->share_a))
            scratch[shares_a++] = p->share_a;
        if (!isnan(p->share_b))
            b[shares_b++] = p->share_b;
    }
    s->geometric_mean = s->timed ? exp(logs / (double)s->timed) : NAN;
    s->share_a = median_in_place(scratch, shares_a);
    s->share_b = median_in_place(b, shares_b);
}

static bool summarise_all(struct diff *d)
{
    size_t count = d->match.pair_count;
    double *scratch = malloc((2 * count + 1) * sizeof *scratch);
    struct lookup seen = {0};
    d->kernels = calloc(count + 1, sizeof *d->kernels);
    bool ok = scratch && d->kernels;
    if (ok)
        summarise(d, NULL, scratch, &d->all);
    for (size_t i = 0; ok && i < count; i++) {
        const char *kernel = results_text(d->a, d->match.pairs[i].a, "kernel");
        if (lookup_find(&seen, kernel) != LOOKUP_NONE)
            continue;
        ok = lookup_add(&seen, kernel, i);
        summarise(d, kernel, scratch, &d->kernels[d->kernel_count++]);
    }
    lookup_free(&seen);
    free(scratch);
    return ok;
}

/* ceiling_pct (of what the device was measured to reach) where both have it, else peak_pct. */
static const char *choose_ceiling(const struct results *a, const struct results *b)
{
    const struct results *runs[] = {a, b};
    for (int i = 0; i < 2; i++) {
        bool any = false;
        for (size_t row = 0; !any && row < runs[i]->rows.row_count; row++)
            any = !isnan(results_number(runs[i], row, "ceiling_pct"));
        if (!any)
            return "peak_pct";
    }
    return "ceiling_pct";
}

static bool refuse_no_match(const struct diff *d, struct error *e)
{
    return FAIL(e, ERROR_CONFIG,
                "no point is in both runs: %s has %zu rows and %s has %zu, and no two agree in "
                "kernel, type, op, n, block, unroll, tunables, cache and scope; `redsweep show RUN "
                "--columns kernel,type,op,n,block,unroll,cache,scope` lists what a run holds",
                d->a->path, d->a->rows.row_count, d->b->path, d->b->rows.row_count);
}

bool diff_runs(const struct results *a, const struct results *b, const struct diff_options *options,
               struct diff *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    out->a = a;
    out->b = b;
    out->options = *options;
    if (!match_runs(a, b, &out->match, e))
        return false;
    if (out->match.pair_count == 0) {
        refuse_no_match(out, e);
        diff_free(out);
        return false;
    }
    out->same_device = strcmp(results_device(a), results_device(b)) == 0 &&
                       strcmp(results_backend(a), results_backend(b)) == 0;
    if (out->same_device)
        out->margin = launch_margin(a, b);
    out->ceiling = choose_ceiling(a, b);
    out->points = calloc(out->match.pair_count, sizeof *out->points);
    bool ok = out->points != NULL;
    for (size_t i = 0; ok && i < out->match.pair_count; i++)
        ok = compare_pair(out, &out->match.pairs[i], &out->points[i]);
    ok = ok && judge_all(out) && summarise_all(out) && diff_metrics(out) &&
         (out->same_device || diff_transfers(out));
    if (ok)
        diff_provenance(a, b, &out->changes);
    if (ok && !out->changes.failed)
        return true;
    diff_free(out);
    return FAIL(e, ERROR_MEMORY, "out of memory while comparing %s and %s", a->path, b->path);
}

void diff_free(struct diff *d)
{
    match_free(&d->match);
    free(d->points);
    free(d->kernels);
    free(d->metrics);
    free(d->transfers);
    text_free(&d->changes);
    memset(d, 0, sizeof *d);
}

bool diff_spread(const struct results *a, const struct results *again, double *share,
                 struct error *e)
{
    const struct diff_options options = {.least_effect = 0.01, .rate = 0.05};
    struct diff d;
    if (!diff_runs(a, again, &options, &d, e))
        return false;
    double *sizes = malloc((d.match.pair_count + 1) * sizeof *sizes);
    size_t count = 0;
    for (size_t i = 0; sizes && i < d.match.pair_count; i++)
        if (d.points[i].judged && !isnan(d.points[i].ratio.value))
            sizes[count++] = fabs(log(d.points[i].ratio.value));
    bool ok = sizes != NULL;
    if (!ok)
        FAIL(e, ERROR_MEMORY, "out of memory for %zu points", d.match.pair_count);
    else if (count == 0)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s and %s have no times of one device in common, so their spread is not known",
                  a->path, again->path);
    if (ok) {
        sort_numbers(sizes, count);
        size_t rank = (95 * count + 99) / 100; /* the least value that 95 % do not exceed */
        *share = exp(sizes[rank - 1]) - 1;
    }
    free(sizes);
    diff_free(&d);
    return ok;
}
