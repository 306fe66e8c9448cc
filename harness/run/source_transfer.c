/*
 * The strategy `transfer` (search/transfer.h), which searches each group for its fastest point. It
 * measures batches of a group's points, each chosen from the results of the previous batches: first
 * the start, then a descent, whose batches continue while they bring improvements, and at last the
 * final among the best points, the finalists.
 *
 * Groups that differ only in n form a chain. A lane that takes the first group of a chain from the
 * agenda searches all groups of the chain, from the smallest n to the largest. Each search begins
 * with the results of the previous one. When the agenda later reaches another group of the chain,
 * the group is skipped.
 *
 * At the end of a group's search, the group's rows are written. Then a finding, which describes the
 * search and its result (struct search_finding), is added to run.json. A resumed run continues each
 * chain with the first group that has no finding. The rows of that group are removed, so the search
 * chooses the same points as without the interruption.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "plan/shards.h"
#include "run/agenda.h"
#include "run/lane.h"
#include "run/request_time.h"
#include "run/rows.h"
#include "run/sweep_state.h"
#include "search/finding.h"

/* The search of a lane's current group. */
struct lane_search {
    uint32_t group; /* NO_GROUP: the lane has no group */
    struct transfer_search transfer;
    struct search_batch batch;
    /* the last outcome of each point of the group, owned with its metrics; NULL: not measured */
    struct outcome **kept;
    double asked_s;       /* when the current batch was chosen (clock_now_s()) */
    double until_s;       /* the time after which the descent begins no further batch
                             (clock_now_s()) */
    uint32_t best;        /* the best point so far (transfer_best()) */
    struct text progress; /* when which point became the best one, as in struct search_finding */
};

struct transfer_source {
    struct source source;
    struct agenda agenda;
    struct lane_search *lanes;
    double since_s; /* when the first search began; 0: no search has begun */
    /* for the batches of each phase of the searches */
    struct time_left time_left[TRANSFER_DONE];
    bool *open;  /* for each group, whether it has no finding yet */
    bool *first; /* for each group, whether it is the first of its chain */
};

/*
 * Before any descent has ended, a descent is expected to need MORE_GUESSED batches more than the
 * minimum. In later means, this guess weighs as much as GUESS_WEIGHT descents.
 */
#define MORE_GUESSED 0.5
#define GUESS_WEIGHT 2.0

extern const struct source_kind source_transfer;

static struct transfer_source *transfer_of(struct source *source)
{
    return (struct transfer_source *)source;
}

static struct lane_search *search_of(struct source *source, const struct lane *l)
{
    return &transfer_of(source)->lanes[l - source->sweep->lanes];
}

static const struct config_search *config_of(const struct sweep *s)
{
    return &s->options->setup.config->search;
}

/* Returns whether the points `a` and `b` belong to problems that differ at most in n. */
static bool same_chain(const struct plan *plan, const struct point *a, const struct point *b)
{
    const struct kernel *x = plan_kernel(plan, a), *y = plan_kernel(plan, b);
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if ((i == AXIS_type || i == AXIS_op || i == AXIS_cache || axis_is_run_time(i)) &&
            point_value(a, i) != point_value(b, i))
            return false;
    return x->backend == y->backend && x->workload == y->workload;
}

/* Returns the group in the same chain at the next larger (or smaller) n, or NO_GROUP. */
static uint32_t next_in_chain(const struct plan *plan, uint32_t group, bool larger)
{
    const struct point *from = &plan->points[plan->groups[group].first];
    uint32_t found = NO_GROUP;
    for (uint32_t g = 0; g < plan->group_count; g++) {
        const struct point *p = &plan->points[plan->groups[g].first];
        if ((larger ? p->n <= from->n : p->n >= from->n) || !same_chain(plan, from, p))
            continue;
        const struct point *best =
            found == NO_GROUP ? NULL : &plan->points[plan->groups[found].first];
        if (!best || (larger ? p->n < best->n : p->n > best->n))
            found = g;
    }
    return found;
}

/*
 * Returns the finding of a group, from this session or an earlier one. Returns NULL if the group's
 * search has not ended, in which case the group's rows are incomplete.
 */
static const struct search_finding *finding_of(const struct sweep *s, uint32_t group)
{
    char first[17];
    const struct manifest *m = &s->sides[0].manifest;
    snprintf(first, sizeof first, "%016" PRIx64, s->plan->points[s->plan->groups[group].first].id);
    for (size_t i = 0; i < m->sessions.count; i++)
        for (size_t k = 0; k < m->sessions.items[i].searches.count; k++)
            if (strcmp(m->sessions.items[i].searches.items[k].first, first) == 0)
                return &m->sessions.items[i].searches.items[k];
    return NULL;
}

