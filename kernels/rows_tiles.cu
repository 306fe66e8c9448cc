// kernel:     rows_tiles
// idea:       one block per tile of a row with 16-byte loads, all in flight; the last block of a row
//             polls the flagged words of the row's other blocks, in two levels where GROUP says so
// source:     redsweep
// workload:   rows
// covers:     min(BLOCK * LOADS * 16 / SIZEOF, ROW_LENGTH)
// grid:       N / ROW_LENGTH * ceil_div(ROW_LENGTH, BLOCK * LOADS * 16 / SIZEOF)
// workspace:  if(GRID = N / ROW_LENGTH, 0, 2 * ACCUMULATOR * (GRID + if(GROUP = 0, 0, N / ROW_LENGTH
//             * ceil_div(GRID / (N / ROW_LENGTH), max(GROUP, 1)))))
// depth:      COVERS / BLOCK + GROUP + ceil_div(ROW_LENGTH, BLOCK * BLOCK * LOADS) + 40
// blocks:     power of two
// constant:   BLOCK
// tunable:    LOADS 1 2 4 6 8 12 16
// tunable:    MIN_BLOCKS 1 2 4 8
// tunable:    POLICY 0 1
// tunable:    GROUP 0 64 256
// default:    LOADS 4 MIN_BLOCKS 2 POLICY 1
// requires:   ROW_LENGTH * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:   GROUP > 0 or ROW_LENGTH <= 4096 * (BLOCK * LOADS * 16 / SIZEOF)
// types:      all
// ops:        sum max min prod argmax argmin sumsq norm2 mean_var logsumexp
// min_arch:   sm_80
// counts:     vary
// parameters: input output workspace size_t(ROW_LENGTH * SIZEOF / 16)
//             unsigned(GRID / (N / ROW_LENGTH))
#include "rows.cuh"

/*
 * Predicted: rows of 4 KB and more at the speed of reading: the hardware's scheduler of blocks deals
 * out the tiles of all rows, so no shape of the input leaves multiprocessors idle. A row of one tile
 * needs no slot. Blocks that poll started after those they wait for.
 */
enum { PART_WORDS = sizeof(row_part) / 4 };

/* A slot is a 64-bit word for each 32 bits of a part: the bits above, a mark below (slots.cuh). */
static __device__ __forceinline__ void part_put(unsigned long long *slots, size_t i, row_part part)
{
    words_of<row_part> x;
    x.value = part;
#pragma unroll
    for (unsigned k = 0; k < PART_WORDS; k++)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
                     :
                     : "l"(slots + i * PART_WORDS + k),
                       "l"((unsigned long long)x.words[k] << 32 | 1)
                     : "memory");
}

/* Waits for a slot, and leaves it zeroed. */
static __device__ __forceinline__ row_part part_take(unsigned long long *slots, size_t i)
{
    words_of<row_part> x;
    unsigned long long *at = slots + i * PART_WORDS, word[PART_WORDS], marks;
    do {
        marks = 1;
#pragma unroll
        for (unsigned k = 0; k < PART_WORDS; k++) {
            asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                         : "=l"(word[k])
                         : "l"(at + k)
                         : "memory");
            marks &= word[k];
        }
    } while (!(marks & 1));
#pragma unroll
    for (unsigned k = 0; k < PART_WORDS; k++) {
        x.words[k] = (unsigned)(word[k] >> 32);
        at[k] = 0;
    }
    return x.value;
}

/* This thread's share of slots 0 … count - 1 joined onto `part`. */
static __device__ __forceinline__ row_part parts_gather(unsigned long long *slots, unsigned count,
                                                        row_part part)
{
    for (unsigned i = threadIdx.x; i < count; i += BLOCK)
        part = join(part, part_take(slots, i));
    return part;
}

/* A block that will gather brings the slots' lines into L2, before its own loads are due. */
static __device__ __forceinline__ void fetch_slots(const unsigned long long *slots, unsigned count)
{
    enum { LINE_WORDS = 128 / sizeof(unsigned long long) };
    for (unsigned k = threadIdx.x * LINE_WORDS; k < count * PART_WORDS; k += BLOCK * LINE_WORDS)
        asm volatile("prefetch.global.L2 [%0];" : : "l"(slots + k));
}

/*
 * The row's total from the part of each of its `tiles` blocks, in thread 0 of the last one, which
 * returns true; every other block hands its part on.
 */
static __device__ __forceinline__ bool row_finish(row_part *part, unsigned long long *slots,
                                                  size_t row, unsigned tile, unsigned tiles)
{
    unsigned size = GROUP ? GROUP : tiles, groups = (tiles + size - 1) / size;
    unsigned group = tile / size, first = group * size;
    unsigned mates = tiles - first < size ? tiles - first : size;
    bool gathers = tile == first + mates - 1, last = tile == tiles - 1;
    unsigned long long *mine = slots + row * tiles * PART_WORDS;
    unsigned long long *of_groups = slots + ((size_t)gridDim.x + row * groups) * PART_WORDS;
    if (gathers)
        *part = parts_gather(mine + (size_t)first * PART_WORDS, mates - 1, *part);
    if (GROUP && last)
        *part = parts_gather(of_groups, group, *part);
    *part = block_join(*part);
    if (threadIdx.x == 0 && gathers && !last)
        part_put(of_groups, group, *part);
    if (threadIdx.x == 0 && !gathers)
        part_put(mine, tile, *part);
    return last;
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_tiles(const element *input, result_t *output, void *workspace, size_t packs,
               unsigned tiles)
{
    size_t row = blockIdx.x / tiles;
    unsigned tile = blockIdx.x - (unsigned)row * tiles;
    const row_pack *mine = (const row_pack *)input + row * packs;
    if (tiles > 1 && (tile == tiles - 1 || (GROUP && tile % GROUP == GROUP - 1))) {
        unsigned mates = GROUP ? tile % GROUP : tile;
        fetch_slots((unsigned long long *)workspace + (row * tiles + tile - mates) * PART_WORDS,
                    mates);
    }
    row_part part = row_tile_fold(mine, packs, (size_t)tile * (BLOCK * LOADS));
    bool last = true;
    if (tiles > 1)
        last = row_finish(&part, (unsigned long long *)workspace, row, tile, tiles);
    else
        part = block_join(part);
    if (last && threadIdx.x == 0)
        output[row] = row_result(part);
}
