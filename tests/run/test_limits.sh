#!/bin/sh
# Tests the simulator's limits on CPU time and memory. A point that exceeds a limit fails, its
# reason names the key for that limit, and the other points are measured. Only the parts of an input
# that are used take memory.
set -u
. "$(dirname "$0")/../scratch.sh"
export REDSWEEP_HOME="$root"
cd "$work" && mkdir k || exit 1
export REDSWEEP_CACHE="$work/cache" REDSWEEP_SIM_THREADS=1 REDSWEEP_SIM_BUDGET=1000000000000000

cat >k/endless.cu <<'K'
// kernel:   endless
// idea:     does not end
// source:   a test
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  no
#include "common.cuh"
extern "C" __global__ void endless(element *input, element *output, index_t n)
{
    element x = n;
    while (x)
        asm volatile("" : "+r"(x));
    output[0] = x;
}
K
cat >k/hoards.cu <<'K'
// kernel:   hoards
// idea:     uses all the local memory that a thread may have
// source:   a test
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  no
#include "common.cuh"
extern "C" __global__ void hoards(element *input, element *output, index_t n)
{
    volatile element mine[130000];
    for (unsigned i = threadIdx.x; i < 130000; i += blockDim.x)
        mine[i] = input[0];
    output[blockIdx.x] = mine[n % 130000];
}
K
# run NAME DEVICE KERNELS SIZES LIMIT: runs a sweep into the folder NAME
run() {
    echo "{\"kernels\": [$3], \"sizes\": [$4], \"blocks\": 128, \"metrics\": [], \"kernel_folders\": [\"k\"],
        \"timing\": {\"instruction_limit\": \"2^50\", $5}}" >"$1.json"
    "$redsweep" run "$1.json" --device "$2" --out "$1" >"$1.txt" 2>&1
}
# expect NAME KERNEL N WORDS…: the row must contain WORDS
expect() {
    row=$(grep ",$2,int32,sum,$3," "$1/results.csv")
    run=$1 kernel=$2 n=$3
    shift 3
    for word in "$@"; do
        case $row in
        *"$word"*) ;;
        *) fail "$run, $kernel, $n: no '$word' in: $row" ;;
        esac
    done
}

run cpu sim '"endless", "neighbored"' '128, 4096' '"cpu_limit_s": 0.5'
for n in 128 4096; do
    expect cpu endless $n ',timeout,' 'did not end within 0.5 s of CPU time (timing.cpu_limit_s of the config)'
    expect cpu neighbored $n ',ok,'
done

# The point's own buffers (256 MiB for 2^26 elements) do not count, but local memory does (512 KiB
# in each of 128 threads). The last point shows that the process survived the points that exceeded a
# limit.
run memory sim '"neighbored", "hoards"' '4096, "2^26", 8192' '"memory_limit_mib": 64'
expect memory hoards 4096 ',oom,' "process is 64 MiB in addition to the point's buffers (timing.memory_limit_mib of the config)"
expect memory neighbored 67108864 ',ok,'
expect memory neighbored 4096 ',ok,'
expect memory neighbored 8192 ',ok,'

# The first input is 16 GiB, but a sampled grid reads only a small part of it. The second one is
# 256 MiB and is read in full, because its kernel cannot be sampled.
run sampled sim:sample=8 '"interleaved"' '"2^32"' '"memory_limit_mib": 128'
expect sampled interleaved 4294967296 ',sampled,'
run whole sim:sample=8 '"atomic"' '"2^26"' '"memory_limit_mib": 64'
expect whole atomic 67108864 ',oom,' 'timing.memory_limit_mib'

[ $failed -eq 0 ] && echo "test_limits: passed"
exit $failed
