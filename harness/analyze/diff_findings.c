/*
 * Collects the findings of a comparison, decides which of them make it fail, and summarizes the
 * findings in a line.
 *
 * By default, a comparison fails on a SLOW verdict (on a point, a kernel in one problem, a kernel,
 * or the whole run), a wrong result, or a missing point. It fails on a count that got worse only if
 * no time on the runs' device is judged, as on the simulator, which gives only counts. Between two
 * models, nothing fails unless the options ask for it, because such a comparison shows how the
 * models differ. A comparison with a published table fails on cells of the table that are not equal
 * to the run's counts.
 *
 * A comparison that could not have failed must not pass either: a gate on a machine that has lost
 * its GPU, for example, compares nothing. To pass, a comparison must have compared at least one of
 * the following, depending on fail_on:
 *
 *   SLOW or counts          a judged time for SLOW, or an exact count for counts; if fail_on names
 *                           both, one of the two is enough
 *   only statuses           a point that is ok in a
 *   nothing that can fail   a time or a count that both runs have
 *   equal bits (FAIL_BITS)  a point that has bits in both runs, whatever else fail_on names
 *   a published table       a cell of the table for which the run has a value
 */
#include "analyze/diff.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static void count_points(struct diff *d)
{
    struct diff_findings *f = &d->findings;
    const size_t *verdicts = d->all->verdicts;
    f->slow = verdicts[VERDICT_SLOW];
    f->fast = verdicts[VERDICT_FAST];
    f->same = verdicts[VERDICT_SAME];
    f->unknown = verdicts[VERDICT_UNKNOWN];
    f->fixed = verdicts[VERDICT_FIXED];
    for (size_t i = 0; i < d->times.cell_count; i++) {
        f->slow_cells += d->times.cells[i].verdict == TIME_SLOW;
        f->fast_cells += d->times.cells[i].verdict == TIME_FAST;
    }
    for (size_t i = 0; i < d->times.kernel_count; i++) {
        f->slow_kernels += d->times.kernels[i].verdict == TIME_SLOW;
        f->fast_kernels += d->times.kernels[i].verdict == TIME_FAST;
    }
    f->all = d->times.all.verdict;
}

static struct diff_lost *lost_of(struct diff *d, const char *kernel)
{
    for (size_t i = 0; i < d->lost.count; i++)
        if (strcmp(d->lost.items[i].kernel, kernel) == 0)
            return &d->lost.items[i];
    vec_push(&d->lost, (struct diff_lost){.kernel = kernel});
    return &d->lost.items[d->lost.count - 1];
}

/*
 * Counts the points that became wrong in b, those that are wrong in both runs, and each kernel's
 * lost points (struct diff_lost).
 */
static void count_lost(struct diff *d)
{
    struct diff_findings *f = &d->findings;
    d->lost.count = 0;
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        const struct pair *pair = &d->match.pairs.items[i];
        enum status status;
        f->wrong_in_both += results_wrong(d->a, pair->a) && results_wrong(d->b, pair->b);
        if (!results_good(d->a, pair->a) || results_good(d->b, pair->b))
            continue;
        if (!status_find(column_text(d->b->known.status, pair->b), &status))
            status = STATUS_COUNT;
        if (status == STATUS_WRONG) {
            f->wrong++;
            continue;
        }
        struct diff_lost *lost = lost_of(d, results_axis(d->a, pair->a, AXIS_kernel));
        if (status == STATUS_SKIPPED || status == STATUS_UNSUPPORTED)
            lost->skipped++;
        else
            lost->failed++;
    }
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        const struct pair *pair = &d->match.pairs.items[i];
        if (d->points[i].verdict != VERDICT_UNTIMED)
            continue;
        struct diff_lost *lost = lost_of(d, results_axis(d->a, pair->a, AXIS_kernel));
        bool in_a = isnan(diff_time(d->a, pair->a).value);
        lost->untimed_a += in_a;
        lost->untimed_b += !in_a;
    }
    for (size_t i = 0; i < d->match.only_a.count && !results_published(d->a); i++)
        if (results_good(d->a, d->match.only_a.items[i]))
            lost_of(d, results_axis(d->a, d->match.only_a.items[i], AXIS_kernel))->vanished++;
    for (size_t i = 0; i < d->lost.count; i++) {
        f->vanished += d->lost.items[i].vanished;
        f->skipped += d->lost.items[i].skipped;
        f->failed += d->lost.items[i].failed;
        f->untimed_a += d->lost.items[i].untimed_a;
        f->untimed_b += d->lost.items[i].untimed_b;
    }
}

