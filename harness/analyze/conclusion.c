/* Implements conclusion.h. */
#include "analyze/conclusion.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "analyze/best.h"
#include "analyze/steps.h"
#include "base/memory.h"

#define RECORDED_RUN "results/reference/h200-catalogue"

enum { MOST_SERIES = 4, MOST_RANGES = 4 };

void conclusion_sources_read(const char *data_folder, const struct results *r,
                             struct conclusion_sources *out)
{
    struct error none = {0};
    char *kernels = xasprintf("%s/kernels", data_folder);
    char *recorded = xasprintf("%s/" RECORDED_RUN, data_folder);
    memset(out, 0, sizeof *out);
    if (!kernel_index_read(kernels, &out->ladder, &none))
        out->ladder = (struct kernel_index){0};
    if (r->has_manifest && !r->manifest.provenance.device.can_time && access(recorded, R_OK) == 0)
        out->has_recorded = results_read(recorded, &out->recorded, &none);
    free(recorded);
    free(kernels);
}

void conclusion_sources_free(struct conclusion_sources *s)
{
    kernel_index_free(&s->ladder);
    if (s->has_recorded)
        results_free(&s->recorded);
    memset(s, 0, sizeof *s);
}

static const struct results *run_of(const struct problem *p)
{
    return &p->runs[p->candidates[0].run];
}

static const char *kernel_of(const struct problem *p, const struct candidate *c)
{
    return results_axis(&p->runs[c->run], c->row, AXIS_kernel);
}

/* Returns a kernel's fastest candidate for a problem, or NULL. */
static const struct candidate *fastest_of(const struct problem *p, const char *kernel)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(kernel_of(p, &p->candidates[i]), kernel) == 0)
            return &p->candidates[i];
    return NULL;
}

/* ---- Which kernel wins where ----------------------------------------------------------------- */

/*
 * Returns the index of the first problem, from `first` on, in which no setting of the kernel is
 * tied with the winner, or `count` if there is none.
 */
static size_t tied_until(const struct problem *of, size_t first, size_t count, const char *kernel)
{
    size_t end = first;
    for (; end < count; end++) {
        const struct candidate *c = fastest_of(&of[end], kernel);
        if (!c || !c->tied)
            break;
    }
    return end;
}

struct kernel_range {
    size_t first, end;
    const char *kernel;
};

/*
 * Returns the kernel that stays tied with the winner for the most problems from `first` on, and
 * these problems. Of several such kernels, returns the one that is fastest in problem `first`.
 */
static struct kernel_range longest_range(const struct problem *of, size_t first, size_t count)
{
    struct kernel_range longest = {first, first, ""};
    for (size_t i = 0; i < of[first].count; i++) {
        const char *kernel = kernel_of(&of[first], &of[first].candidates[i]);
        size_t end = of[first].candidates[i].tied ? tied_until(of, first, count, kernel) : first;
        if (end > longest.end)
            longest = (struct kernel_range){first, end, kernel};
    }
    return longest;
}

static void append_size(struct text *out, double n)
{
    char size[SHOWN_SIZE];
    show_size(n, size);
    text_append(out, "%s", size);
}

static void append_range(const struct problem *of, const struct kernel_range *range, size_t count,
                         struct text *out)
{
    bool starts = range->first == 0, ends = range->end == count;
    text_append(out, "%s ", range->kernel);
    if (starts && ends) {
        text_append(out, count > 1 ? "at every n, " : "at n = ");
        append_size(out, of[0].n);
    } else if (range->end - range->first == 1) {
        text_append(out, "at ");
        append_size(out, of[range->first].n);
    } else if (ends) {
        text_append(out, "from %s", range->first ? "" : "n = ");
        append_size(out, of[range->first].n);
        text_append(out, " on");
        return;
    } else {
        append_size(out, of[range->first].n);
    }
    if (range->end - range->first > 1) {
        text_append(out, " to ");
        append_size(out, of[range->end - 1].n);
    }
}

/*
 * Appends text such as "vector 2^14 to 2^16, smem_unroll from 2^17 on". If there are many ranges,
 * names only the last few.
 */
