/*
 * Steps of the ladder, as kernels/index.txt lists them (spec/kernel_index.h): in each, a kernel changes
 * one thing in another kernel, and the step should improve one count.
 *
 * That count explains a gain only if it improved (fell, or rose if it is a share) by at least half as
 * much as the time, both as logarithms: a count that changed little explains little. Counts of kernels
 * whose counts differ from launch to launch explain nothing.
 */
#ifndef REDSWEEP_ANALYZE_STEPS_H
#define REDSWEEP_ANALYZE_STEPS_H

#include "analyze/results.h"
#include "spec/kernel_index.h"

struct step_change {
    const char *count; /* NULL: none */
    double from, to;
};

/*
 * Returns a kernel's place for sorting, which is its place in the index; kernels that are not in the ladder
 * come after all others.
 */
size_t step_rung(const struct kernel_index *ladder, const char *kernel);

/*
 * Returns the step to a kernel: the first step of the index from a kernel that is present, according to
 * `has`, or NULL if there is none.
 */
const struct kernel_step *step_to(const struct kernel_index *ladder, const char *kernel,
                                  bool (*has)(const void *context, const char *kernel),
                                  const void *context);

/*
 * Returns a count of a row by its name in the index, or NaN if it was not counted or varies from launch to
 * launch.
 */
double step_count(const struct results *r, size_t row, const char *count);

/*
 * Returns the change of a step's count between the rows of its two kernels; its `count` is NULL if the change
 * is less than a percent or unknown.
 */
struct step_change step_change_of(const struct results *r, const struct kernel_step *step,
                                  size_t from, size_t to);

/*
 * Returns the same change, but only if the rule above attributes a gain (time of `from` / time of `to`) to
 * it; otherwise its `count` is NULL.
 */
struct step_change step_cause(const struct results *r, const struct kernel_step *step, size_t from,
                              size_t to, double gain);

/* Appends "gld_transactions ÷ 3.84", or both values if one is 0; nothing if `count` is NULL. */
void step_append(const struct step_change *change, struct text *out);
/* Appends "gld_transactions 1.05M → 272k, ÷ 3.84": both values, with four digits if they are small. */
void step_append_values(const struct step_change *change, struct text *out);

/* Returns the name of a count of the index for people. */
const char *step_count_name(const char *count);

#endif
