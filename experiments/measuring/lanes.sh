#!/usr/bin/env bash
# Compares several cards in one host: whether a card measures the same times while the others are
# busy, how much the times of the cards differ, and how much less time several cards take than one.
# Needs at least two identical idle cards.
#
#   experiments/measuring/lanes.sh [STEP …]     all steps, about six minutes on two H200s
#
#   aa       configs/aa.json on each card alone and while all others run configs/ladder.json
#   ladder   configs/ladder.json on all cards and on one card, to compare the wall times
#   each     configs/aa.json on every card at the same time (run --each). For each size, the cards are
#            compared with the first card in cards.txt, and, if gnuplot is installed, in cards.svg
#   shards   configs/aa.json as one shard per card; the shards are merged
#   kill     configs/aa.json on all cards while one card's process is killed
#
# $AA and $LADDER name configs that replace aa.json and ladder.json. The step `aa` compares $AA_RUNS runs of
# each kind (3), on the cards whose numbers $CARDS lists (all). The runs and lanes.txt are written to
# ${OUT:-build/lanes}. The exit code is 1 if a step failed. `aa` fails if, for one of the cache states, more
# than 5 % of the points differ on average between a run alone and a run beside busy cards (p < 0.05).
# `ladder` fails if C cards take more than 1.2/C of the time of one card. Any step fails if rows are missing
# in a run, in the merged run or in the run with the killed process.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
redsweep=${REDSWEEP:-$build/redsweep}
out=${OUT:-$build/lanes}
mkdir -p "$out"
report=$out/lanes.txt
aa=${AA:-configs/aa.json} ladder=${LADDER:-configs/ladder.json}
points=${AA_POINTS:-792}
runs=$(seq "${AA_RUNS:-3}")
[ $# -gt 0 ] || set -- aa ladder each shards kill
failed=0
load=

say() { echo "$@" | tee -a "$report"; }
fail() { say "FAILED: $*"; failed=1; }
now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }
rows() { # RUN; 0 if there is none
    "$redsweep" show "$1" --columns id --csv - 2>/dev/null | sed 1d | wc -l
}
run() { # FOLDER DEVICE ARGUMENTS…
    folder=$1 device=$2
    shift 2
    rm -rf "$folder"
    "$redsweep" run "$@" --device "$device" --out "$folder" --quiet >>"$out/log.txt" 2>&1
}

# Keeps the other cards busy with a sweep of the ladder until done.
begin_load() { # DEVICES
    rm -rf "$out/load"
    "$redsweep" run "$ladder" --device "$1" --out "$out/load" --quiet >>"$out/log.txt" 2>&1 &
    load=$!
    for _ in $(seq 600); do
        [ "$(rows "$out/load")" -gt 20 ] && return
        kill -0 $load 2>/dev/null || break
        sleep 0.1
    done
    fail "the other cards' sweep did not begin"
}
end_load() {
    kill -TERM $load 2>/dev/null || fail "the other cards' sweep had ended before"
    wait $load
    say "meanwhile the others have measured $(rows "$out/load") points of the ladder"
    rm -rf "$out/load"
}

others() { # CARD
    seq 0 $((all - 1)) | grep -vx "$1" | paste -sd, -
}

step_aa() {
    for card in $cards; do
        for i in $runs; do
            run "$out/aa-$card-alone-$i" cuda:$card "$aa" || fail "aa alone on card $card"
        done
    done
    for card in $cards; do
        begin_load "cuda:$(others "$card")"
        for i in $runs; do
            run "$out/aa-$card-busy-$i" cuda:$card "$aa" || fail "aa busy on card $card"
        done
        end_load
    done
    : >"$out/pairs.txt"
    for card in $cards; do
        for a in "$out/aa-$card"-*-*; do
            for b in "$out/aa-$card"-*-*; do
                [ "$a" \< "$b" ] || continue
                "$redsweep" diff "$a" "$b" --data "$out/points.data" >"$out/diff.txt" 2>&1
                awk -f tests/data.awk -f experiments/measuring/lanes.awk -v code=$? -v card=$card -v a="$(basename "$a")" \
                    -v b="$(basename "$b")" "$out/points.data" >>"$out/pairs.txt" || fail "$a and $b"
            done
        done
    done
    rm -f "$out/points.data" "$out/diff.txt"
    say "One card against itself (pairs of runs; points apart: p < 0.05):"
    awk -f experiments/measuring/lanes_pairs.awk "$out/pairs.txt" | tee -a "$report"
    tail -1 "$report" | grep -q '^passed' || failed=1
}

