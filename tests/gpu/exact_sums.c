/*
 * Compares onepass_exact, exact_ring, rows_exact and rows_exact_thread with the exact sum, on
 * inputs for which plain sums fail. The same program checks a GPU and the simulator.
 *
 *   exact_sums DEVICE [CASES [TYPE]]        CASES of each type (10000 by default), or of TYPE
 *
 * It prints a line for each type and kernel, with a hash of all results that is the same on every
 * device. It exits with 1 if a result is wrong or the workspace is not zeroed at the end.
 */
#include "base/bits.h"
#include "on_device.h"
#include "../exact_cases.h"

enum { MOST = 6000, SHORT = 256, ROWS = 5, VARIANTS = 4, WORKSPACE = 1 << 16 };

/* MANY_BLOCKS is so large that gathering the sums of all blocks takes more than one step, and that
 * the blocks include two complete groups. MANY_BYTES fill this many blocks. */
enum {
    MANY_BLOCKS = 600,
    MANY_BYTES = MANY_BLOCKS * 1024,
    MANY_EACH = 500,
    BYTES = MANY_BYTES + 8 * MOST
};
_Static_assert((int)BYTES >= ROWS * MOST * 8, "rows fit");

struct checker {
    struct on_device on;
    uint64_t cases, wrong;
};

static void load(struct checker *c, const struct kernel *k, enum element_type type, int i,
                 struct loaded *out)
{
    static const int blocks[VARIANTS] = {128, 256, 512, 64}, loads[VARIANTS] = {1, 4, 2, 1},
                     stages[VARIANTS] = {2, 3, 1, 4};
    *out = (struct loaded){
        .kernel = k,
        .variant = {
            .block = (uint16_t)blocks[i], .unroll = 1, .type = (uint8_t)type, .op = OP_SUM}};
    for (int t = 0; t < k->tunable_count; t++) {
        const char *name = k->tunables[t].name;
        int32_t value = k->tunables[t].allowed.values[0];
        if (strcmp(name, "LOADS") == 0)
            value = loads[i];
        if (strcmp(name, "ROUNDS") == 0)
            value = 1 << i;
        if (strcmp(name, "STAGES") == 0)
            value = stages[i];
        if (strcmp(name, "TEAM") == 0)
            value = i % 2 ? 0 : 32;
        out->variant.tunables[t] = value;
    }
    device_load(&c->on, out);
}

static void run(struct checker *c, const struct loaded *l, uint64_t length, uint64_t rows,
                void *results)
{
    const enum element_type value = element_value_type((enum element_type)l->variant.type);
    device_launch(&c->on, l, 0, length, rows, results, (rows ? rows : 1) * element_size(value));
}

static void judge(struct checker *c, const struct loaded *l, uint64_t number, const void *values,
                  uint64_t count, const void *result)
{
    double expected;
    const enum element_type type = (enum element_type)l->variant.type;
    if (exact_is_right(type, values, count, result, &expected))
        return;
    if (c->wrong++ < 20)
        printf("WRONG %s %s block %d: case %" PRIu64 ", %" PRIu64 " elements: %a instead of %a\n",
               l->kernel->name, element_type_name(type), l->variant.block, number, count,
               reduce_float_at(element_value_type(type), result, 0), expected);
}

static void check_workspace(struct checker *c)
{
    static uint8_t left[WORKSPACE];
    struct error e = {0};
    must(c->on.driver->read(c->on.device, c->on.workspace, 0, left, sizeof left, &e), &e);
    for (size_t i = 0; i < sizeof left; i++)
        if (left[i]) {
            printf("WRONG: byte %zu of the workspace is not zero again\n", i);
            c->wrong++;
            return;
        }
}

/* Returns the hash of a result. All NaNs have the same hash, because the bits of a NaN depend on
 * the device. */
static uint64_t hash_of(enum element_type type, const void *result)
{
    double value = reduce_float_at(element_value_type(type), result, 0);
    value = value != value ? 0.5 : value;
    return result_bits(&value, sizeof value);
}

static void check_arrays(struct checker *c, const struct kernel *k, enum element_type type)
{
    static uint64_t values[MOST];
    struct loaded loaded[VARIANTS];
    uint64_t hash = 0;
    for (int i = 0; i < VARIANTS; i++)
        load(c, k, type, i, &loaded[i]);
    for (uint64_t number = 0; number < c->cases; number++) {
        const struct loaded *l = &loaded[number / 5 % VARIANTS];
        uint64_t result, count = exact_case(type, number, values, MOST);
        device_upload(&c->on, 0, values, count * element_size(type));
        run(c, l, count, 0, &result);
        judge(c, l, number, values, count, &result);
        hash = 31 * hash + hash_of(type, &result);
    }
    check_workspace(c);
    printf("%-14s %-8s %" PRIu64 " cases, results %016" PRIx64 "\n", k->name,
           element_type_name(type), c->cases, hash);
    for (int i = 0; i < VARIANTS; i++)
        c->on.driver->unload(c->on.device, loaded[i].module);
}