static uint32_t chain_begin(const struct sweep *s, uint32_t group)
{
    uint32_t before;
    while ((before = next_in_chain(s->plan, group, false)) != NO_GROUP)
        group = before;
    return group;
}

static double group_bytes(const struct sweep *s, uint32_t group)
{
    return plan_point_bytes(&s->plan->points[s->plan->groups[group].first]);
}

/*
 * Stores the finalists of a finished group in `tops`, best first, and returns how many there are.
 */
static uint32_t read_tops(const struct sweep *s, uint32_t group, uint32_t *tops)
{
    const struct group *g = &s->plan->groups[group];
    const char *at = finding_of(s, group)->tops;
    uint32_t count = 0, most = (uint32_t)config_of(s)->finalists;
    for (char *end; *at && count < most; at = end + (*end == ' ')) {
        uint64_t id = strtoull(at, &end, 16);
        if (end == at)
            break;
        for (uint32_t i = g->first; i < g->first + g->count && count < most; i++)
            if (s->plan->points[i].id == id)
                tops[count++] = i;
    }
    return count;
}

/*
 * Returns how many launches a finalist is expected to take. A final ends as soon as it is decided,
 * so the number is taken from a final of this run, if there was one.
 */
static double final_launches(const struct sweep *s)
{
    uint32_t *tops = xcalloc((size_t)config_of(s)->finalists, sizeof *tops), count = 0;
    double samples = 0;
    for (uint32_t g = 0; g < s->plan->group_count; g++)
        if (finding_of(s, g)) {
            count = read_tops(s, g, tops);
            samples = 0;
            for (uint32_t i = 0; i < count; i++)
                samples += s->rows[tops[i]].samples;
        }
    free(tops);
    return samples > 0 ? 1 + samples / count : transfer_launches(config_of(s), TRANSFER_FINAL);
}

/*
 * Begins the estimates for the batches of each phase. The estimate for a point includes its
 * compilation, except for finalists, which are compiled already. The time to read the point's input
 * follows from the measured read ceiling, and is at most timing.budget_s of the config.
 */
static void begin_time_left(struct transfer_source *t)
{
    const struct sweep *s = t->source.sweep;
    const struct device_info info = requests_device(s);
    for (enum transfer_phase k = 0; k < TRANSFER_DONE; k++) {
        double launches =
            k == TRANSFER_FINAL ? final_launches(s) : transfer_launches(config_of(s), k);
        struct point_cost cost = launches_cost(s->plan, &info, launches);
        if (k != TRANSFER_FINAL)
            cost.point_s += COMPILE_S / s->options->setup.threads;
        cost.bytes_most_s = info.can_time ? s->options->setup.config->timing.budget_s : 0;
        time_left_begin(&t->time_left[k], cost);
        t->time_left[k].trusts_bytes = info.can_time;
    }
}

static bool is_unfinished(const struct sweep *s, uint32_t group, size_t recorded)
{
    (void)recorded;
    return !finding_of(s, group);
}

/*
 * Returns the time after which the descent of the next group begins no further batch. All groups
 * that are not finished get equal shares of the time that is left of search.time_limit_s.
 */
static double time_limit(struct transfer_source *t)
{
    const struct sweep *s = t->source.sweep;
    double limit = config_of(s)->time_limit_s, now = clock_now_s();
    uint32_t left = 0;
    if (t->since_s == 0)
        t->since_s = now;
    for (uint32_t g = 0; g < s->plan->group_count; g++)
        left += !finding_of(s, g);
    return limit > 0 && left > 0 ? now + (t->since_s + limit - now) / left : INFINITY;
}

/* Adds the measurements of a finished group, also from earlier sessions, to `out`. */
static void observe_rows(const struct sweep *s, uint32_t group, struct observations *out)
{
    const struct group *g = &s->plan->groups[group];
    for (uint32_t i = g->first; i < g->first + g->count; i++) {
        const struct row_times *t = &s->rows[i];
        if (rows_has(s, i) && t->median > 0 && t->samples > 0)
            vec_push(&out->list, (struct observed){i, t->median, t->stdev, t->samples});
    }
}

/*
 * Begins the search of the group `at`, unless `at` is NO_GROUP. `last` is the finished group before
 * `at` in its chain, or NO_GROUP.
 */
