#!/bin/sh
# On terminals with 80 and 120 columns, commands that read runs print no line that is too wide,
# however long the kernels' names are. Only a single word, such as a path, may be wider than the
# terminal.
set -u
cd "$(dirname "$0")/../.." || exit 1
PATH=$(cd "${BUILD:-build}" && pwd):$PATH # makes "next:" name just the program, without its folder
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
command -v script >/dev/null || { echo "test_width: skipped: there is no script (bsdutils)"; exit 0; }
failed=0 cases=0

# shown COLUMNS COMMAND…: prints what the command shows on a terminal. Each state of a progress line
# becomes a line.
shown() {
    columns=$1
    shift
    PAGER=cat script -qec "stty cols $columns; redsweep $*" /dev/null </dev/null 2>&1 | tr '\r' '\n' |
        sed "s/$(printf '\033')\[[0-9;]*[A-Za-z]//g"
}

# fits COMMAND…: the output must fit on both terminals and must not be empty
fits() {
    for columns in 80 120; do
        cases=$((cases + 1))
        rm -rf "$work/run" "$work/plots"
        shown $columns "$@" >"$work/out"
        [ "$(wc -l <"$work/out")" -gt 1 ] || { echo "test_width: FAILED: $*: too few lines"; failed=1; }
        LC_ALL=C.UTF-8 grep -E "^.{$((columns + 1)),}" "$work/out" | grep -E '^ *[^ ]+ +[^ ]' >"$work/wide" || continue
        # A column's name may be followed by a path, a hash or a piece of JSON without a blank.
        LC_ALL=C.UTF-8 grep -vE "^ *[^ ]+  [^ ]{$((columns - 30)),}\$" "$work/wide" >"$work/wider" || continue
        echo "test_width: FAILED: $* at $columns: $(head -1 "$work/wider")"
        failed=1
    done
}

runs=results/reference
fits show $runs/h200-fastest
fits show $runs/sim-quick
fits show $runs/h200-fastest-search --sort -n
fits show --info $runs/h200-ladder
fits best $runs/h200-ladder
fits best $runs/h200-fastest
fits best $runs/h200-fastest-search
fits best $runs/h200-fastest --brief
fits best $runs/sim-quick --metric gld_transactions
fits best $runs/h100-ladder $runs/h200-ladder --across-cards
fits diff $runs/h200-ladder $runs/h100-ladder
fits diff $runs/h200-ladder $runs/h100-ladder --table winners
fits diff $runs/h200-aa-a $runs/h200-aa-b
fits diff $runs/h200-aa-a $runs/h200-aa-b --table points
fits status $runs/h200-ladder
fits log $runs
fits history $runs/h200-aa-a $runs/h200-aa-b
for what in kernels metrics 'metrics --chip GH100' 'metrics gld_transactions' devices axes columns charts; do
    fits list "$what"
done
fits doctor
fits plots $runs/sim-quick --out "$work/plots"
fits run configs/quick.json --device sim --dry-run
fits run configs/quick.json --device sim --sizes 2^10 --out "$work/run"
fits run --kernels unroll --sizes 2^10 --out "$work/run" # the first line says why auto chooses no GPU
fits gate configs/gate-counts.json --baseline kernels --candidate kernels --device sim --sizes 2^10 --out "$work/run"
fits racecheck unroll smem_unroll
fits --help
for command in $(redsweep --help | sed -n 's/^  redsweep \([a-z]*\) .*/\1/p'); do
    fits "$command" --help
done

# A winner's setting that does not fit into its column continues in the lines below, without losing
# a word.
shown 80 best $runs/h200-fastest >"$work/out"
for word in blocks_per_sm guard loads min_blocks order policy prefetch; do
    grep -q "$word" "$work/out" || { echo "test_width: FAILED: a winner without $word"; failed=1; }
done

# Without a GPU, the first screen must nevertheless say for each step what changed, which kernel it
# starts from, and the recorded time.
shown 80 run configs/quick.json --device sim --sizes 2^14 --out "$work/ladder" >"$work/out"
for words in 'neighbored_less  *[0-9.]*  inst_per_warp [0-9.]* → [0-9.]*, ÷ 1' '(from neighbored_less)' 'recorded µs  its step changed$' \
    'recorded µs: the time of the fastest setting on an NVIDIA H200' '^its step changed: '; do
    grep -q "$words" "$work/out" || { echo "test_width: FAILED: the ladder without '$words'"; failed=1; }
done

[ $failed -eq 0 ] && echo "test_width: $cases terminals, no line is wider"
exit $failed
