/*
 * Checks the handwritten part of the library and the program that calls it (calls.c), on an
 * invented runtime and with an invented table. Checks which configuration serves a call, which
 * calls are refused, and graphs. Also checks that calls.c finds planted wrong results.
 */
#define INVENTED
#include "calls.c"
#include "../texts/expected.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Checks that `shape` is this entry's shape and not that of an entry it was compared with. */
static void assert_own_shape(const struct entry *entry, const struct place *at,
                             const struct shape *shape)
{
    struct shape own = {0};
    const unsigned before = evaluated;
    assert_true(entry->shape(at, &own));
    evaluated = before;
    assert_true(own.grid == shape->grid && own.shared == shape->shared &&
                own.workspace == shape->workspace && own.cluster == shape->cluster &&
                own.depth == shape->depth);
    for (int i = 0; i < SCALARS; i++)
        assert_true(own.scalars[i] == 0 || own.scalars[i] == shape->scalars[i]);
}

/* Returns the block size of the entry that serves an array of shape (outer, length, inner). The
 * array begins `offset` elements after an aligned address. */
static unsigned served_apart(const struct table *table, size_t element, uint64_t outer,
                             uint64_t length, uint64_t inner, uint64_t offset)
{
    const struct request r = {.input = (const void *)(uintptr_t)(4096 + offset * element),
                              .element = element,
                              .outer = outer,
                              .length = length,
                              .inner = inner};
    int device, code;
    struct shape shape = {0};
    assert_int_equal(current_device(&device), CODE(SUCCESS));
    const struct place at = place_of(&r, device);
    const struct search search = {.table = table,
                                  .at = &at,
                                  .empty = length == 0,
                                  .wide = outer * inner * length > NARROW_MOST,
                                  .aligned = (uintptr_t)r.input % PACK_BYTES == 0,
                                  .packs =
                                      ((uintptr_t)r.input | length * element) % PACK_BYTES == 0};
    const struct entry *entry = find_entry(&search, &shape, &code);
    assert_non_null(entry);
    assert_own_shape(entry, &at, &shape);
    return entry->block;
}

/* Returns the block size of the entry that serves this many rows (0: a whole array). */
static unsigned served(const struct table *table, size_t element, uint64_t rows,
                       uint64_t row_length, uint64_t offset)
{
    return served_apart(table, element, rows ? rows : 1, row_length, 1, offset);
}

/* The configuration for an array depends on the range that contains n. `few` cannot run on 132
 * multiprocessors, so the configuration of a neighboring range is used instead. */
static void arrays_are_served_by_ranges_of_n(void **state)
{
    (void)state;
    assert_int_equal(served(sum_i8, 1, 0, 1, 0), 32);
    assert_int_equal(served(sum_i8, 1, 0, 100, 3), 32);
    assert_int_equal(served(sum_i8, 1, 0, 101, 0), 128);
    assert_int_equal(served(sum_i8, 1, 0, 10000, 0), 128);
    /* Here, the configuration of the previous range is used. */
    assert_int_equal(served(sum_i8, 1, 0, 10001, 0), 128);
    /* No other entry has code for 64-bit n. */
    assert_int_equal(served(sum_i8, 1, 0, UINT64_C(1) << 32, 0), 256);
    assert_int_equal(served(sum_i8, 1, 0, 0, 0), 256);
}

/* A measured shape is served by the configuration measured for it, if that can run. Any other
 * shape is served by the one with the shortest expected time among those measured with rows of
 * similar length. If there are none, all configurations are compared. */
