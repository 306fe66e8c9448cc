/*
 * Writes the headline of a comparison: PASS, FAIL or undecided, and the cause. If times got slower,
 * the cause is the SLOW kernel that changed most, with its interval; failing that, the SLOW cell (a
 * kernel in one problem) that changed most; failing that, the SLOW point. If counts got worse, the
 * cause is the kernel with the most values that got worse.
 */
#include "analyze/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/results_columns.h"
#include "base/memory.h"

enum { MOST_NAMED = 2 };

static const char *kernel_of(const struct diff *d, size_t pair)
{
    return results_axis(d->a, d->match.pairs.items[pair].a, AXIS_kernel);
}

/* Appends text such as "unroll is 2.7 % slower (1.9 to 3.5 %)". */
static void append_slower(struct text *out, const char *what, struct estimate ratio)
{
    char change[SHOWN_SIZE], low[SHOWN_SIZE], high[SHOWN_SIZE];
    show_number(100 * (ratio.value - 1), 3, change);
    show_number(100 * (ratio.low - 1), 3, low);
    show_number(100 * (ratio.high - 1), 3, high);
    text_append(out, "%s%s is %s %% slower (%s to %s %%)", out->length ? "; " : "", what, change,
                low, high);
}

/* Appends text such as " at n = 2^22, int32 sum, cold". */
static void append_place(const struct diff *d, size_t pair, struct text *out)
{
    size_t row = d->match.pairs.items[pair].a;
    const char *cache = results_axis(d->a, row, AXIS_cache);
    char n[SHOWN_SIZE];
    show_size(strtod(results_axis(d->a, row, AXIS_n), NULL), n);
    text_append(out, " at n = %s, %s %s%s%s", n, results_axis(d->a, row, AXIS_type),
                results_axis(d->a, row, AXIS_op), *cache ? ", " : "", cache);
}

/* Returns the SLOW effects of a list, largest change first, and sets *count to their number. */
static const struct effect **slow_effects(const struct effect *list, size_t length, size_t *count)
{
    const struct effect **slow = xcalloc(length + 1, sizeof *slow);
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        if (list[i].verdict != TIME_SLOW)
            continue;
        size_t at = (*count)++;
        for (; at > 0 && slow[at - 1]->ratio.value < list[i].ratio.value; at--)
            slow[at] = slow[at - 1];
        slow[at] = &list[i];
    }
    return slow;
}

static bool append_slow_kernels(const struct diff *d, struct text *out)
{
    size_t count;
    const struct effect **slow = slow_effects(d->times.kernels, d->times.kernel_count, &count);
    for (size_t i = 0; i < count && i < MOST_NAMED; i++)
        append_slower(out, d->kernels.texts.items[slow[i]->kernel], slow[i]->ratio);
    if (count > MOST_NAMED)
        text_append(out, "; and %zu more kernel%s", count - MOST_NAMED,
                    count - MOST_NAMED == 1 ? "" : "s");
    free(slow);
    return count > 0;
}

static bool append_slow_cells(const struct diff *d, struct text *out)
{
    size_t count;
    const struct effect **slow = slow_effects(d->times.cells, d->times.cell_count, &count);
    if (count) {
        append_slower(out, d->kernels.texts.items[slow[0]->kernel], slow[0]->ratio);
        append_place(d, d->problem_pairs.items[slow[0]->group], out);
    }
    if (count > 1)
        text_append(out, "; kernels in %zu more problem%s are slower, too", count - 1,
                    count == 2 ? "" : "s");
    free(slow);
    return count > 0;
}

