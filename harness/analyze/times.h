/*
 * Verdicts on times: of points, of a kernel in one group (a problem: type, op, n, cache, scope), of
 * kernels, and of everything together.
 *
 *   SLOW, FAST  b is certainly slower (faster), and by more than the minimum effect m
 *   SAME        the interval of the ratio lies inside (1/(1+m), 1+m)
 *   UNKNOWN     neither; `detectable` is the smallest effect that would have been found
 *
 * "Certainly" means: the test is significant in its family (adjust.h), and the interval, widened by
 * the allowance, excludes 1. The printed interval is the tested one.
 *
 *   point    rank test (rank.h) of a against b, after b is moved towards a by the group's offset
 *            (problem_offset.h) and by the allowance A, at most until the medians meet; between
 *            two processes no more certain than by the medians and their errors times the group's
 *            inflation. Within one process nothing moves a point but its kernel, so ranks speak
 *            alone: medians move in steps of the clock. Holm over all points. Interval: of the ratio of
 *            medians (rank.h), half the offset added to a and half taken from b, each half-width
 *            times the inflation, widened by A. Where the offset is unknown, M takes the place
 *            of A.
 *            Between two processes, where samples alternated between placements, the test is that
 *            of Student's t on the trimmed means, whose errors have the placements in them
 *            (docs/measuring.md); and a point around which others moved, too, is allowed as much
 *            as the one of them that moved furthest (unrest.h). Within one process placements are
 *            shared.
 *   cell     a kernel in one group, from 3 points on: the median over its points of the logarithm
 *            of the ratio without the offset; z from the standard errors of that median and of the
 *            offset, both inflated, and what placements make its points share. Widened by one
 *            clock step, which exceeds what else a kernel's points were seen to share; M where the
 *            offset is unknown. Holm over all cells. Finds what a kernel loses at some sizes only.
 *            Between two processes a cell that is SLOW (FAST) alone, with no other cell of its
 *            kernel slower (faster) at the error rate, Bonferroni over those others, is UNKNOWN
 *            without an interval: where an input lies in memory moves a kernel at one size, too.
 *   kernel   one value per group: that of the cell. Sign-flip test and interval of their mean
 *            (sign_flip.h), widened as a cell; and at most as certain as what placements make all
 *            of its points share allows. Holm over all kernels. Points of a group are correlated,
 *            so each group counts once. The mean is weighted by what a group can decide: by the
 *            inverse square of its allowance, its error and m together. With m no group that
 *            decides less than what matters weighs more for it. The effect is the geometric mean,
 *            weighted.
 *   all      one value per group: the median over kernels, the offset left in. The interval is
 *            widened by M: what exceeds it is not a matter of contexts. Weighted as a kernel's.
 *
 * b against a has the reciprocal ratios of a against b, the same p, and the opposite verdicts.
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
    double error_rate;     /* of each family: points, cells, kernels, all */
    struct run_margins margins;
};

struct point_effect {
    double offset_us;      /* taken out */
    double allowance_us;   /* by which the interval is widened */
    struct estimate ratio; /* b / a without the offset; ends NaN: unknown */
    double p, p_family;    /* p of this test, and adjusted among all points; NaN: none */
    double unrest;         /* unrest of the points around it, in the allowance; NaN: one process */
    double detectable;     /* a share; NaN: no effect of any size would have been found */
    bool from_interval;    /* there were no samples: p comes from the interval */
    bool held;             /* would be SLOW or FAST if no others had moved */
    enum time_verdict verdict;
};

/* The effect on a cell, a kernel, or all points. */
struct effect {
    size_t kernel, group;  /* for a cell both, for a kernel only the kernel */
    size_t points, groups; /* number of values that it is computed from */
    struct estimate ratio; /* b / a; ends NaN: unknown */
    double p, p_family, detectable;
    bool alone; /* a cell that would be SLOW or FAST, but no other cell of its kernel agrees */
    enum time_verdict verdict;
};

struct times {
    struct problem_offset *groups;
    struct point_effect *points; /* one for each pair */
    struct effect *cells;        /* by kernel, then by group; only those with points */
    struct effect *kernels;
    struct effect all;
    size_t group_count, point_count, cell_count, kernel_count;
    size_t cells_alone, points_held; /* verdicts that wait for a second process of each side */
};

/* Groups and kernels of `pairs` are numbered below `groups` and `kernels`.
 * Free with times_free(). */
void times_judge(struct timed_pairs pairs, size_t groups, size_t kernels,
                 const struct times_rule *rule, struct times *out);
void times_free(struct times *t);

/* The table of verdicts. `significant`: in its family. If the interval has NaN: UNKNOWN. */
enum time_verdict time_verdict(bool significant, struct estimate ratio, double minimum_effect);

#endif