static void rows_are_served_by_what_is_expected_to_be_fastest(void **state)
{
    (void)state;
    const struct table *t = rows_argmax_bf16;
    assert_int_equal(served(t, 2, 4, 4096, 0), 32);
    assert_int_equal(served(t, 2, 256, 4096, 0), 64);
    assert_int_equal(served(t, 2, 4, 4096, 8), 32);     /* the rows are moved by 16 bytes */
    assert_int_equal(served(t, 2, 4, 4096, 1), 96);     /* `packs` needs an aligned element */
    assert_int_equal(served(t, 2, 16, 4096, 0), 32);    /* `packs` takes 76 us, `loose` 199 us */
    assert_int_equal(served(t, 2, 1, 4096, 0), 32);     /* `packs` takes 14.1 us, `loose` 14.3 us */
    assert_int_equal(served(t, 2, 1, 3584, 0), 96);     /* `packs` takes 13.6 us, `loose` 12.8 us */
    assert_int_equal(served(t, 2, 4, 4095, 0), 96);     /* the rows are not whole packs */
    assert_int_equal(served(t, 2, 100000, 24, 0), 128); /* 24 is 1.5 times the 16 of `short` */
    /* No similar length was measured, so all three configurations are compared. */
    assert_int_equal(served(t, 2, 2, 248, 0), 96);
    /* Two configurations are near; this one takes less. */
    assert_int_equal(served(t, 2, 2, 1025, 0), 96);
    assert_int_equal(served(t, 2, 8, 2048, 0), 32);
    assert_int_equal(served(t, 2, 4096, 256, 0), 128); /* `packs` takes at most 1000 rows */
    assert_int_equal(served(t, 2, 1001, 4096, 0), 96); /* `short` takes less, but is far from 16 */
    assert_int_equal(served(t, 2, 1, 1 << 14, 0), 32); /* four times the measured length */
    /* `packs` would have just one block for this array. */
    assert_int_equal(served(t, 2, 1, UINT64_C(1) << 31, 0), 128);
    assert_int_equal(served(t, 2, 200, UINT64_C(1) << 20, 0),
                     /* `packs` has one block for each of the 200 rows. */
                     32);
    /* The array has more elements than fit into 32 bits. */
    assert_int_equal(served(t, 2, 1, UINT64_C(1) << 32, 0), 256);
    assert_int_equal(served(t, 2, 1000, 1 << 22, 0), 64); /* this entry has code for 64-bit n */
    /* Counting this array takes 64 bits, and it has too many rows for `packs`. */
    assert_int_equal(served(t, 2, 1001, 1 << 22, 0), 256);
    assert_int_equal(served(t, 2, 5, 0, 0), 256);              /* no elements */
    assert_int_equal(served(mean_var_f64, 8, 0, 4096, 0), 32); /* an array as one row */
}

/* The grids hold the differences between measured and expected times in percent, for 1, 4 and 16
 * rows of 64 and of 256 elements. In the first one, 4 rows of about 64 elements that are not
 * whole packs take 20 % longer, and 1 row of 256 elements, which is whole packs, takes 20 %
 * less. In the second one, all times are 1 % longer than expected. */
