/*
 * Checks the outputs of matrix sums and of the divergence kernels element by element.
 *
 * Every element must have the correct bits. A sum of two elements is one operation, rounded once to
 * the elements' type, so this holds for floats too. The correct values are computed in pieces from
 * the input's formula, and nothing is stored.
 */
#include "workloads/workloads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 1024, WARP = 32, FIRST_VALUE = 100, SECOND_VALUE = 200 };

void element_store(enum element_type type, void *out, uint64_t i, int64_t value)
{
    const size_t size = element_size(type);
    if (element_is_float(type)) {
        if (size == sizeof(float)) /* no kernel of such a workload uses shorter floats */
            ((float *)out)[i] = (float)value;
        else if (size == sizeof(double))
            ((double *)out)[i] = (double)value;
    } else if (size == 8)
        ((int64_t *)out)[i] = value;
    else if (size == 4)
        ((uint32_t *)out)[i] = (uint32_t)value;
    else if (size == 2)
        ((uint16_t *)out)[i] = (uint16_t)value;
    else
        ((uint8_t *)out)[i] = (uint8_t)value;
}

bool elements_check(const struct work *work, const void *output, uint64_t count,
                    void (*right)(const struct work *work, uint64_t first, uint64_t count,
                                  void *out),
                    char result[RESULT_TEXT], double *rel_error, char why[256])
{
    const enum element_type type = work->input->type;
    const size_t size = element_size(type);
    uint64_t piece[PIECE];
    why[0] = '\0';
    *rel_error = 0;
    for (uint64_t first = 0; first < count; first += PIECE) {
        uint64_t here = count - first < PIECE ? count - first : PIECE;
        const char *found = (const char *)output + first * size;
        right(work, work->first + first, here, piece);
        if (memcmp(found, piece, here * size) == 0)
            continue;
        uint64_t i = 0;
        while (memcmp(found + i * size, (const char *)piece + i * size, size) == 0)
            i++;
        char must[40];
        element_text(type, found, i, result);
        element_text(type, piece, i, must);
        *rel_error = NAN;
        snprintf(why, 256, "element %llu of the output is %s, but must be %s",
                 (unsigned long long)(work->first + first + i), result, must);
        return false;
    }
    element_text(type, output, count - 1, result);
    return true;
}

uint64_t no_input_elements(uint64_t n)
{
    (void)n;
    return 0;
}

uint64_t no_min_bytes(const struct input *input)
{
    (void)input;
    return 0;
}

uint64_t matrix_input_elements(uint64_t n)
{
    return 2 * n;
}

/* The kernel reads A and B, and writes C. */
uint64_t matrix_min_bytes(const struct input *input)
{
    return input->n / 2 * 3 * element_size(input->type);
}

uint64_t matrix_output_elements(const struct work *work)
{
    return work->n;
}

/* Returns how long a row of C is. Kernels with only one row have no tunable COLUMNS. */
uint64_t matrix_row_elements(const struct work *work)
{
    int columns = work_tunable(work, "COLUMNS", 0);
    return columns > 0 ? (uint64_t)columns : work->n;
}

static void matrix_right(const struct work *work, uint64_t first, uint64_t count, void *out)
{
    uint64_t b[PIECE];
    input_generate(work->input, first, count, out);
    input_generate(work->input, work->n + first, count, b);
    const enum element_type type =
        work->input->type; /* in matrix_sum, sums have the elements' type */
    const bool is_float = element_is_float(type);
    const size_t size = element_size(type);
    for (uint64_t i = 0; i < count; i++) {
        if (is_float && size == 4)
            ((float *)out)[i] += ((const float *)b)[i];
        else if (is_float)
            ((double *)out)[i] += ((const double *)b)[i];
        /* Adds integers as unsigned: the bits are the same, and overflow is defined. */
        else if (size == 4)
            ((uint32_t *)out)[i] += ((const uint32_t *)b)[i];
        else
            ((uint64_t *)out)[i] += b[i];
    }
}

bool matrix_check(const struct work *work, const struct reference *reference, const void *output,
                  uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256])
{
    (void)reference;
    return elements_check(work, output, count, matrix_right, result, rel_error, why);
}

uint64_t alternate_output_elements(const struct work *work)
{
    return work->n;
}

uint64_t alternate_row_elements(const struct work *work)
{
    return work->n;
}

static void threads_right(const struct work *work, uint64_t first, uint64_t count, void *out)
{
    for (uint64_t i = 0; i < count; i++)
        element_store(work->input->type, out, i, (first + i) % 2 ? SECOND_VALUE : FIRST_VALUE);
}

static void warps_right(const struct work *work, uint64_t first, uint64_t count, void *out)
{
    for (uint64_t i = 0; i < count; i++)
        element_store(work->input->type, out, i,
                      (first + i) / WARP % 2 ? SECOND_VALUE : FIRST_VALUE);
}

bool alternate_threads_check(const struct work *work, const struct reference *reference,
                             const void *output, uint64_t count, char result[RESULT_TEXT],
                             double *rel_error, char why[256])
{
    (void)reference;
    return elements_check(work, output, count, threads_right, result, rel_error, why);
}

bool alternate_warps_check(const struct work *work, const struct reference *reference,
                           const void *output, uint64_t count, char result[RESULT_TEXT],
                           double *rel_error, char why[256])
{
    (void)reference;
    return elements_check(work, output, count, warps_right, result, rel_error, why);
}
