#!/bin/sh
# If a winning kernel has changed since the run, best and the report page say so. They do not
# mention changed kernels that won nowhere.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=$(cd "${BUILD:-$root/build}" && pwd)/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_CACHE="$work/cache" REDSWEEP_HOME="$root"
failed=0
fail() {
    echo "test_changed: FAILED: $*"
    failed=1
}

"$redsweep" run --kernels neighbored,shuffle --sizes 2^12,2^14 --blocks 128 --types int32 --device sim \
    --out "$work/run" >/dev/null 2>&1 || fail "the run"
# The page names winners by time, so this writes the counts into the times' column, as if a device
# with a clock had measured them.
sed -i 's/"can_time": *false/"can_time": true/' "$work/run/run.json"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { $at["time_us_median"] = $at["inst_per_warp"] } 1' \
    "$work/run/results.csv" >"$work/new" && mv "$work/new" "$work/run/results.csv"

# says SOURCE WORDS: checks what best and the page say about changed kernels. With empty WORDS, they
# must say nothing.
says() {
    "$redsweep" best "$work/run" >"$work/best" 2>&1 || fail "$1: $(cat "$work/best")"
    "$redsweep" report "$work/run" --out "$work/page.html" >/dev/null || fail "$1: the page"
    for file in best page.html; do
        found=$(grep -o "The code of these kernels has changed since they were measured: [a-z_, ]*" "$work/$file" | sort -u)
        [ "$found" = "$2" ] || fail "$1: $file says '$found', not '$2'"
    done
}
says "nothing changed" ""
# change KERNEL: changes the kernel's hash in the run, as if another source had been measured.
change() {
    awk -v name="\"$1\"" 'index($0, name) { on = 1 } on && sub(/"source_hash": *"[0-9a-f]*"/, "\"source_hash\": \"00000000000000aa\"") { on = 0 } 1' \
        "$work/run/run.json" >"$work/new" && mv "$work/new" "$work/run/run.json"
}
cp "$work/run/run.json" "$work/kept"
change neighbored
cmp -s "$work/run/run.json" "$work/kept" && fail "run.json is unchanged"
says "a loser changed" ""
cp "$work/kept" "$work/run/run.json"
change shuffle
says "the winner changed" "The code of these kernels has changed since they were measured: shuffle"

# Without the shipped kernels, redsweep says nothing about changes.
REDSWEEP_HOME="$work" "$redsweep" best "$work/run" 2>/dev/null | grep -q "changed since" &&
    fail "without kernels"
[ $failed -eq 0 ] && echo "test_changed: passed"
exit $failed
