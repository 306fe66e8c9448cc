/*
 * Checks which blocks of a grid are sampled. Every block must belong to one class, and the classes
 * must follow the rule in sample.h. If the rule does not cover a kernel, all of its blocks must be
 * executed.
 */
#include "../fixture_kernels.h"

#include "plan/sample.h"
#include "plan/shape.h"

static const char plain[] = "// result: partial\n// covers: BLOCK * UNROLL\n"
                            "// blocks: 32 40 48 64 256\n// unroll: 1 2 8\n";

static bool choose(const char *facts, enum element_type type, uint64_t n, int block, int unroll,
                   uint64_t wanted, struct block_sample *s, struct shape *shape)
{
    struct kernel *k = make_kernel("sampled", facts);
    struct combination c = {
        .kernel = k, .type = type, .n = n, .block = block, .unroll = unroll, .sms = 4};
    struct error e = {0};
    if (!shape_evaluate(&c, shape, NULL, &e))
        fail_msg("%s", e.text);
    bool chosen = sample_choose(k, type, n, shape, wanted, s);
    assert_true(chosen == (s->count > 0));
    kernel_free(k);
    return chosen;
}

/* Returns the offset of a block's first byte within a line of 128 bytes. */
static uint64_t place(const struct block_sample *s, uint64_t k, const struct shape *shape,
                      size_t size)
{
    return s->blocks[k].block * shape->covers * size % 128;
}

static void check_row(enum element_type type, uint64_t n, int block, int unroll, uint64_t wanted)
{
    struct block_sample s;
    struct shape shape;
    size_t size = element_size(type);
    if (!choose(plain, type, n, block, unroll, wanted, &s, &shape)) {
        assert_true(shape.grid <= wanted + 3);
        return;
    }
    uint64_t blocks = 0, full = n / shape.covers, inner = 0;
    for (uint32_t c = 0; c < s.classes; c++)
        blocks += s.class_blocks[c];
    assert_true(blocks == shape.grid);
    bool *seen = calloc(s.classes, sizeof *seen);
    for (uint64_t k = 0; k < s.count; k++) {
        uint64_t b = s.blocks[k].block;
        assert_true(b < shape.grid && s.blocks[k].class < s.classes);
        for (uint64_t j = 0; j < k; j++) {
            assert_true(s.blocks[j].block != b);
            /* Blocks of one class begin at the same offset in a line. */
            if (s.blocks[j].class == s.blocks[k].class)
                assert_true(place(&s, j, &shape, size) == place(&s, k, &shape, size));
        }
        seen[s.blocks[k].class] = true;
        if (b == 0 || b >= full || b == shape.grid - 1)
            assert_true(s.class_blocks[s.blocks[k].class] == 1);
        else
            inner++;
    }
    for (uint32_t c = 0; c < s.classes; c++)
        assert_true(seen[c]);
    assert_true(inner >= wanted && inner <= wanted + 32);
    free(seen);
    sample_free(&s);
}

static void every_block_is_in_one_class(void **state)
{
    static const int blocks[] = {32, 40, 48, 64, 256}, unrolls[] = {1, 2, 8};
    static const uint64_t sizes[] = {1, 32, 4095, 4096, 4097, 100003, 1ull << 30, (1ull << 33) - 1};
    (void)state;
    for (size_t b = 0; b < 5; b++)
        for (size_t u = 0; u < 3; u++)
            for (size_t i = 0; i < 8; i++)
                for (int type = 0; type < TYPE_COUNT; type++)
                    for (uint64_t wanted = 1; wanted < 200; wanted = wanted * 5 + 1)
                        check_row((enum element_type)type, sizes[i], blocks[b], unrolls[u], wanted);
}

static void classes_follow_the_place_in_a_line(void **state)
{
    struct block_sample s;
    struct shape shape;
    (void)state;
    /* 40 int32 take 160 bytes, so the 10000 blocks begin at bytes 0, 32, 64 and 96 of a line. */
    assert_true(choose(plain, TYPE_INT32, 400000, 40, 1, 8, &s, &shape));
    assert_int_equal(s.classes, 6);
    assert_int_equal(s.class_blocks[0], 1);
    for (uint32_t c = 1; c <= 4; c++)
        assert_in_range(s.class_blocks[c], 2499, 2500);
    sample_free(&s);
    /* 40 int64 take 320 bytes, so blocks begin at bytes 0 and 64 of a line. */
    assert_true(choose(plain, TYPE_INT64, 400000, 40, 1, 8, &s, &shape));
    assert_int_equal(s.classes, 4);
    sample_free(&s);
    /* If every block covers whole lines, there are three classes: one for each end of the grid,
     * and one for all other blocks, exactly 8 of which are executed. */
    assert_true(choose(plain, TYPE_INT32, 400000, 64, 1, 8, &s, &shape));
    assert_int_equal(s.classes, 3);
    assert_int_equal(s.count, 10);
    assert_int_equal(s.class_blocks[1], 6248);
    sample_free(&s);
}

static void rows_of_blocks(void **state)
{
    struct block_sample s;
    struct shape shape;
    (void)state;
    assert_true(choose("// result: partial\n// covers: BLOCK\n// blocks: multiple of 32\n"
                       "// threads: 16 by BLOCK / 16\n// grid: 64 by ceil_div(N, 64 * BLOCK)\n",
                       TYPE_INT32, 1 << 24, 64, 1, 60, &s, &shape));
    uint64_t blocks = 0;
    for (uint32_t c = 0; c < s.classes; c++)
        blocks += s.class_blocks[c];
    assert_true(blocks == shape.grid);
    /* The classes are block 0, the left and the right column, the inner columns that begin at
     * bytes 0 and 64 of a line, and the last row's blocks. */
    assert_int_equal(s.classes, 1 + 2 + 2 + 64);
    sample_free(&s);
}

static void the_rest_is_executed_whole(void **state)
{
    static const struct {
        const char *facts;
        bool chosen;
    } cases[] = {
        {plain, true},
        {"// result: complete\n// covers: BLOCK * UNROLL\n// blocks: 64\n", false},
        {"// result: complete\n// output: zeroed\n// covers: BLOCK * UNROLL\n// blocks: 64\n",
         true},
        {"// result: partial\n// covers: BLOCK\n// blocks: 64\n// launch: cooperative\n", false},
        {"// result: partial\n// covers: BLOCK\n// blocks: 64\n// launch: cluster(2)\n", false},
        {"// result: partial\n// covers: BLOCK\n// blocks: 64\n// link: device runtime\n", false},
        {"// result: partial\n// covers: BLOCK\n// blocks: 64\n// depth: 40\n"
         "// grid: min(100, ceil_div(N, COVERS))\n",
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct block_sample s;
        struct shape shape;
        assert_true(choose(cases[i].facts, TYPE_INT32, 1 << 20, 64, 1, 8, &s, &shape) ==
                    cases[i].chosen);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_in_one_class),
        cmocka_unit_test(classes_follow_the_place_in_a_line),
        cmocka_unit_test(rows_of_blocks),
        cmocka_unit_test(the_rest_is_executed_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
