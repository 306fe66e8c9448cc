/*
 * Explains the steps of the ladder in kernels/index.txt (spec/kernel_index.h). In each step, a
 * kernel changes one thing about an earlier kernel, and this should improve one count, such as the
 * number of memory transactions.
 *
 * The count explains the step's gain in time only if the logarithm of the count improved at least
 * half as much as the logarithm of the time. A count in percent improves by rising, any other count
 * by falling. Counts that vary from launch to launch explain nothing.
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
 * Returns a kernel's place in the index, by which kernels can be sorted. Kernels outside the ladder
 * get the place after the last one.
 */
size_t step_rung(const struct kernel_index *ladder, const char *kernel);

/*
 * Returns the first step in the index that leads to `kernel` from a kernel for which `has` returns
 * true, or NULL if there is none.
 */
const struct kernel_step *step_to(const struct kernel_index *ladder, const char *kernel,
                                  bool (*has)(const void *context, const char *kernel),
                                  const void *context);

/*
 * Returns a row's value of the count that the index calls `count`. Returns NaN if the count was not
 * measured or varies from launch to launch.
 */
double step_count(const struct results *r, size_t row, const char *count);

/*
 * Returns how a step's count differs between rows of its two kernels. The result's `count` is NULL
 * if the change is unknown or less than a percent.
 */
struct step_change step_change_of(const struct results *r, const struct kernel_step *step,
                                  size_t from, size_t to);

/*
 * Like step_change_of(), but the result's `count` is also NULL if the change does not explain the
 * gain (see the top of this file). `gain` is the time of row `from` divided by that of row `to`.
 */
struct step_change step_cause(const struct results *r, const struct kernel_step *step, size_t from,
                              size_t to, double gain);

/*
 * Appends a change such as "gld_transactions ÷ 3.84". If one of the values is 0, appends both
 * values instead. Appends nothing if `count` is NULL.
 */
void step_append(const struct step_change *change, struct text *out);
/*
 * Appends a change with both values, such as "gld_transactions 1.05M → 272k, ÷ 3.84". Small values
 * have four digits.
 */
void step_append_values(const struct step_change *change, struct text *out);

/* Returns the name that people see for a count of the index. */
const char *step_count_name(const char *count);

#endif