static void begin_group(struct transfer_source *t, struct lane_search *x, uint32_t last,
                        uint32_t at)
{
    const struct sweep *s = t->source.sweep;
    struct observations before = {0};
    uint32_t count = 0;
    if (at == NO_GROUP)
        return;
    if (t->since_s == 0) /* only now have the ceilings been measured */
        begin_time_left(t);
    uint32_t *tops = xcalloc((size_t)config_of(s)->finalists, sizeof *tops);
    if (last != NO_GROUP) {
        count = read_tops(s, last, tops);
        observe_rows(s, last, &before);
    }
    *x = (struct lane_search){.group = at, .until_s = time_limit(t), .best = UINT32_MAX};
    x->kept = xcalloc(s->plan->groups[at].count, sizeof *x->kept);
    transfer_begin(&x->transfer, s->plan, at, config_of(s), tops, count, &before);
    vec_free(&before.list);
    free(tops);
}

/*
 * Begins the search of the first unfinished group in the chain of `group`. Does nothing if `group`
 * is not the first group of its chain, or if all groups of the chain are finished.
 */
static void begin_chain(struct transfer_source *t, struct lane_search *x, uint32_t group)
{
    const struct sweep *s = t->source.sweep;
    uint32_t last = NO_GROUP;
    if (next_in_chain(s->plan, group, false) != NO_GROUP)
        return;
    while (group != NO_GROUP && finding_of(s, group)) {
        last = group;
        group = next_in_chain(s->plan, group, true);
    }
    begin_group(t, x, last, group);
}

static void end_group(struct lane_search *x)
{
    if (x->group == NO_GROUP)
        return;
    for (uint32_t i = 0; i < x->transfer.group.count; i++) {
        if (x->kept[i])
            free((double *)x->kept[i]->metrics);
        free(x->kept[i]);
    }
    free(x->kept);
    transfer_end(&x->transfer);
    vec_free(&x->batch.points);
    text_free(&x->progress);
    x->group = NO_GROUP;
}

/* Writes the rows of the group's measured points, and then adds its finding to run.json. */
static bool record_group(struct lane *l, struct lane_search *x, struct error *e)
{
    struct sweep *s = l->sweep;
    const struct transfer_search *t = &x->transfer;
    for (uint32_t i = 0; i < t->group.count; i++) {
        struct outcome *o = x->kept[i];
        if (!o)
            continue;
        o->samples = t->points[i].samples.items;
        o->sample_count = t->points[i].samples.count;
        if (status_is_good(o->status) && !t->points[i].finalist)
            outcome_lost_race(o);
        if (!rows_write(l, t->group.first + i, o, e))
            return false;
    }
    if (!rows_flush(s, e))
        return false;
    struct search_finding finding;
    finding_make(t, l->supervisor.hello.info.time_step_us, &finding);
    member_set(&finding.progress, x->progress.bytes);
    vec_push(&l->conditions->searches, finding);
    return record_update(s->sides[0].record, e);
}

/*
 * Adds the time and the best point to x->progress if the best point has changed, and always after
 * the final.
 */
static void note_progress(struct lane_search *x)
{
    char now[32];
    uint32_t best = transfer_best(&x->transfer);
    if (best == UINT32_MAX || (best == x->best && x->transfer.phase != TRANSFER_DONE))
        return;
    x->best = best;
    text_append(&x->progress, "%s%s %016" PRIx64, x->progress.length ? " " : "", clock_utc_now(now),
                x->transfer.plan->points[best].id);
}

/* Summarizes the findings of all searches in s->result->search. Does nothing without findings. */
static void summarize(struct sweep *s)
{
    const struct manifest *m = &s->sides[0].manifest;
    int64_t problems = 0, points = 0, measured = 0, probes = 0, within = 0;
    double share = 0;
    for (size_t i = 0; i < m->sessions.count; i++)
        for (size_t k = 0; k < m->sessions.items[i].searches.count; k++) {
            const struct search_finding *f = &m->sessions.items[i].searches.items[k];
            problems++;
            points += f->points;
            measured += f->measured;
            probes += f->probes;
            within += f->within > 0 ? f->within : 0;
            share = fmax(share, f->better_share);
        }
    if (problems > 0)
        snprintf(s->result->search, sizeof s->result->search,
                 "The search measured %" PRId64 " of %" PRId64 " points. Of these, %" PRId64
                 " were chosen at random, and %" PRId64
                 " of the random points were within 1 %% of the best time at their n. The random "
                 "points alone show, with 95 %% confidence, that at each n at most %.2g %% of the "
                 "points are faster than the point that the search found.",
                 measured, points, probes, within, 100 * share);
}

/* ---- The time left --------------------------------------------------------------------------- */

