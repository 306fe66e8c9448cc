/*
 * Computes a reduction on the CPU, in shares. A share is the result of some consecutive elements.
 * Elements are added to a share, neighboring shares are merged, and the last share is finished.
 */
#ifndef REDSWEEP_WORKLOADS_REDUCE_SHARE_H
#define REDSWEEP_WORKLOADS_REDUCE_SHARE_H

#include "workloads/exact_sum.h"
#include "workloads/workloads.h"

/* A compensated sum. Its value is sum + lost. */
struct long_sum {
    double sum, lost;
    double infinite; /* the sum of the values that are not finite; 0 if there are none */
};

/* The result of the elements [first, last) so far. */
struct share {
    const struct input *input;
    uint64_t first, last;
    uint64_t bits; /* for integers (see struct reference) */
    /* If not NULL, used instead of `total`: for sums of all kinds of inputs but uniform. Owned. */
    struct exact_sum *exact;
    /* For floats: the sum of x, x², x·y, x − shift or exp(x − shift). */
    struct long_sum total;
    struct long_sum squares; /* for mean_var: the sum of (x − shift)² */
    double magnitude;        /* for floats: the sum of all added values' absolute values */
    double extreme;          /* for floats: the maximum or minimum so far */
    uint64_t index;          /* the index of that maximum or minimum */
    long double product;     /* for floats: the product */
};

/* Makes a share to which no elements have been added. share_of_piece() makes a piece, a part of a
 * share; all pieces of a share use the same `exact`. */
struct share share_make(const struct input *input, uint64_t first, uint64_t last);
struct share share_of_piece(const struct input *input, uint64_t first, uint64_t last);

/*
 * Adds `count` elements of two vectors from element `first` on. For an operation on one vector, x
 * and y are the same. All earlier elements of the share must already have been added.
 */
void share_add_integers(struct share *s, uint64_t first, uint64_t count, const void *x,
                        const void *y);
void share_add_floats(struct share *s, uint64_t first, uint64_t count, const double *x,
                      const double *y);

/* Merges b, whose elements follow those of a, into a. */
void share_merge(struct share *a, const struct share *b);

/* Finishes the result. `n` counts the share's elements, including those of shares merged into it.
 * Frees the share's memory. */
void share_finish(struct share *s, uint64_t n, struct reference *out);

#endif
