/*
 * Checks the output if only a sample of the blocks was executed.
 *
 * A partial result is compared with the reduction of its block's own elements. A complete result,
 * which the kernel combines into a zeroed output, is compared with the reduction over all executed
 * blocks, because nothing else contributed to it. For workloads that do not reduce, each element
 * that these blocks write is compared. A second pass would also read the partial results of blocks
 * that were not executed, so its result is meaningless and ignored.
 */
#include "measure/subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Compares `count` elements of the output from element work->first on. Keeps the largest error. */
static bool check_piece(struct group_run *s, struct subject *subject, struct work *work,
                        const struct reference *reference, uint64_t count, char why[256],
                        bool *right, struct error *e)
{
    struct outcome *o = &subject->outcome;
    char result[RESULT_TEXT];
    double rel_error = 0;
    const size_t size = workload_output_size(subject->kernel->workload, work);
    void *host = xmalloc(count * size);
    bool ok = s->bench->driver->read(s->bench->device, s->output[0], work->first * size, host,
                                     count * size, e);
    if (ok) {
        *right =
            subject->kernel->workload->check(work, reference, host, count, result, &rel_error, why);
        if (!*right || !o->result[0])
            memcpy(o->result, result, sizeof o->result);
        if (!*right || isnan(o->rel_error) || rel_error > o->rel_error)
            o->rel_error = rel_error;
    }
    free(host);
    return ok;
}

/* Returns the elements that a block reduces. The last block may have fewer, or none. */
static struct element_range block_elements(const struct subject *subject, uint64_t block)
{
    uint64_t n = subject->point->n, covers = subject->shape.covers;
    uint64_t first = block * covers < n ? block * covers : n;
    return (struct element_range){first, n - first < covers ? n : first + covers};
}

static bool check_partials(struct group_run *s, struct subject *subject, struct work *work,
                           char why[256], bool *right, struct error *e)
{
    for (uint64_t k = 0; *right && k < subject->sample.count; k++) {
        uint64_t block = subject->sample.blocks[k].block;
        struct element_range range = block_elements(subject, block);
        struct reference reference;
        /* A block without elements may write anything, or nothing. */
        if (range.first == range.end)
            continue;
        subject->kernel->workload->reference_of(work->input, &range, 1, &reference);
        work->first = block;
        if (!check_piece(s, subject, work, &reference, 1, why, right, e))
            return false;
        if (!*right) {
            char text[256];
            memcpy(text, why, sizeof text);
            snprintf(why, 256, "block %" PRIu64 ": %.220s", block, text);
        }
    }
    return true;
}

static bool check_complete(struct group_run *s, struct subject *subject, struct work *work,
                           char why[256], bool *right, struct error *e)
{
    const struct block_sample *sample = &subject->sample;
    struct element_range *ranges = xcalloc(sample->count, sizeof *ranges);
    struct reference reference;
    uint64_t count = 0;
    for (uint64_t k = 0; k < sample->count; k++) {
        ranges[count] = block_elements(subject, sample->blocks[k].block);
        count += ranges[count].first < ranges[count].end;
    }
    subject->kernel->workload->reference_of(work->input, ranges, count, &reference);
    free(ranges);
    return check_piece(s, subject, work, &reference, 1, why, right, e);
}

/* Checks the output of each block, which is one piece in each of the block's rows. */
static bool check_rows(struct group_run *s, struct subject *subject, struct work *work,
                       char why[256], bool *right, struct error *e)
{
    const struct shape *shape = &subject->shape;
    bool flat = shape->grid_size[1] == 1 && shape->block_size[1] == 1;
    uint64_t columns = flat ? work->n : subject->kernel->workload->row_elements(work);
    uint64_t width = flat ? shape->covers : shape->block_size[0];
    uint64_t rows = flat ? 1 : shape->block_size[1];
    for (uint64_t k = 0; *right && k < subject->sample.count; k++) {
        uint64_t block = subject->sample.blocks[k].block;
        uint64_t x = block % shape->grid_size[0] * width;
        uint64_t y = block / shape->grid_size[0] * rows;
        for (uint64_t row = y; *right && row < y + rows && x < columns; row++) {
            uint64_t first = row * columns + x, end = row * columns + columns;
            end = first + width < end ? first + width : end;
            end = end < work->n ? end : work->n;
            work->first = first;
            if (first < end &&
                !check_piece(s, subject, work, &subject->reference, end - first, why, right, e))
                return false;
        }
    }
    return true;
}

bool sampled_check(struct group_run *s, struct subject *subject, char why[256], bool *right,
                   struct error *e)
{
    struct work work = subject_work(s, subject);
    work.complete = subject->kernel->complete; /* ignores the second pass */
    work.depth = subject->shape.depth;
    subject->outcome.result[0] = '\0';
    subject->outcome.rel_error = NAN;
    *right = true;
    if (!subject->kernel->workload->reduces)
        return check_rows(s, subject, &work, why, right, e);
    return work.complete ? check_complete(s, subject, &work, why, right, e)
                         : check_partials(s, subject, &work, why, right, e);
}
