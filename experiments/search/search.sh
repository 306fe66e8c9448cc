#!/bin/bash
# Compares the results of configs/fastest.json on a GPU with the truth, which is a race over every
# point of its space.
#
#   experiments/search/search.sh live [SEED...]   searches (seeds 1 2 3), each with an empty compile cache
#   experiments/search/search.sh pruned [SEED...] searches in the space of fastest-pruned.json, and a run of
#                                        all of its points
#   experiments/search/search.sh tops             the fastest 40 points of the truth for each n, and the fastest
#                                        8 in fastest-pruned.json, interleaved
#   experiments/search/search.sh truth SECONDS    the race over all of fastest.json, for SECONDS; call it
#                                        again to continue, until it says that it is complete. One of
#                                        its two runs is for large n: kernels take long there, so one
#                                        sample decides which of a thousand points get more samples
#   experiments/search/search.sh again            the three fastest points of each of these runs for each n and
#                                        all points of tops, interleaved, and a table of the choices that
#                                        are right by these times: again-table.txt. It also uses committed
#                                        runs, named before-*, if you unpack
#                                        results/reference/h200-search-live/runs.tar.xz in $BUILD/search
#   experiments/search/search.sh pack             packs all runs into $OUT
#
# Runs are kept in $BUILD/search. A run of live, pruned, tops or again is stopped after $STEP seconds (120)
# and keeps its measurements, and the next run begins. The exit code is 1 if such a run was stopped or failed,
# and 3 if the truth is not yet complete.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
redsweep=$build/redsweep
runs=$build/search
device=${DEVICE:-cuda}
mkdir -p "$runs"
cd "$root" || exit 1
export REDSWEEP_CACHE=$runs/cache

failed=0
brief="timeout -s INT -k 20 ${STEP:-120}"

timed() { # NAME COMMAND...: its wall time goes to times.txt
    name=$1
    shift
    start=$(date +%s.%N)
    "$@" 2>&1 | tail -n 25 | tee "$runs/$name.txt" | grep -v '^$' | head -n 4
    code=${PIPESTATUS[0]}
    end=$(date +%s.%N)
    echo "$name $(echo "$end - $start" | bc 2>/dev/null || awk -v a="$start" -v b="$end" 'BEGIN { printf "%.2f", b - a }') s, exit code $code" |
        tee -a "$runs/times.txt"
    # exit code 1: the run is doubtful, or some points are not ok, but all points were measured
    [ "$code" -le 1 ] || failed=1
    return "$code"
}

truth_part() { # NAME SIZES RUNGS: begins or goes on until the time in $until
    left=$((until - $(date +%s)))
    is_complete "$1" && return 0
    [ "$left" -gt 5 ] || return 3
    if [ -e "$runs/$1/run.json" ]; then
        timed "$1" timeout -s TERM "$left" "$redsweep" resume "$runs/$1"
    else
        timed "$1" timeout -s TERM "$left" "$redsweep" run configs/fastest.json --device "$device" \
            --sizes "$2" --search.strategy race --search.keep_one_in 3 --search.rungs "$3" --timing.warmup 0 \
            --out "$runs/$1"
    fi
    is_complete "$1"
}

again() { # NAME POINTS.csv: these points, interleaved
    rm -rf "${runs:?}/$1"
    # shellcheck disable=SC2086 # a command
    timed "$1" $brief "$redsweep" run --name "$1" --points "$2" --device "$device" --metrics= \
        --timing.warmup 1 --timing.min_samples 60 --timing.max_samples 300 \
        --timing.relative_width 0.002 --timing.budget_s 0.08 --out "$runs/$1"
}

is_complete() { # RUN
    [ -e "$runs/$1/run.json" ] && "$redsweep" show "$runs/$1" --info | grep -q '^status.*\(complete\|doubtful\)'
}

case ${1:-} in
live)
    shift
    for seed in "${@:-1 2 3}"; do
        for s in $seed; do
            rm -rf "$runs/live-$s" "$runs/cache-live"
            # shellcheck disable=SC2086 # a command
            REDSWEEP_CACHE=$runs/cache-live timed "live-$s" $brief "$redsweep" run configs/fastest.json \
                --device "$device" --search.seed "$s" --out "$runs/live-$s"
            [ -e "$runs/live-$s/run.json" ] || continue
            # Prints how long each phase took in seconds, and each variant in milliseconds.
            "$redsweep" show "$runs/live-$s" --info |
                awk '/^sessions\.0\.seconds\./ { printf "  %s %.2f", substr($1, 20), $2 }' |
                tee -a "$runs/times.txt"
            "$redsweep" show "$runs/live-$s" --columns compile_ms --csv - | awk -F, '
                NR == 1 { for (i = 1; i <= NF; i++) if ($i == "compile_ms") at = i; next }
                $at != "" && !($at in seen) { seen[$at] = 1; n++; sum += $at }
                END { if (n) printf "\n  %d variants, %.1f ms each\n", n, sum / n; else print "" }' |
                tee -a "$runs/times.txt"
        done
    done
    rm -rf "$runs/cache-live"
    ;;
pruned)
    shift
    for name in "${@:-1}" all; do
        search="--search.strategy transfer --search.seed $name"
        [ "$name" = all ] && search=--search.strategy=exhaustive
        rm -rf "$runs/pruned-$name" "$runs/cache-pruned"
        # shellcheck disable=SC2086 # a command, and two options
        REDSWEEP_CACHE=$runs/cache-pruned timed "pruned-$name" $brief "$redsweep" run configs/fastest-pruned.json \
            --device "$device" $search --timing.warmup 1 --out "$runs/pruned-$name"
    done
    rm -rf "$runs/cache-pruned"
    ;;
tops)
    again tops results/reference/h200-search-truth/tops.csv
    ;;
truth)
    until=$(($(date +%s) + ${2:-300}))
    truth_part truth 2^14,2^16,2^18,2^20,2^22,2^24 3,7,15,31 || exit 3
    truth_part truth-large 2^26,2^28,2^30 1,3,7,15,31 || exit 3
    ;;
again)
    all=
    for run in "$runs"/live-* "$runs"/before-* "$runs"/pruned-* "$runs"/truth*; do
        [ -e "$run/results.csv" ] && all="$all $run"
    done
    # shellcheck disable=SC2086 # a list of folders
    python3 experiments/search/search_again.py points "$runs/again.csv" results/reference/h200-search-truth/tops.csv $all &&
        again again "$runs/again.csv"
    # shellcheck disable=SC2086 # a list of folders
    python3 experiments/search/search_again.py table "$runs/again" $all | tee "$runs/again-table.txt"
    [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
    ;;
pack)
    : "${OUT:?}"
    cd "$runs" || exit 1
    rm -rf cache cache-*
    # Some remote machines return only a few files, so pack everything into one.
    tail -n +1 -- *.txt >"$OUT/search.txt"
    XZ_OPT='-T0 -3' tar -cJf "$OUT/search.tar.xz" --exclude='results.json' -- *
    cd "$root" || exit 1
    ls -l "$OUT"
    ;;
*)
    sed -n '2,23s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
exit $failed