static const signed char off_loose[] = {0, 0, 20, 0, 0, 0, 0, -20, 0, 0, 0, 0},
                         off_other[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const struct entry off_places[] = {
    {"loose", 96, "io", shape_loose, false, 64, 256, off_loose, 6, 2, AND_WIDE},
    {"loose", 64, "io", shape_loose, false, 64, 256, off_other, 6, 2, AND_WIDE},
};
static const struct site off_places_sites[] = {{UINT64_C(1) << 40, 16, 1, 0}};
static const struct table off_table[] = {{90, TABLE(off_places), true, false, 0}};

/* The difference at a shape is interpolated between the four nearest grid points, and is constant
 * outside the grid. The choice must take it into account. */
static void expected_times_are_mended_by_what_they_were_off_nearby(void **state)
{
    (void)state;
    const struct entry *e = &off_places[0];
    assert_float_equal(off_by(e, &(struct logs){2, 6}, false), 1.22, 1e-9);
    assert_float_equal(off_by(e, &(struct logs){2, 6}, true), 1, 1e-9);
    assert_float_equal(off_by(e, &(struct logs){3, 6}, false), 1.105, 1e-9);
    assert_float_equal(off_by(e, &(struct logs){3, 7}, false), 1.05125, 1e-9);
    assert_float_equal(off_by(e, &(struct logs){2, 5}, false), 1.22, 1e-9);
    assert_float_equal(off_by(e, &(struct logs){0, 9}, true), 0.82, 1e-9);
    assert_float_equal(off_by(e, &(struct logs){7, 9}, true), 1, 1e-9);
    assert_int_equal(served(off_table, 2, 4, 63, 0), 64);
    assert_int_equal(served(off_table, 2, 4, 64, 0), 96);
    assert_int_equal(served(off_table, 2, 4, 64, 1), 64); /* these rows begin between packs */
    assert_int_equal(served(off_table, 2, 16, 63, 0), 96);
}

/* `loose` is used only for lengths similar to its measured one. For all others, `short` has the
 * shortest expected time. `few` cannot run here. */
static const struct entry by_length[] = {
    {"short", 128, "io", shape_short, false, 16, 16, NULL, 0, 0, AND_WIDE},
    {"loose", 96, "io", shape_loose, false, 4096, 4096, NULL, 0, 0, AND_WIDE},
    {"few", 64, "io", shape_few, false, 4096, 4096, NULL, 0, 0, AND_WIDE},
    {"any", 256, "ionw", shape_any, true, 0, 0, NULL, 0, 0, AND_WIDE},
};
static const struct site by_length_sites[] = {{UINT64_C(1) << 40, 16, 1, 0}};
static const struct table invariant[] = {{90, TABLE(by_length), true, false, 132}};

/* In an invariant library, the number of rows, their first address and the card do not affect
 * the choice. */
static void an_invariant_table_looks_at_the_row_length_alone(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 16, 20, 100, 4096, 5000, 1 << 20, UINT64_C(1) << 31};
    const int before = multiprocessors[0];
    uint64_t random = 7;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const unsigned block = served(invariant, 2, 1, lengths[i], 0);
        const uint64_t most =
            (UINT64_C(1) << 38) / lengths[i]; /* rows whose elements fit one grid */
        assert_int_equal(block, lengths[i] == 4096 || lengths[i] == 5000 ? 96 : 128);
        for (int k = 0; k < 200; k++) {
            multiprocessors[0] = 1 + (int)(next_random(&random) % 200);
            assert_int_equal(served(invariant, 2, 1 + next_random(&random) % most, lengths[i],
                                    next_random(&random) % 300),
                             block);
        }
        multiprocessors[0] = before;
    }
    assert_int_equal(served(invariant, 2, 5, 0, 0), 256); /* no elements */
}

/* If an invariant library's choice cannot run these rows, no other entry may serve them, because
 * the result's bits would change. */
static void an_invariant_table_refuses_what_its_entry_cannot_run(void **state)
{
    (void)state;
    const uint64_t rows[] = {1, UINT64_C(1) << 31}, lengths[] = {UINT64_C(1) << 32, 512};
    for (int i = 0; i < 2; i++) {
        const struct place at = {.n = (double)rows[i] * (double)lengths[i],
                                 .row_length = (double)lengths[i],
                                 .inner = 1,
                                 .multiprocessors = 132};
        const struct search search = {.table = invariant, .at = &at, .wide = true};
        struct shape shape = {0};
        int code;
        assert_null(find_entry(&search, &shape, &code));
    }
}

/* `loose` serves the shape it was measured for. Any other shape is served by the configuration
 * with the shortest expected time among those that can run for these rows' first element. */
static void axes_are_served_as_rows_are(void **state)
{
    (void)state;
    const struct table *t = axis_max_u64;
    assert_int_equal(served_apart(t, 8, 16, 16, 64, 0), 96); /* `loose` was measured here */
    /* These rows begin one element later. */
    assert_int_equal(served_apart(t, 8, 16, 16, 64, 1), 96);
    /* `short` is expected to take 20 us, and `loose` 52 us. */
    assert_int_equal(served_apart(t, 8, 16, 16, 65, 0), 128);
    assert_int_equal(served_apart(t, 8, 64, 16, 16, 0),
                     128); /* as many elements, but closer together */
    assert_int_equal(served_apart(t, 8, 16, 16, 65, 1), 96); /* `short` needs an even element */
    /* `short` needs elements that are at least three apart. */
    assert_int_equal(served_apart(t, 8, 16, 16, 2, 0), 96);
    assert_int_equal(served_apart(t, 8, 300, 0, 3, 0), 256); /* no elements */
    assert_int_equal(served_apart(t, 8, 1, UINT64_C(1) << 32, 3, 0), 256);
}

