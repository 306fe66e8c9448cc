/*
 * Times points in interleaved rounds. A trial is one execution of a point's launches. Each round
 * contains every point of the group once, in a random order that follows from the config's seed, so
 * device drift does not look like a difference between kernels.
 *
 * A point leaves the rounds when it loses a race (racing.c), when the 95 % confidence interval of
 * its median is narrow enough, when it has the maximum number of samples, or when its budget of
 * device time is used up. The point's row says which of these it was. Samples are reported after
 * every batch of rounds.
 */
#include "measure/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"
#include "base/text.h"
#include "record/flags.h"

/* A batch is the trials that are queued at once. The device waits for the CPU between two batches,
 * so batches are as large as the points' budgets allow. */
enum { BATCH_TRIALS = 4096, BATCH_TARGET_MS = 200 };

/*
 * A time is usable if it is at least this many steps of the clock, so that a step is at most about
 * 3 % of it. Rounding shorter times to whole steps would make equal kernels differ by more than 3
 * %, and hide real differences.
 */
enum { RESOLVED_STEPS = 32 };

struct rounds {
    struct group_run *group;
    uint32_t *order; /* for each trial of a batch, the index of its subject */
    struct trial *trials;
    double *us;
    uint64_t *bits; /* the hashes of the trials' results; 0 if the device computes none */
    int capacity;
    uint64_t random;
    double trial_s; /* wall time per trial in the last batch */
    int rungs;      /* how many rungs of the race have passed */
};

static int most_samples(const struct group_run *s)
{
    int given = s->task->sampling.samples;
    return given > 0 ? given : s->bench->timing->max_samples;
}

#define STOPPED_BY_WIDTH "width"

bool subject_is_narrow(const struct subject *subject, double relative_width)
{
    struct summary summary;
    return summarize(subject->samples, subject->sample_count, &summary) &&
           !isnan(summary.ci95_lo) &&
           summary.ci95_hi - summary.ci95_lo <= relative_width * summary.median;
}

/* Returns why to stop sampling this subject now, or NULL to go on. */
static const char *stop_reason(const struct rounds *r, const struct subject *subject)
{
    const struct group_run *s = r->group;
    const struct config_timing *timing = s->bench->timing;
    if (subject->sample_count >= (size_t)most_samples(s))
        return "samples";
    if (s->task->sampling.samples > 0 || racing_rung(s, r->rungs) > 0)
        return NULL;
    if (subject->sample_count < (size_t)timing->min_samples)
        return NULL;
    if (timing->budget_s > 0 && subject->device_s >= timing->budget_s)
        return "budget";
    if (timing->relative_width > 0 && subject_is_narrow(subject, timing->relative_width))
        return STOPPED_BY_WIDTH;
    return NULL;
}

/* Returns the other version of the subject's point, or NULL if there is none. A gate's two versions
 * are neighbors (plan.h). */
static const struct subject *other_version(const struct group_run *s, uint32_t i)
{
    uint64_t id = s->subjects[i].point->id;
    if (i > 0 && s->subjects[i - 1].point->id == id)
        return &s->subjects[i - 1];
    return i + 1 < s->count && s->subjects[i + 1].point->id == id ? &s->subjects[i + 1] : NULL;
}

/* Returns whether a point whose interval is narrow enough waits for its other version. Sampling
 * both in the same rounds makes drift affect them equally. */
static bool waits(const struct rounds *r, uint32_t i, const char *reason)
{
    const struct subject *other = r->group->solo ? NULL : other_version(r->group, i);
    return other && subject_is_timed(other) && strcmp(reason, STOPPED_BY_WIDTH) == 0 &&
           !stop_reason(r, other);
}

/* Makes a subject's next trial. Sample k uses placement k modulo the number of placements; code
 * that reads samples.csv relies on this order. */
static struct trial next_trial(const struct group_run *s, struct subject *subject)
{
    uint64_t warmup = (uint64_t)s->bench->timing->warmup, count = (uint64_t)s->placements;
    uint64_t k = subject->trials_queued++ + count - warmup % count;
    return subject_trial(s, subject, TRIAL_TIMED, (int)(k % count));
}

