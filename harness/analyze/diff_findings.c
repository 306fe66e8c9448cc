/*
 * What a comparison found, what of it fails, and the one line that says so.
 *
 * By default a SLOW verdict (of a point, a kernel in one problem, a kernel, or all), a wrong result
 * and a missing point fail, and a count that got worse where no time is judged: on the simulator
 * counts are all there is. Between two models nothing fails unless asked for: a difference is what
 * they are compared for. A published table fails by its own cells.
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

/* What a has and b lacks. A point that a does not have right cannot be lost. */
static void count_lost(struct diff *d)
{
    struct diff_findings *f = &d->findings;
    d->lost.count = 0;
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        const struct pair *pair = &d->match.pairs.items[i];
        enum status status;
        if (!results_good(d->a, pair->a) || results_good(d->b, pair->b))
            continue;
        if (!status_find(results_text(d->b, pair->b, "status"), &status))
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
    for (size_t i = 0; i < d->match.only_a.count && !results_published(d->a); i++)
        if (results_good(d->a, d->match.only_a.items[i]))
            lost_of(d, results_axis(d->a, d->match.only_a.items[i], AXIS_kernel))->vanished++;
    for (size_t i = 0; i < d->lost.count; i++) {
        f->vanished += d->lost.items[i].vanished;
        f->skipped += d->lost.items[i].skipped;
        f->failed += d->lost.items[i].failed;
    }
}

static unsigned default_failures(const struct diff *d)
{
    if (results_published(d->a) || !(d->same_device || d->other_card))
        return 0;
    unsigned counts = d->timed.count == 0 ? FAIL_COUNTS : 0;
    return FAIL_SLOW | FAIL_WRONG | FAIL_MISSING | counts;
}

void diff_find(struct diff *d)
{
    struct diff_findings *f = &d->findings;
    *f = (struct diff_findings){.fail_on = d->options.fail_on};
    count_points(d);
    count_lost(d);
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
    if (f->vanished || f->skipped || f->failed)
        found |= FAIL_MISSING;
    if (f->counts_worse)
        found |= FAIL_COUNTS;
    f->fails = found & f->fail_on;
}

int diff_exit_code(const struct diff *d, bool strict)
{
    const struct diff_findings *f = &d->findings;
    if (f->fails || f->published_bad)
        return DIFF_FAILS;
    return strict && f->unknown ? DIFF_UNDECIDED : DIFF_FINE;
}

/* "; 3 points" after the first; nothing for none. */
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

/* The kinds that were found, of those that fail or of those that do not. */
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
    }
    append_sentence(out, "missing", &parts);
    if (shown & FAIL_COUNTS)
        append_part(&parts, f->counts_worse, "value", "values");
    append_sentence(out, "worse counts", &parts);
    if (failing) {
        append_part(&parts, f->published_bad, "count", "counts");
        append_sentence(out, "different from what was published or missing", &parts);
        return;
    }
    append_changed(&parts, f->all == TIME_FAST, f->fast_kernels, f->fast_cells, f->fast);
    append_sentence(out, "faster", &parts);
    append_part(&parts, f->counts_better, "value", "values");
    append_sentence(out, "better counts", &parts);
    append_part(&parts, f->fixed, "point", "points");
    append_sentence(out, "ok again", &parts);
    append_part(&parts, f->same, "point", "points");
    append_sentence(out, "the same", &parts);
    append_part(&parts, f->unknown, "point", "points");
    append_sentence(out, "unknown", &parts);
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
    else if (code == DIFF_UNDECIDED)
        text_append(&line, "nothing fails, but with --strict UNKNOWN does.");
    else
        text_append(&line, "nothing fails.");
    if (others.length)
        text_append(&line, " %s%s.", code == DIFF_FAILS ? "Besides, " : "Found: ", others.bytes);
    if (d->other_card && !d->same_device) {
        text_append(&line, " %s cards of one model", d->cards.several ? "Several" : "Two");
        if (!isnan(d->cards.anchors_apart))
            text_append(&line, ", whose anchors differ by up to %.1f %%",
                        d->cards.anchors_apart * 100);
        text_append(&line, ": no verdict on times without --across-cards.");
    } else if (!d->same_device && !results_published(d->a))
        text_append(&line, " Different devices: no verdict on times.");
    else if (d->timed.count == 0 && !results_published(d->a))
        text_append(&line, " No times to compare.");
    text_free(&failing);
    text_free(&others);
    return line.bytes;
}
