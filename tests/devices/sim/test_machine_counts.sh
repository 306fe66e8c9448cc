#!/bin/sh
# The simulator's counts must be those of a GPU's machine code, even where the machine code differs
# from the PTX. Runs small kernels and compares their counts with an H100's (65536 elements of
# float32, blocks of 256).
#
# With DEVICE=cuda, compares a GPU's counts with the same numbers, except for the cell that the
# simulator leaves empty.
set -u
. "$(dirname "$0")/../../scratch.sh"

# kernel NAME: writes a kernel whose statements, from standard input, fill s[t] before a tree in shared memory
kernel() {
    {
        printf '// kernel: %s\n// idea: a test\n// source: a test\n// result: partial\n// input: untouched\n' "$1"
        printf '// covers: BLOCK\n// blocks: 256\n// uniform: no\n// types: float32\n// ops: sum\n'
        printf '// requires: N %% BLOCK = 0\n// depth: 300\n// parameters: input output unsigned(N)\n'
        printf '__device__ int cells[4096];\n'
        printf 'extern "C" __global__ void %s(const float *input, float *output, unsigned n)\n{\n' "$1"
        printf '    __shared__ float s[256];\n    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;\n'
        cat
        printf '    __syncthreads();\n    for (int d = 128; d; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }\n'
        printf '    if (t == 0) output[blockIdx.x] = s[0];\n}\n'
    } >"$work/$1.cu"
    names="$names${names:+,}$1"
}
names=

# An address shared by all lanes of a warp counts once, so there are loads of 65 536 elements plus
# one for each of the 2048 warps.
kernel one_address <<'CU'
    s[t] = input[i] + input[blockIdx.x] * 0.0f;
CU
# Pairs of lanes load the same value, once in ascending and once in descending order.
kernel pairs <<'CU'
    s[t] = input[i] + (input[i / 2] + input[(n - 1 - i) / 2]) * 0.0f;
CU

# The source loads three times. NVVM keeps all three loads, but ptxas combines them into one.
kernel thrice <<'CU'
    float m = __ldg(input + i), v = __ldg(input + i) * __ldg(input + i);
    s[t] = m + v * 0.0f;
CU
# One load has the same address in all iterations, so ptxas hoists it out of the loop. Each of the 8
# iterations executes one load, and the first a second one.
kernel invariant <<'CU'
    float a = 0;
#pragma unroll 1
    for (int j = 0; j < 8; j++) a += (input[(i + j * 32) % n] * 0.0f + (j == 0 ? input[i] : 0.0f)) + __ldg(input + blockIdx.x) * 0.0f;
    s[t] = a;
CU
# The source stores zero in all lanes, then a value in the lanes in range. ptxas combines the two
# into one store that all lanes execute.
kernel overwritten <<'CU'
    s[t] = 0.0f;
    if (i < n) s[t] = input[i];
CU
# A small array stays in registers even though its index is not a constant.
kernel small_array <<'CU'
    float v[2] = {0, 0};
    v[i & 1] += input[i];
    s[t] = v[0] + v[1];
CU
# In the machine code, only warps that need this value load it. The simulator does not track how
# many do, so the cell is empty.
kernel sunk <<'CU'
    __shared__ float w[256];
    w[t] = input[i];
    s[t] = 0;
    __syncthreads();
    float v, a = 0;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"((unsigned)__cvta_generic_to_shared(&w[255 - t])));
#pragma unroll 1
    for (unsigned j = t / 64; j < n % 7; j++) a += v;
    s[t] = input[i] + a * 0.0f;
CU

# A thread reads 31 words, starting at the second one, as a scan reads the aggregates of a block's
# warps. ptxas loads one word, a pair, and then groups of four.
kernel aggregates <<'CU'
    __shared__ alignas(16) float w[32];
    s[t] = input[i];
    if (t < 32) w[t] = input[i];
    __syncthreads();
    if (t == 0) {
        float a = 0;
#pragma unroll
        for (int k = 1; k < 32; k++) a += w[k];
        s[0] += a * 0.0f;
    }