/*
 * Corrects the estimates of the phases in which no batch was measured yet: if the batches of the
 * phase before took twice as long as estimated, these phases are expected to take twice as long,
 * too.
 */
static void scale_guesses(struct time_left parts[TRANSFER_DONE])
{
    double scale = 1;
    for (enum transfer_phase k = 0; k < TRANSFER_DONE; k++) {
        if (parts[k].sizes.count > 0)
            scale = time_left_scale(&parts[k]);
        parts[k].planned.point_s *= scale;
        if (!parts[k].trusts_bytes)
            parts[k].planned.byte_s *= scale;
    }
}

/*
 * Corrects the estimates with a lane's current batch, like requests_left_s() does with a request.
 */
static void add_at_hand(const struct lane *l, const struct lane_search *x, double bytes,
                        struct time_left parts[TRANSFER_DONE])
{
    struct time_left *t = &parts[transfer_asked(&x->transfer)];
    double points = (double)l->batch.points.count, ahead = 1 - batch_passed(l);
    double seconds = clock_now_s() - x->asked_s + ahead * points * time_left_cost(t, bytes);
    if (points == 0)
        return;
    time_left_observe(t, bytes, points, seconds);
    time_left_add(t, bytes, ahead * points);
}

static bool is_at_hand(const struct transfer_source *t, uint32_t group)
{
    for (int i = 0; i < t->source.sweep->lane_count; i++)
        if (t->lanes[i].group == group)
            return true;
    return false;
}

static void add_ahead(const struct transfer_search *x, double bytes, double more,
                      struct time_left parts[TRANSFER_DONE])
{
    double points[TRANSFER_DONE];
    transfer_ahead(x, more, points);
    for (enum transfer_phase k = 0; k < TRANSFER_DONE; k++)
        if (points[k] > 0)
            time_left_add(&parts[k], bytes, points[k]);
}

/*
 * Returns how many batches more than the minimum a descent is expected to need. This is a weighted
 * mean over all descents so far, including those of earlier sessions. Each descent has half the
 * weight of the one after it.
 */
static double batches_more(const struct sweep *s)
{
    const struct manifest *m = &s->sides[0].manifest;
    double more = MORE_GUESSED * GUESS_WEIGHT, weight = GUESS_WEIGHT;
    for (size_t i = 0; i < m->sessions.count; i++)
        for (size_t k = 0; k < m->sessions.items[i].searches.count; k++) {
            const struct search_finding *f = &m->sessions.items[i].searches.items[k];
            more = more / 2 + finding_more(f, config_of(s));
            weight = weight / 2 + 1;
        }
    return more / weight;
}

/*
 * Returns how many seconds all remaining searches take if each descent needs `more` batches more
 * than the minimum.
 */
static double left_with(const struct transfer_source *t, double more)
{
    const struct sweep *s = t->source.sweep;
    struct time_left parts[TRANSFER_DONE];
    int working = sweep_working(s);
    double left = 0;
    for (enum transfer_phase k = 0; k < TRANSFER_DONE; k++)
        parts[k] = time_left_copy(&t->time_left[k]);
    scale_guesses(parts);
    for (int i = 0; i < s->lane_count; i++) {
        const struct lane_search *x = &t->lanes[i];
        if (x->group == NO_GROUP)
            continue;
        add_at_hand(&s->lanes[i], x, group_bytes(s, x->group), parts);
        add_ahead(&x->transfer, group_bytes(s, x->group), more, parts);
    }
    for (uint32_t g = 0; g < s->plan->group_count; g++) {
        const struct transfer_search fresh = {
            .config = config_of(s), .group = s->plan->groups[g], .top_count = !t->first[g]};
        if (t->open[g] && !is_at_hand(t, g))
            add_ahead(&fresh, group_bytes(s, g), more, parts);
    }
    for (enum transfer_phase k = 0; k < TRANSFER_DONE; k++) {
        left += time_left_s(&parts[k]) / (working > 0 ? working : 1);
        time_left_free(&parts[k]);
    }
    return left;
}

/*
 * A descent ends with the first batch that brings no improvement, so its length cannot be
 * predicted. The descents may need no batch beyond the minimum, or twice as many as expected. The
 * time shown is the geometric mean of the times in these two cases, so in both of them it is wrong
 * by the same factor.
 */
static double left_s(struct source *source)
{
    const struct transfer_source *t = transfer_of(source);
    double limit = config_of(source->sweep)->time_limit_s;
    double least = left_with(t, 0), most = left_with(t, 2 * batches_more(source->sweep));
    double left = sqrt(least * most);
    return fmax(1e-3, limit > 0 ? fmin(left, t->since_s + limit - clock_now_s()) : left);
}

