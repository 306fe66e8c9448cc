/*
 * Statistics of queue slots: the period of launch times, the position in it with the shortest time,
 * and whether launches still have that position. This file uses no device: numbers in, decisions
 * out. queue_slot.c explains slots and positions, and measures the times.
 *
 * The error probability of each decision is at most SLOT_ERROR:
 *
 *   Period      The candidates 1, 2, 4, 8, 16 are nested: a model of period p is one of period 2p
 *               whose halves are equal. For each p in turn the hypothesis "times depend on the slot
 *               modulo p only" is tested, and the first one that is not rejected is taken. A wrong
 *               rejection of the true period is the only way to a longer one, so the error of all
 *               tests together is that of one (closed testing: Marcus, Peritz, Gabriel, "On closed
 *               testing procedures with special reference to ordered analysis of variance",
 *               Biometrika 63, 1976). Each test is Friedman's (J. Am. Stat. Assoc. 32, 1937), with
 *               ties (Conover, Practical Nonparametric Statistics, 3rd ed. 1999, 5.8): a block is
 *               what one round measured in the slots that are one position modulo p. Only ranks
 *               within a block count, so outliers, steps of the clock and drift from round to round
 *               cannot mimic a period.
 *               A longer period that is certain, but whose slots cannot be shown to differ by more
 *               than one step of the clock, is not taken either: it would be found in one process
 *               and not in the next (H100 and H200: 8 for 4, over 0.03 to 0.1 us), and decides
 *               nothing.
 *   Position    Positions differ when the interval of the median of their paired differences
 *               excludes 0 (sign test; order statistics of the differences of each round). Where
 *               it does not, either is used.
 *   Slip        If something else launched r times, a launch meant for position q is at q + r. The
 *               evidence is a likelihood ratio of the rotations r (Wald, Sequential Analysis,
 *               1947): one is accepted when every other rotation that matters is 1 / SLOT_ERROR
 *               times less likely, and so, by Ville's inequality, wrongly in at most SLOT_ERROR of
 *               all cases, however often it is tested. Times are modeled as Student's t with 3
 *               degrees of freedom around each position's median, with the scale of the samples, so
 *               that a single outlier has little weight (Lange, Little, Taylor, "Robust statistical
 *               modeling using the t distribution", J. Am. Stat. Assoc. 84, 1989).
 */
#ifndef REDSWEEP_DEVICES_CUDA_SLOT_TEST_H
#define REDSWEEP_DEVICES_CUDA_SLOT_TEST_H

#include <stdbool.h>

#define SLOT_ERROR 1e-3
/* … except false alarms, which cost the time of one batch; no sample is then wrong. */
#define SLOT_FALSE_ALARM 1e-2

enum { SLOTS = 16 }; /* the longest period that is tried */
enum {
    SLOT_LOOKS = 3, /* number of attempts at a fit, each with twice the rounds */
    SLOT_ROUNDS_FIRST = 16,
    SLOT_ROUNDS_MAX = SLOT_ROUNDS_FIRST << (SLOT_LOOKS - 1)
};

struct slot_profile {
    unsigned period;         /* 1: the slot does not matter */
    unsigned best;           /* position with the shortest median */
    double median_us[SLOTS]; /* by position modulo period */
    bool serves[SLOTS];      /* statistically indistinguishable from the best */
    double scale_us;         /* scale of one sample around its position's median */
    double p_shorter;        /* p of half the period: rejected; NaN: period 1 */
    double p_longer;         /* of this period: not rejected, or by less than a step; NaN: SLOTS */
    double unseen_us;        /* what a longer period could still make a slot differ by, at most */
    double margin_us;        /* from the best position to the next one that does not serve */
    int rounds;
};

/*
 * Fits a profile to rounds[r][s], the time of round r in slot s in µs; `step_us` is the clock's
 * resolution. Returns false if more rounds could still change the result: the effect of a longer
 * period, or the difference of two positions, is neither shown nor bounded by a step. The profile
 * is filled in any case.
 */
bool slot_fit(const double (*rounds)[SLOTS], int count, double step_us, struct slot_profile *out);

/* The evidence of times at intended positions; starts zeroed. */
enum { SLOT_EVIDENCE_MAX = 256 }; /* further observations are ignored */
struct slot_evidence {
    unsigned slots[SLOT_EVIDENCE_MAX];
    double us[SLOT_EVIDENCE_MAX];
    int count;
    double shift_us; /* by slot_located(): all times are longer by this than the profile's */
};

void slot_observe(unsigned slot, double us, struct slot_evidence *v);

/*
 * Whether the evidence suffices for placing launches; `rotation` is the most likely one in any
 * case. Only differences between positions count: a common increase of all launches (for example
 * because counters were opened) is estimated for each rotation, as the median distance to its
 * medians.
 */
bool slot_located(const struct slot_profile *p, struct slot_evidence *v, unsigned *rotation);

/* Whether launches still have the positions that follow from `rotation`. */
enum slot_verdict { SLOT_UNDECIDED, SLOT_KEPT, SLOT_LOST };

struct slot_watch {
    double for_kept[SLOTS]; /* against each other rotation, by what came after the last trial */
    double for_lost[SLOTS]; /* the strongest evidence for it in the latest observations (Page's
                               cusum, Biometrika 41, 1954) */
    double for_anywhere;    /* … and for another rotation at each of them */
    double most_lost;
    int seen;
};

/* `closing`: no trial comes after it, so it verifies the position of the last one. */
void slot_watch_add(const struct slot_profile *p, unsigned rotation, unsigned slot, double us,
                    bool closing, struct slot_watch *w);
enum slot_verdict slot_watch_verdict(const struct slot_profile *p, unsigned rotation,
                                     const struct slot_watch *w);

/* How many times around all positions are likely to suffice for SLOT_KEPT. */
int slot_cycles(const struct slot_profile *p);

#endif
