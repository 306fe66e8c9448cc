/*
 * Places timed launches in queue slots. A launch's slot is its number among all launches in its
 * stream.
 *
 * With cold caches, a kernel's time varies by up to a microsecond with its slot. The table shows
 * the median time of an empty kernel in us, for slots 0, 1, 2 and 3 modulo 4:
 *
 *   H200                                2.99, 4.02, 3.40, 3.31
 *   H100, host with one GPU             3.31, 4.38, 3.70, 3.65    ten runs
 *   H100, host with two GPUs            4.18, 4.46, 4.58, 4.54    twelve runs on two cards
 *
 * A single sample deviates from these medians by about 0.13 us. The GPU must fetch some data for
 * each launch, and four neighboring launches share that data. A launch is therefore faster if the
 * GPU has just fetched the data for one of its neighbors. Without countermeasures, a kernel's time
 * would depend on how many launches the earlier trials had.
 *
 * The last launch of every cold trial is therefore placed in the fastest slot: before the cache
 * flush, empty launches are added until the trial's last launch will be in that slot. Warm trials
 * need no added launches: nine runs without them and three with them have the same times (H100,
 * configs/aa.json). The period and the fastest slot are not hard-coded but measured and tested
 * (slot_test.h). Both in this file and there, a slot modulo the period is called a position.
 *
 *   Profile    Once per process, an empty kernel is timed in each of SLOTS slots, in rounds of
 *              random order, until the period is known and all its positions have been compared.
 *              The result is the profile. If times have no period, launches are never added.
 *   Location   If something else may have used the stream (`stale`), there may have been launches
 *              that this file has not counted. Every later launch is then at a position that
 *              differs from the expected one by a constant, the rotation. Empty kernels are timed
 *              at all positions until only one rotation fits their times.
 *   Watch      Batches contain sentinels, which are empty kernels that check the rotation, at one
 *              position after another. There is one at a random place in every SENTINEL_EVERY cold
 *              trials. As many follow the last trial as are needed to verify its position. If the
 *              times of the sentinels contradict the rotation, the times of the batch are
 *              discarded, the rotation is determined again, and the same trials are timed again.
 *              After ATTEMPTS attempts, the trials are timed in any slot. health() reports this,
 *              and the rows of these trials in the results are marked.
 *
 * There are at least SPACING launches between a timed empty kernel and the previous timed launch,
 * because the empty kernel would otherwise find the data that was fetched for that launch. A batch
 * of SPAN cold trials has 32 sentinels between its trials and one or two per position at its end,
 * which adds 2 % to the number of launches. After each batch, the GPU idles until the CPU has
 * evaluated the sentinels, so batches are long.
 */
#include "devices/cuda/cuda_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"

enum { SPACING = 16 };
enum { SPAN = 2048, SENTINEL_EVERY = 64 }; /* both in trials */
enum { JOBS_MAX = SPAN + SPAN / SENTINEL_EVERY + 4 * SLOTS };
enum { LOCATE_CYCLES = 16, CLOSING_CYCLES = 16, ATTEMPTS = 4 };
/* how many rounds of the profile are queued together */
enum { LOOK_ROUNDS = SLOT_ROUNDS_FIRST };

static uint64_t next_random(struct device *d)
{
    if (d->slot.random == 0)
        d->slot.random = 0x9e3779b97f4a7c15ull;
    return random_next(&d->slot.random);
}

/* Writes 0 … count − 1 in random order (Fisher-Yates). */
static void shuffle(struct device *d, unsigned *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned j = (unsigned)(next_random(d) % (i + 1));
        order[i] = order[j];
        order[j] = i;
    }
}

/* A trial that launches an empty kernel with cold caches. Probes measure the profile and the
 * rotation, and serve as sentinels. */
struct probe {
    struct launch launch;
    struct trial trial;
};

static void make_probe(struct device *d, struct probe *p)
{
    p->launch = cuda_empty_launch(d);
    p->trial = (struct trial){
        .input = d->flush_clean, .cache = CACHE_COLD, .launches = &p->launch, .launch_count = 1};
}

static struct timed_job probe_at(const struct probe *p, unsigned slot, unsigned period)
{
    return (struct timed_job){&p->trial, period, slot, SPACING};
}

/* ---- The profile ----------------------------------------------------------------------------- */

static double step_of(const double *us, size_t count)
{
    double sorted[SLOT_ROUNDS_MAX * SLOTS];
    memcpy(sorted, us, count * sizeof *us);
    sort_numbers(sorted, count);
    return smallest_step(sorted, count);
}

