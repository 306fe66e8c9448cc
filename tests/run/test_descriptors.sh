#!/bin/sh
# No point may fail when standard descriptors are closed, in any combination. The worker's pipes
# must not get the numbers of closed descriptors, because messages to the user would then end up in
# a pipe.
set -u
. "$(dirname "$0")/../scratch.sh"

mkdir "$work/k"
cat >"$work/k/trapk.cu" <<'K'
// kernel:   trapk
// idea:     fails, so that its row is announced on stderr
// source:   a test
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"
extern "C" __global__ void trapk(element *input, element *output, index_t n) { __trap(); }
K
cat >"$work/c.json" <<'J'
{"kernels": ["trapk", "interleaved", "cpu_loop"], "sizes": [1000, 2000, 3000], "blocks": 128,
 "timing": {"min_samples": 3, "max_samples": 5, "budget_s": 0.01}, "kernel_folders": ["k"]}
J
export REDSWEEP_CACHE="$work/cache"

i=0
for closed in "" "0<&-" "1>&-" "2>&-" "0<&- 1>&-" "0<&- 2>&-" "1>&- 2>&-" "0<&- 1>&- 2>&-"; do
    i=$((i + 1))
    sh -c "exec \"\$@\" $closed" sh "$redsweep" run "$work/c.json" --device sim \
        --out "$work/r$i" >"$work/out" 2>&1
    code=$?
    rows=$("$root/tests/count_rows.sh" "$redsweep" "$work/r$i" 'status = ok')
    traps=$("$root/tests/count_rows.sh" "$redsweep" "$work/r$i" 'kernel = trapk and status = launch_error')
    [ "$code" -eq 1 ] && [ "$rows" -eq 6 ] && [ "$traps" -eq 3 ] || {
        echo "test_descriptors: FAILED: with '$closed': exit code $code, $rows ok, $traps trapped"
        cut -d, -f 2-14 "$work/r$i/results.csv"
        failed=1
    }
done
[ "$failed" -eq 0 ] && echo "test_descriptors: passed ($i combinations)"
exit "$failed"
