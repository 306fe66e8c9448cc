/*
 * Chooses configurations for reductions of whole arrays: one for each range of n.
 *
 * A range begins where the previous one ends, and grows as long as a single configuration is good
 * enough at every measured n in it: at most 0.3 % slower than the best one, or at most 1 % slower
 * if the two tie.
 */
#include "tuned/choosing.h"

#include <math.h>

#include "base/vec.h"

/*
 * The range of n that a problem's measurement stands for. It ends at the geometric means of the
 * measured n and each of its neighbors. `must` is the last n at which a configuration has to run.
 * It is `to`, except for the last problem, where it is the measured n. For n above `must`, the
 * library uses its fallback if the configuration does not run.
 */
struct span {
    uint64_t from, to, must;
};

static struct span span_of(const struct problem *problems, size_t i, size_t count)
{
    struct span span = {1, (uint64_t)1 << TUNED_MOST_LOG2, (uint64_t)problems[i].n};
    if (i > 0)
        span.from = (uint64_t)sqrt(problems[i - 1].n * problems[i].n) + 1;
    if (i + 1 < count)
        span.to = span.must = (uint64_t)sqrt(problems[i].n * problems[i + 1].n);
    return span;
}

/*
 * Returns whether a library can call this candidate for every n in the span from `from` to `must`.
 */
static bool usable(const struct choosing *c, const struct candidate *candidate, struct span span)
{
    const struct config_shape ends[2] = {{.n = span.from}, {.n = span.must}};
    struct tuned_range range;
    return read_variant(c, candidate, &range) && range_runs_at(c, &range, &ends[0]) &&
           range_runs_at(c, &range, &ends[1]);
}

/* Returns the problem's best candidate that a library can call, or NULL if there is none. */
static const struct candidate *best_usable(const struct choosing *c, const struct problem *p,
                                           struct span span)
{
    for (size_t i = 0; i < p->count; i++)
        if (usable(c, &p->candidates[i], span))
            return &p->candidates[i];
    return NULL;
}

/* Returns whether the configuration is about as good as the best one at this size. */
static bool good_enough(const struct choosing *c, const struct problem *p, size_t configuration,
                        struct span span)
{
    const struct candidate *best = best_usable(c, p, span);
    const struct candidate *mine = best_candidate(p, configuration);
    return best && mine && usable(c, mine, span) && loses_little(c, mine, best);
}

/*
 * Returns for how many consecutive problems, from `first` on, the candidate's configuration is good
 * enough.
 */
static size_t reach(const struct choosing *c, const struct problem *problems, size_t first,
                    size_t count, const struct candidate *candidate)
{
    size_t last = first;
    while (last < count && good_enough(c, &problems[last], candidate->configuration,
                                       span_of(problems, last, count)))
        last++;
    return last - first;
}

/* Returns the best exact candidate at the measured n. At any other n where it does not run, the
 * library uses the neighboring ranges (tuned/find.h). */
static const struct candidate *best_exact(const struct choosing *c, const struct problem *p)
{
    const struct span here = {(uint64_t)p->n, (uint64_t)p->n, (uint64_t)p->n};
    return c->exact ? best_usable(c, p, here) : NULL;
}

static void add_range(const struct choosing *c, struct tuned_function *f,
                      const struct problem *first, const struct problem *last,
                      const struct candidate *candidate, struct span span)
{
    array_push(f->ranges, f->range_count, (struct tuned_range){0});
    struct tuned_range *range = &f->ranges[f->range_count - 1];
    (void)read_variant(c, candidate, range);
    range->first = span.from;
    range->last = span.to;
    const struct problem *ends[2] = {first, last};
    for (int i = 0; i < 2; i++) {
        const struct candidate *there = best_candidate(ends[i], candidate->configuration);
        range->sizes[i] = (uint64_t)ends[i]->n;
        range->us[i] = there ? candidate_us(c, there) : NAN;
        range->reference_us[i] = problem_reference_us(c, ends[i]);
    }
}

bool choose_ranges(const struct choosing *c, const struct series *series, struct tuned_function *f)
{
    const struct problem *problems = &c->best->problems[series->first];
    for (size_t first = 0; first < series->count;) {
        const struct candidate *chosen = NULL;
        size_t furthest = 0;
        for (size_t i = 0; i < problems[first].count; i++) {
            const struct candidate *candidate = &problems[first].candidates[i];
            size_t sizes = reach(c, problems, first, series->count, candidate);
            if (sizes > furthest) {
                furthest = sizes;
                chosen = candidate;
            }
        }
        if (!chosen && (chosen = best_exact(c, &problems[first])))
            furthest = 1;
        if (!chosen) {
            const struct kernel *any = find_fallback(c->tuned->catalogue, f);
            return FAIL(c->e, ERROR_CONFIG,
                        "the runs contain no configuration for %s %s at n = %.0f whose kernel a "
                        "library can call (with the fact \"standalone: yes\"); measure %s%s at "
                        "this n",
                        operation_name(f->op), element_type_name(f->type), problems[first].n,
                        any ? any->name : "such a kernel", any ? " or a faster kernel" : "");
        }
        size_t last = first + furthest - 1;
        struct span span = span_of(problems, last, series->count);
        span.from = span_of(problems, first, series->count).from;
        add_range(c, f, &problems[first], &problems[last], chosen, span);
        first += furthest;
    }
    return true;
}