/*
 * Returns whether a time on the runs' own device was judged. Times of CPU functions do not count,
 * because every run has them.
 */
static bool judged_device(const struct diff *d)
{
    for (size_t i = 0; i < d->timed.count; i++) {
        size_t row = d->match.pairs.items[d->timed.items[i].pair].a;
        if (strcmp(column_text(d->a->known.backend, row), results_backend(d->a)) == 0)
            return true;
    }
    return false;
}

static bool compared_counts(const struct diff *d)
{
    for (size_t i = 0; i < d->metrics.count; i++)
        if (d->metrics.items[i].exact)
            return true;
    return false;
}

static bool compared_statuses(const struct diff *d)
{
    bool any = false;
    for (size_t i = 0; i < d->match.pairs.count && !any; i++)
        any = results_good(d->a, d->match.pairs.items[i].a);
    for (size_t i = 0; i < d->match.only_a.count && !any; i++)
        any = results_good(d->a, d->match.only_a.items[i]);
    return any;
}

static bool compared_figures(const struct diff *d)
{
    for (size_t i = 0; i < d->figures.count; i++)
        if (d->figures.items[i].verdict != FIGURE_MISSING)
            return true;
    return false;
}

static bool compared_bits(const struct diff *d)
{
    const size_t *bits = d->findings.bits;
    return bits[BITS_EQUAL] + bits[BITS_DIFFER] + bits[BITS_VARY] > 0;
}

/*
 * Returns whether anything was compared that could have failed. FAIL_BY_DEFAULT in
 * d->findings.fail_on must have been replaced.
 */
static bool compared_anything(const struct diff *d)
{
    unsigned fail_on = d->findings.fail_on;
    if (results_published(d->a))
        return compared_figures(d);
    if (fail_on & FAIL_BITS)
        return compared_bits(d);
    if (fail_on & (FAIL_SLOW | FAIL_COUNTS))
        return (fail_on & FAIL_SLOW && judged_device(d)) ||
               (fail_on & FAIL_COUNTS && compared_counts(d));
    if (fail_on)
        return compared_statuses(d);
    return d->all->timed > 0 || d->metrics.count > 0;
}

static unsigned default_failures(const struct diff *d)
{
    if (results_published(d->a) || !(d->same_device || d->other_card))
        return 0;
    unsigned counts = judged_device(d) ? 0 : FAIL_COUNTS;
    return FAIL_SLOW | FAIL_WRONG | FAIL_MISSING | counts;
}

void diff_find(struct diff *d)
{
    struct diff_findings *f = &d->findings;
    *f = (struct diff_findings){.fail_on = d->options.fail_on};
    count_points(d);
    count_lost(d);
    diff_count_bits(d);
    for (size_t i = 0; i < d->metrics.count; i++) {
        f->counts_worse += d->metrics.items[i].worse;
        f->counts_better += d->metrics.items[i].better;
    }
    for (size_t i = 0; i < d->figures.count; i++)
        f->published_bad +=
            d->figures.items[i].kind == FIGURE_COUNT && d->figures.items[i].verdict != FIGURE_EQUAL;
    if (f->fail_on & FAIL_BY_DEFAULT)
        f->fail_on = (f->fail_on & ~(unsigned)FAIL_BY_DEFAULT) | default_failures(d);
    unsigned found = 0;
    if (f->slow || f->slow_cells || f->slow_kernels || f->all == TIME_SLOW)
        found |= FAIL_SLOW;
    if (f->wrong)
        found |= FAIL_WRONG;
    if (f->vanished || f->skipped || f->failed || f->untimed_a || f->untimed_b)
        found |= FAIL_MISSING;
    if (f->counts_worse)
        found |= FAIL_COUNTS;
    if (f->bits[BITS_DIFFER])
        found |= FAIL_BITS;
    f->fails = found & f->fail_on;
    f->compared = compared_anything(d);
}

