/*
 * Judges differences between the times of two runs, a and b, at four levels: points, cells,
 * kernels, and all points together. A group consists of all points of one type, op, n, cache and
 * scope; a cell is one kernel in one group.
 *
 *   SLOW, FAST  b is certainly slower (faster) than a, and by more than the minimum effect m
 *   SAME        the interval of the ratio lies within (1/(1+m), 1+m)
 *   UNKNOWN     none of these is certain; `detectable` is the smallest effect that would have been
 *               found
 *
 * "Certainly" means that the test is significant in its family (adjust.h), and that the interval of
 * the ratio b / a, widened by an allowance, excludes 1. The output shows the widened interval.
 * problem_offset.h defines a group's offset and inflation, and the allowances A and M.
 *
 *   point    The rank test (rank.h) compares the samples of a and b. First, the samples of b are
 *            moved towards those of a by the group's offset and by A, but no further than until the
 *            medians are equal. p is adjusted over all points by Holm's method.
 *
 *            Between two processes, p is at least the p of the difference between the medians, with
 *            errors multiplied by the group's inflation. If the samples of both processes
 *            alternated between placements, the test is instead Student's t test of the trimmed
 *            means, with errors that include the effect of placements (docs/measuring.md). Within
 *            one process, a point's time moves only if its kernel changes, so the rank test alone
 *            decides. It does not depend on the medians, which move in steps of the clock.
 *
 *            The interval is that of the ratio of medians (rank.h), after half of the offset is
 *            added to a and half is subtracted from b. Each half of the interval is multiplied by
 *            the inflation and widened by A, or by M if the offset is unknown. Between two
 *            processes, this allowance grows if other points of the problem moved as well
 *            (unrest.h). Within one process, it does not, because both sides share the placements.
 *
 *   cell     A cell needs at least 3 points. Its value is the logarithm of the ratio without the
 *            offset, as the median over its points. The test compares this value with its error.
 *            The error combines the inflated standard errors of the median and of the offset with
 *            the error that the cell's points share because of their placements. p is adjusted over
 *            all cells by Holm's method. The interval is widened by one clock step, or by M if the
 *            offset is unknown: apart from the offset, we never saw the points of a kernel differ
 *            together by more than a clock step. Cells reveal changes that occur only at some
 *            sizes.
 *
 *            Between two processes, a SLOW (FAST) cell needs another cell of its kernel that is
 *            slower (faster) at the Bonferroni-corrected error rate. Otherwise, the cell becomes
 *            UNKNOWN and has no interval, because the input's place in memory can also change a
 *            kernel's time at a single size.
 *
 *   kernel   The points of a group are correlated, so each group contributes a single value, that
 *            of the kernel's cell. The effect is the weighted geometric mean of the ratios. A
 *            group's weight is 1 / x², where x² is the sum of the squares of its allowance, its
 *            error and m. Without m, groups in which tiny effects can be detected would outweigh
 *            all others. The test is the sign-flip test of the mean of the values (sign_flip.h).
 *            The interval is widened as for a cell. All of the kernel's points share an error
 *            because of their placements, and p is at least the p that follows from this error. p
 *            is adjusted over all kernels by Holm's method.
 *
 *   all      Each group contributes one value, the median over its kernels of the ratio with the
 *            offset. The interval is widened by M, because contexts do not explain a larger change.
 *            The test and the weights are as for a kernel.
 *
 * Swapping a and b gives reciprocal ratios, the same p, and opposite verdicts.
 */
#ifndef REDSWEEP_ANALYZE_TIMES_H
#define REDSWEEP_ANALYZE_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/problem_offset.h"
#include "analyze/rank.h"

enum time_verdict { TIME_UNKNOWN, TIME_FAST, TIME_SLOW, TIME_SAME, TIME_VERDICTS };

struct times_rule {
    double minimum_effect; /* a share: 0.01 is 1 % */
    /* of each family: the points, the cells, the kernels, and all points together */
    double error_rate;
    struct run_margins margins;
};

struct point_effect {
    double offset_us;      /* the part of the group's offset that was subtracted */
    double allowance_us;   /* widens the interval */
    struct estimate ratio; /* b / a without the offset; the ends are NaN if unknown */
    /* the point's own p, and p adjusted over all points; NaN if there is none */
    double p, p_family;
    /*
     * what the movements of the problem's other points added to the allowance; NaN within one
     * process
     */
    double unrest;
    double detectable;  /* a share, or NaN if no effect, however large, is detectable */
    bool from_interval; /* p is from the interval, because there are no samples to test */
    /* the point would be SLOW or FAST if no other point of its problem had moved */
    bool held;
    enum time_verdict verdict;
};

/* The effect on a cell, a kernel, or all points. */
struct effect {
    size_t kernel, group;  /* a kernel has no group */
    size_t points, groups; /* how many points and groups the effect covers */
    struct estimate ratio; /* b / a; the ends are NaN if unknown */
    double p, p_family, detectable;
    /* the cell would be SLOW or FAST if another cell of its kernel had changed as well */
    bool alone;
    enum time_verdict verdict;
};

struct times {
    struct problem_offset *groups;
    struct point_effect *points; /* one for each pair */
    struct effect *cells;        /* sorted by kernel, then by group; only cells with points */
    struct effect *kernels;
    struct effect all;
    size_t group_count, point_count, cell_count, kernel_count;
    /*
     * how many cells have `alone` set, and how many points have `held` set: a second process per
     * side could decide these
     */
    size_t cells_alone, points_held;
};

/* Judges all pairs. The caller frees `out` with times_free(). */
void times_judge(struct timed_pairs pairs, size_t groups, size_t kernels,
                 const struct times_rule *rule, struct times *out);
void times_free(struct times *t);

/*
 * Returns the verdict according to the table at the top of this file, or UNKNOWN if an end of the
 * interval is NaN. `significant` says whether the test is significant in its family.
 */
enum time_verdict time_verdict(bool significant, struct estimate ratio, double minimum_effect);

#endif