/* The configuration that runs for all shapes (`any`) is not exact, so it serves only empty
 * inputs. */
static void an_exact_table_refuses_what_no_exact_entry_runs(void **state)
{
    (void)state;
    static const struct table exact[] = {{90, TABLE(by_length), true, true, 0}};
    assert_int_equal(served(exact, 2, 5, 0, 0), 256);
    assert_int_equal(served(exact, 2, 5, 100, 0), 96);
    const struct place at = {.n = 0x1p33, .row_length = 0x1p32, .inner = 1, .multiprocessors = 132};
    const struct search search = {.table = exact, .at = &at, .wide = true};
    struct shape shape = {0};
    int code;
    assert_null(find_entry(&search, &shape, &code));
}

/* For a few rows much longer than any measured row, an exact function uses one block per row,
 * because it has no alternative. Other functions use their fallback. */
static void few_very_long_rows_are_served_by_an_exact_entry(void **state)
{
    (void)state;
    static const struct entry entries[] = {
        {"packs", 64, "iowzg", shape_packs_more, false, 4096, 4096, NULL, 0, 0, AND_WIDE},
        {"any", 256, "ionw", shape_any, true, 0, 0, NULL, 0, 0, AND_WIDE},
    };
    static const struct site entries_sites[] = {{UINT64_C(1) << 40, 4096, 1, 0}};
    static const struct table exact[] = {{90, TABLE(entries), true, true, 0}},
                              plain[] = {{90, TABLE(entries), true, false, 0}};
    assert_int_equal(served(exact, 2, 2, UINT64_C(1) << 30, 0), 64);
    assert_int_equal(served(plain, 2, 2, UINT64_C(1) << 30, 0), 256);
    assert_int_equal(served(plain, 2, 200, UINT64_C(1) << 20, 0), 64);
}

/* A second call with the same shape does not compare configurations again. A different offset or
 * function does. */
static void a_choice_is_made_once(void **state)
{
    (void)state;
    const struct table *t = rows_argmax_bf16;
    assert_int_equal(served(t, 2, 7, 6144, 0), 32);
    unsigned before = evaluated;
    assert_int_equal(served(t, 2, 7, 6144, 0), 32);
    assert_int_equal(evaluated, before);
    assert_int_equal(served(t, 2, 7, 6144, 1), 96);
    assert_true(evaluated > before);
    before = evaluated;
    assert_int_equal(served(rows_mean_var_f64, 2, 7, 6144, 0), 32);
    assert_true(evaluated > before);
}

static void arguments_are_as_the_letters_say(void **state)
{
    (void)state;
    int in, out, second, workspace;
    const struct request r = {
        .input = &in, .output = &out, .second = &second, .outer = 3, .length = 7, .inner = 1};
    const struct shape shape = {.workspace = 48};
    const double value = 2.5;
    const float single = 2.5f;
    uint64_t bits = 0;
    assert_int_equal(argument_of('i', 0, &r, false, &shape, &workspace), (uintptr_t)&in);
    assert_int_equal(argument_of('o', 0, &r, false, &shape, &workspace), (uintptr_t)&out);
    assert_int_equal(argument_of('s', 0, &r, false, &shape, &workspace), (uintptr_t)&second);
    assert_int_equal(argument_of('w', 0, &r, false, &shape, &workspace), (uintptr_t)&workspace);
    assert_int_equal(argument_of('b', 0, &r, false, &shape, &workspace), 48);
    assert_int_equal(argument_of('n', 0, &r, false, &shape, &workspace), 21);
    assert_int_equal(argument_of('u', 4294967295.0, &r, false, &shape, &workspace), 4294967295);
    assert_int_equal((int32_t)argument_of('d', -5, &r, false, &shape, &workspace), -5);
    assert_int_equal(argument_of('z', 0x1p40, &r, false, &shape, &workspace), UINT64_C(1) << 40);
    memcpy(&bits, &single, sizeof single);
    assert_int_equal(argument_of('f', value, &r, false, &shape, &workspace), bits);
    memcpy(&bits, &value, sizeof value);
    assert_int_equal(argument_of('g', value, &r, false, &shape, &workspace), bits);
}