/* ---- The source ------------------------------------------------------------------------------ */

static struct source *make(struct sweep *s)
{
    struct transfer_source *t = xcalloc(1, sizeof *t);
    t->source = (struct source){.kind = &source_transfer, .sweep = s, .input = -1, .output = -1};
    agenda_make(&t->agenda, s->plan, s->lane_count);
    t->lanes = xcalloc((size_t)s->lane_count, sizeof *t->lanes);
    t->open = xcalloc(s->plan->group_count, sizeof *t->open);
    t->first = xcalloc(s->plan->group_count, sizeof *t->first);
    for (uint32_t g = 0; g < s->plan->group_count; g++) {
        t->open[g] = !finding_of(s, g);
        t->first[g] = next_in_chain(s->plan, g, false) == NO_GROUP;
    }
    for (int i = 0; i < s->lane_count; i++)
        t->lanes[i].group = NO_GROUP;
    return &t->source;
}

static bool next(struct source *source, struct lane *l, struct batch *out, struct error *e)
{
    struct transfer_source *t = transfer_of(source);
    struct sweep *s = source->sweep;
    struct lane_search *x = search_of(source, l);
    while (out->points.count == 0) {
        uint32_t group = NO_GROUP;
        if (x->group == NO_GROUP && !agenda_next(&t->agenda, sweep_working(s), &group))
            return true;
        if (x->group == NO_GROUP)
            begin_chain(t, x, group);
        if (x->group == NO_GROUP)
            continue;
        note_progress(x);
        x->asked_s = clock_now_s();
        x->transfer.hurry = clock_now_s() > x->until_s;
        if (transfer_next(&x->transfer, &x->batch)) {
            for (size_t i = 0; i < x->batch.points.count; i++)
                vec_push(&out->points, x->batch.points.items[i]);
            batch_sort(out);
            out->sampling = x->batch.sampling;
            out->compile = true;
            break;
        }
        if (!record_group(l, x, e))
            return false;
        t->open[x->group] = false;
        group = x->group;
        end_group(x);
        begin_group(t, x, group, next_in_chain(s->plan, group, true));
    }
    return true;
}

static bool take(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
                 struct error *e)
{
    struct lane_search *x = search_of(source, l);
    struct outcome **kept = &x->kept[point - x->transfer.group.first];
    size_t bytes = (size_t)source->sweep->metrics.count * sizeof(double);
    (void)e;
    if (*kept)
        free((double *)(*kept)->metrics);
    free(*kept);
    *kept = xmalloc(sizeof **kept);
    **kept = *o;
    if (o->metrics) {
        double *metrics = xmalloc(bytes + 1);
        memcpy(metrics, o->metrics, bytes);
        (*kept)->metrics = metrics;
    }
    transfer_take(&x->transfer, point, o->samples, status_is_good(o->status) ? o->sample_count : 0);
    return true;
}

static bool done(struct source *source, struct lane *l, struct error *e)
{
    const struct lane_search *x = search_of(source, l);
    struct time_left *t = &transfer_of(source)->time_left[transfer_asked(&x->transfer)];
    (void)e;
    time_left_observe(t, group_bytes(source->sweep, x->group), (double)l->batch.points.count,
                      clock_now_s() - x->asked_s);
    return true;
}

/* Drops the lane's search. Its rows would be written at its end, so there are no rows to remove. */
static bool drop(struct source *source, struct lane *l, struct error *e)
{
    struct lane_search *x = search_of(source, l);
    uint32_t group = chain_begin(source->sweep, x->group);
    (void)e;
    end_group(x);
    agenda_return(&transfer_of(source)->agenda, group);
    return true;
}

static void release(struct source *source)
{
    struct transfer_source *t = transfer_of(source);
    for (int i = 0; i < source->sweep->lane_count; i++)
        end_group(&t->lanes[i]);
    agenda_free(&t->agenda);
    for (enum transfer_phase k = 0; k < TRANSFER_DONE; k++)
        time_left_free(&t->time_left[k]);
    free(t->open);
    free(t->first);
    free(t->lanes);
    free(t);
}

const struct source_kind source_transfer = {.name = "transfer",
                                            .make = make,
                                            .begins_again = is_unfinished,
                                            .next = next,
                                            .take = take,
                                            .done = done,
                                            .drop = drop,
                                            .left_s = left_s,
                                            .end = summarize,
                                            .free = release,
                                            .by_times = true,
                                            .whole = true,
                                            .some = true};
