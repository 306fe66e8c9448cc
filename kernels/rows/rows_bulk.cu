// kernel:     rows_bulk
// idea:       one thread issues bulk copies into a ring of shared-memory stages, each of which
//             holds several whole rows or a piece of a long one; teams (part of a warp, or the
//             block) reduce the rows of each stage as it arrives
// source:     CUDA C++ Programming Guide, asynchronous bulk copies; PTX ISA, mbarrier
// workload:   rows
// covers:     max(BLOCK * LOADS * 16 / SIZEOF - BLOCK * LOADS * 16 / SIZEOF % ROW_LENGTH, ROW_LENGTH)
// grid:       min(ceil_div(N, COVERS), SMS * MIN_BLOCKS)
// shared:     STAGES * BLOCK * LOADS * 16
// depth:      ceil_div(ROW_LENGTH, if(TEAM = 0, BLOCK, TEAM)) + 64 / SIZEOF + 48
// blocks:     power of two
// constant:   BLOCK
// tunable:    TEAM 0 4 8 32
// tunable:    LOADS 4 2 8
// tunable:    STAGES 2 4 8
// tunable:    MIN_BLOCKS 1 2 4
// default:    LOADS 4 STAGES 4 MIN_BLOCKS 2
// requires:   ROW_LENGTH * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0 and ROW_LENGTH < 2^32
// requires:   STAGES * BLOCK * LOADS * 16 * MIN_BLOCKS <= 216 * 1024 and BLOCK * MIN_BLOCKS <= 2048
// cost:       ceil_div(GRID, SMS)
// types:      all
// ops:        all
// min_arch:   sm_90
// counts:     vary
// parameters: input output second size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH * SIZEOF / 16)
#define POLICY 0 /* for loads into registers, which this kernel does not use */
#include "stream.cuh"
#include "ring.cuh"

/*
 * Prediction: bulk copies do not beat loads into registers. They come closer than in sums of a whole
 * array, because no result needs several blocks, and because a stage of several short rows takes one copy
 * instead of a load per lane. The kernel is most likely to win for rows of 256 bytes to 4 KB and
 * operations that need many registers (variances, indices), since registers limit how many loads other
 * kernels keep in flight. A few long rows leave most multiprocessors idle; use rows_poll for those.
 */
enum {
    LANES = TEAM ? TEAM : BLOCK,
    TEAMS = BLOCK / LANES,
    STAGE_PACKS = BLOCK * LOADS / VECTORS, /* packs of each vector in a stage */
    AT_ONCE = 4                            /* packs that a lane reads before it folds them */
};

/*
 * The block's position in its rows. A batch is either `batch` rows that fit into a stage, or one row in
 * `steps` stages.
 */
struct batches {
    const uint4 *x, *y;
    size_t rows, first; /* number of rows in all, and first row of the batch */
    unsigned packs, steps, step, batch;
};

static __device__ __forceinline__ batches batches_of(const uint4 *x, const uint4 *y,
                                                     size_t rows, unsigned packs)
{
    batches b = {x, y, rows, 0, packs, 1, 0, 1};
    if (packs > STAGE_PACKS)
        b.steps = (packs + STAGE_PACKS - 1) / STAGE_PACKS;
    else
        b.batch = STAGE_PACKS / packs;
    b.first = (size_t)blockIdx.x * b.batch;
    return b;
}

static __device__ __forceinline__ void advance(batches *b)
{
    if (++b->step == b->steps) {
        b->step = 0;
        b->first += (size_t)gridDim.x * b->batch;
    }
}

static __device__ __forceinline__ unsigned rows_here(const batches &b)
{
    return b.rows - b.first < b.batch ? (unsigned)(b.rows - b.first) : b.batch;
}

/* Returns how many packs of each row the current stage holds. */
static __device__ __forceinline__ unsigned packs_here(const batches &b)
{
    unsigned left = b.packs - b.step * STAGE_PACKS;
    return left < STAGE_PACKS ? left : STAGE_PACKS;
}

/*
 * Starts copying the rows at position `b` into a stage, if any rows are left, and advances `b`. Called by
 * thread 0.
 */
