// kernel:    onepass_any
// idea:      any type and operation in one launch: each thread reduces its 16-byte loads, all in
//            flight at once, to one partial; blocks pass partials on in words with a flag besides
//            the value, and the words are polled as in rows_poll
// source:    redsweep
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * ROUNDS * 16 / SIZEOF
// workspace: 2 * ACCUMULATOR * (GRID + ceil_div(GRID, GATHER))
// depth:     COVERS / BLOCK + log2(BLOCK) + ceil_div(GATHER, 32) + ceil_div(GRID, GATHER * 32) + 28
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8 12 16
// tunable:   ROUNDS 1 2 4 8
// tunable:   MIN_BLOCKS 1 2 3 4 8
// tunable:   POLICY 0 1
// tunable:   GATHER 128 256 512
// tunable:   PREFETCH 0 1
// default:   LOADS 4 MIN_BLOCKS 2 POLICY 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS * min(ROUNDS, 2) + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  N < 2^32
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     all
// ops:       all
// parameters: input output unsigned(N) workspace second
// min_arch:  sm_80
// uniform:   no
// counts:    vary
// standalone: yes
#include "stream.cuh"
#include "handshake.cuh"

/*
 * Prediction: from 2^26 bytes on, the kernel is as fast as reading the input, for every type and operation.
 * An SM receives one pack for each lane of a warp every 25 cycles and issues 4 instructions per cycle,
 * which leaves 100 instructions per pack. Exponentials of half types come closest to this limit, with 8
 * times 9 instructions. At small n, the kernel takes as long as onepass_poll plus the reductions, whose
 * partials have up to six words.
 */
enum { TILE = BLOCK * LOADS * ROUNDS };

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_any(const element *input, result_t *output, unsigned n, void *workspace,
                const element *second)
{
#ifdef ANY_OFFSET
    span s = span_of(input, n);
#else
    span s = {0, n / PACK_ELEMENTS};
#endif
    vectors v = {(const pack *)(input + s.head), (const pack *)(second + s.head)};
    unsigned first = blockIdx.x * TILE;
    sharing all = {(slot_word *)workspace, 0, gridDim.x, blockIdx.x, gridDim.x, GATHER};
    gathering gathers;
    partial part = lanes_stream<BLOCK>(v, s.packs, first, s.head + first * PACK_ELEMENTS,
                                         [&] { gathers = gathering_of(all); });
    if (blockIdx.x == 0) /* in the last block, this would delay the result */
        part = ends_fold<BLOCK>(part, input, second, s, n);
    part = team_total<BLOCK>(part, 0);
    if (blocks_join(&part, all, gathers) && threadIdx.x == 0)
        output[0] = finish(part);
}
