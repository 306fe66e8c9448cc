/*
 * Checks counts that are known without a simulator. The sectors, lines and wavefronts of an access
 * pattern come from a formula or from counting distinct addresses. The path of a lane follows from
 * the lane's random bits. The kernels are in tests/kernels/oracle/. tests/gpu/same_counts.sh runs
 * them on a GPU.
 */
#include <math.h>

#include "fixture.h"

#include "../../kernels/oracle/pattern.h"

enum { MOST_N = 4001, SHORT_SIZES = 40 };

/* the counts that a launch must have */
struct expected {
    struct {
        uint64_t requests, sectors, lines;
    } global[ACCESS_KINDS], local[ACCESS_KINDS];
    uint64_t wavefronts[ACCESS_KINDS];
    bool any_sectors;    /* lanes of atomics share a sector, for which no rule is known */
    bool past_l1;        /* copies bypass L1, so sectors depend on timing */
    bool any_wavefronts; /* there are loads whose wavefronts have no formula */
    uint64_t patterns;
};

static unsigned gcd(unsigned a, unsigned b)
{
    return b ? gcd(b, a % b) : a;
}

static unsigned at_least_1(unsigned x)
{
    return x ? x : 1;
}

/* Returns the number of distinct values of address[lane] >> shift. */
static unsigned distinct(const unsigned address[32], uint32_t lanes, int shift)
{
    unsigned count = 0;
    for (int lane = 0; lane < 32; lane++) {
        bool known = !(lanes >> lane & 1);
        for (int other = 0; other < lane; other++)
            known |= lanes >> other & 1 && address[other] >> shift == address[lane] >> shift;
        count += !known;
    }
    return count;
}

/*
 * Returns how many segments of 1 << shift bytes 32 lanes access at evenly spaced addresses. If the
 * spacing is smaller than a segment, they access every segment from first to last. Otherwise, each
 * element is in a segment of its own.
 */
static unsigned regular_pieces(struct pattern p, unsigned bytes, int shift)
{
    unsigned step = p.stride * bytes, elements = p.shape == SHAPE_GROUPED ? 32 / p.change : 32;
    unsigned first = p.first * bytes, last = first + (elements - 1) * step;
    return step >= 1u << shift ? elements : (last >> shift) - (first >> shift) + 1;
}

/*
 * Returns the wavefronts for 32 lanes that access evenly spaced elements of 4, 8 or 16 bytes. The
 * hardware serves a group of 32, 16 or 8 lanes at once. A column is a set of neighboring banks that
 * holds one element. With a stride of s, a group accesses every g-th column, where g is the
 * greatest common divisor of s and the number of columns. Each of these columns holds g of the
 * group's elements, or fewer if `share` lanes read each element. The group takes one wavefront for
 * each element in a column. For 8- and 16-byte loads, two groups are served together if neighboring
 * lanes have the same address.
 */
static unsigned regular_wavefronts(struct pattern p, unsigned bytes, bool load)
{
    unsigned columns = 128 / bytes, groups = bytes / 4;
    unsigned share = p.shape == SHAPE_GROUPED ? p.change : 1, in_column = gcd(p.stride, columns);
    bool together = load && groups > 1 && (share > 1 || p.stride == 0);
    if (p.stride == 0)
        return together ? groups / 2 : groups;
    return together ? groups / 2 * at_least_1(2 * in_column / share)
                    : groups * at_least_1(in_column / share);
}

/*
 * Returns the wavefronts if no groups are served together. For each group, this is the largest
 * number of distinct words that the lanes access in one bank.
 */
static unsigned plain_wavefronts(const unsigned address[32], uint32_t lanes, unsigned bytes)
{
    unsigned words = bytes < 4 ? 1 : bytes / 4, group = 32 / words, sum = 0;
    for (unsigned first = 0; first < 32; first += group) {
        unsigned most = 0;
        for (unsigned bank = 0; bank < 32; bank++) {
            unsigned rows[32], count = 0;
            for (unsigned i = 0; i < group * words; i++) {
                unsigned lane = first + i / words, word = address[lane] / 4 + i % words, k = 0;
                if (!(lanes >> lane & 1) || word % 32 != bank)
                    continue;
                while (k < count && rows[k] != word / 32)
                    k++;
                rows[k] = word / 32;
                count += k == count;
            }
            most = count > most ? count : most;
        }
        sum += most;
    }
    return sum;
}

