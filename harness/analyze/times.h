/*
 * Judges differences between times at four levels: points, cells, kernels, and all points together.
 * A group is all points of one type, op, n, cache and scope; a cell is one kernel in one group.
 *
 *   SLOW, FAST  b is certainly slower (faster), by more than the minimum effect m
 *   SAME        the interval of the ratio lies within (1/(1+m), 1+m)
 *   UNKNOWN     neither holds; `detectable` is the smallest effect that would have been found
 *
 * "Certainly" means that the test is significant in its family (adjust.h), and that the interval,
 * widened by the allowance, excludes 1. The output shows the widened interval.
 *
 *   point    The rank test (rank.h) compares a with b, after b is moved towards a by the group's
 *            offset (problem_offset.h) and by the allowance A, but no further than until the
 *            medians are equal. Between two processes, p is at least that of the difference of the
 *            medians, with errors multiplied by the group's inflation. Within one process, a point
 *            moves only if its kernel changes, so the rank test alone decides. It does not use the
 *            medians, which move in steps of the clock. The interval is that of the ratio of
 *            medians (rank.h), after half of the offset is added to a and half is subtracted from
 *            b. Each half-width is multiplied by the inflation and widened by A, or by M if the
 *            offset is unknown. p is adjusted over all points by Holm's method. Between two
 *            processes whose samples alternated between placements, the test is Student's t test of
 *            the trimmed means, with errors that include the effect of placements
 *            (docs/measuring.md). If other points of the problem moved, too, a point's allowance
 *            grows with the longest of their movements (unrest.h). Within one process, both sides
 *            share the placements and it does not grow.
 *   cell     A cell needs at least 3 points. Its value is the median over the points of the
 *            logarithm of the ratio without the offset. The test compares it with its error, which
 *            combines the inflated standard errors of the median and of the offset with the error
 *            that the cell's points share because of their placements. The interval is widened by
 *            one clock step, or by M if the offset is unknown. Apart from the offset, we never saw
 *            the points of a kernel differ together by more than a clock step. p is adjusted over
 *            all cells by Holm's method. Cells catch changes at only some sizes. Between two
 *            processes, a SLOW (FAST) cell needs another cell of its kernel that is slower (faster)
 *            at the Bonferroni-corrected error rate. Otherwise it becomes UNKNOWN and has no
 *            interval, because an input's place in memory can also move a kernel at one size.
 *   kernel   The points of a group are correlated, so each group contributes one value, that of the
 *            cell. The test is the sign-flip test of the mean of these values (sign_flip.h). Its
 *            interval is widened as for a cell. All of the kernel's points share an error because
 *            of their placements, and p is at least the p that follows from this error. p is
 *            adjusted over all kernels by Holm's method. A group's weight is the inverse square of
 *            its allowance, its error and m combined. Without m, groups in which tiny effects can
 *            be detected would outweigh all others. The effect is the weighted geometric mean.
 *   all      Each group contributes one value, the median over its kernels, including the offset.
 *            The interval is widened by M, because contexts do not explain a larger change. Weights
 *            are as for a kernel.
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
    double error_rate;     /* of each family: points, cells, kernels, everything */
    struct run_margins margins;
};

struct point_effect {
    double offset_us;      /* the part subtracted */
    double allowance_us;   /* widens the interval */
    struct estimate ratio; /* b / a without the offset; the ends are NaN if unknown */
    double p, p_family;    /* for this test, and adjusted for all points; or NaN */
    /* the movement of other points, added to the allowance; NaN within one process */
    double unrest;
    double detectable;  /* a share, or NaN if no effect is large enough */
    bool from_interval; /* no samples, so p is from the interval */
    bool held;          /* would be SLOW or FAST if no other point had moved */
    enum time_verdict verdict;
};

/* The effect on a cell, a kernel, or all points. */
struct effect {
    size_t kernel, group;  /* a kernel has no group */
    size_t points, groups; /* how many values went into it */
    struct estimate ratio; /* b / a; the ends are NaN if unknown */
    double p, p_family, detectable;
    bool alone; /* would be SLOW or FAST if another cell of its kernel agreed */
    enum time_verdict verdict;
};

struct times {
    struct problem_offset *groups;
    struct point_effect *points; /* one for each pair */
    struct effect *cells;        /* by kernel, then by group; only cells with points */
    struct effect *kernels;
    struct effect all;
    size_t group_count, point_count, cell_count, kernel_count;
    /* verdicts that need a second process per side */
    size_t cells_alone, points_held;
};

/* Judges all pairs. The caller frees `out` with times_free(). */
void times_judge(struct timed_pairs pairs, size_t groups, size_t kernels,
                 const struct times_rule *rule, struct times *out);
void times_free(struct times *t);

/*
 * Returns the verdict according to the table above, or UNKNOWN if an end of the interval is NaN.
 * `significant` is the result of the test in its family.
 */
enum time_verdict time_verdict(bool significant, struct estimate ratio, double minimum_effect);

#endif
