#!/bin/bash
# Runs Kernel Tuner and redsweep on this machine's GPU. Both tune onepass_packed at
# one size, with the same space and the same time limit. Every search starts with empty compile
# caches. Then one interleaved run measures the configurations that the searches found.
#
#   experiments/search/autotuner.sh [LIMIT [N]]     LIMIT is the seconds of each search (60); N is the size (2^20)
#
# It needs Python with kernel_tuner and cupy. $STRATEGIES lists the strategies of Kernel Tuner (random_sample
# genetic_algorithm bayes_opt), and $SEEDS lists the seeds of redsweep's search (1 2 3). Everything is kept in
# $BUILD/autotuner. The result is table.md in that folder. If OUT is set, the files are also packed into $OUT.
# The script takes LIMIT seconds for each search, and one more minute. If a search fails, it is named in
# failed.txt, the other searches still run, and the exit code is 1.
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
peer() { python3 experiments/search/autotuner.py "$@"; }
failed() { # NAME CODE: its output is NAME.txt
    echo "$1: exit code $2" | tee -a "$work/failed.txt"
    tail -n 5 "$work/$1.txt"
}

ours() { # NAME OPTION…: a search of redsweep, into $runs; its wall time goes to times.txt
    local name=$1 start end code
    shift
    start=$(date +%s.%N)
    REDSWEEP_CACHE=$work/cache-$name timeout -s INT -k 20 $((limit + 30)) "$redsweep" run experiments/search/autotuner.json \
        --sizes "$n" --device "$device" "$@" --out "$work/$name" >"$work/$name.txt" 2>&1
    code=$?
    end=$(date +%s.%N)
    rm -rf "$work/cache-$name"
    # exit code 1: the run is doubtful, but all points were measured
    [ $code -le 1 ] || { failed "$name" $code; return; }
    runs="$runs $work/$name"
    awk -v name="$name" -v a="$start" -v b="$end" 'BEGIN { printf "%s %.2f s\n", name, b - a }' |
        tee -a "$work/times.txt"
}

runs=
for seed in ${SEEDS:-1 2 3}; do
    ours "transfer-$seed" --search.strategy transfer --search.seed "$seed"
done
ours race --search.strategy race
for strategy in ${STRATEGIES:-random_sample genetic_algorithm bayes_opt}; do
    # Some strategies ignore their limit.
    CUPY_CACHE_DIR=$work/cupy-$strategy timeout $((limit + 30)) python3 experiments/search/autotuner.py tune "$work/$strategy.json" --n "$n" \
        --strategy "$strategy" --limit "$limit" >"$work/$strategy.txt" 2>&1
    code=$?
    rm -rf "$work/cupy-$strategy"
    if [ $code -eq 0 ]; then
        tail -n 1 "$work/$strategy.txt"
        runs="$runs $work/$strategy.json"
    else
        failed "$strategy" $code
    fi
done
# shellcheck disable=SC2086 # lists of names without spaces
finish() {
    peer points "$work/points.csv" --n "$n" $runs || return 1
    timeout -s INT -k 20 120 "$redsweep" run --name final --points "$work/points.csv" --device "$device" \
        --metrics= --timing.warmup 1 --timing.min_samples 60 --timing.max_samples 300 \
        --timing.relative_width 0.002 --timing.budget_s 0.08 --out "$work/final" >"$work/final.txt" 2>&1
    code=$?
    [ $code -le 1 ] || { failed final $code; return 1; }
    peer table "$work/final" "$work/times.txt" $runs >"$work/table.md" && cat "$work/table.md"
}
finish || echo "no table" | tee -a "$work/failed.txt"
if [ -n "${OUT:-}" ]; then
    tar -C "$work" -cJf "$OUT/autotuner.tar.xz" --exclude=results.json .
    cp "$work"/table.md "$work"/failed.txt "$OUT/" 2>/dev/null
fi
[ ! -e "$work/failed.txt" ]