/* Appends one round to the batch: every subject that is still timed, in random order (Fisher-Yates
 * shuffle). */
static int add_round(struct rounds *r, int used, uint32_t only)
{
    struct group_run *s = r->group;
    int first = used;
    for (uint32_t i = 0; i < s->count; i++)
        if (subject_is_timed(&s->subjects[i]) && (only == POINT_BATCH || only == i))
            r->order[used++] = i;
    for (int i = used - 1; i > first; i--) {
        int j = first + (int)(random_next(&r->random) % (uint64_t)(i - first + 1));
        uint32_t swapped = r->order[i];
        r->order[i] = r->order[j];
        r->order[j] = swapped;
    }
    for (int i = first; i < used; i++) {
        r->trials[i] = next_trial(s, &s->subjects[r->order[i]]);
        r->bits[i] = 0;
        r->trials[i].bits = s->subjects[r->order[i]].padded ? NULL : &r->bits[i];
    }
    return used;
}

static void keep_sample(const struct rounds *r, struct subject *subject, double us)
{
    subject->device_s += us * 1e-6;
    if (subject->warmup_left > 0) {
        subject->warmup_left--;
        return;
    }
    if (subject->sample_count >= (size_t)most_samples(r->group))
        return;
    subject->samples[subject->sample_count++] = us;
}

/* Reports a subject's new samples. */
static bool send_samples(struct group_run *s, struct subject *subject, struct error *e)
{
    size_t first = subject->sent_count, count = subject->sample_count - first;
    subject->sent_count = subject->sample_count;
    return count == 0 ||

           report_values(s, REPORT_SAMPLES, subject->index, subject->samples + first, count, e);
}

/* Handles an error in a batch. If the batch contained only one point, this point is the cause, and
 * the other points are still measured. Otherwise the batch must be measured again. */
static bool time_failed(struct rounds *r, uint32_t only, const struct error *why, struct error *e)
{
    if (only != POINT_BATCH) {
        struct group_run *s = r->group;
        if (!subject_finish(s, &s->subjects[only], status_of_error(why), why->text, e))
            return false;
        if (!why->device_lost)
            return true;
    }
    *e = *why;
    return false;
}

/* Adds the device's state during the batch to the outcome of each point in the batch. */
static void look_at_health(const struct rounds *r, int used)
{
    const struct bench *b = r->group->bench;
    struct device_health health = {0};
    if (!b->driver->health)
        return;
    b->driver->health(b->device, &health);
    for (int i = 0; i < used; i++)
        health_merge(&r->group->subjects[r->order[i]].outcome.health, &health);
}

static bool run_batch(struct rounds *r, int used, uint32_t only, struct error *e)
{
    struct group_run *s = r->group;
    struct bench *b = s->bench;
    uint32_t blamed = only == POINT_BATCH ? POINT_BATCH : s->subjects[only].index;
    if (!report_event(s, REPORT_BEGIN, blamed, e))
        return false;
    double start = clock_now_s();
    struct error why = {0};
    if (!b->driver->time(b->device, r->trials, used, r->us, &why))
        return time_failed(r, only, &why, e);
    r->trial_s = (clock_now_s() - start) / used;
    for (int i = 0; i < used; i++) {
        keep_sample(r, &s->subjects[r->order[i]], r->us[i]);
        subject_take_bits(&s->subjects[r->order[i]], r->bits[i]);
    }
    look_at_health(r, used);
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        if (!send_samples(s, subject, e))
            return false;
        const char *reason = subject_is_timed(subject) ? stop_reason(r, subject) : NULL;
        if (reason && !waits(r, i, reason))
            snprintf(subject->outcome.stopped_by, sizeof subject->outcome.stopped_by, "%s", reason);
    }
    return true;
}

/*
 * Returns how many rounds can run before it must be decided which points need more samples. At
 * first, this is until the subject with the fewest samples has the minimum number of samples.
 * Later, it is a quarter of the existing samples, so that a point gets at most a quarter more than
 * it needs.
 */
