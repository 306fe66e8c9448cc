// kernel:     rows_resident
// idea:       like rows_persistent, but for rows of whole packs that may begin at any element:
//             packs are counted from the row's first element, so the result depends neither on the
//             row's address nor on the grid
// source:     redsweep
// workload:   rows
// covers:     BLOCK / if(TEAM = 0, BLOCK, TEAM) * ROW_LENGTH
// grid:       min(ceil_div(N, COVERS), SMS * MIN_BLOCKS)
// depth:      ceil_div(ROW_LENGTH, if(TEAM = 0, BLOCK, TEAM)) + 16
// blocks:     power of two
// constant:   BLOCK
// tunable:    TEAM 0 8 32
// tunable:    LOADS 1 2 4 8
// tunable:    AHEAD 1 0
// tunable:    MIN_BLOCKS 1 2 4 8
// tunable:    POLICY 0 1
// default:    LOADS 2 MIN_BLOCKS 4 POLICY 1
// requires:   ROW_LENGTH < 2^32 and ROW_LENGTH * SIZEOF % 16 = 0
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS * (1 + AHEAD) + 24) <= 65536
// requires:   BLOCK * MIN_BLOCKS <= 2048
// where:      TEAM_SIZE if(TEAM = 0, BLOCK, TEAM)
// where:      PACKS ROW_LENGTH * SIZEOF / 16
// where:      TURNS ceil_div(N / ROW_LENGTH, GRID * BLOCK / TEAM_SIZE)
// where:      STEPS ceil_div(PACKS, TEAM_SIZE * LOADS)
// where:      PART ceil_div(PACKS % (TEAM_SIZE * LOADS), TEAM_SIZE)
// where:      WORK TURNS * GRID / SMS
// overlap:    TURNS
// overlap:    STEPS
// overlap:    TURNS * STEPS
// overlap:    TURNS * PART
// overlap:    WORK
// overlap:    WORK * STEPS
// overlap:    WORK * PART
// types:      all
// ops:        all
// min_arch:   sm_80
// invariant:  yes
// parameters: input output second size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
#include "stream.cuh"

/*
 * Prediction: the kernel is as fast as rows_persistent if rows begin at multiples of 16 bytes. If
 * they do not, every element is loaded separately, which takes several times as long as loading
 * whole packs.
 *
 * The loop is copied from rows_persistent. Sharing it in a header would change the machine code of
 * some variants of rows_persistent and invalidate its recorded times.
 */
enum { LANES = TEAM ? TEAM : BLOCK, TEAMS = BLOCK / LANES };

/*
 * The position of this block's teams: the first team's row, and the tile within the row of each
 * team.
 */
struct place {
    size_t row;
    unsigned tile;
};

struct rows_of {
    const element *x, *y;
    size_t count;
    unsigned packs;
    bool aligned; /* whether both vectors begin at multiples of 16 bytes */
};

/* Loads pack i of a row that may begin at any element. */
static __device__ __noinline__ uint4 words_anywhere(const element *row, unsigned i)
{
    pack_words x;
#pragma unroll
    for (unsigned j = 0; j < PACK_ELEMENTS; j++)
        x.elements.e[j] = row[(size_t)i * PACK_ELEMENTS + j];
    return x.words;
}

/* Issues the loads of this team's tile at `at`, or none if the team's row does not exist. */
static __device__ __forceinline__ void place_load(tile *t, const rows_of &all, const place &at)
{
    const size_t row = at.row + threadIdx.x / LANES;
    const unsigned first = at.tile * (LANES * LOADS), lane = threadIdx.x % LANES;
    t->here = 0;
    if (row >= all.count)
        return;
    const element *x = all.x + row * all.packs * PACK_ELEMENTS, *y = all.y + row * all.packs * PACK_ELEMENTS;
    if (all.aligned) {
        const vectors v = {(const pack *)x, (const pack *)y};
        lanes_load<LANES>(t, v, all.packs, first);
        return;
    }
    const unsigned left = first < all.packs ? all.packs - first : 0;
    t->here = left < LANES * LOADS ? left : LANES * LOADS;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
        const bool real = lane + k * LANES < t->here;
        t->x[k] = real ? words_anywhere(x, first + lane + k * LANES) : fill_words();
        if (VECTORS == 2)
            t->y[VECTORS == 2 ? k : 0] = real ? words_anywhere(y, first + lane + k * LANES) : fill_words();
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_resident(const element *input, result_t *output, const element *second, size_t rows, unsigned row_length)
{
    const size_t address = (size_t)input | (VECTORS == 2 ? (size_t)second : 0);
    const rows_of all = {input, second, rows, row_length / PACK_ELEMENTS, (address & 15) == 0};
    const unsigned tiles = (all.packs + LANES * LOADS - 1) / (LANES * LOADS);
    unsigned parity = 0;
    place at = {(size_t)blockIdx.x * TEAMS, 0};
    partial part = nothing();
    tile now, next;
    place_load(&now, all, at);
#pragma unroll 1
    for (;;) { /* uniform across the block */
        const bool ends = at.tile + 1 == tiles;
        const place then = {ends ? at.row + (size_t)gridDim.x * TEAMS : at.row, ends ? 0 : at.tile + 1};
        const bool more = then.row < rows;
        if (AHEAD && more)
            place_load(&next, all, then);
        const partial folded = lanes_fold<LANES>(now, at.tile * (LANES * LOADS * PACK_ELEMENTS));
        part = at.tile ? combine(part, folded) : folded;
        if (ends) {
            const size_t row = at.row + threadIdx.x / LANES;
            part = team_total<LANES>(part, parity);
            parity ^= 1;
            if (threadIdx.x % LANES == 0 && row < rows)
                output[row] = finish(part);
        }
        if (!more)
            break;
        if (AHEAD)
            now = next;
        else
            place_load(&now, all, then);
        at = then;
    }
}
