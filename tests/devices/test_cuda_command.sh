#!/bin/sh
# Runs the whole program on a fake GPU (fake_cuda.h). Checks exit codes and messages, energy, a
# library of host code that replaces CUB's, and a run that ends because the device is dead and is
# then resumed.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
devices=$(cd "${BUILD:-$root/build}/tests/devices" && pwd) || exit 1
redsweep=$devices/fake_gpu/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root" REDSWEEP_CACHE="$devices/fake_cache"
export REDSWEEP_CUPTI="$devices/fake_cupti.so" REDSWEEP_NVML="$devices/fake_nvml.so"
export FAKE_CUPTI_CHIP=GH100
failed=0

fail() {
    echo "test_cuda_command: FAILED: $*"
    cat "$work/err"
    failed=1
}

# try FAULT CODE WORDS ARGUMENTS…: checks that the program exits with CODE and prints WORDS on
# stderr. FAULT is an environment variable with its value, or "".
try() {
    fault=$1 code=$2 words=$3
    shift 3
    env ${fault:+"$fault"} "$redsweep" "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "$fault $*: exit code $got, not $code"
    grep -q "$words" "$work/err" || fail "$fault $*: nothing about '$words'"
}

rows() { # FOLDER STATUS: counts the rows with this status
    grep -c ",$2," "$work/$1/results.csv"
}

cat >"$work/two.json" <<'JSON'
{"kernels": ["smem", "interleaved"], "sizes": [1024, 4096], "blocks": 128, "timing": {"max_samples": 3, "contexts": 1}}
JSON
echo '{"kernels": "cub", "sizes": [1000, 65536], "blocks": 256, "metrics": []}' >"$work/cub.json"

try "" 0 "4 points: 4 ok" run "$work/two.json" --device cuda --out "$work/fine"
try "" 0 "4 points: 4 ok" run "$work/two.json" --out "$work/auto"
grep -q "NVIDIA Fake 0" "$work/auto/results.csv" || fail "auto did not take the GPU"
try "" 2 "write a number of at most 0" run "$work/two.json" --device cuda:1 --out "$work/none"
try "FAKE_CUDA_FAIL=cudaGetDeviceCount:1=35" 2 "install an NVIDIA driver" \
    run "$work/two.json" --device cuda --out "$work/none"
try "FAKE_CUDA_DEVICES=0" 2 "has no visible NVIDIA GPU" \
    run "$work/two.json" --device cuda --out "$work/none"
[ ! -e "$work/none" ] || fail "a run without a device left a folder"

"$redsweep" list devices >"$work/out" 2>&1
grep -q "^cuda:0    *NVIDIA Fake 0 .*, GPU-.*, compute capability 9.0" "$work/out" || fail "list devices: $(cat "$work/out")"
"$redsweep" list devices --json >"$work/out" 2>&1
grep -q '"uuid":.*"GPU-' "$work/out" || fail "list devices --json: $(cat "$work/out")"

# `--dry-run` measures no point, but asks the GPU how often a launch must be repeated to read all
# counters.
"$redsweep" run "$work/two.json" --dry-run >"$work/out" 2>"$work/err"
grep -q "^  passes      [1-9][0-9]* " "$work/out" || fail "run --dry-run: $(cat "$work/out")"

# A search compiles the variants of each batch itself, each variant once.
search="run --kernels unroll,shuffle --sizes 1024,4096 --blocks 64,128,256,512 --scope complete --metrics=
    --timing.contexts 1 --search.strategy transfer --search.start 6 --search.probes 3"
# shellcheck disable=SC2086 # options
try "" 0 "^The search measured .* of 72 points. Of these, 9 were chosen at random" $search --out "$work/search"
"$devices/fake_gpu/redsweep" show "$work/search" --columns status,compile_ms --csv - | awk -F, 'NR > 1 && ($1 != "ok" || $2 <= 0) { bad++ }
    END { exit !(NR > 20 && NR <= 73 && !bad) } # how many depends on times, which are real here' ||
    fail "rows of a search: $(head -3 "$work/search/results.csv")"

# tests/gpu/queue_slot.c, which shows queue slots and slips on a real GPU, runs here on a fake GPU
# with a period of 4.
FAKE_CUDA_SLOTS=4 FAKE_CUDA_RUN=no "$devices/fake_gpu/queue_slot" >"$work/out" 2>"$work/err" ||
    fail "queue_slot: exit code $?"