/*
 * Adds shared-memory wavefronts. There is no formula here for wide loads by arbitrary lanes;
 * test_same_counts.sh compares those with recorded counts.
 */
static void expect_shared(struct expected *x, struct pattern p, const unsigned address[32],
                          unsigned bytes, bool load, bool any)
{
    enum access_kind kind = load ? ACCESS_LOAD : ACCESS_STORE;
    if (any && load && bytes > 4)
        x->any_wavefronts = true;
    else
        x->wavefronts[kind] += any || bytes < 4 ? plain_wavefronts(address, p.lanes, bytes)
                                                : regular_wavefronts(p, bytes, load);
}

/*
 * Adds local-memory counts. The same local word of neighboring lanes is at neighboring addresses,
 * so 8 lanes access one sector.
 */
static void expect_local(struct expected *x, const unsigned element[32], uint32_t lanes)
{
    unsigned physical[32];
    for (unsigned lane = 0; lane < 32; lane++)
        physical[lane] = element[lane] % 64 * 128 + lane * 4;
    for (int k = ACCESS_LOAD; k <= ACCESS_STORE; k++) {
        x->local[k].requests++;
        x->local[k].sectors += distinct(physical, lanes, 5);
        x->local[k].lines += distinct(physical, lanes, 7);
    }
}

static void expect_global(struct expected *x, enum access_kind kind, struct pattern p,
                          const unsigned address[32], unsigned bytes)
{
    unsigned sectors = distinct(address, p.lanes, 5), lines = distinct(address, p.lanes, 7);
    if (p.lanes == ~0u && p.shape != SHAPE_RANDOM) {
        assert_int_equal(sectors, regular_pieces(p, bytes, 5));
        assert_int_equal(lines, regular_pieces(p, bytes, 7));
    }
    x->global[kind].requests++;
    x->global[kind].sectors += sectors;
    x->global[kind].lines += lines;
}

/*
 * Adds the counts of an asynchronous copy that bypasses L1, which the hardware executes for 8 lanes
 * at a time.
 */
static void expect_copy_past_l1(struct expected *x, struct pattern p, const unsigned address[32])
{
    x->global[ACCESS_LOAD].requests++;
    for (int first = 0; first < 32; first += 8)
        x->global[ACCESS_LOAD].lines += distinct(address, p.lanes & 0xffu << first, 7);
    x->past_l1 = true;
}

static bool loads_shared(int kind)
{
    return kind == ACCESS_OF_SHARED_LOAD || kind == ACCESS_OF_ANY_SHARED_LOAD;
}

static void expect_pattern(struct expected *x, int kind, unsigned bytes, unsigned n, unsigned warp,
                           unsigned step)
{
    static const enum access_kind kinds[] = {ACCESS_LOAD, ACCESS_STORE, ACCESS_REDUCTION,
                                             ACCESS_ATOMIC};
    bool atomic = kind == ACCESS_OF_REDUCTION || kind == ACCESS_OF_ATOMIC;
    bool regular = kind == ACCESS_OF_SHARED_LOAD || kind == ACCESS_OF_SHARED_STORE;
    bool any = kind == ACCESS_OF_ANY_SHARED_LOAD || kind == ACCESS_OF_ANY_SHARED_STORE;
    struct pattern p = pattern_make(n, warp, step, atomic && n % 2, regular, bytes);
    unsigned element[32], address[32];
    for (unsigned lane = 0; lane < 32; lane++) {
        element[lane] = pattern_element(p, lane);
        address[lane] = element[lane] * bytes;
    }
    x->patterns++;
    if (!p.lanes)
        return;
    if (regular || any)
        expect_shared(x, p, address, bytes, loads_shared(kind), any);
    else if (kind == ACCESS_OF_LOCAL)
        expect_local(x, element, p.lanes);
    else if (kind == ACCESS_OF_COPY_PAST_L1)
        expect_copy_past_l1(x, p, address);
    else
        expect_global(x, kind == ACCESS_OF_COPY ? ACCESS_LOAD : kinds[kind], p, address, bytes);
    if (atomic && n % 2 == 0)
        x->any_sectors = true;
}

