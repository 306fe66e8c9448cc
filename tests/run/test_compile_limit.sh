#!/bin/sh
# If a kernel compiles forever or uses up memory, only its own points are lost. Their status is
# compile_error, and the reason names the limit. All other points are measured. resume compiles the
# kernel again only on request.
set -u
. "$(dirname "$0")/../scratch.sh"

mkdir "$work/k"
{
    cat <<'K'
// kernel:   endless
// idea:     a constant of 10^9 terms
// source:   a test
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"
#define A0 1
K
    for i in 1 2 3 4 5 6 7 8 9; do
        a=A$((i - 1))
        echo "#define A$i $a+$a+$a+$a+$a+$a+$a+$a+$a+$a"
    done
    echo 'extern "C" __global__ void endless(element *input, element *output, index_t n) { output[0] = A9; }'
} >"$work/k/endless.cu"
export REDSWEEP_CACHE="$work/cache"

# counted STATUS KERNEL REASON: prints how many rows have this status, this kernel, and REASON in
# the reason
counted() { grep ",$2," "$work/r/results.csv" | grep ",$1," | grep -c "$3"; }

# try KEY VALUE REASON: runs a sweep with the limit KEY lowered to VALUE
try() {
    rm -rf "$work/r"
    cat >"$work/c.json" <<J
{"kernels": ["endless", "interleaved"], "sizes": [4096, 8192], "kernel_folders": ["k"],
 "timing": {"max_samples": 0, "point_limit_s": 5, "$1": $2}}
J
    "$redsweep" run "$work/c.json" --device sim --out "$work/r" >"$work/out" 2>&1
    code=$?
    [ "$code" -eq 1 ] || { fail "$1: exit code $code"; cat "$work/out"; }
    [ "$(counted compile_error endless "$3")" -eq 2 ] || { fail "$1: endless"; cat "$work/r/results.csv"; }
    [ "$(counted ok interleaved .)" -eq 2 ] || fail "$1: interleaved"
}

# The other kernel comes from the cache, so it cannot hit the limit.
"$redsweep" run --kernels interleaved --sizes 4096,8192 --device sim --timing.max_samples 0 --out "$work/first" \
    >"$work/out" 2>&1 || fail "interleaved alone: $(cat "$work/out")"
limit=2
try compile_limit_s $limit "did not compile within $limit s"
"$redsweep" resume "$work/r" >"$work/out" 2>&1
[ $? -eq 1 ] || fail "resume"
grep -q compiling "$work/out" && fail "resume compiles again"
sed -i '/,interleaved,/d' "$work/r/results.csv" # as if the run had ended before these rows
: >"$work/r/samples.csv.new" && head -1 "$work/r/samples.csv" >"$work/r/samples.csv.new" &&
    mv "$work/r/samples.csv.new" "$work/r/samples.csv"
"$redsweep" resume "$work/r" >"$work/out" 2>&1
# Compiling "endless" again would take as long as the limit.
"$redsweep" show "$work/r" --info | sed -n 's/^sessions\.\([1-9]\)\.seconds\.compile\t//p' |
    awk -v limit=$limit '$1 >= limit { late = 1 } END { exit NR < 1 || late }' || fail "resume compiles what has its rows"
[ "$(counted ok interleaved .)" -eq 2 ] || { fail "resume: interleaved"; cat "$work/out"; }
"$redsweep" resume "$work/r" --retry compile_error >"$work/out" 2>&1
[ "$(counted compile_error endless "did not compile within $limit s")" -eq 2 ] || fail "--retry"
if nm "$redsweep" | grep -q __asan_init; then
    echo "test_compile_limit: the limit of memory is skipped: AddressSanitizer reserves its heap of" \
        "terabytes beforehand, so that no limit of address space stops it from growing"
else
    try compile_memory_mib 300 "timing.compile_memory_mib"

# Without the compiler, no kernel compiles. Once it is back, the points can be measured.
cat >"$work/c.json" <<'J'
{"kernels": "interleaved", "sizes": [4096, 8192], "timing": {"max_samples": 0}}
J
rm -rf "$work/r"
REDSWEEP_CACHE="$work/none" REDSWEEP_NVRTC="$work/nowhere" "$redsweep" run "$work/c.json" --device sim --out "$work/r" >"$work/out" 2>&1
[ $? -eq 1 ] && [ "$(counted compile_error interleaved .)" -eq 2 ] || { fail "without NVRTC"; cat "$work/out"; }
"$redsweep" resume "$work/r" --retry compile_error >"$work/out" 2>&1 && [ "$(counted ok interleaved .)" -eq 2 ] ||
    { fail "resume after a run without NVRTC"; cat "$work/out"; }

# Commands without a config take the same limits as options.
"$redsweep" racecheck endless --kernel-folder "$work/k" --compile-limit-s 2 >"$work/out" 2>&1
code=$?
[ "$code" -eq 1 ] && grep -q "endless failed: .*did not compile within 2 s" "$work/out" ||
    { fail "racecheck --compile-limit-s: $code"; cat "$work/out"; }
cat >"$work/k/spins.cu" <<'K'
// kernel:   spins
// idea:     compiles, and does not end
// source:   a test
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"
extern "C" __global__ void spins(element *input, element *output, index_t n)
{
    while (*(volatile element *)input != 12345) { }
    output[0] = input[0];
}
K
"$redsweep" racecheck spins --kernel-folder "$work/k" --instruction-limit 5000 >"$work/out" 2>&1
code=$?
[ "$code" -eq 1 ] && grep -q "5000 per warp" "$work/out" ||
    { fail "racecheck --instruction-limit: $code"; cat "$work/out"; }
fi

[ "$failed" -eq 0 ] && echo "test_compile_limit: passed"
exit "$failed"
