#!/bin/bash
# What configs/fastest.json finds on a GPU, beside the truth: every point of its space, by racing.
#
#   tests/gpu/search.sh live [SEED...]   transfers (seeds 1 2 3), each with an empty compile cache
#   tests/gpu/search.sh pruned           the space of fastest-pruned.json, raced and exhaustively
#   tests/gpu/search.sh truth SECONDS    the race over all of fastest.json, for so long; call it
#                                        again to go on, until it says that it is complete
#   tests/gpu/search.sh again            the winners of all of these runs once more, in one run
#   tests/gpu/search.sh pack             puts all runs into $OUT
#
# Runs are kept in $BUILD/search. Exit code 3: the truth is not complete yet.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
redsweep=$build/redsweep
runs=$build/search
device=${DEVICE:-cuda}
mkdir -p "$runs"
cd "$root" || exit 1
export REDSWEEP_CACHE=$runs/cache

timed() { # NAME COMMAND...: its wall time goes to times.txt
    name=$1
    shift
    start=$(date +%s.%N)
    "$@" 2>&1 | tail -n 25 | tee "$runs/$name.txt" | grep -v '^$' | head -n 4
    code=${PIPESTATUS[0]}
    end=$(date +%s.%N)
    echo "$name $(echo "$end - $start" | bc 2>/dev/null || awk -v a="$start" -v b="$end" 'BEGIN { printf "%.2f", b - a }') s, exit code $code" |
        tee -a "$runs/times.txt"
    return "$code"
}

case ${1:-} in
live)
    shift
    for seed in "${@:-1 2 3}"; do
        for s in $seed; do
            rm -rf "$runs/live-$s" "$runs/cache-live"
            REDSWEEP_CACHE=$runs/cache-live timed "live-$s" "$redsweep" run configs/fastest.json \
                --device "$device" --search.seed "$s" --out "$runs/live-$s" || exit 1
        done
    done
    rm -rf "$runs/cache-live"
    ;;
pruned)
    rm -rf "$runs/pruned" "$runs/pruned-race" "$runs/cache-pruned"
    REDSWEEP_CACHE=$runs/cache-pruned timed pruned "$redsweep" run configs/fastest-pruned.json \
        --device "$device" --out "$runs/pruned" || exit 1
    rm -rf "$runs/cache-pruned"
    REDSWEEP_CACHE=$runs/cache-pruned timed pruned-race "$redsweep" run configs/fastest-pruned.json \
        --device "$device" --search.strategy race --timing.warmup 1 --out "$runs/pruned-race" || exit 1
    rm -rf "$runs/cache-pruned"
    ;;
truth)
    if [ -e "$runs/truth/run.json" ]; then
        timed truth timeout -s TERM "${2:-300}" "$redsweep" resume "$runs/truth"
    else
        timed truth timeout -s TERM "${2:-300}" "$redsweep" run configs/fastest.json \
            --device "$device" --search.strategy race --out "$runs/truth"
    fi
    "$redsweep" show "$runs/truth" --info | grep '^status'
    "$redsweep" show "$runs/truth" --info | grep -q '^status.*complete' || exit 3
    ;;
again)
    rm -rf "$runs/again"
    all=
    for run in pruned pruned-race truth live-1 live-2 live-3; do
        [ -e "$runs/$run/results.csv" ] && all="$all $runs/$run"
    done
    # shellcheck disable=SC2086 # a list of folders
    timed again "$redsweep" best $all --remeasure "$runs/again" --device "$device"
    ;;
pack)
    : "${OUT:?}"
    cd "$runs" || exit 1
    rm -rf cache cache-*
    tar -cJf "$OUT/search.tar.xz" --exclude='results.json' -- *
    cp ./*.txt "$OUT/"
    ls -l "$OUT"
    ;;
*)
    sed -n '2,13s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
