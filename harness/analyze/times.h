/*
 * Judges differences between times at four levels: points, cells, kernels, and all points together.
 * A group consists of the points of one type, op, n, cache and scope. A cell is one kernel in one
 * group.
 *
 *   SLOW, FAST  b is certainly slower (faster), and by more than the minimum effect m
 *   SAME        the interval of the ratio lies within (1/(1+m), 1+m)
 *   UNKNOWN     neither holds; `detectable` is the smallest effect that would have been found
 *
 * "Certainly" means that the test is significant in its family (adjust.h) and that the interval,
 * widened by the allowance, excludes 1. The widened interval is the one that is printed.
 *
 *   point    The rank test (rank.h) compares a with b. Before the test, b is moved towards a by the
 *            group's offset (problem_offset.h) and by the allowance A, but at most until the
 *            medians are equal. Between two processes, p is at least the p of the difference of the
 *            medians, whose errors are multiplied by the group's inflation. Within one process, a
 *            point moves only if its kernel changes, so the rank test decides alone. The rank test
 *            does not use the medians, because medians move in steps of the clock. The interval is
 *            that of the ratio of medians (rank.h), after half of the offset is added to a and half
 *            is subtracted from b. Each half-width is multiplied by the inflation and widened by A,
 *            or by M if the offset is unknown. p is adjusted over all points by Holm's method.
 *            Between two processes whose samples alternated between placements, the test is
 *            Student's t test of the trimmed means, whose errors include the effect of placements
 *            (docs/measuring.md). If other points of the problem moved, too, a point's allowance
 *            grows with the longest of their movements (unrest.h). Within one process, both sides
 *            share the placements, so the allowance does not grow.
 *   cell     A cell needs at least 3 points. The cell's value is the median, over its points, of
 *            the logarithm of the ratio without the offset. The test compares this value with its
 *            error. The error combines the standard error of the median, the standard error of the
 *            offset, and the error that the cell's points share because of their placements. The
 *            two standard errors are inflated. The interval is widened by one clock step, or by M
 *            if the offset is unknown. Apart from the offset, the points of a kernel were never
 *            observed to share a larger difference than a clock step. p is adjusted over all cells
 *            by Holm's method. Cells show changes that a kernel has at some sizes only. Between two
 *            processes, a SLOW (FAST) cell needs another cell of its kernel that is slower (faster)
 *            at the error rate with Bonferroni's correction. Otherwise the SLOW (FAST) cell becomes
 *            UNKNOWN and has no interval. The reason is that an input's place in memory can also
 *            move a kernel at one size.
 *   kernel   There is one value per group, that of the cell, because points of a group are
 *            correlated. The test is the sign-flip test of the mean of these values. Its interval
 *            (sign_flip.h) is widened as for a cell. All of the kernel's points share an error
 *            because of their placements, and p is at least the p that follows from this error. p
 *            is adjusted over all kernels by Holm's method. The weight of a group is the inverse
 *            square of the combined size of its allowance, its error and m. The size includes m so
 *            that a group does not get a far larger weight merely because far smaller effects can
 *            be detected in it. The effect is the weighted geometric mean.
 *   all      There is one value per group, the median over kernels, including the offset. The
 *            interval is widened by M, because contexts do not explain a larger change. The weights
 *            are computed as for a kernel.
 *
 * Comparing b with a gives the reciprocal ratios, the same p, and the opposite verdicts.
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
    double error_rate;     /* the rate of each family: points, cells, kernels, everything */
    struct run_margins margins;
};

struct point_effect {
    double offset_us;      /* the part that is subtracted */
    double allowance_us;   /* the amount by which the interval is widened */
    struct estimate ratio; /* b / a without the offset; the ends are NaN if unknown */
    double p, p_family;    /* p of this test, and p adjusted over all points, or NaN */
    /* the movement of other points, which is added to the allowance, or NaN within one process */
    double unrest;
    double detectable;  /* a share, or NaN if no effect of any size would have been found */
    bool from_interval; /* p comes from the interval, because there were no samples */
    bool held;          /* It would be SLOW or FAST if no other point had moved. */
    enum time_verdict verdict;
};

/* This is the effect on a cell, a kernel, or all points. */
struct effect {
    size_t kernel, group;  /* For a kernel, only `kernel` is used. */
    size_t points, groups; /* the numbers of values from which it is computed */
    struct estimate ratio; /* b / a; the ends are NaN if unknown */
    double p, p_family, detectable;
    bool alone; /* The cell would be SLOW or FAST if another cell of its kernel agreed. */
    enum time_verdict verdict;
};

struct times {
    struct problem_offset *groups;
    struct point_effect *points; /* one for each pair */
    struct effect *cells; /* ordered by kernel, then by group, without cells that have no points */
    struct effect *kernels;
    struct effect all;
    size_t group_count, point_count, cell_count, kernel_count;
    /* the numbers of verdicts that need a second process per side */
    size_t cells_alone, points_held;
};

/*
 * Judges all pairs. `groups` and `kernels` are the numbers of groups and of kernels. The caller
 * frees `out` with times_free().
 */
void times_judge(struct timed_pairs pairs, size_t groups, size_t kernels,
                 const struct times_rule *rule, struct times *out);
void times_free(struct times *t);

/*
 * Returns the verdict according to the table above. `significant` is the result of the test in its
 * family. The verdict is UNKNOWN if an end of the interval is NaN.
 */
enum time_verdict time_verdict(bool significant, struct estimate ratio, double minimum_effect);

#endif