/* Adds the counts of writing the output: one element per thread below n, 8 elements per sector. */
static void expect_output(struct expected *x, unsigned n)
{
    x->global[ACCESS_STORE].requests += (n + 31) / 32;
    x->global[ACCESS_STORE].sectors += (n + 7) / 8;
    x->global[ACCESS_STORE].lines += (n + 31) / 32;
}

static void expect_access(struct expected *x, const int32_t *tunables, unsigned n, unsigned block)
{
    int kind = tunables[0];
    unsigned bytes = (unsigned)tunables[1], blocks = (n + block - 1) / block;
    for (unsigned warp = 0; warp < blocks * block / 32; warp++)
        for (unsigned step = 0; step < PATTERN_STEPS; step++)
            expect_pattern(x, kind, bytes, n, warp, step);
    if (loads_shared(kind)) /* The tile is filled word by word. */
        x->wavefronts[ACCESS_STORE] += (uint64_t)blocks * PATTERN_SPAN * bytes / 4 / 32;
    if (kind == ACCESS_OF_COPY ||
        kind == ACCESS_OF_COPY_PAST_L1) /* the tile is cleared first, and read at the end */
        for (int k = ACCESS_LOAD; k <= ACCESS_STORE; k++)
            x->wavefronts[k] += (uint64_t)blocks * block / 32 * bytes / 4;
    expect_output(x, n);
}

