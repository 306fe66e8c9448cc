/*
 * Checks kernels whose facts say `invariant: yes`. The bits of a row's result must not depend on
 * the number of rows or on where the row begins. The same program checks a GPU and the simulator.
 *
 *   invariant DEVICE [CASES]        CASES batches of each kernel, type and operation (4)
 *
 * Each case reduces a batch of random rows, and then sub-batches of it, which are copied to random
 * elements at which the kernel can begin. If the kernel accepts rows of this length at no other
 * element, the case uses rows of whole packs instead. The program prints a line for each kernel,
 * type and operation, with a hash of all results that is the same on every device. The kernel
 * rows_persistent is not invariant: its bits depend on where a row begins, so some of them must
 * differ. The exit code is 1 if any other kernel gives different bits, if rows_persistent always
 * gives the same bits, or if a kernel accepted no rows in four cases.
 */
#include "base/bits.h"
#include "base/random.h"
#include "on_device.h"

enum {
    MOST_LENGTH = 1500,
    MOST_ROWS = 40,
    ROOM = 64, /* how far a sub-batch is moved at most, in elements */
    PARTS = 3, /* sub-batches per batch */
    /* Rows are whole packs if their length and their first element are multiples of this. */
    WHOLE = 16,
    /* the number of attempts with such lengths, and also the number of attempts with short rows of
     * any length */
    TRIES = 20,
    BYTES = (MOST_LENGTH * MOST_ROWS + ROOM) * 8,
    RESULT = 16,
    WORKSPACE = 1 << 20
};

struct checker {
    struct on_device on;
    uint64_t cases, random, rows, other, hash;
};

/* Makes elements of either sign with exponents from -20 to 0. */
static void make_elements(struct checker *c, enum element_type type, uint64_t count, uint8_t *out)
{
    const size_t size = element_size(type);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = random_next(&c->random);
        double value = ((double)(bits >> 11) + 1) * 0x1p-53 / (double)(1 << bits % 20);
        value = bits & 0x100000 ? -value : value;
        float single = (float)value;
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        uint16_t half = (uint16_t)(word >> 16); /* a bfloat16 is a truncated float */
        const void *from = type == TYPE_FLOAT64   ? (const void *)&value
                           : type == TYPE_FLOAT32 ? (const void *)&single
                                                  : (const void *)&half;
        memcpy(out + i * size, from, size);
    }
}

/* Returns whether the kernel accepts these rows if they begin at element `offset`. */
static bool runs_at(struct checker *c, const struct loaded *l, uint64_t length, uint64_t rows,
                    uint64_t offset)
{
    const struct point point = {.row_length = length, .inner = 1, .offset = (uint8_t)offset};
    struct combination at = device_combination(&c->on, l, length * rows, &point);
    struct text reason = {0};
    struct error e = {0};
    bool ok = shape_skip_reason(&at, NULL, &reason, &e) && reason.length == 0;
    text_free(&reason);
    return ok;
}

static void check_batch(struct checker *c, const struct loaded *l, uint64_t length, uint64_t rows)
{
    static uint8_t values[BYTES], whole[MOST_ROWS * RESULT], part[MOST_ROWS * RESULT];
    const enum element_type type = (enum element_type)l->variant.type;
    const size_t size = element_size(type),
                 result = result_size((enum operation)l->variant.op, type);
    make_elements(c, type, length * rows, values);
    device_upload(&c->on, 0, values, length * rows * size);
    device_launch(&c->on, l, 0, length, rows, whole, rows * result);
    c->hash = 31 * c->hash + result_bits(whole, rows * result);
    for (int i = 0; i < PARTS; i++) {
        uint64_t first = random_next(&c->random) % rows,
                 count = 1 + random_next(&c->random) % (rows - first),
                 at = random_next(&c->random) % ROOM;
        if (!runs_at(c, l, length, count, at))
            at -= at % WHOLE;
        device_upload(&c->on, at * size, values + first * length * size, count * length * size);
        device_launch(&c->on, l, at * size, length, count, part, count * result);
        for (uint64_t row = 0; row < count; row++)
            c->other += memcmp(part + row * result, whole + (first + row) * result, result) != 0;
        c->rows += count;
    }
}

