#!/bin/sh
# "count_wrong": a point whose result is wrong has counts on a GPU (the fake one, fake_cuda.h) where the config asks
# for them, and its status and reason are the same.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
devices=$build/tests/devices
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root" REDSWEEP_CUPTI="$devices/fake_cupti.so" REDSWEEP_NVML="$devices/fake_nvml.so"
export REDSWEEP_CACHE="$devices/fake_cache" FAKE_CUPTI_CHIP=GH100 FAKE_CUDA_RUN=yes
failed=0
fail() { echo "test_count_wrong: FAILED: $*"; failed=1; }

# run NAME true|false
run() {
    cat >"$work/$1.json" <<END
{"name": "$1", "kernels": ["planted_forgets", "interleaved"], "kernel_folders": ["$root/tests/kernels"], "sizes": 1000, "blocks": 128,
 "metrics": ["gld_requests"], "count_wrong": $2, "timing": {"contexts": 1, "min_samples": 2, "max_samples": 2}}
END
    "$devices/fake_gpu/redsweep" run "$work/$1.json" --device cuda --quiet --out "$work/$1" >"$work/said" 2>&1
    [ $? -eq 1 ] || fail "$1 ends not with 1: $(cat "$work/said")"
    "$build/redsweep" show "$work/$1" --columns kernel,status,gld_requests --csv - |
        awk -F, 'NR > 1 { print $1, $2, ($3 == "" ? "uncounted" : "counted") }' | sort
}
without=$(run without false)
with=$(run with true)
[ "$without" = "interleaved ok counted
planted_forgets wrong uncounted" ] || fail "without it: $without"
[ "$with" = "interleaved ok counted
planted_forgets wrong counted" ] || fail "with it: $with"

[ "$failed" -eq 0 ] && echo "test_count_wrong: passed"
exit "$failed"
