/*
 * Places timed launches in queue slots. The slot of a launch is its number among all launches of
 * its stream.
 *
 * With cold caches, the slot changes the time by up to a microsecond, for any kernel. The following
 * table contains the median times of an empty kernel in us, for each value of its slot modulo 4:
 *
 *   H200                                2.99, 4.02, 3.40, 3.31
 *   H100, host with one GPU             3.31, 4.38, 3.70, 3.65    ten runs
 *   H100, host with two GPUs            4.18, 4.46, 4.58, 4.54    twelve runs on two cards
 *
 * A single sample deviates from these medians by about 0.13 us. The GPU must fetch data for each
 * launch, and four neighboring launches share this data. A launch finds its data in the cache if
 * the GPU has recently fetched it for a neighbor. Without countermeasures, the time of a kernel
 * would therefore depend on the number of launches in each earlier trial.
 *
 * Every cold trial therefore ends in the cheapest slot: empty launches are added before the flush
 * until the trial's last launch has that slot. Warm trials need no added launches: the times of
 * nine runs without added launches and of three runs with them do not differ (H100,
 * configs/aa.json). The program does not assume any of this. It decides with the tests in
 * slot_test.h. In both files, a position is a slot modulo the period.
 *
 *   Profile    Once per process, an empty kernel is timed in SLOTS slots, in rounds with a random
 *              order, until the period is known and all positions in it have been compared. If no
 *              period is found, no launches are added from then on.
 *   Location   If something else may have used the stream (`stale`), the rotation of the profile is
 *              determined again. Empty kernels are timed at all positions until only one rotation
 *              remains possible.
 *   Watch      Batches contain sentinels, which are empty kernels at one position after another.
 *              Each group of SENTINEL_EVERY cold trials contains one sentinel at a random place.
 *              After the last trial, there are as many sentinels as are needed to verify the
 *              position of this trial. If the sentinels contradict the rotation, everything that
 *              was timed since the sentinels last confirmed it is discarded. The rotation is then
 *              determined again, and the same trials are timed again. After ATTEMPTS attempts, the
 *              trials are timed in any slot. health() then reports this, so that the rows of these
 *              trials report it, too.
 *
 * Sentinels and probes are at least SPACING launches after the previous timed launch. If they were
 * closer to it, they would find the data that was fetched for it. A batch of SPAN cold trials has
 * 32 sentinels between its trials, and one or two cycles of sentinels at its end. All sentinels
 * together increase the number of launches by 2 %. After each batch, the GPU waits until the CPU
 * has evaluated the sentinels, so batches are long.
 */
#include "devices/cuda/cuda_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"

enum { SPACING = 16 };
enum { SPAN = 2048, SENTINEL_EVERY = 64 }; /* `SPAN` and `SENTINEL_EVERY` are numbers of trials. */
enum { JOBS_MAX = SPAN + SPAN / SENTINEL_EVERY + 4 * SLOTS };
enum { LOCATE_CYCLES = 16, CLOSING_CYCLES = 16, ATTEMPTS = 4 };
/* This many rounds of a profile are queued together. */
enum { LOOK_ROUNDS = SLOT_ROUNDS_FIRST };

static uint64_t next_random(struct device *d)
{
    if (d->slot.random == 0)
        d->slot.random = 0x9e3779b97f4a7c15ull;
    return random_next(&d->slot.random);
}

/* Writes 0 … count − 1 in random order (Fisher and Yates). */
static void shuffle(struct device *d, unsigned *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned j = (unsigned)(next_random(d) % (i + 1));
        order[i] = order[j];
        order[j] = i;
    }
}

/* Contains a trial that launches an empty kernel with cold caches. */
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
     * Positions that differ in one profile also differ in later ones. If they no longer seem to
     * differ, launches of other work have blurred the times. The period may nevertheless change
     * from 4 to 8 or from 8 to 4 if two of its positions hardly differ. If counters were opened
     * between two profiles, all times change.
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

/* Determines the rotation of the profile again. `found` is false if the times do not fit the
 * profile. */
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

/* Determines the current slot, if this is possible. */
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

/* Contains the jobs of a batch: the trials, and the sentinels between and after them. */
struct span {
    struct timed_job jobs[JOBS_MAX];
    double us[JOBS_MAX];
    int trial_of[JOBS_MAX]; /* This is −1 for a sentinel. */
    int count, last_trial;
    unsigned next; /* the position of the next sentinel */
    struct probe probe;
};

/*
 * Returns whether the slot of a trial matters. The slot matters if so much is read before the
 * launch that the cache no longer contains the launch's data. This happens with cold caches, or if
 * a large input was just read.
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
        /* The distances between sentinels are random, because slips could keep in step with regular
         * distances. */
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

/* Evaluates the sentinels, and times more of them until there is a decision. */
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

/* Times trials without verifying their slots. health() reports this. */
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
        /* If the sentinels fit no rotation, the profile no longer describes the GPU. */
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
