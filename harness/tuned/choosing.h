/*
 * Shared by the choices by ranges of n (choose_ranges.c) and by shapes of rows (choose_rows.c).
 * Private to this room.
 */
#ifndef REDSWEEP_TUNED_CHOOSING_H
#define REDSWEEP_TUNED_CHOOSING_H

#include "base/vec.h"
#include "plan/shape.h"
#include "tuned/tuned.h"

struct choosing {
    struct tuned *tuned;
    const struct best *best;
    int sms;
    bool exact; /* only kernels whose facts say `exact: yes`, or only others */
    struct error *e;
};

/* Shares of a problem's best time within which a configuration may be used elsewhere: if the two
 * differ, and if they tie. */
#define LOSS_ALLOWED 0.003
#define TIED_LOSS_ALLOWED 0.01

/* The value of an axis at a candidate's row. */
const char *candidate_axis(const struct choosing *c, const struct candidate *candidate,
                           enum axis_index axis);
/* Microseconds. */
double candidate_us(const struct choosing *c, const struct candidate *candidate);
/* CUB's; NaN if it was not measured. */
double problem_reference_us(const struct choosing *c, const struct problem *p);
/* Its shape; elements per row are 0 if it is not by rows. */
struct config_shape problem_shape(const struct choosing *c, const struct problem *p);
/* The same of a row of a run. */
struct config_shape row_shape(const struct results *r, size_t row);
/* The kind of reduction of a function that is measured at such shapes. */
enum tuned_over shape_over(const struct config_shape *at);

/* Fills a range's kernel and variant; returns false if a library cannot call this kernel. */
bool read_variant(const struct choosing *c, const struct candidate *candidate,
                  struct tuned_range *out);

/* The point of a shape, and its configuration, for plan/shape.h; it borrows both. */
struct point shape_point(const struct config_shape *at);
struct combination range_combination(const struct tuned_range *range, const struct point *point,
                                     int sms, uint64_t n);

/* May the configuration run at this shape? Its facts require it. A row_length of 0: not by rows. */
bool range_runs_at(const struct choosing *c, const struct tuned_range *range,
                   const struct config_shape *at);
/* The same wherever the first row begins, also between whole packs. */
bool range_runs_anywhere(const struct choosing *c, const struct tuned_range *range,
                         const struct config_shape *at);

/* Whether a time is close enough to the best one of its problem. */
bool loses_little(const struct choosing *c, const struct candidate *candidate,
                  const struct candidate *best);

/* Adds ranges of n to a function, from the problems of a series. */
bool choose_ranges(const struct choosing *c, const struct series *series, struct tuned_function *f);

/* Adds the choice for each shape of a series by rows or over an axis. */
bool choose_rows(const struct choosing *c, const struct series *series, struct tuned_function *f);

/*
 * Every configuration of a kernel by rows, or of any axis, that was right somewhere, with the row lengths at which it
 * was measured; `at` is one of its shapes.
 */
typedef VEC(struct tuned_range) known_ranges;
void find_known(const struct choosing *c, known_ranges *out);

/* Whether the order in which elements are combined decides the bits of a result. */
bool order_matters(enum element_type type, enum operation op);

/* Fills a function by rows whose results must not depend on the batch. */
bool choose_invariant(const struct choosing *c, struct tuned_function *f);

/* Whether the library compares the configuration at this row length. */
bool range_is_near(const struct tuned_range *range, double row_length);

/* As leaves_idle() of tuned/find.h: few rows, which are much longer than any at which it was
 * measured. */
bool range_leaves_idle(const struct tuned_range *range, int sms, const struct config_shape *at);

/* Fits a model of its time at any shape to the measurements of each configuration by rows or over an axis
 * (model.h). */
void fit_rows(const struct choosing *c, struct tuned_function *f);

/* Leaves out configurations of rows or an axis that would save little anywhere; they must have been
 * fitted. */
void keep_useful(const struct choosing *c, struct tuned_function *f);

/* Adds the configurations that run at every shape and offset, if the kernels have them. */
void add_fallbacks(const struct choosing *c, struct tuned_function *f);

/* The kernel whose facts say fallback: yes, for the function's type, operation and shapes; NULL if
 * there is none. */
const struct kernel *find_fallback(const struct catalogue *kernels, const struct tuned_function *f);

#endif
