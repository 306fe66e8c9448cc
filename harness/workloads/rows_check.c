/*
 * Checks reductions of rows. The input is n / row_length rows of row_length elements each, one
 * after another. Element i of the output is the reduction of row i.
 *
 * In a reduction along any axis, neighboring elements of a row are `inner` elements apart. The
 * input is then a row-major array (outer, row_length, inner), reduced along its middle dimension:
 * result (o * inner + i) combines the elements (o, k, i). Reductions along rows have inner = 1, and
 * reductions along columns have outer = 1.
 *
 * Each row is checked like the output of a separate reduction; reduce_check.c explains the rules.
 * The references are computed once per input and row length. All threads compute each long row
 * together; short rows are distributed among the threads.
 *
 * rows_limit reads and writes as much as a row-wise kernel must, so no such kernel can be faster.
 * Its result i is the number i.
 */
#include "workloads/workloads.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/phase.h"

enum {
    LONG_ROW = 1 << 18,
    MANY_ROWS = 1 << 14, /* from this number of rows on, several threads check them */
    CHUNK = 1 << 16      /* after this many elements, progress is counted */
};

uint64_t rows_output_elements(const struct work *work)
{
    return work->n / work->row_length;
}

size_t rows_output_size(const struct work *work)
{
    return result_size(work->input->op, work->input->type);
}

/* Makes the index in a row's reference relative to the row's first element, which is element
 * `first` of the input. */
static void row_reference(const struct input *input, uint64_t first, struct reference *row)
{
    if (operation_accumulator(input->op) != ACCUMULATES_INDEXED)
        return;
    row->bits -= first;
    row->value = (double)row->bits;
    row->magnitude = row->value;
}

/* One thread's work: the rows [first, end), to check or to compute references for. */
struct rows_share {
    const struct input *input;
    uint64_t row_length, inner, first, end;
    struct reference *rows;
    const struct work *work;
    const void *output;
    uint64_t wrong; /* the first wrong row; `end` if there is none */
    double worst;   /* the largest relative error */
};

static void *run_rows(void *argument)
{
    struct rows_share *s = argument;
    uint64_t counted = 0;
    for (uint64_t row = s->first; row < s->end; row++) {
        struct element_range range = {row * s->row_length, (row + 1) * s->row_length};
        reduce_reference_of(s->input, &range, 1, &s->rows[row]);
        row_reference(s->input, range.first, &s->rows[row]);
        counted += s->row_length % CHUNK;
        if (counted >= CHUNK) {
            phase_add(counted);
            counted = 0;
        }
    }
    return NULL;
}

/* Computes the references of rows whose neighboring elements are `inner` elements apart, several
 * neighboring rows at a time. */
static void *run_columns(void *argument)
{
    struct rows_share *s = argument;
    for (uint64_t row = s->first, count; row < s->end; row += count) {
        uint64_t outer = row / s->inner, i = row % s->inner;
        count = s->inner - i < REDUCE_COLUMNS ? s->inner - i : REDUCE_COLUMNS;
        count = s->end - row < count ? s->end - row : count;
        reduce_reference_columns(s->input, outer * s->row_length * s->inner + i, count,
                                 s->row_length, s->inner, &s->rows[row]);
        phase_add(count * s->row_length);
    }
    return NULL;
}

static void *check_rows(void *argument)
{
    struct rows_share *s = argument;
    double rel_error;
    for (uint64_t i = s->wrong = s->first; i < s->end; s->wrong = ++i) {
        if (!reduce_value_right(s->work, &s->rows[s->work->first + i], s->output, i, &rel_error))
            return NULL;
        s->worst = rel_error > s->worst ? rel_error : s->worst;
    }
    return NULL;
}

/*
 * Distributes the rows of `all` among `threads` threads, which execute `run`, and combines their
 * results. If a thread cannot be started, the calling thread executes its share.
 */
