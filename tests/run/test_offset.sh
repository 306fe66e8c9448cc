#!/bin/sh
# Tests the axis `offset`, which says at which element of its buffer the input begins. The number of
# sectors must follow a formula. Kernels with 16-byte loads must be skipped if the offset would
# misalign them. At offset 0, points must have the same ids as in a run without the axis, which
# lacks the column. DEVICE is sim or cuda.
set -u
. "$(dirname "$0")/../scratch.sh"


rest='"kernels": ["shuffle", "vector", "cpu_loop"], "sizes": [4096, 4100], "blocks": 128,
    "unrolls": 4, "tunables": {"LOADS": 1, "BLOCKS_PER_SM": 1}, "types": ["int32", "float64"],
    "ops": ["sum", "max"], "cache": ["cold", "warm"], "metrics": ["gld_transactions"],
    "timing": {"max_samples": 0}, "exclude": "n = 4100 and cache = warm"'
echo "{$rest, \"offsets\": [0, 1, 4, 8, 64]}" >"$work/with.json"
echo "{$rest}" >"$work/without.json"
echo "{$rest, \"offsets\": 65}" >"$work/far.json"
for run in with without; do
    "$redsweep" run "$work/$run.json" --device "${DEVICE:-sim}" --out "$work/$run" \
        >"$work/out.txt" 2>&1 || { fail "$run: exit code $?"; cat "$work/out.txt"; exit 1; }
done
"$redsweep" run "$work/far.json" --dry-run >"$work/out.txt" 2>&1
[ $? -eq 2 ] && grep -q 'offsets.*\[0, 64\]' "$work/out.txt" || fail "65: $(cat "$work/out.txt")"

# A warp's load of 32 neighboring elements touches one more sector unless it begins at a multiple of
# 32 bytes.
cat >"$work/rows.awk" <<'AWK'
data_row($0) {
    offset = cell("offset") + 0
    kernel = cell("kernel")
    size = cell("type") ~ /64/ ? 8 : 4
    skipped = kernel == "vector" && offset * size % 16 != 0
    wanted = skipped ? "skipped" : "ok"
    if (cell("status") != wanted)
        print "offset " offset ", " kernel ": " cell("status") ", not " wanted
    if (skipped && cell("reason") !~ /^the kernel requires OFFSET \* SIZEOF % 16 = 0, but OFFSET = /)
        print "reason: " cell("reason")
    key = kernel " " cell("type") " " cell("op") " " cell("n") " " cell("cache")
    rows++
    if (kernel == "shuffle" && cell("n") == 4096) {
        checked++
        sectors = 4096 / 32 * (size + (offset * size % 32 != 0))
        if (cell("gld_transactions") != sectors)
            print key ", offset " offset ": " cell("gld_transactions") " sectors, not " sectors
    }
}
END { if (rows != ROWS || checked != CHECKED) print rows " rows, " checked " with counts checked" }
AWK
for run in with without; do
    [ $run = with ] && offsets=5 || offsets=1
    # Each offset has 2 types, 2 operations, 3 pairs of n and cache, and 3 kernels. One kernel's
    # counts are checked, for 2 of the pairs.
    "$redsweep" show "$work/$run" --data - >"$work/data"
    awk -v ROWS=$((offsets * 36)) -v CHECKED=$((offsets * 8)) -f "$root/tests/data.awk" \
        -f "$work/rows.awk" "$work/data" >"$work/out.txt" 2>&1
    [ -s "$work/out.txt" ] && fail "$run: $(cat "$work/out.txt")"
done

# At offset 0, points have the same ids in both runs, and commands match them.
ids() { cut -d, -f1 | sort; }
"$redsweep" show "$work/with" --where 'offset = 0' --csv - | sed 1d | ids >"$work/a.txt"
"$redsweep" show "$work/without" --csv - | sed 1d | ids >"$work/b.txt"
[ "$(wc -l <"$work/a.txt")" -eq 36 ] && cmp -s "$work/a.txt" "$work/b.txt" ||
    fail "the ids of offset 0 are not those without the axis"
head -1 "$work/with/results.csv" | grep -q ',cache,scope,offset,status,' || fail "no column offset"
head -1 "$work/without/results.csv" | grep -q offset && fail "a column that nobody asked for"
"$redsweep" diff "$work/without" "$work/with" >"$work/out.txt" 2>&1
grep -q '^36 points are in both runs, 0 only in a, 144 only in b' "$work/out.txt" ||
    fail "diff: $(head -20 "$work/out.txt")"
"$redsweep" best "$work/with" --metric gld_transactions --csv "$work/best.csv" >"$work/out.txt" 2>&1 || fail "best"
head -1 "$work/best.csv" | grep -q ',scope,offset,' || fail "best: $(head -1 "$work/best.csv")"
echo "{$rest, \"offsets\": [0, 8]}" | sed 's/"n = 4100/"offset = 8 or n = 4100/' >"$work/less.json"
"$redsweep" run "$work/less.json" --device "${DEVICE:-sim}" --dry-run >"$work/out.txt" 2>&1
grep -q 'points      36 in' "$work/out.txt" || fail "exclude: $(cat "$work/out.txt")"

[ $failed -eq 0 ] && echo "test_offset: sectors, skips, ids and readers agree"
exit $failed