int diff_exit_code(const struct diff *d, bool strict)
{
    const struct diff_findings *f = &d->findings;
    if (f->fails || f->published_bad)
        return DIFF_FAILS;
    if (!f->compared)
        return DIFF_NOTHING;
    return strict && f->unknown ? DIFF_UNDECIDED : DIFF_FINE;
}

/*
 * Appends a part such as "3 points", preceded by ", " unless it is the first. Appends nothing if
 * `count` is 0.
 */
static void append_part(struct text *t, size_t count, const char *one, const char *many)
{
    if (count)
        text_append(t, "%s%zu %s", t->length ? ", " : "", count, count == 1 ? one : many);
}

static void append_changed(struct text *t, bool all, size_t kernels, size_t cells, size_t points)
{
    if (all)
        text_append(t, "everything together");
    append_part(t, kernels, "kernel", "kernels");
    append_part(t, cells, "kernel at one problem", "kernels at one problem");
    append_part(t, points, "point", "points");
}

static void append_sentence(struct text *out, const char *name, struct text *parts)
{
    if (parts->length)
        text_append(out, "%s%s: %s", out->length ? "; " : "", name, parts->bytes);
    text_free(parts);
    *parts = (struct text){0};
}

/*
 * Appends the findings that make the comparison fail or, if `failing` is false, all other findings.
 */
static void append_findings(const struct diff *d, bool failing, struct text *out)
{
    const struct diff_findings *f = &d->findings;
    unsigned shown = failing ? f->fail_on : ~f->fail_on;
    struct text parts = {0};
    if (shown & FAIL_SLOW)
        append_changed(&parts, f->all == TIME_SLOW, f->slow_kernels, f->slow_cells, f->slow);
    append_sentence(out, "slower", &parts);
    if (shown & FAIL_WRONG)
        append_part(&parts, f->wrong, "point", "points");
    append_sentence(out, "wrong", &parts);
    if (shown & FAIL_MISSING) {
        append_part(&parts, f->vanished, "point vanished", "points vanished");
        append_part(&parts, f->skipped, "not run", "not run");
        append_part(&parts, f->failed, "failed", "failed");
        append_part(&parts, f->untimed_b, "has no time in b", "have no time in b");
        append_part(&parts, f->untimed_a, "has no time in a", "have no time in a");
    }
    append_sentence(out, "missing", &parts);
    if (shown & FAIL_COUNTS)
        append_part(&parts, f->counts_worse, "value", "values");
    append_sentence(out, "worse counts", &parts);
    if (shown & FAIL_BITS)
        append_part(&parts, f->bits[BITS_DIFFER], "point", "points");
    append_sentence(out, "different bits", &parts);
    if (failing) {
        append_part(&parts, f->published_bad, "count", "counts");
        append_sentence(out, "different from the published values, or missing", &parts);
        return;
    }
    append_changed(&parts, f->all == TIME_FAST, f->fast_kernels, f->fast_cells, f->fast);
    append_sentence(out, "faster", &parts);
    append_part(&parts, f->counts_better, "value", "values");
    append_sentence(out, "better counts", &parts);
    append_part(&parts, f->fixed, "point", "points");
    append_sentence(out, "ok again", &parts);
    append_part(&parts, f->wrong_in_both, "point", "points");
    append_sentence(out, "wrong in both", &parts);
    append_part(&parts, f->same, "point", "points");
    append_sentence(out, "the same", &parts);
    append_part(&parts, f->unknown, "point", "points");
    append_sentence(out, "unknown", &parts);
}

/*
 * Appends why nothing was compared, and what to do about it. If the devices differ,
 * append_unjudged() says why no time was judged.
 */
