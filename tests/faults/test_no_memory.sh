#!/bin/sh
# Host memory runs out in the parent and in commands that read runs, at early and at late
# allocations. The program must print a message and exit with the right code. Runs must remain
# resumable, and other files must stay the same.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
if nm "$redsweep" | grep -q __asan_init; then
    echo "test_no_memory: skipped: AddressSanitizer brings an allocator of its own, before any other"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "test_no_memory: FAILED: $*"; failed=1; }

${CC:-cc} -shared -fPIC -o "$work/no_memory.so" "$root/tests/faults/no_memory.c" || exit 1
cat >"$work/c.json" <<'J'
{"name": "small", "kernels": ["smem", "interleaved"], "sizes": [1000, 4096], "blocks": [64, 128],
 "exclude": ["n = 1000 and block = 64"], "metrics": ["gld_transactions"],
 "timing": {"max_samples": 0}}
J
export REDSWEEP_CACHE="$work/cache"

with() { # K COMMAND…: runs the command with its K-th allocation failing; sets code
    k=$1
    shift
    NO_MEMORY_AT=$k LD_PRELOAD="$work/no_memory.so" "$redsweep" "$@" >"$work/out" 2>"$work/err"
    code=$?
}

# how_many COMMAND…: sets `all` to how many allocations the undisturbed command makes.
how_many() {
    with 0 "$@"
    [ "$code" -le 1 ] || { fail "undisturbed, $* ends with $code:"; cat "$work/err"; }
    all=$(sed -n 's/^allocations: //p' "$work/err")
    [ "${all:-0}" -gt 20 ] || { fail "$*: only ${all:-no} allocations"; all=1; }
}

# chosen [FROM]: prints the numbers of the allocations to try: some of the first (the very first
# belongs to the CUDA runtime), ten that are evenly spaced, and twelve from FROM on (default: among
# the last hundred).
chosen() { # [FROM]
    awk -v n="$all" -v from="${1:-$((all - 96))}" 'BEGIN { for (i = 2; i <= 4; i++) print i
                             for (i = 1; i <= 10; i++) print int(5 + (n - 5) * i / 11)
                             for (i = from; i < from + 96; i += 8) if (i > 4 && i < n - 4) print i }'
}

# Sets `from` to the first allocation after a run has created results.csv. From there, the run
# measures the points and then draws the page, which takes many more allocations. Finds the number
# by bisection.
first_with_rows() {
    before=1 from=$all
    while [ $((from - before)) -gt 1 ]; do
        middle=$(((from + before) / 2))
        rm -rf "$work/r's"
        with $middle run "$work/c.json" --quiet --device sim --out "$work/r's"
        if [ -s "$work/r's/results.csv" ]; then from=$middle; else before=$middle; fi
    done
}

how_many run "$work/c.json" --quiet --device sim --out "$work/right"
rows=$(wc -l <"$work/right/results.csv")
ended=
first_with_rows
for k in $(chosen $((from - 8))); do
    rm -rf "$work/r's"
    with "$k" run "$work/c.json" --quiet --device sim --out "$work/r's"
    ended="$ended $code"
    case $code in
        0) continue ;; # the number of allocations varies a little with the clock
        2) grep -q "memory" "$work/err" || { fail "run, allocation $k: no message:"; cat "$work/err"; } ;;
        3)
            grep -q "out of memory" "$work/err" || fail "run, allocation $k: no message"
            grep -qF "to resume: redsweep resume '$work/r'\\''s'" "$work/err" ||
                fail "run, allocation $k: does not say how to resume"
            "$redsweep" resume "$work/r's" >"$work/out" 2>&1 || {
                fail "run, allocation $k: not resumable"
                cat "$work/out"
            }
            [ "$(wc -l <"$work/r's/results.csv")" -eq "$rows" ] || fail "run, allocation $k: rows" ;;
        *) fail "run, allocation $k: exit code $code"; cat "$work/err" ;;
    esac
done
case $ended in *2*3*) ;; *) fail "run: ended with$ended" ;; esac

before=$(cat "$work/right"/results.* | cksum)
for command in "show $work/right" "diff $work/right $work/right" "best $work/right --metric gld_transactions" \
    "report $work/right --out $work/page.html" "list kernels" "run $work/c.json --dry-run --device sim"; do
    how_many $command
    for k in $(chosen); do
        with "$k" $command
        [ "$code" -le 1 ] && continue
        [ "$code" -eq 2 ] || fail "$command, allocation $k: exit code $code"
        grep -q "memory" "$work/err" || { fail "$command, allocation $k:"; cat "$work/err"; }
    done
done
[ "$before" = "$(cat "$work/right"/results.* | cksum)" ] || fail "a reader changed a run"

[ "$failed" -eq 0 ] && echo "test_no_memory: passed"
exit "$failed"
