/*
 * Choosing configurations for the library: see tuned.h for the rule.
 */
#include "tuned/tuned.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "plan/shape.h"

/* Of a size's best time, for a longer range: when the two differ, and when they are tied. */
static const double LOSS_ALLOWED = 0.003, TIED_LOSS_ALLOWED = 0.01;

struct choosing {
    struct tuned *tuned;
    const struct best *best;
    int sms;
    struct error *e;
};

static const struct results *run_of(const struct choosing *c, const struct candidate *candidate)
{
    return &c->best->runs[candidate->run];
}

static const char *cell(const struct choosing *c, const struct candidate *candidate,
                        const char *column)
{
    return results_text(run_of(c, candidate), candidate->row, column);
}

static bool lower_equal(const char *upper, const char *lower)
{
    while (*upper && tolower((unsigned char)*upper) == *lower)
        upper++, lower++;
    return *upper == *lower;
}

/* The column of a kernel's tunable in a run; "" when the run has none. */
static const char *tunable_cell(const struct choosing *c, const struct candidate *candidate,
                                const char *name)
{
    const struct results *r = run_of(c, candidate);
    for (size_t i = 0; i < r->rows.column_count; i++)
        if (r->columns[i].role == ROLE_TUNABLE &&
            lower_equal(name, tunable_name(r->rows.columns[i])))
            return table_cell(&r->rows, candidate->row, (int)i);
    return "";
}

/* Fills a range's kernel and variant; false when a library cannot call this kernel. */
static bool read_variant(const struct choosing *c, const struct candidate *candidate,
                         struct tuned_range *out)
{
    const struct kernel *k = catalogue_find(c->tuned->catalogue, cell(c, candidate, "kernel"));
    enum element_type type;
    enum operation op;
    if (!k || !k->standalone || !k->complete || k->in_place || k->grid[1] || k->threads[0] ||
        k->racy || !element_type_find(cell(c, candidate, "type"), &type) ||
        !operation_find(cell(c, candidate, "op"), &op))
        return false;
    out->kernel = k;
    out->variant = (struct variant){
        .block = (uint16_t)results_number(run_of(c, candidate), candidate->row, "block"),
        .unroll = (uint16_t)results_number(run_of(c, candidate), candidate->row, "unroll"),
        .type = (uint8_t)type,
        .op = (uint8_t)op};
    for (int i = 0; i < k->tunable_count; i++) {
        const char *value = tunable_cell(c, candidate, k->tunables[i].name);
        if (!*value)
            return false; /* the kernel has got a tunable since */
        out->variant.tunables[i] = atoi(value);
    }
    return true;
}

/* May the configuration run at this n? Its facts say so. */
static bool runs_at(const struct choosing *c, const struct tuned_range *range, uint64_t n)
{
    struct combination at = {.kernel = range->kernel,
                             .type = (enum element_type)range->variant.type,
                             .n = n,
                             .block = range->variant.block,
                             .unroll = range->variant.unroll,
                             .tunables = range->variant.tunables,
                             .sms = c->sms};
    struct text reason = {0};
    struct error e = {0};
    bool ok = shape_skip_reason(&at, NULL, &reason, &e) && reason.length == 0;
    text_free(&reason);
    return ok;
}

/* The range of n that a problem's measurement represents: halfway, by ratio, to its neighbors. */
struct span {
    uint64_t from, to;
};

static struct span span_of(const struct problem *problems, size_t i, size_t count)
{
    struct span span = {1, (uint64_t)1 << TUNED_MOST_LOG2};
    if (i > 0)
        span.from = (uint64_t)sqrt(problems[i - 1].n * problems[i].n) + 1;
    if (i + 1 < count)
        span.to = (uint64_t)sqrt(problems[i].n * problems[i + 1].n);
    return span;
}