static void statuses_have_texts(void **state)
{
    (void)state;
    static const int statuses[] = {-1, 9};
    char name[16];
    for (int i = REDSWEEP_SUCCESS; i <= REDSWEEP_ERROR_CUDA; i++) {
        snprintf(name, sizeof name, "status %d", i);
        texts_expect(name, redsweep_error_text((redsweep_status)i));
    }
    for (int i = 0; i < 2; i++)
        texts_expect("another status", redsweep_error_text((redsweep_status)statuses[i]));
}

/* A program may get a size wrong. The library must refuse such a call before it touches memory. */
static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    _Alignas(16) static double in[4], out[4];
    const size_t huge = (size_t)1 << 40;
    assert_int_equal(redsweep_rows_mean_var_f64(in, huge, huge, out, NULL), REDSWEEP_ERROR_SIZE);
    assert_int_equal(redsweep_rows_mean_var_f64(in, (size_t)1 << 31, 1, out, NULL),
                     REDSWEEP_ERROR_SIZE);
    assert_int_equal(redsweep_mean_var_f64(in, huge + 1, out, NULL), REDSWEEP_ERROR_SIZE);
    assert_int_equal(redsweep_mean_var_f64(NULL, 1, out, NULL), REDSWEEP_ERROR_POINTER);
    assert_int_equal(redsweep_mean_var_f64(in, 1, NULL, NULL), REDSWEEP_ERROR_POINTER);
    assert_int_equal(redsweep_dot_f32((float *)in, NULL, 1, (float *)out, NULL),
                     REDSWEEP_ERROR_POINTER);
    assert_int_equal(redsweep_mean_var_f64((double *)((char *)in + 4), 1, out, NULL),
                     REDSWEEP_ERROR_ALIGNMENT);
    assert_int_equal(redsweep_mean_var_f64(in, 1, (double *)((char *)out + 4), NULL),
                     REDSWEEP_ERROR_ALIGNMENT);
    assert_int_equal(redsweep_rows_mean_var_f64(NULL, 0, 5, NULL, NULL), REDSWEEP_SUCCESS);
    assert_int_equal(redsweep_axis_max_u64(NULL, 5, 5, 0, NULL, NULL), REDSWEEP_SUCCESS);
    assert_int_equal(
        redsweep_axis_max_u64((uint64_t *)in, 1 << 16, 1, 1 << 16, (uint64_t *)out, NULL),
        REDSWEEP_ERROR_SIZE);
}

/* Each captured call has its own memory, which is freed once both the graph and its executable
 * graph are destroyed. */
static void a_graph_keeps_its_memory(void **state)
{
    (void)state;
    _Alignas(256) static uint16_t in[4096];
    static int64_t out[2];
    const int64_t right = 7;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    must(cudaStreamCreateWithFlags(&stream, 0), "a stream");
    for (int times = 0; times < 2; times++) {
        must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capturing");
        for (int i = 0; i < 2; i++) {
            invented_expect_fill((char *)&out[i], (const char *)&right, sizeof right, 1);
            assert_int_equal(redsweep_rows_argmax_bf16(in, 1, 4096, &out[i], stream),
                             REDSWEEP_SUCCESS);
        }
        must(cudaStreamEndCapture(stream, &graph), "capturing");
        must(cudaGraphInstantiate(&executable, graph, 0), "a graph");
        must(cudaGraphDestroy(graph), "a graph");
        assert_int_equal(redsweep_release(), REDSWEEP_ERROR_BUSY);
        memset(out, 0, sizeof out);
        must(cudaGraphLaunch(executable, stream), "a graph");
        assert_int_equal(out[0], right);
        assert_int_equal(out[1], right);
        must(cudaGraphExecDestroy(executable), "a graph");
        int found = 0;
        for (const struct scratch *s = scratches; s; s = s->next)
            found += s->for_graphs;
        assert_int_equal(found, 2); /* the second capture reuses the first one's memory */
    }
    assert_int_equal(redsweep_release(), REDSWEEP_SUCCESS);
    assert_null(scratches);
    must(cudaStreamDestroy(stream), "a stream");
}