/* Returns a configuration with one tunable set to a value other than its default. `number`
 * selects the tunable and the value. */
static struct loaded configuration(const struct kernel *k, enum element_type type,
                                   enum operation op, uint64_t number)
{
    static const uint16_t blocks[] = {128, 64, 256};
    struct loaded l = {
        .kernel = k,
        .variant = {
            .block = blocks[number % 3], .unroll = 1, .type = (uint8_t)type, .op = (uint8_t)op}};
    for (int t = 0; t < k->tunable_count; t++) {
        const struct int_list *allowed = &k->tunables[t].allowed;
        l.variant.tunables[t] = k->tunables[t].otherwise;
        if (number && number % (uint64_t)k->tunable_count == (uint64_t)t)
            l.variant.tunables[t] = (int32_t)allowed->values[number % (uint64_t)allowed->count];
    }
    return l;
}

/* Checks a kernel. Returns how many rows had different bits. */
static uint64_t check_kernel(struct checker *c, const struct kernel *k, enum element_type type,
                             enum operation op)
{
    c->rows = c->other = c->hash = 0;
    c->random = 0x9e3779b97f4a7c15u;
    for (uint64_t number = 0; number < c->cases; number++) {
        struct loaded l = configuration(k, type, op, number / 2);
        uint64_t length = 1 + random_next(&c->random) % (number % 2 ? MOST_LENGTH : 100),
                 rows = 1 + random_next(&c->random) % MOST_ROWS;
        for (uint64_t t = 0; t < TRIES + WHOLE && !runs_at(c, &l, length, rows, 0); t++) {
            const uint64_t most = t % 2 ? MOST_LENGTH / WHOLE : 8;
            length = t < TRIES ? WHOLE * (1 + random_next(&c->random) % most) : 1 + t - TRIES;
        }
        if (!runs_at(c, &l, length, rows, 0))
            continue;
        device_load(&c->on, &l);
        check_batch(c, &l, length, rows);
        c->on.driver->unload(c->on.device, l.module);
    }
    printf("%-16s %-8s %-9s %6" PRIu64 " rows, %" PRIu64 " with other bits, results %016" PRIx64
           "\n",
           k->name, element_type_name(type), operation_name(op), c->rows, c->other, c->hash);
    return c->other;
}

int main(int argc, char **argv)
{
    static const enum element_type types[] = {TYPE_FLOAT32, TYPE_BFLOAT16, TYPE_FLOAT64};
    static const enum operation ops[] = {OP_SUM, OP_MEAN_VAR, OP_LOGSUMEXP};
    struct checker c = {.cases = argc > 2 ? strtoull(argv[2], NULL, 10) : 4};
    uint64_t other = 0, compared = 0, idle = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: invariant DEVICE [CASES]\n");
        return 2;
    }
    device_begin(&c.on, argv[1], BYTES, MOST_ROWS * RESULT, WORKSPACE);
    for (int i = 0; i < c.on.kernels.count; i++)
        for (size_t t = 0; t < sizeof types / sizeof *types && c.on.kernels.kernels[i]->invariant;
             t++)
            for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
                other += check_kernel(&c, c.on.kernels.kernels[i], types[t], ops[o]);
                compared += c.rows;
                idle += c.cases >= 4 && c.rows == 0;
            }
    uint64_t control =
        check_kernel(&c, catalogue_find(&c.on.kernels, "rows_persistent"), TYPE_FLOAT32, OP_SUM);
    printf("%s: %" PRIu64 " of %" PRIu64
           " rows have other bits; of rows_persistent, which may, %" PRIu64 "\n",
           c.on.info.name, other, compared, control);
    device_end(&c.on);
    return other > 0 || compared == 0 || control == 0 || idle > 0;
}
