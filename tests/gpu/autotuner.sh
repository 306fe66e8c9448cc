#!/bin/bash
# Kernel Tuner beside redsweep on the GPU at hand, live: onepass_packed, one size, the same space and
# limit, every search with empty compile caches. Then what each found is measured in one interleaved run.
#
#   tests/gpu/autotuner.sh [LIMIT [N]]     LIMIT in seconds for each search (60), N (2^20)
#
# Needs Python with kernel_tuner and cupy. $STRATEGIES: those of Kernel Tuner (random_sample
# genetic_algorithm bayes_opt); $SEEDS: of redsweep's search (1 2 3). Everything is kept in
# $BUILD/autotuner; table.md there is the result. Takes LIMIT for each strategy, and a minute more.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
redsweep=$build/redsweep
device=${DEVICE:-cuda}
limit=${1:-60} n=${2:-2^20}
work=$build/autotuner
rm -rf "$work"
mkdir -p "$work"
cd "$root" || exit 1
peer() { python3 tests/gpu/autotuner.py "$@"; }

ours() { # NAME OPTION…: a search of redsweep; its wall time goes to times.txt
    local name=$1 start end
    shift
    start=$(date +%s.%N)
    REDSWEEP_CACHE=$work/cache-$name "$redsweep" run tests/gpu/autotuner.json \
        --sizes "$n" --device "$device" "$@" --out "$work/$name" >"$work/$name.txt" 2>&1
    code=$?
    end=$(date +%s.%N)
    rm -rf "$work/cache-$name"
    # 1: doubtful, all points measured
    [ $code -le 1 ] || { tail -n 5 "$work/$name.txt"; exit 1; }
    awk -v name="$name" -v a="$start" -v b="$end" 'BEGIN { printf "%s %.2f s\n", name, b - a }' |
        tee -a "$work/times.txt"
}

runs=
for seed in ${SEEDS:-1 2 3}; do
    ours "transfer-$seed" --search.strategy transfer --search.seed "$seed"
    runs="$runs $work/transfer-$seed"
done
ours race --search.strategy race
runs="$runs $work/race"
for strategy in ${STRATEGIES:-random_sample genetic_algorithm bayes_opt}; do
    # Some strategies do not look at their limit.
    CUPY_CACHE_DIR=$work/cupy-$strategy timeout $((limit + 30)) python3 tests/gpu/autotuner.py tune "$work/$strategy.json" --n "$n" \
        --strategy "$strategy" --limit "$limit" >"$work/$strategy.txt" 2>&1
    code=$?
    rm -rf "$work/cupy-$strategy"
    if [ $code -eq 0 ]; then
        tail -n 1 "$work/$strategy.txt"
        runs="$runs $work/$strategy.json"
    else
        echo "$strategy: exit code $code after at most $((limit + 30)) s" | tee -a "$work/failed.txt"
        tail -n 3 "$work/$strategy.txt"
    fi
done
# shellcheck disable=SC2086 # lists of names without spaces
peer points "$work/points.csv" --n "$n" $runs || exit 1
"$redsweep" run --name final --points "$work/points.csv" --device "$device" --metrics= --timing.warmup 1 \
    --timing.min_samples 60 --timing.max_samples 300 --timing.relative_width 0.002 --timing.budget_s 0.08 \
    --out "$work/final" >"$work/final.txt" 2>&1
[ $? -le 1 ] || { tail -n 5 "$work/final.txt"; exit 1; }
# shellcheck disable=SC2086
peer table "$work/final" "$work/times.txt" $runs | tee "$work/table.md"