/* Checks many cases of one kind, joined into one array, with the smallest blocks. Checks three
 * such arrays, plus one for every MANY_EACH cases. */
static void check_many_blocks(struct checker *c, const struct kernel *k, enum element_type type)
{
    static const uint64_t kinds[] = {1, 2, 3,
                                     5, 9, 13}; /* without special values, and with few zeros */
    static uint8_t values[BYTES];
    const size_t size = element_size(type);
    struct loaded l;
    uint64_t hash = 0, arrays = 3 + c->cases / MANY_EACH;
    load(c, k, type, VARIANTS - 1, &l);
    for (int t = 0; t < k->tunable_count; t++)
        if (strcmp(k->tunables[t].name, "ROUNDS") == 0)
            l.variant.tunables[t] = 1;
    c->on.driver->unload(c->on.device, l.module);
    device_load(&c->on, &l);
    for (uint64_t number = 0; number < arrays; number++) {
        uint64_t result, count = 0;
        for (uint64_t i = 0; count * size < MANY_BYTES; i++)
            count += exact_case(type, kinds[number % 6] + 14 * (7 * i + number),
                                values + count * size, MOST);
        device_upload(&c->on, 0, values, count * size);
        run(c, &l, count, 0, &result);
        judge(c, &l, number, values, count, &result);
        hash = 31 * hash + hash_of(type, &result);
    }
    check_workspace(c);
    printf("%-14s %-8s %" PRIu64 " arrays of %d blocks, results %016" PRIx64 "\n", k->name,
           element_type_name(type), arrays, MANY_BLOCKS, hash);
    c->on.driver->unload(c->on.device, l.module);
}

/* Makes a matrix with several cases of at most `most` elements as its rows. Shorter rows are
 * padded with -0, which leaves their sums unchanged. */
static void check_rows(struct checker *c, const struct kernel *k, enum element_type type,
                       uint64_t most)
{
    static uint64_t cases[ROWS][MOST];
    static uint8_t matrix[BYTES];
    const size_t size = element_size(type), value = element_size(element_value_type(type));
    struct loaded loaded[VARIANTS];
    uint64_t hash = 0;
    for (int i = 0; i < VARIANTS; i++)
        load(c, k, type, i, &loaded[i]);
    for (uint64_t first = 0; first < c->cases; first += ROWS) {
        const struct loaded *l = &loaded[first / ROWS % VARIANTS];
        uint64_t count[ROWS], length = 1, results[ROWS];
        for (uint64_t i = 0; i < ROWS; i++) {
            count[i] = exact_case(type, first + i, cases[i], most);
            length = count[i] > length ? count[i] : length;
        }
        for (uint64_t i = 0; i < ROWS; i++) {
            uint8_t *row = matrix + i * length * size;
            memset(row, 0, length * size);
            for (uint64_t n = count[i]; n < length; n++)
                row[n * size + size - 1] = 0x80;
            memcpy(row, cases[i], count[i] * size);
        }
        device_upload(&c->on, 0, matrix, ROWS * length * size);
        run(c, l, length, ROWS, results);
        for (uint64_t i = 0; i < ROWS; i++) {
            const char *result = (const char *)results + i * value;
            judge(c, l, first + i, cases[i], count[i], result);
            hash = 31 * hash + hash_of(type, result);
        }
    }
    printf("%-14s %-8s %" PRIu64 " cases, results %016" PRIx64 "\n", k->name,
           element_type_name(type), c->cases, hash);
    for (int i = 0; i < VARIANTS; i++)
        c->on.driver->unload(c->on.device, loaded[i].module);
}

int main(int argc, char **argv)
{
    static const enum element_type types[] = {TYPE_FLOAT32, TYPE_FLOAT64, TYPE_BFLOAT16,
                                              TYPE_FLOAT16};
    struct checker c = {.cases = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000};
    if (argc < 2) {
        fprintf(stderr, "usage: exact_sums DEVICE [CASES [TYPE]]\n");
        return 2;
    }
    device_begin(&c.on, argv[1], BYTES, 4096, WORKSPACE);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        if (argc > 3 && strcmp(argv[3], element_type_name(types[t])) != 0)
            continue;
        check_arrays(&c, catalogue_find(&c.on.kernels, "onepass_exact"), types[t]);
        check_many_blocks(&c, catalogue_find(&c.on.kernels, "onepass_exact"), types[t]);
        check_arrays(&c, catalogue_find(&c.on.kernels, "exact_ring"), types[t]);
        check_rows(&c, catalogue_find(&c.on.kernels, "rows_exact"), types[t], MOST);
        check_rows(&c, catalogue_find(&c.on.kernels, "rows_exact_thread"), types[t], SHORT);
    }
    printf("%s: %" PRIu64 " results are wrong\n", c.on.info.name, c.wrong);
    device_end(&c.on);
    return c.wrong != 0;
}