grep -q "queue_slot: passed: period 4" "$work/out" || fail "queue_slot did not find the period"
grep -q "of 450 without a slip 0 repeated, of 50 with one 0 not" "$work/out" ||
    fail "queue_slot: slips were missed"

try "FAKE_CUPTI_FAIL=cuptiRangeProfilerEnable:35" 0 "NVreg_RestrictProfilingToAdminUsers=0" \
    run "$work/two.json" --out "$work/denied"
try "FAKE_CUPTI_FAIL=cuptiRangeProfilerEnable:35" 1 "only administrators" \
    run "$work/two.json" --out "$work/required" --require-metrics

try "FAKE_CUDA_FAIL=cudaLaunchKernelExC:1+=719" 3 "lost 3 times without a correct result" \
    run "$work/two.json" --out "$work/dead"
grep -q "redsweep resume '$work/dead'" "$work/err" || fail "nothing about how to go on"
try "" 1 "4 points: 1 ok 3 launch_error" resume "$work/dead"
[ "$(rows dead ok)" -eq 1 ] || fail "the row that was missing is not there"

# These two results come from the fake library, which computes a sum of int32 and refuses all other
# operations and types.
try "" 0 "2 points: 2 ok" run "$work/cub.json" --device cuda --out "$work/cub"
sed 's/{/{"types": "float32", /' "$work/cub.json" >"$work/float.json"
try "" 1 "launching kernels from a library: operation not supported" \
    run "$work/float.json" --device cuda --out "$work/float"
[ "$(rows float unsupported)" -eq 2 ] || fail "a status of the library is not in the rows"

# The fastest points are measured again, with their energy. Launches take 2 ms. smem is faster than
# interleaved and takes less power.
export FAKE_CUDA_SLOW=0:99900 FAKE_CUDA_WORK=10 FAKE_CUDA_WATTS=smem=300,interleaved=500
energies() { # prints the kernel, and its energy in percent of power times time, for each row that has an energy
    "$devices/fake_gpu/redsweep" show "$work/$1" --columns kernel,n,energy_uj,time_us_median --csv - |
        awk -F, 'NR > 1 && $3 { watts = $1 == "smem" ? 300 : 500
            error = $3 / (watts * $4) - 1
            print $1, $2, (error < 0.05 && error > -0.05 ? "right" : error) }' | sort
}
all_right="interleaved 128 right
interleaved 256 right
smem 128 right
smem 256 right"
try "" 0 "4 points: 4 ok" run --kernels smem,interleaved --sizes 128,256 --blocks 128 --cache warm \
    --scope kernel --metrics= --timing.contexts 1 --timing.max_samples 20 --out "$work/times"
# Kills the run at the moment when it can be resumed, whatever it is doing. The run may already have
# ended.
"$redsweep" best "$work/times" --remeasure "$work/joules" --energy >"$work/out" 2>"$work/err" &
pid=$!
until [ -s "$work/joules/run.json" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
grep -q "the energy of 4 finalists of 2 problems takes about 43 s" "$work/err" || fail "nothing about how long it takes"
"$redsweep" resume "$work/joules" --wait-lock 60 >"$work/out" 2>"$work/err" || fail "resume: exit code $?"
[ "$(energies joules)" = "$all_right" ] || fail "energies: $(energies joules)"
"$redsweep" best "$work/joules" >"$work/out" 2>"$work/err" || fail "best of energies: exit code $?"
grep -q 'smem, block 128 .* unbeaten' "$work/out" || fail "smem is beaten: $(cat "$work/out")"
grep 'interleaved, block 128' "$work/out" | grep -q unbeaten && fail "interleaved is not beaten: $(cat "$work/out")"
unset FAKE_CUDA_SLOW FAKE_CUDA_WORK FAKE_CUDA_WATTS

try "FAKE_NVML_FAIL=nvmlDeviceGetTotalEnergyConsumption:3" 2 "energy cannot be measured here: this GPU has no energy counter" \
    best "$work/times" --remeasure "$work/none" --energy
try "FAKE_NVML_MIG=1" 2 "energy cannot be measured here: MIG is on" run "$work/two.json" --timing.energy_s 1 --dry-run
[ ! -e "$work/none" ] || fail "a run without energy left a folder"

[ "$failed" -eq 0 ] && echo "test_cuda_command: passed"
exit "$failed"
