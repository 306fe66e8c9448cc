/*
 * Computes the correct result of a reduction on the CPU from the input's formula. reduce_share.c
 * does the arithmetic and states its errors.
 *
 * The input is not stored. Every thread generates the elements of its share itself, one chunk at a
 * time. The result does not depend on the number of threads.
 */
#include "workloads/workloads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/phase.h"
#include "workloads/reduce_share.h"

enum {
    CHUNK = 1 << 10, /* elements generated at a time */
    /* After this many elements, a compensated sum is merged, and progress is counted. */
    PIECE = 1 << 16,
    MIN_SHARE = 1 << 16 /* the minimum number of elements for which a thread is started */
};

/* Generates the elements [first, first + count) as doubles. `count` is at most CHUNK. */
static void generate_floats(const struct input *in, uint64_t first, uint64_t count, double *out)
{
    uint64_t room[CHUNK];
    input_generate(in, first, count, room);
    if (element_size(in->type) == sizeof(float)) /* Most inputs use this branch-free loop. */
        for (uint64_t i = 0; i < count; i++) {
            float value;
            memcpy(&value, (const char *)room + i * sizeof value, sizeof value);
            out[i] = value;
        }
    else
        for (uint64_t i = 0; i < count; i++)
            out[i] = reduce_float_at(in->type, room, i);
}

static void fold_chunk(struct share *s, uint64_t first, uint64_t count)
{
    const struct input *in = s->input;
    uint64_t room[2][CHUNK];
    double x[CHUNK], y[CHUNK];
    bool two = in->second != 0;
    if (element_is_float(in->type)) {
        generate_floats(in, first, count, x);
        if (two)
            generate_floats(in, in->second + first, count, y);
        share_add_floats(s, first, count, x, two ? y : x);
    } else {
        input_generate(in, first, count, room[0]);
        if (two)
            input_generate(in, in->second + first, count, room[1]);
        share_add_integers(s, first, count, room[0], room[two]);
    }
}

static void *run_share(void *argument)
{
    struct share *s = argument;
    for (uint64_t first = s->first, end; first < s->last; first = end) {
        end = s->last - first < PIECE ? s->last : first + PIECE;
        struct share piece = share_of_piece(s->input, first, end);
        piece.exact = s->exact;
        for (uint64_t i = first; i < end; i += CHUNK)
            fold_chunk(&piece, i, end - i < CHUNK ? end - i : CHUNK);
        if (first == s->first) {
            piece.last = s->last;
            *s = piece;
        } else
            share_merge(s, &piece);
        /* Progress on shorter rows is counted in rows_check.c, for many rows at once. */
        if (end - first == PIECE)
            phase_add(PIECE);
    }
    return NULL;
}

/*
 * Computes `count` shares, one per thread. The calling thread computes the last share, and those
 * for which no thread can be started.
 */
static void run_shares(struct share *shares, pthread_t *threads, int count)
{
    int started = 0;
    while (started < count - 1 &&
           pthread_create(&threads[started], NULL, run_share, &shares[started]) == 0)
        started++;
    for (int i = started; i < count; i++)
        run_share(&shares[i]);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

void reduce_reference_range(const struct input *input, uint64_t start, uint64_t end, int threads,
                            struct reference *out)
{
    const uint64_t n = end - start;
    uint64_t most = (n - 1) / MIN_SHARE + 1;
    int count = threads < 1 ? 1 : (uint64_t)threads < most ? threads : (int)most;
    struct share *shares = xcalloc((size_t)count, sizeof *shares);
    pthread_t *handles = xcalloc((size_t)count, sizeof *handles);
    /* Shares are whole pieces, so a sum's pieces do not depend on the number of threads. */
    uint64_t per_thread = (most + (uint64_t)count - 1) / (uint64_t)count * PIECE;
    int used = 0;
    for (uint64_t first = start; first < end; first += per_thread, used++)
        shares[used] =
            share_make(input, first, end - first < per_thread ? end : first + per_thread);
    run_shares(shares, handles, used);
    phase_add(n % PIECE);
    for (int i = 1; i < used; i++)
        share_merge(&shares[0], &shares[i]);
    share_finish(&shares[0], n, out);
    free(shares);
    free(handles);
}

bool reduce_reference(const struct input *input, int threads, struct reference *out,
                      struct error *e)
{
    const uint64_t n = input_vector(input);
    if (n == 0)
        return FAIL(e, ERROR_INTERNAL, "a reduction of no elements has no result");
    reduce_reference_range(input, 0, n, threads, out);
    return true;
}

void reduce_reference_of(const struct input *input, const struct element_range *ranges,
                         uint64_t count, struct reference *out)
{
    struct share all = share_make(input, ranges[0].first, ranges[0].end);
    uint64_t n = ranges[0].end - ranges[0].first;
    run_share(&all);
    for (uint64_t i = 1; i < count; i++) {
        struct share next = share_make(input, ranges[i].first, ranges[i].end);
        run_share(&next);
        share_merge(&all, &next);
        n += ranges[i].end - ranges[i].first;
    }
    share_finish(&all, n, out);
}

void reduce_reference_columns(const struct input *input, uint64_t first, uint64_t count,
                              uint64_t length, uint64_t inner, struct reference *out)
{
    struct share shares[REDUCE_COLUMNS];
    uint64_t room[2][REDUCE_COLUMNS];
    const bool is_float = element_is_float(input->type), two = input->second != 0;
    const size_t size = element_size(input->type);
    for (uint64_t i = 0; i < count; i++)
        shares[i] = share_make(input, 0, length);
    for (uint64_t k = 0; k < length; k++) {
        input_generate(input, first + k * inner, count, room[0]);
        if (two)
            input_generate(input, input->second + first + k * inner, count, room[1]);
        for (uint64_t i = 0; i < count; i++) {
            const char *x = (const char *)room[0] + i * size,
                       *y = (const char *)room[two] + i * size;
            double values[2];
            if (is_float) {
                values[0] = reduce_float_at(input->type, x, 0);
                values[1] = two ? reduce_float_at(input->type, y, 0) : values[0];
                share_add_floats(&shares[i], k, 1, &values[0], &values[1]);
            } else
                share_add_integers(&shares[i], k, 1, x, y);
        }
    }
    for (uint64_t i = 0; i < count; i++)
        share_finish(&shares[i], length, &out[i]);
}