static void append_nothing(const struct diff *d, struct text *out)
{
    unsigned fail_on = d->findings.fail_on;
    bool slow = fail_on & FAIL_SLOW, counts = fail_on & FAIL_COUNTS;
    text_append(out, "nothing was compared: ");
    if (results_published(d->a)) {
        text_append(
            out, "b contains none of the table's values. Run the table's config with its metrics.");
    } else if (fail_on & FAIL_BITS) {
        text_append(out, "no point has bits in both runs. Older versions of redsweep did not "
                         "record them; measure both runs again.");
    } else if (!fail_on) {
        text_append(out, "no point has a time in both runs, and no count was measured in both.");
    } else if (!slow && !counts) {
        text_append(out, "no point is ok in a, so none can be wrong or missing in b.");
    } else {
        text_append(out, "%s%s%s.", slow ? "no time could be judged" : "",
                    slow && counts ? ", and " : "",
                    !counts            ? ""
                    : d->metrics.count ? "no count that both runs have is exact (blocks were "
                                         "sampled, the kernel's counts vary, or the devices count "
                                         "by different rules)"
                                       : "no count was measured in both runs");
        if (slow && d->same_device)
            text_append(out, " Measure on a device with a clock (--device cuda)%s.",
                        counts ? ", or measure counts (--metrics gld_requests)" : "");
        else if (counts)
            text_append(out, " Measure counts in both runs (--metrics gld_requests).");
    }
}

/* Appends what was compared if no time was judged, for example "; compared: 4 counts". */
static void append_compared(const struct diff *d, struct text *out)
{
    struct text parts = {0};
    size_t counts = 0;
    for (size_t i = 0; i < d->metrics.count; i++)
        counts += d->metrics.items[i].both;
    append_part(&parts, d->transfers.count, "ranking of configurations",
                "rankings of configurations");
    append_part(&parts, d->all->timed, "unjudged time", "unjudged times");
    append_part(&parts, counts, "count", "counts");
    if (!parts.length)
        append_part(&parts, d->match.pairs.count, "status", "statuses");
    text_append(out, "; compared: %s", parts.bytes);
    text_free(&parts);
}

/*
 * Appends why no time was judged, and what was compared instead. Appends nothing if a time was
 * judged.
 */
static void append_unjudged(const struct diff *d, bool compared, struct text *line)
{
    if (results_published(d->a) || (d->same_device && d->timed.count > 0))
        return;
    if (d->other_card && !d->same_device) {
        text_append(line, " The times of %s cards of one model",
                    d->cards.several ? "several" : "two");
        if (!isnan(d->cards.anchors_apart))
            text_append(line, ", whose anchors differ by up to %.1f %%,",
                        d->cards.anchors_apart * 100);
        text_append(line, " are not judged without --across-cards");
    } else if (!d->same_device)
        text_append(line, " Times on different devices are not judged");
    else if (compared)
        text_append(line, " There are no times to compare");
    else
        return;
    if (compared)
        append_compared(d, line);
    text_append(line, ".");
}

char *diff_conclusion(const struct diff *d, bool strict)
{
    int code = diff_exit_code(d, strict);
    struct text line = {0}, failing = {0}, others = {0};
    append_findings(d, true, &failing);
    append_findings(d, false, &others);
    text_append(&line, "Exit code %d: ", code);
    if (code == DIFF_FAILS)
        text_append(&line, "%s.", failing.bytes);
    else if (code == DIFF_NOTHING)
        append_nothing(d, &line);
    else if (code == DIFF_UNDECIDED)
        text_append(&line, "nothing fails, but --strict does not accept UNKNOWN.");
    else
        text_append(&line, "nothing fails.");
    if (others.length)
        text_append(&line, " %s%s.", code == DIFF_FAILS ? "Besides, " : "Found: ", others.bytes);
    append_unjudged(d, code != DIFF_NOTHING, &line);
    text_free(&failing);
    text_free(&others);
    return line.bytes;
}
