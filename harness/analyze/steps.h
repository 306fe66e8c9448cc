/*
 * Steps of the ladder, as kernels/index.txt has them (spec/kernel_index.h): a kernel changes one thing
 * of another, and the step is about one count.
 *
 * A gain is put down to that count only if it became better (less, or more of a share), by at least
 * half as much as the time, both as logarithms: what changed little beside the gain explains little of
 * it. Counts of kernels whose counts differ from launch to launch explain nothing.
 */
#ifndef REDSWEEP_ANALYZE_STEPS_H
#define REDSWEEP_ANALYZE_STEPS_H

#include "analyze/results.h"
#include "spec/kernel_index.h"

struct step_change {
    const char *count; /* NULL: none */
    double from, to;
};

/* A kernel's place for sorting: that of the index, then all that are no part of the ladder. */
size_t step_rung(const struct kernel_index *ladder, const char *kernel);

/*
 * The step to a kernel: of those that the index names, the first from a kernel that is there, as `has`
 * says; NULL.
 */
const struct kernel_step *step_to(const struct kernel_index *ladder, const char *kernel,
                                  bool (*has)(const void *context, const char *kernel),
                                  const void *context);

/* A count of a row by its name in the index; NaN: it was not counted, or varies from launch to launch. */
double step_count(const struct results *r, size_t row, const char *count);

/* How the count of a step differs between the rows of its two kernels; none where it does by less than
 * a percent, or is not known. */
struct step_change step_change_of(const struct results *r, const struct kernel_step *step,
                                  size_t from, size_t to);

/* The same if a gain (time of `from` / time of `to`) is put down to it, by the rule above; else none. */
struct step_change step_cause(const struct results *r, const struct kernel_step *step, size_t from,
                              size_t to, double gain);

/* Appends "gld_transactions ÷ 3.84", or both values where one is 0; nothing for no count. */
void step_append(const struct step_change *change, struct text *out);
/* Appends "gld_transactions 1.05M → 272k, ÷ 3.84": both values, to four figures where they are small. */
void step_append_values(const struct step_change *change, struct text *out);

/* What people call a count of the index. */
const char *step_count_name(const char *count);

#endif
