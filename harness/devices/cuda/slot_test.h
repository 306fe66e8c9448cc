/*
 * Statistics for queue slots (queue_slot.c explains them and measures the times). A launch's time
 * may depend on its slot, which is its number among all launches. If times repeat every p launches,
 * p is the period, and a slot modulo p is a position. From measured times, these functions decide
 * what the period is, which position is fastest, and whether launches are still at the positions
 * where they are expected. They use no device.
 *
 * Each decision is wrong with a probability of at most SLOT_ERROR:
 *
 *   Period      The candidates 1, 2, 4, 8, 16 are nested: times that repeat every p launches also
 *               repeat every 2p launches. For each p in turn, a test decides whether times depend
 *               only on the slot modulo p. The period is the first p that is not rejected. It can
 *               exceed the true period only if the test of the true period rejects it by mistake,
 *               so the whole series of tests errs no more often than that one test (closed testing:
 *               Marcus, Peritz, Gabriel, "On closed testing procedures with special reference to
 *               ordered analysis of variance", Biometrika 63, 1976). Each test is Friedman's test
 *               (J. Am. Stat. Assoc. 32, 1937), extended for ties (Conover, Practical Nonparametric
 *               Statistics, 3rd ed. 1999, 5.8). A block of Friedman's test contains the times that
 *               one round measured in the slots that are equal modulo p. Only ranks within a block
 *               matter, so outliers, clock steps and drift between rounds cannot be mistaken for a
 *               period. A p that is rejected is the period nevertheless if no slot is shown to
 *               differ from the others at its position by more than a clock step. Otherwise, one
 *               process would find a longer period and the next would not (H100 and H200: 8 instead
 *               of 4, for differences of 0.03 to 0.1 us), without changing any decision.
 *   Position    Each round gives one difference between the times at two positions. The positions
 *               differ if the confidence interval for the median of these differences excludes 0
 *               (sign test). If the interval contains 0, either position may be used.
 *   Slip        If something else has made r launches, a launch meant for position q is at position
 *               q + r. The number r is called the rotation. Rotations are compared by likelihood
 *               ratio (Wald, Sequential Analysis, 1947). A rotation is accepted once each of the
 *               others is less likely by a factor of 1 / SLOT_ERROR, ignoring those that would put
 *               launches at an equally fast position. By Ville's inequality, this is wrong in at
 *               most a share of SLOT_ERROR of all cases, however often it is tested. Times are
 *               modeled as Student's t with 3 degrees of freedom around each position's median,
 *               with the samples' scale, so a single outlier has little weight (Lange, Little,
 *               Taylor, "Robust statistical modeling using the t distribution", J. Am. Stat. Assoc.
 *               84, 1989).
 */
#ifndef REDSWEEP_DEVICES_CUDA_SLOT_TEST_H
#define REDSWEEP_DEVICES_CUDA_SLOT_TEST_H

#include <stdbool.h>

#define SLOT_ERROR 1e-3
/* The probability of a false alarm: a batch is discarded although its launches were at the expected
 * positions. This costs time but makes no sample wrong. */
#define SLOT_FALSE_ALARM 1e-2

enum { SLOTS = 16 }; /* the longest period that is tried */
enum {
    /* how often slot_fit() is tried, with twice as many rounds each time */
    SLOT_LOOKS = 3,
    SLOT_ROUNDS_FIRST = 16,
    SLOT_ROUNDS_MAX = SLOT_ROUNDS_FIRST << (SLOT_LOOKS - 1)
};

struct slot_profile {
    unsigned period;         /* 1 if the slot does not matter */
    unsigned best;           /* the position with the shortest median */
    double median_us[SLOTS]; /* one for each position modulo `period` */
    /* whether launches at this position are statistically as fast as at the best one */
    bool serves[SLOTS];
    /* how much single times scatter around the median of their position, as a standard deviation */
    double scale_us;
    /* the p-value of the test that rejected half the period; NaN if the period is 1 */
    double p_shorter;
    /* the p-value of the test whether `period` is enough; NaN if `period` is SLOTS. It may be below
     * the limit, because a rejected period is used anyway if no slot certainly differs from the
     * others at its position by more than a clock step. */
    double p_longer;
    /* an upper bound on the time differences that an undetected longer period could cause */
    double unseen_us;
    /* how much faster launches are at the best position than at the next best one for which
     * `serves` is false */
    double margin_us;
    int rounds;
};

/*
 * Computes a profile from rounds[r][s], the time of slot s in round r in µs. `step_us` is the
 * clock's resolution. Returns false if more rounds could change the result. There are two such
 * cases: a longer period could still change times by more than a clock step, or a position is not
 * certain to be slower than the best one but could be, by more than a clock step. Sets *out in any
 * case.
 */
bool slot_fit(const double (*rounds)[SLOTS], int count, double step_us, struct slot_profile *out);

enum { SLOT_EVIDENCE_MAX = 256 }; /* any observations beyond this number are ignored */
/* Times of launches, with the slots for which they were meant. Zero-initialize it. */
struct slot_evidence {
    unsigned slots[SLOT_EVIDENCE_MAX];
    double us[SLOT_EVIDENCE_MAX];
    int count;
    /* set by slot_located(): how much longer every launch takes than in the profile */
    double shift_us;
};

void slot_observe(unsigned slot, double us, struct slot_evidence *v);

/*
 * Sets *rotation to the most likely rotation, and returns whether the evidence for it is
 * sufficient. A delay common to all launches (such as after opening counters) does not matter. For
 * each rotation, it is estimated as the median difference between the times and the profile's
 * medians.
 */
bool slot_located(const struct slot_profile *p, struct slot_evidence *v, unsigned *rotation);

/* whether launches are still at the positions that `rotation` implies */
enum slot_verdict { SLOT_UNDECIDED, SLOT_KEPT, SLOT_LOST };

struct slot_watch {
    /* for each other rotation, the evidence against it from observations after the last trial */
    double for_kept[SLOTS];
    /* for each other rotation, the strongest recent evidence for it (Page's cusum, Biometrika 41,
     * 1954) */
    double for_lost[SLOTS];
    /* the strongest recent evidence that the rotation changes with each observation */
    double for_anywhere;
    /* the largest value that any of for_lost and for_anywhere has had */
    double most_lost;
    int seen;
};

/* Adds the time of a launch meant for `slot`. `closing` says that no trial follows this launch, so
 * that its time can confirm the position of the last trial. */
void slot_watch_add(const struct slot_profile *p, unsigned rotation, unsigned slot, double us,
                    bool closing, struct slot_watch *w);
enum slot_verdict slot_watch_verdict(const struct slot_profile *p, unsigned rotation,
                                     const struct slot_watch *w);

/* Returns how many launches at each position are probably enough for the verdict SLOT_KEPT. */
int slot_cycles(const struct slot_profile *p);

#endif