static void share_rows(struct rows_share *all, void *(*run)(void *), int threads)
{
    const uint64_t rows = all->end;
    struct rows_share *shares = xcalloc((size_t)threads, sizeof *shares);
    pthread_t *handles = xcalloc((size_t)threads, sizeof *handles);
    uint64_t each = (rows + (uint64_t)threads - 1) / (uint64_t)threads;
    int started = 0;
    for (int i = 0; i < threads; i++) {
        shares[i] = *all;
        shares[i].first = each * (uint64_t)i < rows ? each * (uint64_t)i : rows;
        shares[i].end = rows - shares[i].first < each ? rows : shares[i].first + each;
    }
    while (started < threads - 1 &&
           pthread_create(&handles[started], NULL, run, &shares[started]) == 0)
        started++;
    for (int i = started; i < threads; i++)
        run(&shares[i]);
    for (int i = 0; i < started; i++)
        pthread_join(handles[i], NULL);
    all->wrong = rows;
    for (int i = threads; i-- > 0;) {
        all->worst = shares[i].worst > all->worst ? shares[i].worst : all->worst;
        all->wrong = shares[i].wrong < shares[i].end ? shares[i].wrong : all->wrong;
    }
    free(shares);
    free(handles);
}

bool rows_reference(const struct input *input, uint64_t row_length, uint64_t inner, int threads,
                    struct reference *out, struct error *e)
{
    const uint64_t n = input_vector(input);
    if (row_length == 0 || inner == 0 || n == 0 || n % row_length != 0 ||
        n / row_length % inner != 0)
        return FAIL(
            e, ERROR_INTERNAL,
            "%llu elements cannot be divided into rows of %llu elements that are %llu apart",
            (unsigned long long)n, (unsigned long long)row_length, (unsigned long long)inner);
    uint64_t count = n / row_length;
    *out = (struct reference){.rows = calloc(count, sizeof *out->rows)};
    if (!out->rows)
        return FAIL(e, ERROR_MEMORY,
                    "the references of %llu rows need %llu MiB of memory; choose longer rows or "
                    "smaller sizes",
                    (unsigned long long)count,
                    (unsigned long long)(count * sizeof *out->rows >> 20));
    struct rows_share all = {
        .input = input, .row_length = row_length, .inner = inner, .end = count, .rows = out->rows};
    if (inner > 1 || row_length < LONG_ROW)
        share_rows(&all, inner > 1 ? run_columns : run_rows, threads < 1 ? 1 : threads);
    for (uint64_t row = 0; inner == 1 && row_length >= LONG_ROW && row < count; row++) {
        reduce_reference_range(input, row * row_length, (row + 1) * row_length, threads,
                               &out->rows[row]);
        row_reference(input, row * row_length, &out->rows[row]);
    }
    return true;
}

/* Explains why a row is wrong, beginning with the row's number. */
static void explain_row(const struct work *work, const struct reference *reference,
                        const void *output, uint64_t i, char result[RESULT_TEXT], double *rel_error,
                        char why[256])
{
    struct work one = *work;
    char text[256];
    one.complete = true;
    one.first += i;
    size_t size = rows_output_size(work);
    (void)reduce_check(&one, reference, (const char *)output + i * size, 1, result, rel_error,
                       text);
    snprintf(why, 256, "row %llu: %.220s", (unsigned long long)one.first, text);
}

bool rows_check(const struct work *work, const struct reference *reference, const void *output,
                uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256])
{
    struct rows_share all = {.input = work->input,
                             .end = count,
                             .rows = reference->rows,
                             .work = work,
                             .output = output};
    why[0] = '\0';
    share_rows(&all, check_rows, count < MANY_ROWS || work->threads < 1 ? 1 : work->threads);
    if (all.wrong < count) {
        explain_row(work, &reference->rows[work->first + all.wrong], output, all.wrong, result,
                    rel_error, why);
        return false;
    }
    reduce_result_text(work->input, (const char *)output + (count - 1) * rows_output_size(work),
                       result);
    *rel_error = all.worst;
    return true;
}

/* Each 4-byte word in result i must be i. */
bool rows_limit_check(const struct work *work, const struct reference *reference,
                      const void *output, uint64_t count, char result[RESULT_TEXT],
                      double *rel_error, char why[256])
{
    (void)reference;
    const uint32_t *words = output;
    const uint64_t each = rows_output_size(work) / sizeof *words;
    why[0] = '\0';
    *rel_error = 0;
    snprintf(result, RESULT_TEXT, "ran");
    for (uint64_t i = 0; i < count * each; i++)
        if (words[i] != (uint32_t)(work->first + i / each)) {
            *rel_error = NAN;
            snprintf(why, 256, "word %llu of the output is %lu, but must be %lu",
                     (unsigned long long)(work->first * each + i), (unsigned long)words[i],
                     (unsigned long)(uint32_t)(work->first + i / each));
            return false;
        }
    return true;
}