static bool time_rounds(struct device *d, const struct probe *probe, double (*rounds)[SLOTS],
                        struct error *e)
{
    struct timed_job jobs[LOOK_ROUNDS * SLOTS];
    double us[LOOK_ROUNDS * SLOTS];
    for (int r = 0; r < LOOK_ROUNDS; r++) {
        unsigned order[SLOTS] = {0};
        shuffle(d, order, SLOTS);
        for (int i = 0; i < SLOTS; i++)
            jobs[r * SLOTS + i] = probe_at(probe, order[i], SLOTS);
    }
    if (!cuda_time_jobs(d, jobs, LOOK_ROUNDS * SLOTS, us, e))
        return false;
    for (int i = 0; i < LOOK_ROUNDS * SLOTS; i++)
        rounds[i / SLOTS][jobs[i].slot] = us[i];
    return true;
}

static bool measure_profile(struct device *d, struct error *e)
{
    double rounds[SLOT_ROUNDS_MAX][SLOTS];
    struct probe probe;
    int count = 0;
    bool decided = false;
    make_probe(d, &probe);
    for (int want = SLOT_ROUNDS_FIRST; !decided && want <= SLOT_ROUNDS_MAX; want *= 2) {
        for (; count < want; count += LOOK_ROUNDS)
            if (!time_rounds(d, &probe, rounds + count, e))
                return false;
        double step_us = step_of(rounds[0], (size_t)count * SLOTS);
        decided = slot_fit((const double(*)[SLOTS])rounds, count, step_us, &d->slot.profile);
    }
    const struct slot_profile *p = &d->slot.profile;
    /*
     * If the first profile had a period above 1, a later one must have one, too. If it has none, or
     * if its positions seem to be equally fast, other work has disturbed the times, and the profile
     * is not used. The period itself may change, between 4 and 8 for example, if two positions
     * hardly differ.
     */
    d->slot.known = d->slot.period <= 1 || (p->period > 1 && isfinite(p->margin_us));
    if (d->slot.known)
        d->slot.period = p->period;
    d->slot.stale = false;
    d->slot.rotation = 0;
    d->slot.shift_us = 0;
    struct launch_position *seen = &d->info.position;
    seen->profiles++;
    seen->period = (int)p->period;
    seen->samples = p->rounds * SLOTS;
    seen->p_shorter = p->p_shorter;
    seen->p_longer = p->p_longer;
    seen->margin_us = p->period > 1 ? p->margin_us : 0;
    seen->unseen_us = p->unseen_us;
    return true;
}

/* Determines the rotation by timing probes. Sets *found to false if no rotation fits their times
 * well enough. */
static bool locate(struct device *d, bool *found, struct error *e)
{
    struct slot_profile *p = &d->slot.profile;
    struct slot_evidence evidence = {.count = 0};
    struct probe probe;
    make_probe(d, &probe);
    *found = false;
    for (int cycle = 0; cycle < LOCATE_CYCLES && !*found; cycle++) {
        struct timed_job jobs[SLOTS] = {{0}};
        double us[SLOTS] = {0};
        unsigned order[SLOTS] = {0};
        shuffle(d, order, p->period);
        for (unsigned i = 0; i < p->period; i++)
            jobs[i] = probe_at(&probe, order[i], p->period);
        if (!cuda_time_jobs(d, jobs, (int)p->period, us, e))
            return false;
        for (unsigned i = 0; i < p->period; i++)
            slot_observe(jobs[i].slot, us[i], &evidence);
        *found = slot_located(p, &evidence, &d->slot.rotation);
    }
    d->slot.shift_us = evidence.shift_us;
    d->slot.stale = !*found;
    d->info.position.located++;
    return true;
}

/* Determines the rotation if it may have changed, and measures the profile if there is no valid
 * one. */
static bool settle(struct device *d, struct error *e)
{
    bool found = true;
    if (d->slot.known && d->slot.stale && d->slot.profile.period > 1) {
        if (!locate(d, &found, e))
            return false;
        d->slot.known = found;
    }
    return d->slot.known || measure_profile(d, e);
}

/* ---- Watched batches ------------------------------------------------------------------------- */

/* the jobs of one batch: its trials, and the sentinels between and after them */
struct span {
    struct timed_job jobs[JOBS_MAX];
    double us[JOBS_MAX];
    int trial_of[JOBS_MAX]; /* the number of each job's trial; −1 for sentinels */
    int count, last_trial;
    unsigned next; /* the position of the next sentinel */
    struct probe probe;
};

/*
 * Returns whether the slot may change the time of t. That is so if the GPU reads so much before the
 * launch that the data for the launch is no longer in the cache: with cold caches, and with warm
 * ones if the input is large.
 */
static bool slot_matters(const struct device *d, const struct trial *t)
{
    return d->slot.profile.period > 1 &&
           (t->cache == CACHE_COLD || 4 * (uint64_t)t->input.bytes >= d->info.l2_bytes);
}

static void add_job(struct span *s, struct timed_job job, int trial)
{
    s->jobs[s->count] = job;
    s->trial_of[s->count++] = trial;
}

static void add_sentinel(const struct device *d, struct span *s)
{
    unsigned period = d->slot.profile.period;
    add_job(s, probe_at(&s->probe, s->next++ % period, period), -1);
}

