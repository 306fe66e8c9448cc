// kernel:     rows_persistent
// idea:       in a resident grid, teams (part of a warp, or a block) take turns with rows and issue
//             the next row's loads before they reduce the current one. Rows may begin at any
//             element
// source:     redsweep
// workload:   rows
// covers:     BLOCK / if(TEAM = 0, BLOCK, TEAM) * ROW_LENGTH
// grid:       min(ceil_div(N, COVERS), SMS * MIN_BLOCKS)
// depth:      ceil_div(ROW_LENGTH, if(TEAM = 0, BLOCK, TEAM)) + LOADS * 16 / SIZEOF + 48
// blocks:     power of two
// constant:   BLOCK
// tunable:    TEAM 0 4 8 32
// tunable:    LOADS 1 2 4 8 16
// tunable:    AHEAD 1 0
// tunable:    MIN_BLOCKS 1 2 4 8
// tunable:    POLICY 0 1
// default:    LOADS 2 MIN_BLOCKS 4 POLICY 1
// requires:   ROW_LENGTH < 2^32
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS * (1 + AHEAD) + 24) <= 65536
// requires:   BLOCK * MIN_BLOCKS <= 2048
// where:      TEAM_SIZE if(TEAM = 0, BLOCK, TEAM)
// where:      PACKS ceil_div(ROW_LENGTH * SIZEOF, 16)
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
// overlap:    if(ROW_LENGTH * SIZEOF % 16 = 0, 0, WORK)
// cost:       if(ROW_LENGTH * SIZEOF % 16 = 0, 0, TURNS)
// types:      all
// ops:        all
// min_arch:   sm_80
// parameters: input output second size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
#include "stream.cuh"

/*
 * Prediction: if each row has its own block, every short row costs the launch of a block and the
 * latency of its loads, while a resident block has these costs only once. For rows of 256 bytes to
 * 16 KB, the kernel is just as fast as rows_lanes, where the hardware's block scheduler hides these
 * costs by running other blocks. It is faster than rows_lanes only if a row is a single tile of a
 * block: without the next row's loads, the block would have no loads in flight during its
 * reduction. A few long rows leave most multiprocessors idle; use rows_poll for those.
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
    unsigned length;
    bool whole; /* whether each row consists of whole packs at multiples of 16 bytes */
};

static __device__ __forceinline__ span row_span(const rows_of &all, size_t row)
{
    if (all.whole) {
        span s = {0, all.length / PACK_ELEMENTS};
        return s;
    }
    return span_of(all.x + row * all.length, all.length);
}

/* Issues the loads of this team's tile at `at`, or none if the team's row does not exist. */
static __device__ __forceinline__ void place_load(tile *t, const rows_of &all, const place &at)
{
    size_t row = at.row + threadIdx.x / LANES;
    t->here = 0;
    if (row >= all.count)
        return;
    span s = row_span(all, row);
    vectors v = {(const pack *)(all.x + row * all.length + s.head),
                 (const pack *)(all.y + row * all.length + s.head)};
    lanes_load<LANES>(t, v, s.packs, (size_t)at.tile * (LANES * LOADS));
}

/* Adds the elements that place_load() loaded to `part`. */
static __device__ __forceinline__ partial place_fold(partial part, const tile &t,
                                                      const rows_of &all, const place &at)
{
    unsigned head = 0;
    if (!all.whole && at.row + threadIdx.x / LANES < all.count)
        head = row_span(all, at.row + threadIdx.x / LANES).head;
    partial next = lanes_fold<LANES>(t, head + at.tile * (LANES * LOADS * PACK_ELEMENTS));
    return at.tile ? combine(part, next) : next;
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_persistent(const element *input, result_t *output, const element *second, size_t rows,
                    unsigned row_length)
{
    rows_of all = {input, second, rows, row_length,
                   (((size_t)input | row_length * sizeof(element)) & 15) == 0};
    unsigned tiles = row_length / PACK_ELEMENTS / (LANES * LOADS) + 1, parity = 0;
    if (all.whole && tiles > 1 && row_length % (LANES * LOADS * PACK_ELEMENTS) == 0)
        tiles--;
    place at = {(size_t)blockIdx.x * TEAMS, 0};
    partial part = nothing();
    tile now, next;
    place_load(&now, all, at);
#pragma unroll 1
    for (;;) { /* uniform across the block */
        bool ends = at.tile + 1 == tiles;
        place then = {ends ? at.row + (size_t)gridDim.x * TEAMS : at.row, ends ? 0 : at.tile + 1};
        bool more = then.row < rows;
        if (AHEAD && more)
            place_load(&next, all, then);
        part = place_fold(part, now, all, at);
        if (ends) {
            size_t row = at.row + threadIdx.x / LANES;
            const element *x = input + row * row_length, *y = second + row * row_length;
            if (!all.whole && row < rows)
                part = ends_fold<LANES>(part, x, y, row_span(all, row), row_length);
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