static int rounds_wanted(const struct rounds *r, uint32_t only)
{
    const struct group_run *s = r->group;
    int most = most_samples(s), rung = racing_rung(s, r->rungs), wanted = most;
    int decided = racing_decided_from(s);
    int first = rung > 0 ? rung : s->bench->timing->min_samples;
    if (s->task->sampling.samples > 0 && rung == 0)
        first = decided > 0 ? decided : most;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct subject *subject = &s->subjects[i];
        if (!subject_is_timed(subject) || (only != POINT_BATCH && only != i))
            continue;
        int have = (int)subject->sample_count;
        int next = have < decided && decided < first ? decided : first;
        int due = have < next ? next - have + subject->warmup_left : 1 + have / 4;
        if (due > most - have + subject->warmup_left)
            due = most - have + subject->warmup_left;
        if (due < wanted)
            wanted = due;
    }
    return wanted;
}

/* Returns rounds_wanted(), or less if there is too little memory for so many rounds, or if they
 * would take longer than a batch should. */
static int rounds_allowed(const struct rounds *r, uint32_t only, int round)
{
    if (r->trial_s <= 0)
        return 1; /* one round, to see how long it takes */
    double fit = BATCH_TARGET_MS * 1e-3 / (r->trial_s * round);
    int wanted = rounds_wanted(r, only), room = r->capacity / round;
    if (wanted > room)
        wanted = room;
    return fit < wanted ? (int)fit : wanted;
}

/*
 * Ends the timing because the run was asked to stop. Points with enough samples keep them. If a
 * point has too few, the whole group must be timed again, because points that are compared must be
 * sampled in the same rounds.
 */
static bool stop_timing(struct rounds *r, uint32_t only, struct error *e)
{
    struct group_run *s = r->group;
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        if (!subject_is_timed(subject) || (only != POINT_BATCH && only != i))
            continue;
        if (subject->sample_count < (size_t)s->bench->timing->min_samples)
            return FAIL(e, ERROR_SYSTEM,
                        "the run was stopped before every point had timing.min_samples samples");
        snprintf(subject->outcome.stopped_by, sizeof subject->outcome.stopped_by, "signal");
    }
    return true;
}

/* Ends the sampling of all remaining points, because the race is decided. */
static void stop_all(struct group_run *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (subject_is_timed(&s->subjects[i]))
            snprintf(s->subjects[i].outcome.stopped_by, sizeof s->subjects[i].outcome.stopped_by,
                     STOPPED_BY_WIDTH);
}

static bool time_until_done(struct rounds *r, uint32_t only, struct error *e)
{
    const volatile sig_atomic_t *stop = r->group->bench->stop;
    r->rungs = 0;
    for (;;) {
        if (stop && *stop)
            return stop_timing(r, only, e);
        int round = add_round(r, 0, only);
        if (round == 0)
            return true;
        int used = round;
        for (int left = rounds_allowed(r, only, round) - 1; left > 0; left--)
            used = add_round(r, used, only);
        if (!run_batch(r, used, only, e))
            return false;
        for (int rung; (rung = racing_rung(r->group, r->rungs)) > 0; r->rungs++) {
            if (!racing_is_due(r->group, rung))
                break;
            racing_drop(r->group);
        }
        if (racing_decided(r->group))
            stop_all(r->group);
    }
}

static bool open_rounds(struct rounds *r, struct group_run *s, struct error *e)
{
    r->group = s;
    r->capacity = (int)(s->count > BATCH_TRIALS ? s->count : BATCH_TRIALS);
    r->random = hash_bytes(s->input.seed, "rounds", 6) | 1;
    r->order = xcalloc((size_t)r->capacity, sizeof *r->order);
    r->trials = xcalloc((size_t)r->capacity, sizeof *r->trials);
    r->us = xcalloc((size_t)r->capacity, sizeof *r->us);
    r->bits = xcalloc((size_t)r->capacity, sizeof *r->bits);
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        subject->samples = calloc((size_t)most_samples(s), sizeof *subject->samples);
        ok = subject->samples != NULL;
    }
    return ok || FAIL(e, ERROR_MEMORY, "not enough memory for the samples of %u points", s->count);
}

