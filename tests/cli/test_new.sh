#!/usr/bin/env bash
# `redsweep new` writes a kernel that runs unchanged. Also runs kernels from single files, kernels
# that include headers, and an author's file with host code to which facts were added. All of them
# run on the simulator.
set -u
root=$PWD redsweep=$PWD/${BUILD#"$PWD"/}/redsweep failed=0
case $BUILD in /*) redsweep=$BUILD/redsweep ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "test_new: FAILED: $*"; failed=1; }
unset REDSWEEP_HOME
export REDSWEEP_HOME=$root
cd "$work" || exit 1

few="--device sim --quiet --sizes 1,1000,4099 --blocks 32,256"
"$redsweep" new my_sum >said || fail "new: $(cat said)"
# shellcheck disable=SC2086
"$redsweep" run --kernels my_sum $few --types all --ops sum,max --out one >said 2>&1 || fail "its first run: $(cat said)"
[ "$("$root/tests/count_rows.sh" "$redsweep" one 'status = ok')" -gt 100 ] || fail "its rows: $("$redsweep" show one | tail -3)"
"$redsweep" racecheck my_sum --kernel-folder my_sum.cu >said 2>&1 || fail "racecheck of it: $(cat said)"
"$redsweep" new my_sum >said 2>&1 && fail "it wrote over a file"
grep -q 'my_sum.cu: File exists' said || fail "of a file that is there: $(cat said)"
"$redsweep" new My-Sum >said 2>&1 && fail "it took a name that is none"
[ ! -e My-Sum.cu ] || fail "it wrote a file of that name"
mkdir elsewhere
# shellcheck disable=SC2086
(cd elsewhere && "$redsweep" run --kernels my_sum $few --out none) >said 2>&1 && fail "my_sum was found where it is not"
# shellcheck disable=SC2086
(cd elsewhere && "$redsweep" run --kernels my_sum --kernel-folder ../my_sum.cu $few --unrolls 1 --out file) >said 2>&1 ||
    fail "--kernel-folder FILE: $(cat said)"

# This kernel includes the usual headers.
mkdir headers
{
    printf '// kernel: includes\n// idea: uses headers of C and C++\n// source: a test\n// result: partial\n'
    printf '// input: untouched\n// covers: BLOCK\n// blocks: power of two\n// types: int32\n// ops: sum\n// uniform: no\n'
    for header in assert.h float.h limits.h math.h stddef.h stdint.h stdio.h stdlib.h string.h cuda.h cassert cfloat climits \
        cmath cstddef cstdint cstdio cstdlib cstring algorithm array functional limits tuple type_traits utility cub/cub.cuh; do
        echo "#include <$header>"
    done
    cat <<'CU'
static_assert(sizeof(int64_t) == 8 && INT_MAX == 2147483647 && UINT32_MAX == 4294967295u, "");
static_assert(std::is_same<uint8_t, unsigned char>::value && std::numeric_limits<int>::max() == INT_MAX, "");
extern "C" __global__ void includes(int *input, int *output, unsigned n)
{
    typedef cub::WarpReduce<int> reduce;
    __shared__ typename reduce::TempStorage storage[32];
    __shared__ int sums[32];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? input[i] : 0;
    assert(std::min(i, n) <= n && fabsf(-1.0f) < INFINITY && FLT_MAX > 1e38f && std::abs(-2) == 2);
    int sum = reduce(storage[threadIdx.x / 32]).Sum(mine);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned w = 1; w < blockDim.x / 32; w++)
            sum += sums[w];
        memcpy(&output[blockIdx.x], &sum, sizeof sum);
    }
}
CU
} >headers/includes.cu
# shellcheck disable=SC2086
"$redsweep" run --kernels includes --kernel-folder headers $few --out two >said 2>&1 || fail "headers: $(cat said)"

# This is an author's file, with a template that has a parameter UNROLL, host code, and main.
few="$few --types float32 --unrolls 2,4"
mkdir author
cat >author/reduction.cu <<'CU'
// a remark that is no fact
#include <stdio.h>
#include <vector>
#include "nowhere.h"
using namespace std;
template <int UNROLL> __global__ void add(const float *in, float *out, int BLOCK)
{
    extern __shared__ float tile[];
    int i = blockIdx.x * blockDim.x * UNROLL + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < UNROLL; k++)
        if (i + k * (int)blockDim.x < BLOCK)
            sum += in[i + k * blockDim.x];
    tile[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            tile[threadIdx.x] += tile[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = tile[0];
}
int main()
{
    vector<float> v(10);
    add<2><<<1, 32, 128>>>(nullptr, nullptr, 10);
    printf("%f\n", v[0]);
}
CU
cat >author/add.facts <<'FACTS'
// kernel:     add
// idea:       a template of an author
// source:     a test
// code:       reduction.cu
// result:     partial
// input:      untouched
// covers:     BLOCK * UNROLL
// shared:     BLOCK * SIZEOF
// blocks:     power of two
// unroll:     2 4
// types:      float32
// ops:        sum
// uniform:    no
// entry:      add<UNROLL>
// parameters: input output int(N)
FACTS
# shellcheck disable=SC2086
"$redsweep" run --kernels add --kernel-folder author $few --out three >said 2>&1 || fail "an author's file: $(cat said)"
[ "$("$root/tests/count_rows.sh" "$redsweep" three 'status = ok')" -eq 12 ] || fail "rows of an author's file: $("$redsweep" show three)"
hash() { grep -A3 '"name":.*"add"' "$1/run.json" | grep source_hash; }
sed -i 's/a remark/another remark/' author/reduction.cu
# shellcheck disable=SC2086
"$redsweep" run --kernels add --kernel-folder author/add.facts $few --out four >said 2>&1 || fail "facts alone: $(cat said)"
[ -n "$(hash three)" ] && [ "$(hash three)" = "$(hash four)" ] || fail "a remark changes the hash: $(hash three), $(hash four)"
sed -i 's/float sum = 0/float sum = 1/' author/reduction.cu
# shellcheck disable=SC2086
"$redsweep" run --kernels add --kernel-folder author $few --out five >said 2>&1 && fail "another sum is right"
[ "$(hash three)" != "$(hash five)" ] || fail "other code has the same hash"

# Each variant of the file has one error, and the message must name the line in the author's file.
sed -i 's/float sum = 1/float sum = no_such_thing/' author/reduction.cu
# shellcheck disable=SC2086
"$redsweep" run --kernels add --kernel-folder author $few --out six >said 2>&1 && fail "it compiles"
[ "$(grep -c '^compile_error' said)" -eq 2 ] || fail "not one error for each of two variants: $(cat said)"
grep -q 'reduction.cu(9): error: identifier "no_such_thing"' said || fail "the line is not the author's: $(cat said)"
[ "$("$root/tests/count_rows.sh" "$redsweep" six 'status = compile_error')" -eq 12 ] || fail "not every point says that it does not compile"

[ "$failed" -eq 0 ] && echo "test_new: passed"
exit "$failed"
