/*
 * Declares the functions to which the table in workload.c points, grouped by workload. The members
 * of struct workload (workload.h) say what each function does. Private to this folder.
 */
#ifndef REDSWEEP_WORKLOADS_WORKLOADS_H
#define REDSWEEP_WORKLOADS_WORKLOADS_H

#include "workloads/workload.h"

/* reduce: reduce_reference.c, reduce_share.c and reduce_check.c. */
uint64_t reduce_min_bytes(const struct input *input);
uint64_t reduce_input_elements(uint64_t n);
uint64_t reduce_output_elements(const struct work *work);
size_t reduce_output_size(const struct work *work);
bool reduce_reference(const struct input *input, int threads, struct reference *out,
                      struct error *e);
void reduce_reference_of(const struct input *input, const struct element_range *ranges,
                         uint64_t count, struct reference *out);
bool reduce_check(const struct work *work, const struct reference *reference, const void *output,
                  uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);

/*
 * Like reduce_reference(), but for the elements [first, end) only. There must be at least one.
 */
void reduce_reference_range(const struct input *input, uint64_t first, uint64_t end, int threads,
                            struct reference *out);

/*
 * Computes the references of `count` neighboring columns; `count` is in 1 … REDUCE_COLUMNS. Column
 * i consists of the elements first + i + k * inner for all k < length. If the result is an index,
 * it is a value of k.
 */
enum { REDUCE_COLUMNS = 256 };
void reduce_reference_columns(const struct input *input, uint64_t first, uint64_t count,
                              uint64_t length, uint64_t inner, struct reference *out);

/*
 * Returns whether output element i is correct by the rules of reduce_check(). Faster for outputs
 * with many elements, because it writes no text.
 */
bool reduce_value_right(const struct work *work, const struct reference *reference,
                        const void *output, uint64_t i, double *rel_error);

/* Writes the result at `output` as text. */
void reduce_result_text(const struct input *input, const void *output, char text[RESULT_TEXT]);

/* rows and rows_limit: rows_check.c. */
uint64_t rows_output_elements(const struct work *work);
size_t rows_output_size(const struct work *work);
bool rows_reference(const struct input *input, uint64_t row_length, uint64_t inner, int threads,
                    struct reference *out, struct error *e);
bool rows_check(const struct work *work, const struct reference *reference, const void *output,
                uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);
bool rows_limit_check(const struct work *work, const struct reference *reference,
                      const void *output, uint64_t count, char result[RESULT_TEXT],
                      double *rel_error, char why[256]);

/*
 * Combines two values of an integer reduction, and returns the result. All three are extended to 64
 * bits as in struct reference. Sums and products wrap around at the width of the type.
 */
uint64_t reduce_combine(enum element_type type, enum operation op, uint64_t a, uint64_t b);

/* Return element i of `values`: reduce_integer_at() extended to 64 bits as in struct reference,
 * reduce_float_at() as a double. */
uint64_t reduce_integer_at(enum element_type type, const void *values, uint64_t i);
double reduce_float_at(enum element_type type, const void *values, uint64_t i);

/* For max, min and their indices: returns whether x replaces y as the maximum or minimum so far. A
 * NaN replaces every number. */
bool reduce_beats(enum operation op, double x, double y);

/* Workloads that have no input or do not depend on memory: elements_check.c. */
uint64_t no_input_elements(uint64_t n);
uint64_t no_min_bytes(const struct input *input);

/* matrix_sum and alternate_…: elements_check.c. */
uint64_t matrix_input_elements(uint64_t n);
uint64_t matrix_min_bytes(const struct input *input);
uint64_t matrix_output_elements(const struct work *work);
uint64_t matrix_row_elements(const struct work *work);
bool matrix_check(const struct work *work, const struct reference *reference, const void *output,
                  uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);
uint64_t alternate_output_elements(const struct work *work);
uint64_t alternate_row_elements(const struct work *work);
bool alternate_threads_check(const struct work *work, const struct reference *reference,
                             const void *output, uint64_t count, char result[RESULT_TEXT],
                             double *rel_error, char why[256]);
bool alternate_warps_check(const struct work *work, const struct reference *reference,
                           const void *output, uint64_t count, char result[RESULT_TEXT],
                           double *rel_error, char why[256]);

/* hello_…: hello_check.c. */
uint64_t hello_halving_elements(const struct work *work);
bool hello_halving_check(const struct work *work, const struct reference *reference,
                         const void *output, uint64_t count, char result[RESULT_TEXT],
                         double *rel_error, char why[256]);
uint64_t hello_doubling_elements(const struct work *work);
bool hello_doubling_check(const struct work *work, const struct reference *reference,
                          const void *output, uint64_t count, char result[RESULT_TEXT],
                          double *rel_error, char why[256]);

/* Workloads that do less than any reduction must, to show lower bounds on time: limit_check.c. */
uint64_t limit_elements(uint64_t n);
uint64_t read_min_bytes(const struct input *input);
uint64_t copy_min_bytes(const struct input *input);
uint64_t limit_output_elements(const struct work *work);
uint64_t no_output_elements(const struct work *work);
bool ran_check(const struct work *work, const struct reference *reference, const void *output,
               uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);
bool copy_check(const struct work *work, const struct reference *reference, const void *output,
                uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);
bool write_check(const struct work *work, const struct reference *reference, const void *output,
                 uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256]);

/*
 * Checks each element, for several workloads. The function `right` writes the correct elements
 * [first, first + count) of the output to `out`, in host memory. `why` names the first element
 * whose bits differ. `result` is the last element of the output.
 */
bool elements_check(const struct work *work, const void *output, uint64_t count,
                    void (*right)(const struct work *work, uint64_t first, uint64_t count,
                                  void *out),
                    char result[RESULT_TEXT], double *rel_error, char why[256]);

/* Stores an integer as out[i]. */
void element_store(enum element_type type, void *out, uint64_t i, int64_t value);

/* Writes element i of `values` as the shortest text that reads back as the same value
 * (reduce_check.c). */
void element_text(enum element_type type, const void *values, uint64_t i, char text[40]);

/* Returns s such that a + b = s + *error exactly (Knuth's TwoSum: TAOCP vol. 2, §4.2.2). */
static inline double two_sum(double a, double b, double *error)
{
    double s = a + b;
    double b_part = s - a;
    *error = (a - (s - b_part)) + (b - b_part);
    return s;
}

#endif