static void append_winners(const struct problem *of, size_t count, struct text *out)
{
    VEC(struct kernel_range) ranges = {0};
    for (size_t first = 0; first < count;) {
        struct kernel_range range = longest_range(of, first, count);
        first = range.end;
        vec_push(&ranges, range);
    }
    size_t left_out = ranges.count > MOST_RANGES ? ranges.count - MOST_RANGES : 0;
    text_append(out, "fastest, or tied with the fastest: ");
    for (size_t i = left_out; i < ranges.count; i++) {
        text_append(out, i > left_out ? ", " : "");
        append_range(of, &ranges.items[i], count, out);
    }
    if (left_out)
        text_append(out, "; other kernels at smaller n");
    vec_free(&ranges);
}

/* ---- How fast that is ------------------------------------------------------------------------ */

/*
 * Appends text such as "there 11.2 times as fast as neighbored (11.1 to 11.3)". `what` follows the
 * kernel's name.
 */
static void append_times(const struct candidate *fast, const struct candidate *slow,
                         const char *kernel, const char *what, struct text *out)
{
    struct estimate ratio = ratio_of(fast->time, slow->time);
    if (isnan(ratio.value))
        return;
    int places = ratio.value < 10 ? 2 : 1;
    text_append(out, out->length ? "; " : "there ");
    text_append(out, "%.*f times as fast as %s%s", places, ratio.value, kernel, what);
    if (!isnan(ratio.low))
        text_append(out, " (%.*f to %.*f)", places, ratio.low, places, ratio.high);
}

/* Returns the first kernel of the ladder that was timed in this problem. */
static const char *first_rung(const struct problem *p, const struct kernel_index *ladder)
{
    for (size_t i = 0; i < ladder->places.count; i++)
        if (ladder->places.items[i].color && fastest_of(p, ladder->places.items[i].kernel))
            return ladder->places.items[i].kernel;
    return NULL;
}

static void append_speed(const struct problem *p, struct text *out)
{
    const struct results *r = run_of(p);
    const struct candidate *winner = &p->candidates[0];
    double gbs = column_number(r->known.bandwidth_gbs, winner->row);
    double achieved = results_achieved(r, winner->row);
    char time[SHOWN_SIZE];
    show_number(winner->time.value, RESULTS_DIGITS, time);
    text_append(out, "at n = ");
    append_size(out, p->n);
    text_append(out, ": %s µs", time);
    if (!isnan(gbs))
        text_append(out, ", %.4g GB/s", gbs);
    if (!isnan(achieved))
        text_append(out, ", %.3g %% of the speed of reading alone", achieved);
    text_append(out, ", by ");
    results_configuration(r, winner->row, out);
}

static void append_comparisons(const struct problem *p, const struct kernel_index *ladder,
                               struct text *out)
{
    const struct candidate *winner = &p->candidates[0];
    const char *rung = first_rung(p, ladder);
    if (rung && strcmp(rung, kernel_of(p, winner)) != 0)
        append_times(winner, fastest_of(p, rung), rung,
                     ", the first kernel of the ladder in this run", out);
    if (!isnan(p->reference.time.value))
        append_times(winner, &p->reference, kernel_of(p, &p->reference), "", out);
}

/* ---- Which step gained most ------------------------------------------------------------------ */

static bool has_kernel(const void *problem, const char *kernel)
{
    return fastest_of(problem, kernel) != NULL;
}