step_ladder() {
    begin=$(now)
    run "$out/ladder-all" cuda:all "$ladder" || fail "ladder on all cards"
    both=$(since "$begin")
    begin=$(now)
    run "$out/ladder-one" cuda:0 "$ladder" || fail "ladder on one card"
    one=$(since "$begin")
    say "ladder.json: $one s on one card, $both s on $all cards: $(awk -v a="$both" -v b="$one" 'BEGIN { printf "%.2f", a / b }')"
    awk -v a="$both" -v b="$one" -v c="$all" 'BEGIN { exit a > 1.2 / c * b }' || fail "more than 1.2/$all of one card's time"
    "$redsweep" show "$out/ladder-one" --columns id --csv - | sort >"$out/1"
    "$redsweep" show "$out/ladder-all" --columns id --csv - | sort >"$out/2"
    cmp -s "$out/1" "$out/2" || fail "the ladder on all cards lacks points"
    rm -f "$out/1" "$out/2"
    for member in ceilings_start ceilings_together ceilings_end; do
        "$redsweep" show "$out/ladder-all" --info | grep "^sessions\.[0-9]*\.$member\.[a-z_]*_\(us\|gbs\)" | tee -a "$report"
    done
    for run in ladder-all ladder-one; do
        "$redsweep" show "$out/$run" --info | grep "^status\|^sessions.*seconds\|^provenance.\(started\|ended\)\|^sessions.*since" |
            sed "s/^/$run	/" | tee -a "$report"
    done
    [ ! -f "$out/ladder-all/anchors.csv" ] || say "$(sed 1d "$out/ladder-all/anchors.csv" | wc -l) anchors"
}

step_each() {
    rm -rf "$out/each"
    begin=$(now)
    "$redsweep" run "$aa" --device cuda:all --each --out "$out/each" >>"$report" 2>>"$out/log.txt" || fail "--each"
    say "aa.json on each card at the same time: $(since "$begin") s, $(ls "$out/each" | wc -l) runs"
    [ "$(ls "$out/each" | wc -l)" -eq "$all" ] || fail "--each has not a run per card"
    rm -rf "$out/times" && mkdir "$out/times"
    for card in "$out"/each/*; do
        "$redsweep" show "$card" --columns id,cache,n,time_us_median --data "$out/times/${card##*/}" >/dev/null
    done
    awk -f tests/data.awk -f experiments/measuring/lanes_cards.awk "$out"/times/* | sort -k1,1 -k3,3n -k2,2n >"$out/cards.txt"
    [ -s "$out/cards.txt" ] || fail "no points to compare the cards by"
    command -v gnuplot >/dev/null && gnuplot -e "data='$out/cards.txt'; out='$out/cards.svg'; cards=$all" experiments/measuring/lanes_cards.gp
}

step_shards() {
    rm -rf "$out/shards" "$out/merged"
    for k in $(seq 0 $((all - 1))); do
        "$redsweep" run "$aa" --device cuda:$k --shard "$k/$all" --out "$out/shards" --quiet >>"$out/log.txt" 2>&1 &
    done
    wait
    "$redsweep" merge "$out/shards" --out "$out/merged" >"$out/merge.txt" 2>&1 || fail "merge"
    tee -a "$report" <"$out/merge.txt"
    say "$all shards merged: $(rows "$out/merged") rows"
    [ "$(rows "$out/merged")" -eq "$points" ] || fail "rows are missing after merging"
}

step_kill() {
    rm -rf "$out/kill"
    "$redsweep" run "$aa" --device cuda:all --timing.min_samples 200 --timing.max_samples 200 \
        --out "$out/kill" --quiet >>"$out/log.txt" 2>&1 &
    parent=$!
    while kill -0 $parent 2>/dev/null && [ "$(rows "$out/kill")" -lt $((points / 8)) ]; do
        sleep 0.1
    done
    second=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent=$parent '$4 == parent { print $1 }' | sort -n | sed -n 2p)
    kill -KILL "${second:-none}" 2>/dev/null && say "killed the second card's process after $(rows "$out/kill") rows" ||
        fail "no process to kill"
    wait $parent
    say "rows after that: $(rows "$out/kill"), not ok: $("$redsweep" show "$out/kill" --where 'status != ok' --columns id --csv - | sed 1d | wc -l)"
    [ "$(rows "$out/kill")" -eq "$points" ] || fail "rows are missing after the kill"
}

nvidia-smi --query-gpu=index,name,uuid,pci.bus_id,power.limit,clocks.max.sm --format=csv 2>/dev/null | tee -a "$report"
nvidia-smi topo -m 2>/dev/null | head -8 >>"$report"
"$redsweep" --version | tee -a "$report"
all=$("$redsweep" list devices 2>/dev/null | grep -c '^ *cuda:[0-9]')
cards=${CARDS:-$(seq 0 $((all - 1)))}
[ "$all" -ge 2 ] || { fail "at least two GPUs are needed"; exit 1; }
for step in "$@"; do
    step_began=$(now)
    say "== $step"
    "step_$step"
    say "$step: $(since "$step_began") s"
done
[ $failed -eq 0 ] && say "lanes: passed" || say "lanes: FAILED"
exit $failed
