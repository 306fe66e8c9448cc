#!/bin/sh
# On the simulator, a busy machine changes no status, because the limit is on a point's work and not
# on its time. Points that take many times timing.point_limit_s get right results, even if the
# worker is stopped for a while. A kernel that does not end times out at a limit of instructions,
# which is the same in each run.
set -u
. "$(dirname "$0")/../scratch.sh"
export REDSWEEP_CACHE="$work/cache" REDSWEEP_SIM_THREADS=1

mkdir "$work/k"
cat >"$work/k/endless.cu" <<'K'
// kernel:   endless
// idea:     one warp of the grid does not end
// source:   a test
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"
extern "C" __global__ void endless(element *input, element *output, index_t n)
{
    if (blockIdx.x == 1)
        while (*(volatile element *)input != 12345) { }
    if (threadIdx.x == 0)
        output[blockIdx.x] = input[0];
}
K
cat >"$work/k/crowd.cu" <<'K'
// kernel:   crowd
// idea:     many warps, each far below the limit, but too many
// source:   a test
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  no
#include "common.cuh"
extern "C" __global__ void crowd(element *input, element *output, index_t n)
{
    for (int i = 0; i < 20000; i++)
        ((volatile element *)output)[blockIdx.x] = input[0];
}
K
cat >"$work/c.json" <<'J'
{"kernels": ["divergence_thread", "neighbored", "endless", "crowd"], "sizes": ["2^14"], "blocks": 128, "kernel_folders": ["k"],
 "timing": {"max_samples": 0, "point_limit_s": 0.1, "instruction_limit": 2000000}}
J
export REDSWEEP_SIM_BUDGET=16000000

# A run's worker is its only child.
worker() { ps -o pid= --ppid "$1" | head -1; }

# stop_worker: stops the worker up to six times for half a second each. Sets $stops to the number of
# stops, which is 0 if the run ended before the first one.
stop_worker() {
    stops=0
    until [ -e "$work/r$run/results.csv" ]; do sleep 0.02; done
    while [ $stops -lt 6 ] && child=$(worker $pid) && [ -n "$child" ]; do
        kill -STOP "$child" && sleep 0.5 && kill -CONT "$child" && stops=$((stops + 1))
        sleep 0.1
    done
}

run=0 tries=0
for load in none nice stopped stopped stopped stopped; do
    [ $load = stopped ] && [ $tries -gt 0 ] && [ $stops -gt 0 ] && break
    [ $tries -gt 0 ] || run=$((run + 1))
    rm -rf "$work/r$run"
    began=$(date +%s)
    case $load in
    nice) nice -n 19 "$redsweep" run "$work/c.json" --device sim --out "$work/r$run" >"$work/said" 2>&1 & ;;
    *) "$redsweep" run "$work/c.json" --device sim --out "$work/r$run" >"$work/said" 2>&1 & ;;
    esac
    pid=$!
    [ $load != stopped ] || { tries=$((tries + 1)); stop_worker; }
    wait $pid
    code=$?
    [ $code -eq 1 ] || { fail "$load: exit code $code"; cat "$work/said"; }
    # Leaves out the columns that differ between runs.
    "$redsweep" show "$work/r$run" --sort kernel --csv - --columns \
        'kernel,type,op,n,block,grid,cache,scope,status,reason,gld_transactions,inst_per_warp,warp_execution_efficiency,result,rel_error' \
        >"$work/rows$run"
    echo "test_load: $load: $(($(date +%s) - began)) s"
done
[ $stops -ge 1 ] || fail "the worker was not stopped in $tries runs"
ok=$(grep -c ',ok,' "$work/rows1")
[ "$ok" -eq 2 ] || { fail "$ok points are ok"; cat "$work/rows1"; }
grep 'endless' "$work/rows1" | grep -q ',timeout,.*2000000 per warp' || { fail 'endless'; cat "$work/rows1"; }
grep 'crowd' "$work/rows1" | grep -q ',timeout,.*REDSWEEP_SIM_BUDGET=16000000' || { fail 'crowd'; cat "$work/rows1"; }
for run in 2 3; do # launches may have been ended at different instructions
    sed 's/the work of [0-9]* warp/the work of N warp/; s/thread ([0-9,]*)/thread/g; s/block ([0-9,]*)/block/g' "$work/rows$run" >"$work/rows"
    sed 's/the work of [0-9]* warp/the work of N warp/; s/thread ([0-9,]*)/thread/g; s/block ([0-9,]*)/block/g' "$work/rows1" |
        cmp -s - "$work/rows" || { fail "run $run differs"; diff "$work/rows1" "$work/rows$run"; }
done
[ "$failed" -eq 0 ] && echo "test_load: passed"
exit "$failed"
