#!/bin/sh
# With the axis `row_length`, a sweep may mix row-wise kernels with others. The column exists only
# if a config names row lengths. Ids contain the axis, and commands that read runs use it. DEVICE is
# sim or cuda.
set -u
. "$(dirname "$0")/../scratch.sh"


ln -s "$root/kernels/support" "$work/support" || exit 1
rest='"kernels": ["shuffle", "rows_warp", "rows_lanes", "rows_limit"], "kernel_folders": ["support"],
    "sizes": [3072, 4096], "blocks": 128, "types": ["int32", "float64"], "ops": ["sum", "max"],
    "unrolls": 4, "metrics": ["gld_transactions", "gst_requests"], "timing": {"max_samples": 0}'
echo "{$rest, \"row_lengths\": [0, 2, 48, 1024]}" >"$work/with.json"
echo "{$rest}" | sed 's/, "rows_[a-z]*"//g; s/"kernel_folders".*\],$//' >"$work/without.json"
for run in with without; do
    "$redsweep" run "$work/$run.json" --device "${DEVICE:-sim}" --out "$work/$run" \
        >"$work/out.txt" 2>&1 || { fail "$run: exit code $?"; cat "$work/out.txt"; exit 1; }
done

# For each of 2 types, 2 operations and 2 sizes, shuffle has one point, and each of the three other
# kernels has one point per row length, of which there are three. Some are skipped, because 4096 is
# not a multiple of 48. In rows_lanes, a warp reduces 8 rows by default (8 lanes per row, 2 rows at
# once) and stores the 8 results with one request.
cat >"$work/rows.awk" <<'AWK'
data_row($0) {
    kernel = cell("kernel"); n = cell("n"); columns = cell("row_length")
    status = cell("status"); reason = cell("reason")
    if ((kernel == "shuffle") != (columns == 0)) print kernel " at row_length " columns
    size = cell("type") ~ /64/ ? 8 : 4
    unaligned = kernel == "rows_lanes" && columns * size % 16 != 0
    wanted = columns && n % columns || unaligned ? "skipped" : "ok"
    if (status != wanted) print kernel " " n " " columns ": " status ", not " wanted ": " reason
    if (columns && n % columns && reason != "n = " n " is not a multiple of row_length = " columns)
        print "reason: " reason
    requests = columns == 1024 ? n / 1024 / 8 : n / columns / 8
    requests = int(requests) + (requests > int(requests))
    if (kernel == "rows_lanes" && status == "ok" && cell("gst_requests") != requests)
        print "requests: " cell("gst_requests") ", not " requests
    if (kernel == "rows_limit" && status == "ok" && cell("gld_transactions") != n * size / 32)
        print "sectors: " cell("gld_transactions")
    rows++
}
END { if (rows != 80) print rows " rows" }
AWK
"$redsweep" show "$work/with" --data - >"$work/data"
awk -f "$root/tests/data.awk" -f "$work/rows.awk" "$work/data" >"$work/out.txt" 2>&1
[ -s "$work/out.txt" ] && fail "$(cat "$work/out.txt")"

# Points over whole inputs have the same ids in both runs, and commands match them.
ids() { cut -d, -f1 | sort; }
"$redsweep" show "$work/with" --where 'row_length = 0' --csv - | sed 1d | ids >"$work/a.txt"
"$redsweep" show "$work/without" --csv - | sed 1d | ids >"$work/b.txt"
[ "$(wc -l <"$work/a.txt")" -eq 8 ] && cmp -s "$work/a.txt" "$work/b.txt" ||
    fail "the ids of whole inputs are not those without the axis"
head -1 "$work/with/results.csv" | grep -q ',cache,scope,row_length,status,' || fail "no column row_length"
head -1 "$work/without/results.csv" | grep -q row_length && fail "a column that nobody asked for"
"$redsweep" diff "$work/without" "$work/with" >"$work/out.txt" 2>&1
grep -q '^8 points are in both runs, 0 only in a, 72 only in b' "$work/out.txt" ||
    fail "diff: $(head -20 "$work/out.txt")"
"$redsweep" best "$work/with" --metric gst_requests --csv "$work/best.csv" >"$work/out.txt" 2>&1 || fail "best"
head -1 "$work/best.csv" | grep -q ',scope,shape,row_length,' || fail "best: $(head -1 "$work/best.csv")"

[ $failed -eq 0 ] && echo "test_rows: points, skips, counts, ids and readers agree"
exit $failed
