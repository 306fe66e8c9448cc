/*
 * Runs the queue-slot statistics on made-up times. For a few hundred seeds per model, counts how
 * often they find a wrong period or position, or miss a slip (launches of another program that move
 * ours to other slots). The models imitate measured cards: the positions' medians come from two
 * H100 hosts, samples scatter by 0.13 us, the clock has steps of 0.032 us, and one sample in fifty
 * is several microseconds too long.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../random.h"
#include "devices/cuda/slot_test.h"

enum { SEEDS = 400 };
#define STEP_US 0.032
#define NOISE_US 0.137
/*
 * If each run is wrong with probability SLOT_ERROR, the probability that more than WRONG_MAX of
 * SEEDS runs are wrong is 1e-3.
 */
enum { WRONG_MAX = 4 };

struct model {
    const char *name;
    unsigned period, best;
    double us[SLOTS];
    double noise_us;
    bool tie; /* whether the position after the best one is as good */
};

static const struct model models[] = {
    {"H100, host with one GPU", 4, 0, {3.31, 4.38, 3.70, 3.65}, NOISE_US, false},
    {"H100, host with two GPUs", 4, 0, {4.18, 4.46, 4.58, 4.54}, NOISE_US, false},
    {"H200", 4, 3, {4.02, 3.40, 3.31, 2.99}, NOISE_US, false},
    {"two equal positions", 4, 0, {3.31, 3.31, 4.38, 3.65}, NOISE_US, true},
    {"no period", 1, 0, {4.2}, NOISE_US, false},
    {"no period, no noise", 1, 0, {4.2}, 0, false},
    {"no noise", 4, 0, {3.31, 4.38, 3.70, 3.65}, 0, false},
    {"period of 2", 2, 1, {3.5, 3.2}, NOISE_US, false},
    {"period of 8", 8, 0, {3.9, 4.5, 4.5, 4.6, 4.2, 4.5, 4.6, 4.5}, NOISE_US, false},
    {"period of 16",
     16,
     8,
     {4.2, 4.5, 4.5, 4.6, 4.2, 4.5, 4.6, 4.5, 3.9, 4.5, 4.5, 4.6, 4.2, 4.5, 4.6, 4.5},
     NOISE_US,
     false},
};
enum { MODELS = sizeof models / sizeof models[0] };

static uint64_t state;

static double sample(const struct model *m, unsigned slot)
{
    double u = random_uniform(&state), v = random_uniform(&state), us = m->us[slot % m->period];
    if (m->noise_us > 0)
        us += random_uniform(&state) < 0.02 ? 8 * u
                                            : m->noise_us * sqrt(-2 * log(u)) * cos(2 * M_PI * v);
    return STEP_US * round(us / STEP_US);
}

/* Searches as queue_slot.c does: it doubles the number of rounds while the result is undecided. */
static struct slot_profile fit(const struct model *m, double drift_us)
{
    double rounds[SLOT_ROUNDS_MAX][SLOTS];
    struct slot_profile p;
    int count = 0;
    bool decided = false;
    for (int want = SLOT_ROUNDS_FIRST; !decided && want <= SLOT_ROUNDS_MAX; want *= 2) {
        for (; count < want; count++)
            for (unsigned s = 0; s < SLOTS; s++)
                rounds[count][s] = sample(m, s) + (count >= 11 ? drift_us : 0);
        decided = slot_fit((const double(*)[SLOTS])rounds, count, STEP_US, &p);
    }
    return p;
}

/* Returns whether launches at this position are as fast as at the best one. */
static bool is_best(const struct model *m, unsigned position)
{
    unsigned q = position % m->period;
    return q == m->best || (m->tie && q == (m->best + 1) % m->period);
}

static void begin(int model, int seed, uint64_t what)
{
    state = (uint64_t)(seed * MODELS + model) * 1000003 + what;
}

static void periods_and_positions_are_right(void **unused)
{
    (void)unused;
    for (int i = 0; i < MODELS; i++)
        /* the clock frequency may change during the search */
        for (int drift = 0; drift < 2; drift++) {
            const struct model *m = &models[i];
            int wrong_period = 0, wrong_position = 0, rounds = 0;
            for (int seed = 0; seed < SEEDS; seed++) {
                begin(i, seed, 1);
                struct slot_profile p = fit(m, 0.4 * drift);
                bool right = p.period == m->period;
                wrong_period += !right;
                right = right && is_best(m, p.best);
                for (unsigned q = 0; right && q < p.period; q++)
                    right = p.serves[q] == is_best(m, q);
                wrong_position += !right;
                rounds += p.rounds;
            }
            print_message("%s%s: of %d, periods wrong: %d, positions: %d; %d rounds\n", m->name,
                          drift ? ", drift" : "", SEEDS, wrong_period, wrong_position,
                          rounds / SEEDS);
            if (wrong_period > WRONG_MAX || wrong_position > WRONG_MAX)
                fail_msg("%s: too many", m->name);
        }
}

/*
 * These are profiles of single contexts (results/reference, queue_slot.txt). The two halves of a
 * profile differ by only one to three steps of the clock. The search may therefore find a period of
 * 4 or of 8, and usually finds 4. With either period, launches in the chosen position take the same
 * time to within 0.1 us.
 */
