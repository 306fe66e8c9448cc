/*
 * Computes a share of a reduction on the CPU. These functions add elements to a share, merge
 * shares, and finish the result.
 */
#ifndef REDSWEEP_WORKLOADS_REDUCE_SHARE_H
#define REDSWEEP_WORKLOADS_REDUCE_SHARE_H

#include "workloads/exact_sum.h"
#include "workloads/workloads.h"

/* A compensated sum, whose value is sum + lost. */
struct long_sum {
    double sum, lost;
    double infinite; /* the sum of the values that are not finite, or 0 if there are none */
};

/* A share covers the elements [first, last). */
struct share {
    const struct input *input;
    uint64_t first, last;
    uint64_t bits; /* the value, for integers (see struct reference) */
    /* If this is not NULL, it replaces `total`. It is used for sums of inputs that are not of the
     * kind uniform. The share owns it. */
    struct exact_sum *exact;
    /* For floats, this is the sum of x, x², x·y, x − shift or exp(x − shift). */
    struct long_sum total;
    struct long_sum squares; /* the sum of (x − shift)², for mean_var */
    double magnitude;        /* the sum of the absolute values of all added values, for floats */
    double extreme;          /* the extreme of max, min and the indices, for floats */
    uint64_t index;          /* the index of the extreme */
    long double product;     /* the product, for floats */
};

/* These functions make shares without elements. A piece is a part of a share, and its `exact` is
 * the exact sum of that share. */
struct share share_make(const struct input *input, uint64_t first, uint64_t last);
struct share share_of_piece(const struct input *input, uint64_t first, uint64_t last);

/*
 * These functions add `count` elements of two vectors, beginning with element `first`. For an
 * operation of one vector, x and y are the same. All earlier elements must already have been added.
 */
void share_add_integers(struct share *s, uint64_t first, uint64_t count, const void *x,
                        const void *y);
void share_add_floats(struct share *s, uint64_t first, uint64_t count, const double *x,
                      const double *y);

/* Merges b, which follows a, into a. Pieces of one share add to the same exact sum. */
void share_merge(struct share *a, const struct share *b);

/* Finishes the result. `n` is the number of elements of the share, including those of shares that
 * were merged into it. Frees the memory of the share. */
void share_finish(struct share *s, uint64_t n, struct reference *out);

#endif