/* Can a library call this candidate in all of the span? */
static bool usable(const struct choosing *c, const struct candidate *candidate, struct span span)
{
    struct tuned_range range;
    return read_variant(c, candidate, &range) && runs_at(c, &range, span.from) &&
           runs_at(c, &range, span.to);
}

/* The best candidate of a problem that a library can call; NULL when there is none. */
static const struct candidate *best_usable(const struct choosing *c, const struct problem *p,
                                           struct span span)
{
    for (size_t i = 0; i < p->count; i++)
        if (usable(c, &p->candidates[i], span))
            return &p->candidates[i];
    return NULL;
}

static double time_of(const struct choosing *c, const struct candidate *candidate)
{
    return results_number(run_of(c, candidate), candidate->row, "time_us_median");
}

/* Is the configuration as good as the best at this size? */
static bool good_enough(const struct choosing *c, const struct problem *p, size_t configuration,
                        struct span span)
{
    const struct candidate *best = best_usable(c, p, span);
    const struct candidate *mine = best_candidate(p, configuration);
    if (!best || !mine || !usable(c, mine, span))
        return false;
    double allowed = mine->tied && best->tied ? TIED_LOSS_ALLOWED : LOSS_ALLOWED;
    return time_of(c, mine) <= time_of(c, best) * (1 + allowed);
}

/* How many of the problems from `first` on one configuration can serve. */
static size_t reach(const struct choosing *c, const struct problem *problems, size_t first,
                    size_t count, const struct candidate *candidate)
{
    size_t last = first;
    while (last < count && good_enough(c, &problems[last], candidate->configuration,
                                       span_of(problems, last, count)))
        last++;
    return last - first;
}

static double reference_us(const struct choosing *c, const struct problem *p)
{
    if (isnan(p->reference.time.value))
        return NAN;
    return time_of(c, &p->reference);
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
        range->us[i] = there ? time_of(c, there) : NAN;
        range->reference_us[i] = reference_us(c, ends[i]);
    }
}

static bool choose_ranges(const struct choosing *c, const struct series *series,
                          struct tuned_function *f)
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
        if (!chosen)
            return FAIL(c->e, ERROR_CONFIG,
                        "no configuration of a kernel that a library can call (its facts say "
                        "standalone: yes) serves %s %s at n = %.0f: measure onepass_packed or "
                        "onepass_slots there",
                        operation_name(f->op), element_type_name(f->type), problems[first].n);
        size_t last = first + furthest - 1;
        struct span span = {span_of(problems, first, series->count).from,
                            span_of(problems, last, series->count).to};
        add_range(c, f, &problems[first], &problems[last], chosen, span);
        first += furthest;
    }
    return true;
}

static bool wanted(const struct choosing *c, const struct series *series,
                   struct tuned_function *out)
{
    const struct candidate *any = c->best->problems[series->first].candidates;
    return strcmp(cell(c, any, "cache"), "cold") == 0 &&
           strcmp(cell(c, any, "scope"), "complete") == 0 &&
           strcmp(cell(c, any, "backend"), "cuda") == 0 &&
           element_type_find(cell(c, any, "type"), &out->type) &&
           operation_find(cell(c, any, "op"), &out->op);
}

static bool choose_functions(const struct choosing *c)
{
    struct tuned *t = c->tuned;
    t->functions = xcalloc(c->best->series_count + 1, sizeof *t->functions);
    for (size_t i = 0; i < c->best->series_count; i++) {
        struct tuned_function *f = &t->functions[t->function_count];
        if (!wanted(c, &c->best->series[i], f))
            continue;
        t->function_count++;
        if (!choose_ranges(c, &c->best->series[i], f))
            return false;
    }
    return t->function_count > 0 ||
           FAIL(c->e, ERROR_CONFIG,
                "the runs have no GPU times with cold caches and scope complete; "
                "configs/fastest-final.json measures them");
}

