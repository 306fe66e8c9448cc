/*
 * Checks the output of the kernels nested_hello…, in which kernels launch kernels.
 *
 * Each thread reports the depth of its launch and its own number. It writes depth * 2^24 + number
 * to an output element of its own. This exposes missing and repeated launches, and launches with
 * the wrong number of threads.
 *
 *   halving    In block b of the first grid, h = min(BLOCK, n − b·BLOCK) threads work. This block
 *              launches one block of h/2 threads, which launches one of h/4 threads, and so on.
 *              The last block has 1 thread, or the depth DEPTH (a tunable; without it there is no
 *              limit). The threads are numbered from 0 in each block. The reports of block b follow
 *              those of block b − 1 and are ordered by depth.
 *   doubling   The grid at depth d has 2^d blocks of BLOCK threads, of which those below n work. A
 *              grid with fewer than n threads launches the next grid. The reports are ordered by
 *              depth.
 */
#include "workloads/workloads.h"

#include <stdlib.h>

enum { NUMBER_BITS = 24, NO_LIMIT = 64 };

static uint64_t halving_reports(uint64_t threads, int most_depth)
{
    uint64_t reports = 0;
    for (int depth = 0; threads > 0 && depth <= most_depth; depth++, threads /= 2)
        reports += threads;
    return reports;
}

uint64_t hello_halving_elements(const struct work *work)
{
    const uint64_t block = (uint64_t)work->block;
    const int most_depth = work_tunable(work, "DEPTH", NO_LIMIT);
    return work->n / block * halving_reports(block, most_depth) +
           halving_reports(work->n % block, most_depth);
}

static int64_t report(int depth, uint64_t number)
{
    return ((int64_t)depth << NUMBER_BITS) + (int64_t)number;
}

static void halving_right(const struct work *work, uint64_t first, uint64_t count, void *out)
{
    const uint64_t block = (uint64_t)work->block;
    const uint64_t each = halving_reports(block, work_tunable(work, "DEPTH", NO_LIMIT));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t b = (first + i) / each, place = (first + i) % each;
        uint64_t threads = work->n - b * block < block ? work->n - b * block : block;
        int depth = 0;
        for (; place >= threads; depth++, threads /= 2)
            place -= threads;
        element_store(work->input->type, out, i, report(depth, place));
    }
}

bool hello_halving_check(const struct work *work, const struct reference *reference,
                         const void *output, uint64_t count, char result[RESULT_TEXT],
                         double *rel_error, char why[256])
{
    (void)reference;
    return elements_check(work, output, count, halving_right, result, rel_error, why);
}

/* Returns how many threads work at this depth. */
static uint64_t doubling_threads(const struct work *work, int depth)
{
    uint64_t threads = (uint64_t)work->block << depth;
    return threads < work->n ? threads : work->n;
}

uint64_t hello_doubling_elements(const struct work *work)
{
    uint64_t elements = doubling_threads(work, 0);
    for (int depth = 0; doubling_threads(work, depth) < work->n; depth++)
        elements += doubling_threads(work, depth + 1);
    return elements;
}

static void doubling_right(const struct work *work, uint64_t first, uint64_t count, void *out)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t place = first + i;
        int depth = 0;
        for (; place >= doubling_threads(work, depth); depth++)
            place -= doubling_threads(work, depth);
        element_store(work->input->type, out, i, report(depth, place));
    }
}

bool hello_doubling_check(const struct work *work, const struct reference *reference,
                          const void *output, uint64_t count, char result[RESULT_TEXT],
                          double *rel_error, char why[256])
{
    (void)reference;
    return elements_check(work, output, count, doubling_right, result, rel_error, why);
}
