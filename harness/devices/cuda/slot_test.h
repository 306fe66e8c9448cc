/*
 * Computes the statistics of queue slots: the period of launch times, the position in the period
 * that has the shortest time, and whether launches are still at this position. The functions use no
 * device. They only turn times into decisions. queue_slot.c explains slots and positions, and
 * measures the times.
 *
 * The error probability of each decision is at most SLOT_ERROR:
 *
 *   Period      The candidates 1, 2, 4, 8, 16 are nested: a model of period p is a model of period
 *               2p whose halves are equal. For each p in this order, the hypothesis "times depend
 *               only on the slot modulo p" is tested. The period is the first p whose hypothesis is
 *               not rejected. It can be longer than the true period only if the true one is wrongly
 *               rejected. The error of all tests together is therefore the error of a single test
 *               (closed testing: Marcus, Peritz, Gabriel, "On closed testing procedures with
 *               special reference to ordered analysis of variance", Biometrika 63, 1976). Each test
 *               is Friedman's test (J. Am. Stat. Assoc. 32, 1937), extended for ties (Conover,
 *               Practical Nonparametric Statistics, 3rd ed. 1999, 5.8). A block, as Friedman uses
 *               the term, consists of the times of one round in the slots that are equal modulo p.
 *               Only ranks within a block matter. Outliers, steps of the clock and drift from round
 *               to round can therefore not look like a period. Even if a longer period is certain,
 *               it is not used unless its slots are shown to differ by more than one step of the
 *               clock. Otherwise, one process would find the longer period and the next one would
 *               not (H100 and H200: 8 instead of 4, for differences of 0.03 to 0.1 us). Such a
 *               period would change no decision.
 *   Position    Two positions differ if the confidence interval for the median of their paired
 *               differences excludes 0 (sign test; order statistics of the differences in each
 *               round). If it contains 0, either position may be used.
 *   Slip        If something else made r launches, a launch meant for position q is at position q +
 *               r. The evidence is a likelihood ratio of the rotations r (Wald, Sequential
 *               Analysis, 1947). A rotation is accepted if every other rotation that matters is 1 /
 *               SLOT_ERROR times less likely. By Ville's inequality, it is wrongly accepted in at
 *               most SLOT_ERROR of all cases, however often it is tested. Times are modeled as
 *               Student's t with 3 degrees of freedom around the median of each position, with the
 *               scale of the samples. A single outlier therefore has little weight (Lange, Little,
 *               Taylor, "Robust statistical modeling using the t distribution", J. Am. Stat. Assoc.
 *               84, 1989).
 */
#ifndef REDSWEEP_DEVICES_CUDA_SLOT_TEST_H
#define REDSWEEP_DEVICES_CUDA_SLOT_TEST_H

#include <stdbool.h>

#define SLOT_ERROR 1e-3
/* A false alarm has at most this probability. It costs the time of one batch, but makes no sample
 * wrong. */
#define SLOT_FALSE_ALARM 1e-2

enum { SLOTS = 16 }; /* the longest period that is tried */
enum {
    /* the number of attempts at a fit, each with twice as many rounds as the last */
    SLOT_LOOKS = 3,
    SLOT_ROUNDS_FIRST = 16,
    SLOT_ROUNDS_MAX = SLOT_ROUNDS_FIRST << (SLOT_LOOKS - 1)
};

struct slot_profile {
    unsigned period;         /* 1 if the slot does not matter */
    unsigned best;           /* the position with the shortest median */
    double median_us[SLOTS]; /* There is one median for each position modulo `period`. */
    /* This is true for each position that cannot be distinguished statistically from the best. */
    bool serves[SLOTS];
    double scale_us; /* the scale of one sample around the median of its position */
    /* Half the period was rejected with this p-value, which is NaN if the period is 1. */
    double p_shorter;
    /* The period itself has this p-value, which is NaN if the period is SLOTS. If the test rejects
     * the period, the period is used nevertheless, because the slots of a position do not certainly
     * differ by more than a step of the clock. */
    double p_longer;
    double unseen_us; /* the upper bound of what a longer period could still change */
    /* The best position is faster by this time than the next one that can be distinguished from
     * it. */
    double margin_us;
    int rounds;
};

/*
 * Computes a profile from rounds[r][s], which is the time of slot s in round r, in µs. `step_us` is
 * the resolution of the clock. Returns false if more rounds could still change the result.
 * Otherwise, the effect of a longer period and each difference between two positions are either
 * certain or certainly no larger than a step of the clock. *out is set in any case.
 */
bool slot_fit(const double (*rounds)[SLOTS], int count, double step_us, struct slot_profile *out);

enum { SLOT_EVIDENCE_MAX = 256 }; /* Further observations are ignored. */
/* Contains the evidence from times at intended positions. All members are zero at first. */
struct slot_evidence {
    unsigned slots[SLOT_EVIDENCE_MAX];
    double us[SLOT_EVIDENCE_MAX];
    int count;
    /* slot_located() sets this to the time by which all launches take longer than in the
     * profile. */
    double shift_us;
};

void slot_observe(unsigned slot, double us, struct slot_evidence *v);

/*
 * Returns whether the evidence suffices for placing launches. In any case, *rotation becomes the
 * most likely rotation. Only differences between positions matter. If all launches take longer by
 * the same time (for example because counters were opened), this time is estimated separately for
 * each rotation. It is the median of the differences between the times and the medians that the
 * profile has under this rotation.
 */
bool slot_located(const struct slot_profile *p, struct slot_evidence *v, unsigned *rotation);

/* States whether launches still have the positions that follow from `rotation`. */
enum slot_verdict { SLOT_UNDECIDED, SLOT_KEPT, SLOT_LOST };

struct slot_watch {
    /* Each value is the evidence against one other rotation, from the observations after the last
     * trial. */
    double for_kept[SLOTS];
    /* Each value is the strongest evidence for one other rotation in the latest observations
     * (Page's cusum, Biometrika 41, 1954). */
    double for_lost[SLOTS];
    /* This value is the same evidence for a rotation that changes with each observation. */
    double for_anywhere;
    double most_lost;
    int seen;
};

/* Adds an observation. If `closing` is true, no trial follows the observation, which then verifies
 * the position of the last trial. */
void slot_watch_add(const struct slot_profile *p, unsigned rotation, unsigned slot, double us,
                    bool closing, struct slot_watch *w);
enum slot_verdict slot_watch_verdict(const struct slot_profile *p, unsigned rotation,
                                     const struct slot_watch *w);

/* Returns how many cycles through all positions are likely to suffice for SLOT_KEPT. */
int slot_cycles(const struct slot_profile *p);

#endif
