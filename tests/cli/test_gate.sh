#!/bin/sh
# Runs redsweep gate from end to end, with counts on the simulator and times on the fake GPU
# (fake_cuda.h), where a launch with more instructions takes longer.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
devices=$build/tests/devices
fake=$devices/fake_gpu/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root" REDSWEEP_CUPTI="$devices/fake_cupti.so" REDSWEEP_NVML="$devices/fake_nvml.so"
export FAKE_CUPTI_CHIP=GH100 FAKE_CUDA_WORK=16
failed=0
number=0

fail() {
    echo "test_gate: FAILED: $*"
    tail -25 "$work/out"
    failed=1
}

# expect CODE WORDS PROGRAM CONFIG ARGUMENTS…: the gate must exit with CODE and print WORDS. Its
# folder is $out.
expect() {
    code=$1 words=$2 program=$3 config=$4
    shift 4
    number=$((number + 1))
    out=$work/out-$number
    (cd "$work" && "$program" gate "$config" --out "$out" "$@") >"$work/out" 2>&1
    got=$?
    [ "$got" -eq "$code" ] || fail "$*: exit code $got, not $code"
    grep -q "$words" "$work/out" || fail "$*: nothing about '$words'"
}
sim() { # CODE WORDS CANDIDATE ARGUMENTS…
    code=$1 words=$2 candidate=$3
    shift 3
    expect "$code" "$words" "$build/redsweep" "$work/counts.json" --device sim \
        --baseline "$work/baseline" --candidate "$work/$candidate" "$@"
}
gpu() {
    code=$1 words=$2 candidate=$3
    shift 3
    expect "$code" "$words" "$fake" "$work/times.json" --device cuda \
        --baseline "$work/baseline" --candidate "$work/$candidate" "$@"
}
rows() { # FOLDER PATTERN
    grep -c "$2" "$out/$1/results.csv"
}