static __device__ __forceinline__ void request(batches *b, uint4 *stage,
                                               unsigned long long *full)
{
    if (b->first >= b->rows)
        return;
    unsigned bytes = rows_here(*b) * packs_here(*b) * 16;
    size_t from = b->first * b->packs + (size_t)b->step * STAGE_PACKS;
    barrier_expect(full, bytes * VECTORS);
    bulk_copy(stage, b->x + from, bytes, full);
    if (VECTORS == 2)
        bulk_copy(stage + STAGE_PACKS, b->y + from, bytes, full);
    advance(b);
}

/* Folds this lane's share of the `count` packs at x and y. They begin at element `first` of the row. */
static __device__ __forceinline__ partial stage_fold(const uint4 *x, const uint4 *y,
                                                      unsigned count, unsigned first)
{
    partial part = nothing();
    unsigned k = threadIdx.x % LANES;
    uint4 p[AT_ONCE], q[AT_ONCE];
    for (; k + (AT_ONCE - 1) * LANES < count; k += AT_ONCE * LANES) {
#pragma unroll
        for (unsigned j = 0; j < AT_ONCE; j++) {
            p[j] = x[k + j * LANES];
            if (VECTORS == 2)
                q[j] = y[k + j * LANES];
        }
        part = combine(part, fold<AT_ONCE>(p, q, first + k * PACK_ELEMENTS, LANES * PACK_ELEMENTS));
    }
    for (; k < count; k += LANES) {
        p[0] = x[k];
        if (VECTORS == 2)
            q[0] = y[k];
        part = combine(part, fold<1>(p, q, first + k * PACK_ELEMENTS, 0));
    }
    return part;
}

/*
 * Reduces the rows of a stage whose bytes have arrived. If a row takes several stages, `part` passes its
 * partial on from each stage to the next.
 */
static __device__ __forceinline__ void stage_reduce(const batches &b, const uint4 *stage,
                                                    partial *part, unsigned *parity,
                                                    result_t *output)
{
    unsigned rows = rows_here(b), packs = packs_here(b), team = threadIdx.x / LANES;
#pragma unroll 1
    for (unsigned base = 0; base < rows; base += TEAMS) { /* uniform across the block */
        unsigned row = base + team;
        partial more = nothing();
        if (row < rows)
            more = stage_fold(stage + row * packs, stage + STAGE_PACKS + row * packs, packs,
                              b.step * (STAGE_PACKS * PACK_ELEMENTS));
        *part = b.step ? combine(*part, more) : more;
        if (b.step + 1 < b.steps)
            continue;
        partial total = team_total<LANES>(*part, *parity);
        *parity ^= 1;
        if (threadIdx.x % LANES == 0 && row < rows)
            output[b.first + row] = finish(total);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_bulk(const uint4 *input, result_t *output, const uint4 *second, size_t rows,
              unsigned packs)
{
    extern __shared__ __align__(128) unsigned char bytes[];
    __shared__ unsigned long long full[STAGES], empty[STAGES];
    uint4 *ring = (uint4 *)bytes;
    batches b = batches_of(input, second, rows, packs), ahead = b;
    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], BLOCK / 32);
        }
        asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); /* lets copies see the barriers */
        for (unsigned s = 0; s < STAGES; s++)
            request(&ahead, ring + s * (BLOCK * LOADS), &full[s]);
    }
    __syncthreads();

    partial part = nothing();
    unsigned parity = 0;
#pragma unroll 1
    for (unsigned turn = 0; b.first < b.rows; turn++, advance(&b)) {
        unsigned stage = turn % STAGES, before = (turn + STAGES - 1) % STAGES;
        barrier_wait(&full[stage], turn / STAGES & 1);
        stage_reduce(b, ring + stage * (BLOCK * LOADS), &part, &parity, output);
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            barrier_arrive(&empty[stage]); /* this warp has read the stage */
        if (threadIdx.x == 0 && turn > 0) {
            barrier_wait(&empty[before], (turn - 1) / STAGES & 1);
            request(&ahead, ring + before * (BLOCK * LOADS), &full[before]);
        }
    }
}