static bool time_all(struct rounds *r, struct error *e)
{
    if (!r->group->solo)
        return time_until_done(r, POINT_BATCH, e);
    for (uint32_t i = 0; i < r->group->count; i++)
        if (!time_until_done(r, i, e))
            return false;
    return true;
}

/*
 * Prepares to time a point again. The point's row will state the result of the first time.
 */
static bool begin_again(struct group_run *s, struct subject *subject, struct error *e)
{
    struct outcome *o = &subject->outcome;
    char words[96];
    snprintf(o->reason, sizeof o->reason,
             "the point was timed again, because the first %zu samples (median %.6g us) were taken "
             "under %s",
             subject->sample_count, median_in_place(subject->samples, subject->sample_count),
             throttle_words(o->health.throttle & THROTTLE_SLOWED, words));
    memset(&o->health, 0, sizeof o->health);
    o->flags = FLAG_RETIMED;
    o->stopped_by[0] = '\0';
    subject->sample_count = subject->sent_count = 0;
    subject->device_s = 0;
    subject->timed_twice = true;
    return report_values(s, REPORT_SAMPLES, subject->index, NULL, 0, e);
}

/*
 * Times a point again if something slowed the device down while it was timed. The new samples are
 * kept even if the device is slowed down again.
 */
static bool time_slowed(struct rounds *r, struct error *e)
{
    struct group_run *s = r->group;
    bool any = false;
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        if (!subject->active || subject->sample_count == 0 ||
            !(subject->outcome.health.throttle & THROTTLE_SLOWED))
            continue;
        any = true;
        if (!begin_again(s, subject, e))
            return false;
    }
    if (any && !time_all(r, e))
        return false;
    for (uint32_t i = 0; any && i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        struct outcome *o = &subject->outcome;
        size_t used = strlen(o->reason);
        if (subject->active && subject->timed_twice && o->health.throttle & THROTTLE_SLOWED)
            snprintf(o->reason + used, sizeof o->reason - used, ", and so were the second samples");
    }
    return true;
}

/* Adds a note to each point whose median is too short for the clock's resolution. */
static void note_unresolved(struct group_run *s)
{
    /* If the clock's step is unknown (0), no time counts as too short. */
    double step_us = s->bench->info.time_step_us;
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        struct summary summary;
        if (!subject->active || !summarize(subject->samples, subject->sample_count, &summary) ||
            summary.median >= RESOLVED_STEPS * step_us)
            continue;
        subject->outcome.flags |= FLAG_UNRESOLVED;
        outcome_add_reason(&subject->outcome,
                           "the time is below the clock's resolution: the median of %.4g us is "
                           "less than %d steps of the clock (%.4g us each)",
                           summary.median, RESOLVED_STEPS, step_us);
    }
}

/* Adds a note to each point for which the position of its launches in the driver's queue could not
 * be verified. */
static void note_unplaced(struct group_run *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct outcome *o = &s->subjects[i].outcome;
        if (!s->subjects[i].active || !o->health.unplaced)
            continue;
        o->flags |= FLAG_UNPLACED;
        outcome_add_reason(
            o, "the launches may not have had the fastest slot in the driver's queue, so "
               "the times may be too long (docs/measuring.md)");
    }
}

/* Notes that a point's times come from another run. */
static void note_recalled(struct group_run *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct outcome *o = &s->subjects[i].outcome;
        if (!s->subjects[i].active || o->health.recalled == RECALLED_NOTHING)
            continue;
        o->flags |= FLAG_RECALLED;
        if (o->health.recalled == RECALLED_MEDIANS)
            outcome_add_reason(o, "the samples were drawn from a recorded median and its interval");
    }
}

bool group_time(struct group_run *s, struct error *e)
{
    struct bench *b = s->bench;
    if (!b->info.can_time || b->timing->max_samples == 0)
        return true;
    struct rounds r = {0};
    bool ok = open_rounds(&r, s, e) && time_all(&r, e) && time_slowed(&r, e);
    if (ok) {
        note_recalled(s);
        note_unplaced(s);
        note_unresolved(s);
    }
    free(r.order);
    free(r.trials);
    free(r.us);
    free(r.bits);
    return ok;
}