# The baseline is three kernels in a folder without headers. If a candidate's own header defines
# EXTRA, the kernels execute an extra load.
mkdir "$work/baseline"
for kernel in unroll smem_unroll interleaved; do
    awk -v kernel=$kernel '{ print }
        /^\{/ && !done++ {
            print "#ifdef EXTRA"
            print "    if (threadIdx.x == 0) (void)*(volatile element *)input;"
            print "#endif"
        }' "$root/kernels/book/$kernel.cu" >"$work/baseline/$kernel.cu"
done
copy() { cp -r "$work/baseline" "$work/$1"; }
copy same
PLANT=loads "$root/tests/gpu/plant.sh" "$work/baseline" unroll 1 "$work/loads" || fail "nothing planted"
# The folder `deep` has the same kernels in a subfolder that an index names. The headers that all
# kernels include are in a folder next to it.
mkdir -p "$work/deep/book" "$work/deep/lib" && cp "$work/baseline"/*.cu "$work/deep/book" && echo "folder book" >"$work/deep/index.txt"
cp -r "$work/deep" "$work/deep_extra"
cp "$root"/kernels/lib/*.cuh "$work/deep_extra/lib"
echo "#define EXTRA" >>"$work/deep_extra/lib/common.cuh"
copy header
cp "$root"/kernels/lib/*.cuh "$work/header" # the kernels include the common.cuh next to them
echo "#define EXTRA" >>"$work/header/common.cuh"
copy less && rm "$work/less/unroll.cu"
copy more && sed 's/\bunroll\b\([^:]\|$\)/other_unroll\1/' "$work/baseline/unroll.cu" >"$work/more/other_unroll.cu"
copy broken && echo "no code" >>"$work/broken/unroll.cu"
copy wrong && sed -i 's/output\[blockIdx.x\] = /&1 + /' "$work/wrong/unroll.cu"
cmp -s "$work/wrong/unroll.cu" "$work/baseline/unroll.cu" && fail "nothing is wrong"
# In this copy, one of 64 threads executes extra loads. The results stay the same.
copy slow
sed -i '0,/^{/s//{ if (threadIdx.x == 0) for (int k = 0; k < 8; k++) (void)*(volatile element *)input;/' \
    "$work/slow/unroll.cu"

cat >"$work/counts.json" <<'JSON'
{"kernels": "*", "sizes": [1000, 16384], "blocks": [64, 128], "unrolls": 4, "metrics": ["gld_requests"]}
JSON
sim 0 "^Exit code 0: nothing fails" same
[ "$(rows baseline ,ok,)" -eq 12 ] && [ "$(rows candidate ,ok,)" -eq 12 ] || fail "not 12 rows a side"
counts_of() { "$root/tests/rows_of.sh" "$build/redsweep" "$out/$1"; }
[ -n "$(counts_of baseline)" ] && [ "$(counts_of baseline)" = "$(counts_of candidate)" ] || fail "the same kernels count differently"
sim 0 "^Exit code 0: nothing fails" deep
[ "$(rows candidate ,ok,)" -eq 12 ] || fail "not 12 rows of sub-folders"
sim 1 "worse counts: 12 values" deep_extra
sim 1 "worse counts: 4 values" loads
sim 0 "worse counts: 4 values" loads --fail-on wrong,missing
sim 1 "worse counts: 12 values" header
sim 1 "missing: 4 points vanished" less
sim 0 "4 only in b" more
sim 1 "wrong: 4 points" wrong
sim 1 "missing: 4 failed" broken
# A gate that compares neither times nor counts exits with 2, unless --fail-on asks for nothing but
# statuses.
sim 2 "^Exit code 2: nothing was compared: .*--metrics gld_requests" same --metrics= --junit "$work/junit" \
    --markdown "$work/markdown"
grep -q 'tests="1" failures="0" errors="1"' "$work/junit" && grep -q '<error message="Exit code 2: ' "$work/junit" ||
    fail "JUnit knows of no error: $(cat "$work/junit")"
grep -q '^\*\*UNDECIDED: nothing was compared\*\*' "$work/markdown" && grep -q '^Exit code 2: nothing was compared: ' "$work/markdown" || fail "the comment does not begin with it"
sim 2 "nothing was compared" same --metrics= --strict
sim 2 "nothing was compared: no time could be judged" same --fail-on slow
sim 0 "^Exit code 0: nothing fails. There are no times to compare; compared: 12 statuses" same --metrics= --fail-on wrong,missing
sim 1 "wrong: 4 points" wrong --metrics=
expect 0 "better counts: 12 values" "$build/redsweep" "$work/counts.json" --device sim \
    --baseline "$work/header" --candidate "$work/baseline"
expect 2 "needs --candidate DIR" "$build/redsweep" "$work/counts.json" --baseline "$work/same"
sim 2 "No such file" nowhere
[ ! -e "$out" ] || fail "a gate without a candidate left a folder"
"$build/redsweep" resume "$work/out-1/candidate" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "Start the gate again" "$work/out" || fail "one side was resumed"
"$build/redsweep" show "$work/out-1/candidate" --where 'kernel = unroll' >"$work/out" 2>&1 ||
    fail "a side is no run"

cat >"$work/times.json" <<'JSON'
{"kernels": "*", "sizes": {"log2": [13, 16]}, "blocks": [64, 128, 256], "unrolls": 4, "cache": "all",
 "metrics": [], "timing": {"contexts": 1, "min_samples": 10, "max_samples": 10}}
JSON
gpu 0 "^Exit code 0: nothing fails" same --confirm
[ ! -e "$out/confirm" ] || fail "something was measured again where nothing is slow"
gpu 1 "slower: 1 kernel" slow
grep -q "  unroll .*SLOW" "$work/out" || fail "not unroll is slow"
grep -q "  \(smem_unroll\|interleaved\) .*\(SLOW\|FAST\) *[-+]" "$work/out" && fail "another kernel is named"
# With --confirm, another process measures just the slow kernel, which is slow again.
gpu 1 "slower: 1 kernel" slow --confirm
[ "$(rows confirm/candidate ",unroll,.*,ok,")" -eq 24 ] || fail "not all of unroll was measured again"
[ "$(rows confirm/candidate ",ok,")" -eq 24 ] || fail "more was measured again than was slow"
[ "$(rows baseline ",ok,")" -eq 72 ] || fail "the first runs lack rows"
# If every process is lost, the gate has no verdict.
FAKE_CUDA_FAIL=cudaLaunchKernelExC:1+=719
export FAKE_CUDA_FAIL
gpu 3 "stopped before it reached a verdict" same

[ "$failed" -eq 0 ] && echo "test_gate: passed"
exit "$failed"