/* Counts one store by the lanes in `lanes`. */
static void expect_store(struct expected *x, uint32_t lanes)
{
    static const unsigned every[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                       11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                       22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    if (!lanes)
        return;
    x->patterns++;
    x->global[ACCESS_STORE].requests++;
    x->global[ACCESS_STORE].sectors += distinct(every, lanes, 3);
    x->global[ACCESS_STORE].lines++;
}

/* the mask of the lanes whose bits x satisfy CONDITION */
#define WHERE(CONDITION)                                                                           \
    ({                                                                                             \
        uint32_t lanes_ = 0;                                                                       \
        for (int lane_ = 0; lane_ < 32; lane_++) {                                                 \
            unsigned x = bits[lane_];                                                              \
            lanes_ |= (uint32_t) !!(CONDITION) << lane_;                                           \
        }                                                                                          \
        lanes_;                                                                                    \
    })

/* Counts a warp's stores in loops. Lanes iterate together until they leave the loop. */
static void expect_loops(struct expected *e, int shape, const unsigned bits[32])
{
    uint32_t in = ~0u;
    if (shape == 5) {
        for (unsigned k = 0; (in &= WHERE(k < (x & 7))); k++) {
            uint32_t first = in & WHERE(!(x >> k & 8));
            uint32_t leave = first & WHERE((x >> k & 64) && k > 2);
            expect_store(e, first);
            expect_store(e, first & ~leave);
            in &= ~leave;
        }
    } else if (shape == 6) {
        for (unsigned j = 0; (in &= WHERE(j < (x & 3))); j++)
            for (unsigned k = 0; k < 3; k++)
                expect_store(e, in & WHERE(k < (x >> (2 + j) & 3)));
    } else {
        for (unsigned k = 0; in; in &= ++k < 6 ? WHERE(x >> k & 4) : 0) {
            expect_store(e, in & WHERE(x >> k & 1));
            expect_store(e, in & WHERE(!(x >> k & 1)));
            expect_store(e, in);
        }
    }
}

static void expect_ways(struct expected *e, int shape, const unsigned bits[32])
{
    uint32_t two = WHERE(x & 2), one = WHERE(x & 1), four = WHERE(x & 4), all = 0;
    switch (shape) {
    case 0:
        expect_store(e, one & two);
        expect_store(e, ~(one & two));
        break;
    case 1:
        expect_store(e, one | two);
        expect_store(e, ~(one | two));
        break;
    case 2:
        expect_store(e, ~one);
        expect_store(e, ~one & ~two);
        expect_store(e, one | two);
        break;
    case 3: /* Each lane falls through from its case to all later ones. */
        for (unsigned k = 0; k < 4; k++)
            expect_store(e, all |= WHERE(x % 4 == k));
        break;
    case 4:
        expect_store(e, one & two & four);
        expect_store(e, ~(one & two & four));
        expect_store(e, ~(one & two & four) & WHERE(x & 8));
        break;
    default:
        expect_loops(e, shape, bits);
    }
}

static void expect_paths(struct expected *e, const int32_t *tunables, unsigned n, unsigned block)
{
    unsigned threads = (n + block - 1) / block * block, bits[32];
    for (unsigned first = 0; first < threads; first += 32) {
        for (unsigned lane = 0; lane < 32; lane++)
            bits[lane] = pattern_bits(n, first + lane);
        expect_ways(e, tunables[0], bits);
    }
    expect_output(e, n);
}

#define COMPARE(FIELD, FOUND, EXPECTED)                                                            \
    if ((FOUND) != (EXPECTED))                                                                     \
    fail_msg("%s: %s: %llu instead of %llu", what, FIELD, (unsigned long long)(FOUND),             \
             (unsigned long long)(EXPECTED))

static void compare(const struct counts *c, const struct expected *x, const char *launch)
{
    static const char *const names[] = {"load", "store", "reduction", "atomic"};
    for (int k = 0; k < ACCESS_KINDS; k++) {
        char what[400];
        snprintf(what, sizeof what, "%s, %s", launch, names[k]);
        bool lines = k < ACCESS_REDUCTION || !x->any_sectors;
        COMPARE("requests", c->global[k].requests, x->global[k].requests);
        if (lines)
            COMPARE("lines", c->global[k].lines, x->global[k].lines);
        if (lines && !(k == ACCESS_LOAD && x->past_l1))
            COMPARE("sectors", c->global[k].sectors, x->global[k].sectors);
        COMPARE("local requests", c->local[k].requests, x->local[k].requests);
        COMPARE("local sectors", c->local[k].sectors, x->local[k].sectors);
        COMPARE("local lines", c->local[k].lines, x->local[k].lines);
        if (k != ACCESS_LOAD || !x->any_wavefronts)
            COMPARE("wavefronts", c->shared[k].wavefronts, x->wavefronts[k]);
    }
    bool empty = isnan(counts_value(c, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
    assert_true(empty == x->past_l1);
}

typedef void expect_function(struct expected *x, const int32_t *tunables, unsigned n,
                             unsigned block);

/*
 * Runs one variant with many values of n. Returns how many patterns had their counts compared. If
 * `expect` is NULL, compares only results.
 */
static uint64_t try_variant(struct fixture *f, const struct kernel *k, const int32_t *tunables,
                            int block, expect_function *expect)
{
    static int32_t output[MOST_N];
    struct variant v = {.block = (uint16_t)block, .unroll = 1, .type = TYPE_INT32, .op = OP_SUM};
    for (int i = 0; i < k->tunable_count; i++)
        v.tunables[i] = tunables[i];
    struct module *m = load_variant(f, k, &v, block == 32 ? 90 : 100);
    struct buffer to = allocate(f, sizeof output), workspace = allocate(f, 1 << 19);
    struct error e = {0};
    uint64_t patterns = 0;
    void *zeros = calloc(1, 1 << 19);
    assert_non_null(zeros);
    must(sim_write(f->device, workspace, 0, zeros, 1 << 19, &e), &e);
    free(zeros);
    for (unsigned i = 0; i < SHORT_SIZES + 2; i++) {
        unsigned n = i < SHORT_SIZES ? 1 + i * 13 % 300 : MOST_N - (SHORT_SIZES + 1 - i);
        char what[200];
        snprintf(what, sizeof what, "%s, %d, %d, block %d, n = %u", k->name, tunables[0],
                 k->tunable_count > 1 ? tunables[1] : 0, block, n);
        struct launch l =
            make_launch(m, (n + (unsigned)block - 1) / (unsigned)block, (unsigned)block);
        add_argument(&l, 0, 8);
        add_argument(&l, to.address, 8);
        add_argument(&l, n, 4);
        add_argument(&l, workspace.address, 8);
        struct counts c = count_launch(f, &l);
        struct expected x = {0};
        if (expect) {
            expect(&x, tunables, n, (unsigned)block);
            compare(&c, &x, what);
        }
        patterns += x.patterns;
        must(sim_driver.read(f->device, to, 0, output, n * sizeof *output, &e), &e);
        for (unsigned t = 0; t < n; t++)
            if (output[t] != (t % 2 ? 200 : 100))
                fail_msg("%s: element %u is %d", what, t, output[t]);
    }
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, to);
    sim_driver.free(f->device, workspace);
    return patterns;
}

static uint64_t try_kernel(struct fixture *f, const char *name, expect_function *expect)
{
    const struct kernel *k = catalogue_find(&f->kernels, name);
    assert_non_null(k);
    uint64_t patterns = 0;
    int32_t tunables[2] = {0};
    for (int i = 0; i < k->tunables[0].allowed.count; i++) {
        for (int j = 0; j < (k->tunable_count > 1 ? k->tunables[1].allowed.count : 1); j++) {
            tunables[0] = k->tunables[0].allowed.values[i];
            tunables[1] = k->tunable_count > 1 ? k->tunables[1].allowed.values[j] : 0;
            bool atomic = tunables[0] == ACCESS_OF_REDUCTION || tunables[0] == ACCESS_OF_ATOMIC;
            if (k->tunable_count > 1 &&
                ((atomic && tunables[1] != 4 && tunables[1] != 8) ||
                 (tunables[0] == ACCESS_OF_LOCAL && tunables[1] != 4) ||
                 (tunables[0] == ACCESS_OF_COPY && tunables[1] < 4) ||
                 (tunables[0] == ACCESS_OF_COPY_PAST_L1 && tunables[1] != 16)))
                continue; /* the kernel's facts exclude this combination */
            for (int block = 32; block <= 128; block *= 4)
                patterns += try_variant(f, k, tunables, block, expect);
        }
    }
    printf("%s: %llu patterns\n", name, (unsigned long long)patterns);
    return patterns;
}

static void accesses_cost_what_their_addresses_say(void **state)
{
    assert_true(try_kernel(*state, "oracle_access", expect_access) > 100000);
}

static void each_way_is_gone_once_for_all_its_lanes(void **state)
{
    assert_true(try_kernel(*state, "oracle_paths", expect_paths) > 10000);
}

static void float_atomics_flush_in_global_memory_only(void **state)
{
    try_kernel(*state, "oracle_subnormal", NULL);
}

static int open_oracle(void **state)
{
    struct error e = {0};
    const char *folder = "tests/kernels/oracle";
    char kernels[4096];
    open_compiler(state);
    struct fixture *f = *state;
    catalogue_free(&f->kernels);
    catalogue_free(&f->support);
    must(find_kernel_folder(kernels, sizeof kernels, &e), &e);
    must(read_catalogues(kernels, &folder, 1, &f->kernels, &f->support, &e), &e);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(accesses_cost_what_their_addresses_say, open_oracle,
                                        close_all),
        cmocka_unit_test_setup_teardown(each_way_is_gone_once_for_all_its_lanes, open_oracle,
                                        close_all),
        cmocka_unit_test_setup_teardown(float_atomics_flush_in_global_memory_only, open_oracle,
                                        close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