static void append_slow(const struct diff *d, struct text *out)
{
    size_t pair;
    if (d->findings.all == TIME_SLOW && !d->findings.slow_kernels)
        append_slower(out, "everything together", d->times.all.ratio);
    if (append_slow_kernels(d, out) || append_slow_cells(d, out))
        return;
    if (diff_largest(d, VERDICT_SLOW, &pair, 1)) {
        struct text name = {0};
        results_configuration(d->a, d->match.pairs.items[pair].a, &name);
        append_slower(out, name.bytes, diff_ratio(d, pair));
        append_place(d, pair, out);
        if (d->findings.slow > 1)
            text_append(out, "; and %zu more point%s", d->findings.slow - 1,
                        d->findings.slow == 2 ? "" : "s");
        text_free(&name);
    }
}

/*
 * Finds the kernel whose pairs have the largest sum of `counts`, which has a number for each pair.
 * Returns the sum.
 */
static size_t guilty_kernel(const struct diff *d, const size_t *counts, const char **kernel)
{
    struct numbering kernels = {0};
    size_t *sums = xcalloc(d->match.pairs.count + 1, sizeof *sums), most = 0;
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        if (!counts[i])
            continue;
        size_t at = numbering_add(&kernels, kernel_of(d, i));
        sums[at] += counts[i];
        if (sums[at] > most) {
            most = sums[at];
            *kernel = kernel_of(d, i);
        }
    }
    free(sums);
    numbering_free(&kernels);
    return most;
}

static void append_wrong(const struct diff *d, struct text *out)
{
    size_t *counts = xcalloc(d->match.pairs.count + 1, sizeof *counts);
    const char *kernel = "";
    for (size_t i = 0; i < d->match.pairs.count; i++)
        counts[i] = d->points[i].verdict == VERDICT_BROKEN &&
                    results_wrong(d->b, d->match.pairs.items[i].b);
    size_t most = guilty_kernel(d, counts, &kernel);
    text_append(out, "%s%s is wrong at %zu point%s", out->length ? "; " : "", kernel, most,
                most == 1 ? "" : "s");
    if (d->findings.wrong > most)
        text_append(out, " of %zu", d->findings.wrong);
    free(counts);
}

static void append_missing(const struct diff *d, struct text *out)
{
    size_t most = 0, guilty = 0;
    for (size_t i = 0; i < d->lost.count; i++) {
        const struct diff_lost *l = &d->lost.items[i];
        size_t lost = l->vanished + l->skipped + l->failed + l->untimed_a + l->untimed_b;
        if (lost > most) {
            most = lost;
            guilty = i;
        }
    }
    if (most)
        text_append(out, "%s%zu point%s of %s %s missing or without a time",
                    out->length ? "; " : "", most, most == 1 ? "" : "s",
                    d->lost.items[guilty].kernel, most == 1 ? "is" : "are");
}

/* Appends the metric and the kernel with the most values that got worse. */
static void append_counts(const struct diff *d, struct text *out)
{
    size_t *counts = xcalloc(d->match.pairs.count + 1, sizeof *counts), most = 0;
    const char *kernel = "", *metric = "";
    for (size_t m = 0; m < d->metrics.count; m++) {
        const char *of = "";
        for (size_t i = 0; i < d->match.pairs.count; i++)
            counts[i] = diff_count_is_worse(d, &d->metrics.items[m], i);
        size_t worse = guilty_kernel(d, counts, &of);
        if (worse > most) {
            most = worse;
            kernel = of;
            metric = d->metrics.items[m].a->name;
        }
    }
    text_append(out, "%s%s of %s is worse at %zu point%s", out->length ? "; " : "", metric, kernel,
                most, most == 1 ? "" : "s");
    if (d->findings.counts_worse > most)
        text_append(out, " (%zu worse counts in all)", d->findings.counts_worse);
    free(counts);
}

