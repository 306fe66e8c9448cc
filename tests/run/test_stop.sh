#!/bin/sh
# After SIGTERM, the current round of samples is completed. If each point then has at least
# timing.min_samples samples, the points are kept as they are. Otherwise, resume measures the whole
# group again. The same happens if every process of a job gets the signal, as in batch systems.
# SIGHUP ends the run at once, as does SIGINT, which the test cannot use because a shell does not
# pass it to its background jobs.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
devices=${BUILD:-$root/build}/tests/devices
redsweep=$devices/fake_gpu/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root" REDSWEEP_CACHE="$work/cache" REDSWEEP_CUPTI="$devices/fake_cupti.so"
export REDSWEEP_NVML="$devices/fake_nvml.so"
checks=0 failed=0
ok() { checks=$((checks + 1)); }
fail() { echo "test_stop: FAILED: $*"; cat "$work/out"; failed=1; }

# column NAME: prints the column's cells
column() { "$redsweep" show "$work/r" --columns "$1" --csv - | sed 1d; }
rows() { echo $(($(wc -l <"$work/r/results.csv") - 1)); }
# stop MIN_SAMPLES SIGNAL-LAUNCH: runs groups of two points that are timed endlessly, on a fake GPU
# that sends SIGNAL at this launch (fake_cuda.h). The 40th launch belongs to the tenth sample or a
# later one, however busy the machine is.
stop() {
    rm -rf "$work/r"
    cat >"$work/c.json" <<J
{"name": "c", "kernels": ["smem", "interleaved"], "sizes": [1024, 4096], "blocks": 128, "metrics": [],
 "timing": {"min_samples": $1, "max_samples": 100000, "relative_width": 0, "budget_s": 3600, "contexts": 1,
            "point_limit_s": 600}}
J
    FAKE_CUDA_KERNEL="smem=$2" "$redsweep" run "$work/c.json" --device cuda --out "$work/r" >"$work/out" 2>&1
    code=$?
    [ $code -eq 3 ] || fail "$what: exit code $code, not 3"
}

what="enough samples"
stop 3 term-40
[ "$(rows)" -eq 2 ] && [ "$(column stopped_by | sort -u)" = signal ] && ok || fail "$what"
first=$(column samples | head -1)
[ "$first" -ge 3 ] && [ "$(grep -c . "$work/r/samples.csv")" -eq $(($(column samples | awk '{ s += $1 } END { print s }') + 1)) ] &&
    ok || fail "$what: samples"

what="the whole job"
stop 3 jobterm-40
[ "$(rows)" -eq 2 ] && [ "$(column status | sort -u)" = ok ] && ok || fail "$what"

what="too few samples"
stop 100000 term-40
[ "$(rows)" -eq 0 ] && ok || fail "$what"

what="SIGHUP"
stop 3 hup-40
[ "$(rows)" -eq 0 ] && ok || fail "$what"

[ $failed -eq 0 ] && echo "test_stop: $checks checks passed"
exit $failed