static void append_largest_step(const struct problem *p, const struct kernel_index *ladder,
                                struct text *out)
{
    const struct kernel_step *largest = NULL;
    struct estimate gain = {1, NAN, NAN};
    for (size_t i = 0; i < ladder->places.count; i++) {
        const char *kernel = ladder->places.items[i].kernel;
        const struct candidate *to = fastest_of(p, kernel);
        const struct kernel_step *step = to ? step_to(ladder, kernel, has_kernel, p) : NULL;
        struct estimate ratio = step ? ratio_of(to->time, fastest_of(p, step->from)->time) : gain;
        if (ratio.value > gain.value && !(ratio.low <= 1)) {
            largest = step;
            gain = ratio;
        }
    }
    if (!largest)
        return;
    const struct candidate *from = fastest_of(p, largest->from);
    const struct candidate *to = fastest_of(p, largest->kernel);
    struct step_change cause =
        step_cause(&p->runs[to->run], largest, from->row, to->row, gain.value);
    text_append(out, "largest step of the ladder at this n: from %s to %s, %.3g times as fast",
                largest->from, largest->kernel, gain.value);
    if (cause.count)
        text_append(out, " (");
    step_append(&cause, out);
    text_append(out, cause.count ? ")" : "");
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void add_sentence(struct view *v, struct text *sentence)
{
    if (sentence->length)
        view_bullet(v, "%s", sentence->bytes);
    text_free(sentence);
}

static void add_series(const struct best *b, const struct series *f,
                       const struct kernel_index *ladder, const char *where, struct view *v)
{
    const struct problem *of = b->problems + f->first, *last = &of[f->count - 1];
    struct text name = {0}, winners = {0}, speed = {0}, comparisons = {0}, step = {0};
    best_append_series(b, f, &name);
    view_line(v, "%s: %s", where, name.bytes);
    append_winners(of, f->count, &winners);
    append_speed(last, &speed);
    append_comparisons(last, ladder, &comparisons);
    append_largest_step(last, ladder, &step);
    add_sentence(v, &winners);
    add_sentence(v, &speed);
    add_sentence(v, &comparisons);
    add_sentence(v, &step);
    text_free(&name);
}

/*
 * Returns whether to report the winner of a series: it must have run on the run's own device, with
 * a kernel that is not just for teaching.
 */
static bool is_told(const struct best *b, const struct series *f)
{
    const struct problem *p = &b->problems[f->first];
    const struct results *r = run_of(p);
    uint32_t row = p->candidates[0].row;
    return strcmp(column_text(r->known.backend, row), results_backend(r)) == 0 &&
           results_role(r, kernel_of(p, p->candidates)).kind != ROLE_TEACHING;
}

static const char *scope_of(const struct best *b, const struct series *f)
{
    const struct problem *p = &b->problems[f->first];
    return results_axis(run_of(p), p->candidates[0].row, AXIS_scope);
}

static bool add_all_series(const struct results *r, const struct kernel_index *ladder,
                           const char *where, struct view *v)
{
    const struct best_options how = {.metric = "time_us_median"};
    struct error none = {0};
    struct best b;
    size_t said = 0;
    const char *scope = NULL; /* the scope of the previous series */
    bool both = false;
    if (table_column(&r->rows, how.metric) < 0 || !best_find(r, 1, &how, &b, &none))
        return false;
    for (size_t i = 0; i < b.series_count; i++) {
        if (!is_told(&b, &b.series[i]))
            continue;
        const char *other = scope_of(&b, &b.series[i]);
        both = both || (scope && strcmp(other, scope) != 0);
        scope = other;
        if (said < MOST_SERIES)
            add_series(&b, &b.series[i], ladder, where, v);
        said++;
    }
    if (said > MOST_SERIES)
        view_line(v, "for %zu more problem%s, run redsweep best", said - MOST_SERIES,
                  said - MOST_SERIES == 1 ? "" : "s");
    if (both) /* Readers may not know these terms. */
        view_line(
            v, "With the scope \"kernel\", a time covers one launch, which may leave one value per "
               "block. With the scope \"complete\", it covers everything until one result is in "
               "memory.");
    best_free(&b);
    return said > 0;
}

void conclusion_append_winner(const struct results *r, struct text *out)
{
    const struct best_options how = {.metric = "time_us_median"};
    struct error none = {0};
    struct best b;
    if (table_column(&r->rows, how.metric) < 0 || !best_find(r, 1, &how, &b, &none))
        return;
    for (size_t i = 0; i < b.series_count && !out->length; i++) {
        const struct problem *p = &b.problems[b.series[i].first + b.series[i].count - 1];
        if (!is_told(&b, &b.series[i]))
            continue;
        text_append(out, "%s at ", kernel_of(p, p->candidates));
        append_size(out, p->n);
    }
    best_free(&b);
}

bool conclusion_add(const struct results *r, const struct conclusion_sources *s, struct view *v)
{
    char *where;
    bool timed = !r->has_manifest || r->manifest.provenance.device.can_time;
    if (timed)
        where = xasprintf("On %s", results_device(r));
    else if (s->has_recorded)
        where = xasprintf("Recorded on an %s (" RECORDED_RUN "), not measured here",
                          results_device(&s->recorded));
    else
        return false;
    bool any = add_all_series(timed ? r : &s->recorded, &s->ladder, where, v);
    free(where);
    return any;
}
