/*
 * Parses and runs damaged PTX: real kernels' PTX with random changes from a fixed seed, passed to
 * the fuzzers' entry points. REDSWEEP_FUZZ_ROUNDS=n sets how many texts to try.
 */
#include "fixture.h"

#include "../../fuzz/ptx_targets.h"
#include "base/random.h"

enum { ROUNDS = 400, MAX_BYTES = 1 << 16 };

static uint64_t random_state = 0x5eed;

static size_t below(size_t n)
{
    return n ? (size_t)(random_next(&random_state) >> 11) % n : 0;
}

/* Returns the offset of a random line. */
static size_t some_line(const uint8_t *text, size_t size)
{
    size_t at = below(size);
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_length(const uint8_t *text, size_t size, size_t at)
{
    size_t end = at;
    while (end < size && text[end] != '\n')
        end++;
    return end < size ? end + 1 - at : end - at;
}

/*
 * Makes one change to the text: changes a byte or a digit, removes a line, copies a line to another
 * place, or cuts off the end.
 */
static size_t damage(uint8_t *text, size_t size)
{
    static const char digits[] = "0123456789";
    size_t at = below(size), from, length;
    switch (below(10)) {
    case 0:
        text[at] = (uint8_t)random_next(&random_state);
        return size;
    case 1:
        return below(8) ? size : at;
    case 2:
    case 3:
        from = some_line(text, size);
        length = line_length(text, size, from);
        memmove(text + from, text + from + length, size - from - length);
        return size - length;
    case 4:
    case 5: {
        uint8_t line[256];
        from = some_line(text, size);
        length = line_length(text, size, from);
        at = some_line(text, size);
        if (length > sizeof line || size + length > MAX_BYTES)
            return size;
        memcpy(line, text + from, length);
        memmove(text + at + length, text + at, size - at);
        memcpy(text + at, line, length);
        return size + length;
    }
    default: /* Most changes replace a digit, so the text usually stays valid but contains another
                register, offset or literal. */
        for (size_t k = 0; k < 400 && at + k < size; k++) {
            if (text[at + k] >= '0' && text[at + k] <= '9') {
                text[at + k] = (uint8_t)digits[below(10)];
                break;
            }
        }
        return size;
    }
}

/* Compiles one of the catalogue's kernels to PTX. */
static size_t seed_text(struct fixture *f, const char *name, int cc, uint8_t *out)
{
    struct error e = {0};
    const struct kernel *k = catalogue_find(&f->kernels, name);
    assert_non_null(k);
    struct variant v = {.block = (uint16_t)(k->block_constant ? 64 : 0), .unroll = 2};
    for (int i = 0; i < k->tunable_count; i++)
        v.tunables[i] = k->tunables[i].allowed.values[0];
    struct compile_target target = {IMAGE_PTX, cc};
    struct image image;
    must(compile_variant(f->compiler, k, &v, &target, &image, &e), &e);
    assert_in_range(image.length, 100, MAX_BYTES);
    memcpy(out, image.bytes, image.length);
    size_t length = image.length;
    image_free(&image);
    return length;
}

static void test_damaged_kernels(void **state)
{
    static const char *const names[] = {"interleaved", "smem_unroll", "shuffle",
                                        "ticket",      "redux",       "cooperative"};
    enum { SEEDS = sizeof names / sizeof *names };
    static uint8_t seeds[2 * SEEDS][MAX_BYTES], text[MAX_BYTES + 1];
    size_t sizes[2 * SEEDS];
    for (size_t k = 0; k < 2 * SEEDS; k++)
        sizes[k] = seed_text(*state, names[k / 2], k % 2 ? 100 : 90, seeds[k]);
    const char *more = getenv("REDSWEEP_FUZZ_ROUNDS");
    long rounds = more ? atol(more) : ROUNDS, parsed = 0, ended = 0;
    for (long round = 0; round < rounds; round++) {
        size_t k = below(2 * SEEDS), size = sizes[k];
        memcpy(text, seeds[k], size);
        for (size_t changes = 1 + below(4); changes > 0 && size; changes--)
            size = damage(text, size);
        parsed += fuzz_parse(text, size);
        ended += fuzz_execute(text, size);
    }
    printf("%ld damaged texts: %ld could be parsed, %ld ran to their end\n", rounds, parsed, ended);
    assert_true(parsed > rounds / 10); /* otherwise there is too much damage to test anything */
    assert_true(ended > 0 && ended < rounds);
}

/* These texts request more resources than the simulator has. */
static void test_greedy_texts(void **state)
{
    (void)state;
    static char text[1 << 20];
    size_t at = (size_t)sprintf(text, ".version 8.0\n.visible .entry k()\n{\n");
    for (int i = 0; i < 100000; i++) /* The text nests 100000 scopes. */
        text[at++] = '{';
    assert_false(fuzz_parse((uint8_t *)text, at));
    at = (size_t)sprintf(text, ".version 8.0\n.visible .entry k()\n{\n");
    for (int i = 0; i < 3000; i++)
        at += (size_t)sprintf(text + at, ".reg .b64 %%r%dx<16000>;\n", i);
    assert_false(fuzz_parse((uint8_t *)text, at));
    at = (size_t)sprintf(text, ".version 8.0\n");
    for (int i = 0; i < 3000; i++)
        at += (size_t)sprintf(text + at, ".global .b8 g%d[60000000];\n", i);
    assert_false(fuzz_parse((uint8_t *)text, at));
    /* The text contains many branches, each to the next line. */
    at = (size_t)sprintf(text, ".version 8.0\n.visible .entry k()\n{\n.reg .pred %%p<2>;\n");
    for (int i = 0; i < 1000; i++)
        at += (size_t)sprintf(text + at, "@%%p1 bra L%d;\nL%d:\n", i, i);
    at += (size_t)sprintf(text + at, "ret;\n}\n");
    assert_true(fuzz_execute((uint8_t *)text, at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_damaged_kernels, open_compiler, close_all),
        cmocka_unit_test(test_greedy_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