static void append_guilty(const struct diff *d, struct text *out)
{
    unsigned fails = d->findings.fails;
    if (fails & FAIL_WRONG)
        append_wrong(d, out);
    if (fails & FAIL_SLOW)
        append_slow(d, out);
    if (fails & FAIL_COUNTS)
        append_counts(d, out);
    if (fails & FAIL_MISSING)
        append_missing(d, out);
    if (fails & FAIL_BITS)
        text_append(out, "%sdifferent bits at %zu point%s", out->length ? "; " : "",
                    d->findings.bits[BITS_DIFFER], d->findings.bits[BITS_DIFFER] == 1 ? "" : "s");
    if (d->findings.published_bad)
        text_append(out, "%s%zu %s not as published", out->length ? "; " : "",
                    d->findings.published_bad,
                    d->findings.published_bad == 1 ? "count is" : "counts are");
}

/* Appends what was compared, if the comparison passes. */
static void append_passed(const struct diff *d, struct text *out)
{
    size_t both = 0, equal = 0;
    for (size_t i = 0; i < d->metrics.count; i++) {
        both += d->metrics.items[i].exact;
        equal += d->metrics.items[i].exact - d->metrics.items[i].worse - d->metrics.items[i].better;
    }
    if (d->timed.count)
        text_append(out, "no slowdown found in %zu timed points", d->timed.count);
    if (d->timed.count && d->findings.unknown)
        text_append(out, " (%zu of them are too uncertain to judge individually)",
                    d->findings.unknown);
    if (both)
        text_append(out, "%s%zu of %zu counts are equal", out->length ? ", " : "", equal, both);
    if (!out->length)
        text_append(out, "%zu points have the same status in both runs", d->match.pairs.count);
}

/*
 * Appends a comparison of two devices: the ratio of their fastest times, and how much slower each
 * device's winners are on the other device than that device's own winners.
 */
static void append_devices(const struct diff *d, struct text *out)
{
    double low = INFINITY, high = 0, cost[2] = {0, 0};
    size_t at[2] = {0, 0};
    for (size_t i = 0; i < d->transfers.count; i++) {
        const struct transfer *t = &d->transfers.items[i];
        double ratio = diff_winner_time(d, t, true) / diff_winner_time(d, t, false);
        low = fmin(low, ratio);
        high = fmax(high, ratio);
        for (int b = 0; b < 2; b++)
            if ((b ? t->cost_back : t->cost) > cost[b]) {
                cost[b] = b ? t->cost_back : t->cost;
                at[b] = t->pair;
            }
    }
    text_append(
        out,
        "the fastest configuration of each problem takes %.3g to %.3g times as long on b as on a",
        low, high);
    for (int b = 0; b < 2; b++) {
        text_append(out, "; %s winner is up to %.1f %% slower than the fastest on %s",
                    b ? "b's" : "a's", 100 * (cost[b] - 1), b ? "a" : "b");
        if (cost[b] > 1)
            append_place(d, at[b], out);
    }
}

char *diff_headline(const struct diff *d, bool strict, enum view_verdict *verdict)
{
    struct text out = {0}, words = {0};
    int code = diff_exit_code(d, strict);
    *verdict = code == DIFF_FAILS ? VIEW_FAIL : code == DIFF_FINE ? VIEW_PASS : VIEW_UNDECIDED;
    if (code == DIFF_FAILS)
        append_guilty(d, &words);
    else if (code == DIFF_NOTHING)
        text_append(&words, "nothing was compared");
    else if (code == DIFF_UNDECIDED)
        text_append(&words, "%zu %s unknown", d->findings.unknown,
                    d->findings.unknown == 1 ? "point is" : "points are");
    else if (!d->same_device && !d->other_card && d->transfers.count)
        append_devices(d, &words);
    else
        append_passed(d, &words);
    bool devices = code == DIFF_FINE && !d->same_device && !d->other_card;
    if (devices)
        *verdict = VIEW_NO_VERDICT;
    text_append(&out, "%s%s",
                devices              ? "Two devices: "
                : code == DIFF_FAILS ? "FAIL: "
                : code == DIFF_FINE  ? "PASS: "
                                     : "UNDECIDED: ",
                text_shown(&words));
    text_free(&words);
    return out.bytes;
}