CU
# A thread reads 64 words in a loop that ptxas unrolls by itself.
kernel serial <<'CU'
    __shared__ alignas(16) float w[64];
    s[t] = input[i];
    if (t < 64) w[t] = input[i];
    __syncthreads();
    if (t == 0) {
        float a = 0;
        for (unsigned k = 0; k < n / 1024; k++) a += w[k];
        s[0] += a * 0.0f;
    }
CU

# All lanes of an atomic have the same address, so ptxas adds within the warp, and one lane executes
# the atomic: one request of one sector.
kernel elected <<'CU'
    s[t] = input[i];
    atomicAdd(&cells[blockIdx.x], (int)t);
CU
# Nothing reads the result of the exchange. But there is no exchange without a result in machine
# code, so it counts as an atomic, not as a reduction.
kernel exchanged <<'CU'
    s[t] = input[i];
    atomicExch(&cells[(blockIdx.x * 8 + t / 32) % 4096], (int)t);
CU
# A float atomic in shared memory is a loop. The number of loads in it is unknown, but the count of
# the global load next to it is unaffected.
kernel float_loop <<'CU'
    __shared__ float w;
    s[t] = 0;
    if (t == 0) w = 0;
    __syncthreads();
    if (t % 64 < 48) {
        float v = input[i ^ 1];
        atomicAdd(&w, v * 0.0f);
    }
    s[t] = input[i];
CU
# The compiler unrolls the loop's atomic four times.
kernel unrolled <<'CU'
    s[t] = input[i];
    for (unsigned j = 0; j < 4; j++) atomicMax(&cells[(i * 4 + j) % 4096], (int)t);
CU

columns=kernel,gld_requests,gld_requested_bytes,shared_load_wavefronts_net,shared_store_wavefronts_net
columns=$columns,local_load_requests,local_store_requests,red_requests,atom_requests,red_sectors
"$redsweep" run --kernels "$names" --kernel-folder "$work" --sizes 65536 --blocks 256 --types float32 --ops sum \
    --cache warm --metrics "${columns#kernel,}" --device "${DEVICE:-sim}" --quiet --out "$work/run" >"$work/said" 2>&1 ||
    fail "the run: $(cat "$work/said")"
"$redsweep" show "$work/run" --columns "$columns" --csv - | tail -n +2 | tr -d '"' | sort >"$work/got"
cat >"$work/want" <<'END'
aggregates,2048,262144,8704,5632,0,0,0,0,0
elected,2048,262144,6400,5120,0,0,2048,0,2048
exchanged,2048,262144,6400,5120,0,0,0,2048,0
float_loop,4096,458752,,7424,0,0,0,0,0
invariant,20480,2367488,6400,5120,0,0,0,0,0
one_address,4096,270336,6400,5120,0,0,0,0,0
overwritten,2048,262144,6400,5120,0,0,0,0,0
pairs,6144,524288,6400,5120,0,0,0,0,0
serial,2048,262144,10752,5888,0,0,0,0,0
small_array,2048,262144,6400,5120,0,0,0,0,0
sunk,4096,524288,,9216,0,0,0,0,0
thrice,2048,262144,6400,5120,0,0,0,0,0
unrolled,2048,262144,6400,5120,0,0,8192,0,
END
same() {
    [ "${DEVICE:-sim}" = sim ] && cmp -s "$work/want" "$work/got" && return
    [ "${DEVICE:-sim}" != sim ] && awk -F, '
        NR == FNR { want[$1] = $0; all++; next }
        { split(want[$1], w); for (i = 1; i <= NF; i++) bad += w[i] != "" && w[i] != $i }
        END { exit bad || FNR != all }' "$work/want" "$work/got"
}
same || fail "expected
$(cat "$work/want")
and not
$(cat "$work/got")"
[ "${DEVICE:-sim}" = sim ] || { cat "$work/got"; exit "$failed"; }

reason=$("$redsweep" show "$work/run" --where "kernel = 'sunk'" --columns reason --csv -)
case $reason in
*"shared memory loads are not counted where a warp executes line "*" of the PTX, because ptxas moved this access elsewhere"*) ;;
*) fail "the empty cell's reason: $reason" ;;
esac

[ "$failed" -eq 0 ] && echo "test_machine_counts: passed"
exit "$failed"