/* Entries with the same code may need different amounts of shared memory. The kernel must be
 * allowed the largest amount so far, whatever the order of the calls. */
static void shared_memory_is_asked_for_as_it_grows(void **state)
{
    (void)state;
    _Alignas(256) static uint16_t in[1 << 20];
    static int64_t out[256];
    const int64_t right = 7;
    const size_t rows[] = {4, 256, 4}; /* 47 KB, 96 KB and 47 KB */
    for (int i = 0; i < 3; i++) {
        invented_expect_fill((char *)out, (const char *)&right, sizeof right, rows[i]);
        assert_int_equal(redsweep_rows_argmax_bf16(in, rows[i], 4096, out, NULL), REDSWEEP_SUCCESS);
    }
    assert_int_equal(redsweep_release(), REDSWEEP_SUCCESS);
}

/* The result of an exact function may be the nearest value, or either of two that are equally
 * near, but not the next one. */
static void an_exact_result_is_the_nearest(void **state)
{
    (void)state;
    const struct input floats = {.type = TYPE_BFLOAT16}, doubles = {.type = TYPE_FLOAT64};
    const struct reference third = {.value = 1.0 / 3}, tie = {.value = 1 + 0x1p-24};
    const float near = (float)(1.0 / 3), ties[3] = {1, 1 + 0x1p-23F, 1 + 0x1p-22F};
    const float next = nextafterf(near, 1);
    const double same = 1.0 / 3, other = nextafter(same, 1);
    assert_true(rounded_once(&floats, &third, &near, 0));
    assert_false(rounded_once(&floats, &third, &next, 0));
    assert_true(rounded_once(&floats, &tie, ties, 0) && rounded_once(&floats, &tie, ties, 1));
    assert_false(rounded_once(&floats, &tie, ties, 2));
    assert_true(rounded_once(&doubles, &third, &same, 0));
    assert_false(rounded_once(&doubles, &third, &other, 0));
}

static int run_planted(const char *calls, const char *plant)
{
    char *arguments[] = {(char[]){"calls"}, (char *)calls, (char[]){"8192"}, (char *)plant};
    atomic_store(&invented_launches, 0);
    return run_calls(4, arguments);
}

static void right_results_pass(void **state)
{
    (void)state;
    assert_int_equal(run_planted("2000", "0"), 0);
}

/* One launch in 3000 stores a wrong result or changes a byte after the results. The program must
 * report it. */
static void a_planted_wrong_result_is_found(void **state)
{
    (void)state;
    assert_int_equal(run_planted("2000", "3000"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_served_by_ranges_of_n),
        cmocka_unit_test(rows_are_served_by_what_is_expected_to_be_fastest),
        cmocka_unit_test(expected_times_are_mended_by_what_they_were_off_nearby),
        cmocka_unit_test(an_invariant_table_looks_at_the_row_length_alone),
        cmocka_unit_test(an_invariant_table_refuses_what_its_entry_cannot_run),
        cmocka_unit_test(axes_are_served_as_rows_are),
        cmocka_unit_test(an_exact_table_refuses_what_no_exact_entry_runs),
        cmocka_unit_test(few_very_long_rows_are_served_by_an_exact_entry),
        cmocka_unit_test(a_choice_is_made_once),
        cmocka_unit_test(arguments_are_as_the_letters_say),
        cmocka_unit_test(statuses_have_texts),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_graph_keeps_its_memory),
        cmocka_unit_test(shared_memory_is_asked_for_as_it_grows),
        cmocka_unit_test(an_exact_result_is_the_nearest),
        cmocka_unit_test(right_results_pass),
        cmocka_unit_test(a_planted_wrong_result_is_found),
    };
    return cmocka_run_group_tests_name("calling", tests, NULL, NULL);
}
