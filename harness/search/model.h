/*
 * Predicts the times of all points of a group from the points that were measured, with a Gaussian
 * process over configurations. The points of a group have the same n.
 *
 * The logarithm of the time is modeled as a random function with similar values for similar
 * configurations. The covariance of two configurations is exp(-0.3 d), where d is their distance.
 * Each setting (the block size, the unroll factor and each tunable) adds the square root of
 * |log2((a + 1) / (b + 1))| to the distance, but at most 2. Here, a and b are the values of the
 * setting in the two configurations. Different kernels add 1, and each tunable that only one of the
 * two kernels has adds 2.
 *
 * The measurements at the previous n are values of a second random function. The covariance of a
 * value of the one function with a value of the other is half as large as that of two values of one
 * function. Predictions are made by ordinary kriging: the weights of the measured points solve a
 * linear system.
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
    uint32_t point; /* its number in the plan */
    double us;      /* the median of its samples in µs */
    double scatter; /* the samples' standard deviation in µs; NaN: unknown */
    size_t samples;
};
struct observations {
    VEC(struct observed) list;
};

/*
 * A dimension (the kernel, the block size, the unroll factor or a tunable) with its distinct values
 * and the value of each point. Dimensions with only one value are left out.
 */
struct dimension {
    VEC(int32_t) values;
    uint16_t *of_point;  /* the index of the value of each point in the group */
    uint16_t *of_before; /* the index of the value of each point in `before` */
    float *distances;    /* [a * values.count + b] is the distance between values a and b */
};

/*
 * Several consecutive dimensions whose values have few combinations. Their contribution to the
 * similarity of two points is computed once per combination and then looked up.
 */
struct aspect {
    int first, end; /* dimensions first to end − 1 */
    size_t combinations;
    uint16_t *of_point; /* the combination of each point in the group */
};

struct model {
    const struct plan *plan; /* borrowed */
    struct group group;
    struct dimension *dimensions;
    int dimension_count;
    struct aspect *aspects;
    int aspect_count;
    struct observations before; /* measurements at the previous n */
    float **alike_before;       /* exp(-0.3 d) between each point of `before` and each point of
                                   the group */
    double *among_before;       /* exp(-0.3 d) for points i and j of `before`, j <= i, at [i *
                                   count + j] */
    float **alike;              /* exp(-0.3 d) between points of the group, computed on demand */
};

/*
 * Begins a model. `before` has the measurements at the previous n, and is empty at the first n. The
 * function copies it.
 */
void model_begin(struct model *m, const struct plan *plan, struct group group,
                 const struct observations *before);
void model_end(struct model *m);

/*
 * Predicts the logarithm of the time of each point in the group, up to a constant, and writes it to
 * `out`. `now` has the measurements of the group so far. If nothing was measured, all predictions
 * are 0.
 */
void model_predict(struct model *m, const struct observations *now, double *out);

/*
 * Returns whether two points have the same kernel, block size, unroll factor, tunables and scope,
 * whatever their n.
 */
bool points_are_alike(const struct point *a, const struct point *b);

#endif
