/*
 * Checks kernels that do not reduce but show a lower bound on time: that of an empty launch, or of
 * reading, writing or copying n elements.
 *
 * These kernels (kernels/support/sweep_*.cu, empty.cu) move only whole packs of 16 bytes and ignore
 * the elements after the last one. A read and an empty launch leave no result to check, so their
 * result is "ran".
 */
#include "workloads/workloads.h"

#include <stdio.h>
#include <string.h>

enum { PACK_BYTES = 16, WORDS = PACK_BYTES / 4 };

uint64_t limit_elements(uint64_t n)
{
    return n;
}

uint64_t read_min_bytes(const struct input *input)
{
    return input->n * element_size(input->type);
}

uint64_t copy_min_bytes(const struct input *input)
{
    return 2 * input->n * element_size(input->type);
}

/* Returns how many of n elements are in whole packs. */
static uint64_t whole_packs(const struct work *work)
{
    uint64_t width = PACK_BYTES / element_size(work->input->type);
    return work->n / width * width;
}

uint64_t limit_output_elements(const struct work *work)
{
    uint64_t written = whole_packs(work);
    return written ? written : 1;
}

uint64_t no_output_elements(const struct work *work)
{
    (void)work;
    return 1;
}

bool ran_check(const struct work *work, const struct reference *reference, const void *output,
               uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256])
{
    (void)work, (void)reference, (void)output, (void)count;
    snprintf(result, 40, "ran");
    *rel_error = 0;
    why[0] = '\0';
    return true;
}

static void copy_right(const struct work *work, uint64_t first, uint64_t count, void *out)
{
    input_generate(work->input, first, count, out);
}

bool copy_check(const struct work *work, const struct reference *reference, const void *output,
                uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256])
{
    if (whole_packs(work) == 0)
        return ran_check(work, reference, output, count, result, rel_error, why);
    return elements_check(work, output, count, copy_right, result, rel_error, why);
}

/* Each of the four words in pack k is k. */
static void write_right(const struct work *work, uint64_t first, uint64_t count, void *out)
{
    uint64_t size = element_size(work->input->type);
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t word = 0; word < size / 4; word++) {
            uint32_t pack = (uint32_t)(((first + i) * (size / 4) + word) / WORDS);
            memcpy((char *)out + i * size + 4 * word, &pack, sizeof pack);
        }
}

bool write_check(const struct work *work, const struct reference *reference, const void *output,
                 uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256])
{
    if (whole_packs(work) == 0)
        return ran_check(work, reference, output, count, result, rel_error, why);
    return elements_check(work, output, count, write_right, result, rel_error, why);
}