static void plan_span(struct device *d, const struct trial *trials, int count, struct span *s)
{
    const struct slot_profile *p = &d->slot.profile;
    unsigned slot = (p->best + p->period - d->slot.rotation) % p->period;
    int watched = 0, due = 0;
    s->count = 0;
    s->next = (unsigned)next_random(d);
    make_probe(d, &s->probe);
    for (int i = 0; i < count; i++) {
        bool matters = slot_matters(d, &trials[i]);
        s->last_trial = s->count;
        add_job(s, (struct timed_job){&trials[i], matters ? p->period : 1, slot, 0}, i);
        if (!matters)
            continue;
        /* Sentinels are at random places. Evenly spaced ones might miss launches by other work that
         * come at the same intervals. */
        if (watched % SENTINEL_EVERY == 0)
            due = watched + (int)(next_random(d) % SENTINEL_EVERY);
        if (watched++ == due && i + 1 < count)
            add_sentinel(d, s);
    }
    for (int i = watched > 0 ? slot_cycles(p) * (int)p->period : 0; i > 0; i--)
        add_sentinel(d, s);
}

static void watch_jobs(struct device *d, const struct span *s, struct slot_watch *w)
{
    for (int i = 0; i < s->count; i++)
        if (s->trial_of[i] < 0) {
            slot_watch_add(&d->slot.profile, d->slot.rotation, s->jobs[i].slot,
                           s->us[i] - d->slot.shift_us, i > s->last_trial, w);
            d->info.position.sentinels++;
        }
}

/* Evaluates the sentinels of a batch. As long as they are not enough for a verdict, times more of
 * them. */
static bool judge_span(struct device *d, const struct span *s, enum slot_verdict *verdict,
                       struct error *e)
{
    const struct slot_profile *p = &d->slot.profile;
    struct slot_watch watch = {.seen = 0};
    watch_jobs(d, s, &watch);
    *verdict = watch.seen ? slot_watch_verdict(p, d->slot.rotation, &watch) : SLOT_KEPT;
    for (unsigned cycles = 1; *verdict == SLOT_UNDECIDED && cycles < CLOSING_CYCLES; cycles *= 2) {
        struct span more = {.last_trial = -1, .next = s->next, .probe = s->probe};
        for (unsigned i = 0; i < cycles * p->period; i++)
            add_sentinel(d, &more);
        if (!cuda_time_jobs(d, more.jobs, more.count, more.us, e))
            return false;
        watch_jobs(d, &more, &watch);
        *verdict = slot_watch_verdict(p, d->slot.rotation, &watch);
    }
    return true;
}

/* Times trials in any slot, and marks this for health(). */
static bool time_unplaced(struct device *d, const struct trial *trials, int count, double *us,
                          struct span *s, struct error *e)
{
    for (int i = 0; i < count; i++)
        s->jobs[i] = (struct timed_job){&trials[i], 1, 0, 0};
    d->slot.stale = true;
    d->health.unplaced = true;
    d->info.position.unverified++;
    return cuda_time_jobs(d, s->jobs, count, us, e);
}

static bool time_span(struct device *d, const struct trial *trials, int count, double *us,
                      struct span *s, struct error *e)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        enum slot_verdict verdict;
        if (!settle(d, e))
            return false;
        if (!d->slot.known)
            continue;
        plan_span(d, trials, count, s);
        if (!cuda_time_jobs(d, s->jobs, s->count, s->us, e) || !judge_span(d, s, &verdict, e)) {
            d->slot.stale = true;
            return false;
        }
        d->info.position.batches++;
        for (int i = 0; verdict == SLOT_KEPT && i < s->count; i++)
            if (s->trial_of[i] >= 0)
                us[s->trial_of[i]] = s->us[i];
        if (verdict == SLOT_KEPT)
            return true;
        d->info.position.repeated++;
        d->slot.stale = true;
        /* If the verdict is not SLOT_LOST, no rotation fits the sentinels. The profile is then out
         * of date, as it probably is after several attempts. */
        d->slot.known = verdict == SLOT_LOST && attempt < ATTEMPTS / 2;
    }
    return time_unplaced(d, trials, count, us, s, e);
}

bool cuda_time(struct device *d, const struct trial *trials, int count, double *us, struct error *e)
{
    if (!cuda_timing_open(d, e))
        return false;
    for (int i = 0; i < count; i++) {
        if (trials[i].bits && !cuda_bits_open(d, e))
            return false;
        for (int l = 0; l < trials[i].launch_count; l++)
            if (!cuda_count_host(d, &trials[i].launches[l], e))
                return false;
    }
    struct span *span = xmalloc(sizeof *span);
    bool ok = true;
    for (int done = 0; ok && done < count; done += SPAN)
        ok = time_span(d, trials + done, count - done < SPAN ? count - done : SPAN, us + done, span,
                       e);
    free(span);
    return ok;
}