/* What was measured must be what is compiled. */
static bool check_source(const struct results *r, const struct kernel *k, struct error *e)
{
    char now[32];
    snprintf(now, sizeof now, "%016" PRIx64, k->code_hash);
    const struct manifest_kernel *recorded = manifest_kernel(&r->manifest, k->name);
    return !recorded || !*recorded->source_hash || strcmp(recorded->source_hash, now) == 0 ||
           FAIL(e, ERROR_CONFIG,
                "%s has changed since %s was measured: measure again, or restore that "
                "version's kernels",
                k->path, r->path);
}

/* 90 for 9.0; 0 where the run does not say. */
static int capability_of(const struct results *r)
{
    int major = 0, minor = 0;
    const char *text = r->manifest.provenance.device.compute_capability;
    return sscanf(text, "%d.%d", &major, &minor) == 2 ? 10 * major + minor : 0;
}

void tuned_sort_runs(struct results *runs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct results run = runs[i];
        size_t k = i;
        for (; k > 0 && capability_of(&runs[k - 1]) < capability_of(&run); k--)
            runs[k] = runs[k - 1];
        runs[k] = run;
    }
}

size_t tuned_alike(const struct results *runs, size_t count)
{
    size_t alike = 1;
    while (alike < count && capability_of(&runs[alike]) == capability_of(&runs[0]))
        alike++;
    return alike;
}

static bool read_device(struct choosing *c, const struct results *runs, size_t count)
{
    struct tuned *t = c->tuned;
    const struct results *last = &runs[count - 1];
    for (size_t i = 0; i < count; i++)
        if (strcmp(results_device(&runs[i]), results_device(last)) != 0)
            return FAIL(c->e, ERROR_CONFIG,
                        "%s (%s) and %s (%s) are of different devices of one compute capability",
                        runs[i].path, results_device(&runs[i]), last->path, results_device(last));
    for (size_t i = 0; i < count; i++)
        if (runs[i].manifest.provenance.device.recalls)
            return FAIL(c->e, ERROR_CONFIG,
                        "%s has times that were drawn from another run, not measured; a library "
                        "is made from the run itself",
                        runs[i].path);
    const struct provenance *made = &last->manifest.provenance;
    c->sms = (int)made->device.multiprocessors;
    t->cc = capability_of(last);
    if (t->cc == 0 || c->sms <= 0)
        return FAIL(c->e, ERROR_CONFIG,
                    "%s does not say the compute capability and multiprocessors of a GPU "
                    "(" MANIFEST_FILE ")",
                    last->path);
    snprintf(t->device, sizeof t->device, "%.63s", results_device(last));
    snprintf(t->started, sizeof t->started, "%s", made->started);
    snprintf(t->run, sizeof t->run, "%s", made->run);
    return true;
}

static bool check_sources(const struct choosing *c, const struct results *runs, size_t count)
{
    const struct tuned *t = c->tuned;
    for (size_t i = 0; i < t->function_count; i++)
        for (size_t j = 0; j < t->functions[i].range_count; j++)
            for (size_t r = 0; r < count; r++)
                if (!check_source(&runs[r], t->functions[i].ranges[j].kernel, c->e))
                    return false;
    return true;
}

bool tuned_choose(const struct results *runs, size_t count, const struct catalogue *catalogue,
                  struct tuned *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    out->catalogue = catalogue;
    struct best best;
    struct best_options options = {.metric = "time_us_median"};
    struct choosing c = {.tuned = out, .best = &best, .e = e};
    if (!read_device(&c, runs, count) || !best_find(runs, count, &options, &best, e))
        return false;
    out->unresolved = best.unresolved;
    bool ok = choose_functions(&c) && check_sources(&c, runs, count);
    best_free(&best);
    if (!ok)
        tuned_free(out);
    return ok;
}

void tuned_free(struct tuned *t)
{
    for (size_t i = 0; i < t->function_count; i++)
        free(t->functions[i].ranges);
    free(t->functions);
    memset(t, 0, sizeof *t);
}
