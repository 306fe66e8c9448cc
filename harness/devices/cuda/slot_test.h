/*
 * Statistics for queue slots: the period of launch times, the fastest position in the period, and
 * whether launches are still at that position. The functions only turn times into decisions and
 * touch no device. queue_slot.c explains slots and positions, and measures the times.
 *
 * Each decision is wrong with probability SLOT_ERROR at most:
 *
 *   Period      The candidates 1, 2, 4, 8, 16 are nested: a model of period p is a model of period
 *               2p whose halves are equal. Each p in turn is tested: do times depend only on the
 *               slot modulo p? The period is the first p that is not rejected. It can exceed the
 *               true period only if the true one is wrongly rejected, so all tests together err no
 *               more often than a single one (closed testing: Marcus, Peritz, Gabriel, "On closed
 *               testing procedures with special reference to ordered analysis of variance",
 *               Biometrika 63, 1976). Each test is Friedman's test (J. Am. Stat. Assoc. 32, 1937),
 *               extended for ties (Conover, Practical Nonparametric Statistics, 3rd ed. 1999, 5.8).
 *               Friedman's blocks are the times of one round in the slots that are equal modulo p.
 *               Only ranks within a block matter, so outliers, clock steps and drift between rounds
 *               cannot pass for a period. Even a certain longer period is ignored unless its slots
 *               are shown to differ by more than a clock step. Otherwise, one process would find it
 *               and the next would not (H100 and H200: 8 instead of 4, for differences of 0.03 to
 *               0.1 us), without changing any decision.
 *   Position    Two positions differ if the confidence interval for the median of their paired
 *               differences excludes 0 (sign test; order statistics of the differences in each
 *               round). If it contains 0, either position may be used.
 *   Slip        If something else made r launches, a launch meant for position q is at position q +
 *               r; r is the rotation. Rotations are compared by likelihood ratio (Wald, Sequential
 *               Analysis, 1947). One is accepted once every other rotation that matters is 1 /
 *               SLOT_ERROR times less likely. By Ville's inequality, this is wrong in at most
 *               SLOT_ERROR of all cases, however often it is tested. Times are modeled as Student's
 *               t with 3 degrees of freedom around each position's median, with the samples' scale,
 *               so a single outlier has little weight (Lange, Little, Taylor, "Robust statistical
 *               modeling using the t distribution", J. Am. Stat. Assoc. 84, 1989).
 */
#ifndef REDSWEEP_DEVICES_CUDA_SLOT_TEST_H
#define REDSWEEP_DEVICES_CUDA_SLOT_TEST_H

#include <stdbool.h>

#define SLOT_ERROR 1e-3
/* the probability of a false alarm, which costs the time of one batch but makes no sample wrong */
#define SLOT_FALSE_ALARM 1e-2

enum { SLOTS = 16 }; /* the longest period that is tried */
enum {
    /* attempts at a fit, each with twice as many rounds as the last */
    SLOT_LOOKS = 3,
    SLOT_ROUNDS_FIRST = 16,
    SLOT_ROUNDS_MAX = SLOT_ROUNDS_FIRST << (SLOT_LOOKS - 1)
};

struct slot_profile {
    unsigned period;         /* 1 if the slot does not matter */
    unsigned best;           /* the position with the shortest median */
    double median_us[SLOTS]; /* one for each position modulo `period` */
    /* whether the position is statistically indistinguishable from the best one */
    bool serves[SLOTS];
    double scale_us; /* the scale of samples around their position's median */
    /* the p-value with which half the period was rejected; NaN if the period is 1 */
    double p_shorter;
    /* the period's own p-value; NaN if it is SLOTS. A rejected period is used anyway if the slots
     * of a position do not certainly differ by more than a clock step. */
    double p_longer;
    double unseen_us; /* an upper bound on what a longer period could change */
    /* how much faster the best position is than the next one that is distinguishable from it */
    double margin_us;
    int rounds;
};

/*
 * Computes a profile from rounds[r][s], the time of slot s in round r in µs. `step_us` is the
 * clock's resolution. Returns false if more rounds could change the result, that is, if the effect
 * of a longer period or a difference between two positions is neither certain nor certainly at most
 * a clock step. Sets *out in any case.
 */
bool slot_fit(const double (*rounds)[SLOTS], int count, double step_us, struct slot_profile *out);

enum { SLOT_EVIDENCE_MAX = 256 }; /* later observations are ignored */
/* Evidence from times at intended positions. Zero-initialize it. */
struct slot_evidence {
    unsigned slots[SLOT_EVIDENCE_MAX];
    double us[SLOT_EVIDENCE_MAX];
    int count;
    /* set by slot_located(): how much longer all launches take than in the profile */
    double shift_us;
};

void slot_observe(unsigned slot, double us, struct slot_evidence *v);

/*
 * Returns whether there is enough evidence for placing launches. Sets *rotation to the most likely
 * one in any case. Only differences between positions matter: a delay common to all launches (such
 * as after opening counters) is estimated for each rotation as the median difference between the
 * times and the profile's medians.
 */
bool slot_located(const struct slot_profile *p, struct slot_evidence *v, unsigned *rotation);

/* whether launches are still at the positions that `rotation` implies */
enum slot_verdict { SLOT_UNDECIDED, SLOT_KEPT, SLOT_LOST };

struct slot_watch {
    /* the evidence against each other rotation from observations after the last trial */
    double for_kept[SLOTS];
    /* the strongest recent evidence for each other rotation (Page's cusum, Biometrika 41, 1954) */
    double for_lost[SLOTS];
    /* the same for a rotation that changes with each observation */
    double for_anywhere;
    double most_lost;
    int seen;
};

/* Adds an observation. `closing` means that no trial follows, so that it verifies the last trial's
 * position. */
void slot_watch_add(const struct slot_profile *p, unsigned rotation, unsigned slot, double us,
                    bool closing, struct slot_watch *w);
enum slot_verdict slot_watch_verdict(const struct slot_profile *p, unsigned rotation,
                                     const struct slot_watch *w);

/* Returns how many cycles through all positions will probably do for SLOT_KEPT. */
int slot_cycles(const struct slot_profile *p);

#endif