static void either_period_places_as_well(void **unused)
{
    (void)unused;
    static const struct {
        struct model model;
        double most; /* the largest share of runs that find the longer period */
    } cases[] = {
        {{.name = "H100, up to 0.1 us",
          .us = {4.928, 4.864, 4.448, 4.896, 4.928, 4.800, 4.384, 4.800},
          .noise_us = 0.142},
         0.05},
        {{.name = "H200, up to 0.06 us",
          .us = {3.648, 3.520, 3.168, 4.352, 3.616, 3.584, 3.232, 4.352},
          .noise_us = 0.095},
         0.05},
        {{.name = "H200, up to 0.1 us",
          .us = {3.584, 3.568, 3.232, 4.352, 3.648, 3.488, 3.136, 4.352},
          .noise_us = 0.095},
         0.25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct model m = cases[i].model;
        int longer = 0;
        m.period = 8; /* the period of the samples */
        for (int seed = 0; seed < SEEDS; seed++) {
            begin((int)i, seed, 4);
            struct slot_profile p = fit(&m, 0);
            longer += p.period == 8;
            assert_true(p.period == 4 || p.period == 8);
            assert_int_equal(p.best % 4, 2);
        }
        print_message("halves that differ, %s: of %d, a period of 8: %d\n", m.name, SEEDS, longer);
        assert_true(longer <= cases[i].most * SEEDS);
    }
}

/* Observes one cycle of probes, in which launch k is in position k + truth. */
static void probe(const struct model *m, const struct slot_profile *p, unsigned truth,
                  struct slot_evidence *v)
{
    for (unsigned q = 0; q < p->period; q++)
        slot_observe(q, sample(m, q + truth), v);
}

static void a_profile_is_found_again(void **unused)
{
    (void)unused;
    for (int i = 0; i < MODELS; i++) {
        const struct model *m = &models[i];
        int wrong = 0, undecided = 0, cycles = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            begin(i, seed, 2);
            struct slot_profile p = fit(m, 0);
            unsigned truth = (unsigned)seed % m->period, rotation;
            struct slot_evidence v = {.count = 0};
            int left = 16;
            bool found = p.period == 1;
            for (rotation = 0; !found && left > 0; left--, cycles++) {
                probe(m, &p, truth, &v);
                found = slot_located(&p, &v, &rotation);
            }
            undecided += !found;
            wrong += found && !is_best(m, p.best + p.period - rotation + truth);
        }
        print_message("%s: of %d, wrong: %d, not found: %d; %.1f cycles\n", m->name, SEEDS, wrong,
                      undecided, (double)cycles / SEEDS);
        if (wrong > WRONG_MAX || undecided > WRONG_MAX)
            fail_msg("%s: too many", m->name);
    }
}

enum { BETWEEN = 8 }; /* the number of sentinels of a batch before its last trial */

/*
 * Observes the sentinels of a batch, which are empty kernels among its trials. Launch k is in
 * position k + truth before sentinel `slip`, and in position k + truth + by from that sentinel on.
 */
static enum slot_verdict batch(const struct model *m, const struct slot_profile *p, unsigned truth,
                               int slip, unsigned by, int *cycles)
{
    struct slot_watch w = {.seen = 0};
    enum slot_verdict verdict = SLOT_UNDECIDED;
    unsigned slot = (unsigned)(random_uniform(&state) * SLOTS);
    for (int i = 0; i < BETWEEN; i++, slot++)
        slot_watch_add(p, truth, slot % p->period,
                       sample(m, slot % p->period + truth + (i >= slip ? by : 0)), false, &w);
    for (*cycles = 0; verdict == SLOT_UNDECIDED && *cycles < 16; (*cycles)++) {
        for (unsigned q = 0; q < p->period; q++)
            slot_watch_add(p, truth, q, sample(m, q + truth + (BETWEEN >= slip ? by : 0)), true,
                           &w);
        verdict = slot_watch_verdict(p, truth, &w);
    }
    return verdict;
}

/*
 * A batch must be kept if its launches stay in their positions. If they slip, the batch must be
 * rejected no later than at its end.
 */
static void slips_are_seen(void **unused)
{
    (void)unused;
    for (int i = 0; i < MODELS; i++) {
        const struct model *m = &models[i];
        int alarms = 0, missed = 0, used = 0, all = 0;
        for (int seed = 0; seed < SEEDS && m->period > 1; seed++) {
            begin(i, seed, 3);
            struct slot_profile p = fit(m, 0);
            unsigned truth = (unsigned)seed % m->period;
            int cycles;
            alarms += batch(m, &p, truth, BETWEEN + 1, 0, &cycles) != SLOT_KEPT;
            used += cycles;
            unsigned by = 1 + (unsigned)seed % (m->period - 1);
            if (is_best(m, p.best + by))
                continue;
            missed += batch(m, &p, truth, seed % (BETWEEN + 1), by, &cycles) == SLOT_KEPT;
            all++;
        }
        print_message("%s: of %d batches, false alarms: %d; of %d slips, missed: %d; %.2f cycles\n",
                      m->name, SEEDS, alarms, all, missed, (double)used / SEEDS);
        if (alarms > WRONG_MAX || missed > WRONG_MAX)
            fail_msg("%s: too many", m->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_and_positions_are_right),
        cmocka_unit_test(either_period_places_as_well),
        cmocka_unit_test(a_profile_is_found_again),
        cmocka_unit_test(slips_are_seen),
    };
    return cmocka_run_group_tests_name("slot_test", tests, NULL, NULL);
}
