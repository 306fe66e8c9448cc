#!/bin/sh
# Twenty kinds of reduction as people write them (examples/reductions) and the kernels of the oracle run
# on the simulator with right results; and tests/gpu/same_counts.sh, which compares a GPU with it, says
# when a cell differs.
set -eu
cd "$(dirname "$0")/../../.."
build=${BUILD:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
fail() { echo "test_same_counts: $1"; failed=1; }

for config in examples/reductions/reductions.json tests/kernels/oracle/oracle.json; do
    OUT=$out tests/gpu/same_counts.sh "$config" sim:sms=8 >"$out/log" 2>&1 || {
        tail -20 "$out/log"
        fail "$config"
    }
done
[ "$(grep -c ',ok,' "$out/oracle/results.csv")" -ge 1000 ] || fail "the oracle is not all there"
rows=$out/reductions/results.csv
for kernel in examples/reductions/*.cu; do
    kernel=$(basename "$kernel" .cu)
    [ "$(grep -c "$kernel,.*,ok," "$rows")" -ge 4 ] || fail "$kernel was not right at four sizes"
done

# Another count in one cell, another status in one row, of the columns that matter.
cat >"$out/plain.awk" <<'END'
function stop(why) { exit 1 }
csv_line($0) {
    line = ""
    for (i = 1; i <= CELLS; i++) {
        if (NR == 1)
            keep[i] = CELL[i] ~ /^(id|backend|kernel|status|gld_requests|gst_sectors)$/
        line = line (keep[i] ? (line == "" ? "" : ",") CELL[i] : "")
    }
    print line
}
END
awk -f plots/csv.awk -f "$out/plain.awk" "$rows" >"$out/plain.csv"
compare() {
    awk -v columns="gld_requests gst_sectors" -f plots/csv.awk -f tests/gpu/same_counts.awk "$1" \
        "$out/plain.csv" >"$out/said"
}
compare "$out/plain.csv" || fail "equal rows: $(tail -1 "$out/said")"
awk -F , -v OFS=, '!done && /block_tree,ok,/ { $6++; done = 1 } { print }' "$out/plain.csv" >"$out/other.csv"
compare "$out/other.csv" && fail "another count is not told"
grep -q 'gst_sectors: .* on the device' "$out/said" || fail "another count: $(tail -1 "$out/said")"
sed 's/block_tree,ok,/block_tree,wrong,/' "$out/plain.csv" >"$out/other.csv"
compare "$out/other.csv" && fail "a wrong row is not told"
exit $failed
