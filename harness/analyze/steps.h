/*
 * Explains steps of the ladder, which kernels/index.txt lists (spec/kernel_index.h). In each step,
 * a kernel differs from another kernel in one thing, which should improve one count.
 *
 * This count explains a gain only if its logarithm improved by at least half as much as the
 * logarithm of the time. A share improves if it rises, and any other count improves if it falls.
 * Counts that differ from launch to launch explain nothing.
 */
#ifndef REDSWEEP_ANALYZE_STEPS_H
#define REDSWEEP_ANALYZE_STEPS_H

#include "analyze/results.h"
#include "spec/kernel_index.h"

struct step_change {
    const char *count; /* the name of the count, or NULL if there is none */
    double from, to;
};

/*
 * Returns a kernel's place in the order of the index. Kernels outside the ladder come after all
 * others.
 */
size_t step_rung(const struct kernel_index *ladder, const char *kernel);

/*
 * Returns the first step in the index that leads to `kernel` and starts from a kernel for which
 * `has` returns true, or NULL if there is none.
 */
const struct kernel_step *step_to(const struct kernel_index *ladder, const char *kernel,
                                  bool (*has)(const void *context, const char *kernel),
                                  const void *context);

/*
 * Returns a row's value of the count that has this name in the index, or NaN if it was not counted
 * or varies from launch to launch.
 */
double step_count(const struct results *r, size_t row, const char *count);

/*
 * Returns how a step's count differs between the rows of the step's two kernels. In the result,
 * `count` is NULL if the change is less than a percent or unknown.
 */
struct step_change step_change_of(const struct results *r, const struct kernel_step *step,
                                  size_t from, size_t to);

/*
 * Returns the result of step_change_of() if the change explains the gain according to the rule
 * above; otherwise `count` is NULL in the result. `gain` is the time of the row `from` divided by
 * the time of the row `to`.
 */
struct step_change step_cause(const struct results *r, const struct kernel_step *step, size_t from,
                              size_t to, double gain);

/*
 * Appends a change such as "gld_transactions ÷ 3.84". If one of the values is 0, it appends both
 * values instead. If `count` is NULL, it appends nothing.
 */
void step_append(const struct step_change *change, struct text *out);
/*
 * Appends a change with both values, such as "gld_transactions 1.05M → 272k, ÷ 3.84". Small values
 * have four digits.
 */
void step_append_values(const struct step_change *change, struct text *out);

/* Returns the name that output for people uses for a count of the index. */
const char *step_count_name(const char *count);

#endif
