/*
 * Predicts the times of a group's points from the times of the points that were measured, with a
 * Gaussian process over configurations.
 *
 * The logarithm of the time is modeled as a random function that has similar values for similar
 * configurations. The covariance of two configurations is exp(-0.3 d), where d is their distance.
 * The distance is a sum. The block size, the unroll factor and each tunable add the square root of
 * |log2((a + 1) / (b + 1))|, but at most 2, where a and b are their two values. If the kernels
 * differ, 1 is added. For each tunable that only one of the two kernels has, 2 is added.
 *
 * The measurements at the previous n are values of a second function. The covariance between the
 * two functions is half as large as the covariance within one function. Predictions are made by
 * kriging, as usual: the weights of the measured points are the solution of a linear system.
 *
 * (Rasmussen & Williams, Gaussian Processes for Machine Learning, 2006, section 2.2.)
 */
#ifndef REDSWEEP_SEARCH_MODEL_H
#define REDSWEEP_SEARCH_MODEL_H

#include <stdbool.h>

#include "base/vec.h"
#include "plan/plan.h"

/* A measured point. */
struct observed {
    uint32_t point; /* the number of the point in the plan */
    double us;      /* the median of its samples, in µs */
    double scatter; /* the standard deviation of its samples, in µs; NaN: unknown */
    size_t samples;
};
struct observations {
    VEC(struct observed) list;
};

/*
 * A dimension is the kernel, the block size, the unroll factor or a tunable. The struct contains
 * the different values in this dimension, and the value of each point. A dimension with only one
 * value is left out.
 */
struct dimension {
    VEC(int32_t) values;
    uint16_t *of_point;  /* for each point of the group: the index of its value */
    uint16_t *of_before; /* for each point of `before`: the index of its value */
    float *distances;    /* the distance between the values a and b is at [a * values.count + b] */
};

/*
 * An aspect is a series of consecutive dimensions with few combinations of values. The contribution
 * of these dimensions to the similarity of two points is computed once for each combination, and
 * then looked up.
 */
struct aspect {
    int first, end; /* the first dimension, and the dimension after the last */
    size_t combinations;
    uint16_t *of_point; /* for each point of the group: its combination of values */
};

struct model {
    const struct plan *plan; /* borrowed */
    struct group group;
    struct dimension *dimensions;
    int dimension_count;
    struct aspect *aspects;
    int aspect_count;
    struct observations before; /* the measurements at the previous n */
    float **alike_before;       /* for each point of `before`: exp(-0.3 d) to each point of the
                                   group */
    double *among_before;       /* exp(-0.3 d) for points i and j of `before`, j <= i, at [i *
                                   count + j] */
    float **alike;              /* for each point of the group, if needed: exp(-0.3 d) to each
                                   point of the group */
};

/* Begins a model. `before`, which is copied, contains the measurements at the previous n; it is
 * empty at the first n. */
void model_begin(struct model *m, const struct plan *plan, struct group group,
                 const struct observations *before);
void model_end(struct model *m);

/*
 * Predicts the logarithm of the time of each point of the group, up to a constant, and writes it to
 * `out`. `now` contains the measurements of the group. If nothing was measured, all predictions are
 * 0.
 */
void model_predict(struct model *m, const struct observations *now, double *out);

/* Returns whether two points, whatever their n, have the same kernel, block size, unroll factor,
 * tunables and scope. */
bool points_are_alike(const struct point *a, const struct point *b);

#endif
