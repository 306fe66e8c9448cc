#!/bin/sh
# Runs three groups of kernels on the simulator: twenty kinds of reductions as people write them
# (examples/reductions), the oracle's kernels, and the operations of configs/counts-operations.json.
# Results must be right, and counts must match those of an H100 and an H200.
# tests/gpu/same_counts.sh, which compares a GPU with the simulator, must report any cell that
# differs.
set -eu
cd "$(dirname "$0")/../../.."
build=${BUILD:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
fail() { echo "test_same_counts: $1"; failed=1; }

for config in examples/reductions/reductions.json tests/kernels/oracle/oracle.json; do
    OUT=$out tests/gpu/same_counts.sh "$config" sim:sms=132 >"$out/log" 2>&1 || {
        tail -20 "$out/log"
        fail "$config"
    }
done
[ "$(tests/count_rows.sh "$build/redsweep" "$out/oracle" 'status = ok')" -ge 1000 ] || fail "the oracle is not all there"
for kernel in examples/reductions/*.cu; do
    kernel=$(basename "$kernel" .cu)
    [ "$(tests/count_rows.sh "$build/redsweep" "$out/reductions" "kernel = $kernel and status = ok")" -ge 4 ] || fail "$kernel was not right at four sizes"
done

# Compares the counts with those recorded on two GPUs. All recorded points are compared, except that
# the operations run at only a sixth of their points.
"$build/redsweep" run configs/counts-operations.json --device sim:sms=132 --blocks 128 \
    --types float64,bfloat16 --row_lengths 0,48,1536 --out "$out/counts-operations" >"$out/log" 2>&1 || {
    tail -5 "$out/log"
    fail "counts-operations"
}
for card in h100 h200; do
    mkdir "$out/$card"
    tar -C "$out/$card" -xJf "results/reference/$card-oracle/runs.tar.xz"
    for run in oracle reductions counts-operations; do
        tests/gpu/same_counts.sh --recorded "$out/$card/$run" "$out/$run" >"$out/log" || {
            tail -5 "$out/log"
            fail "$run: not as on an $card"
        }
        [ "$(sed 's/ .*//' "$out/log" | tail -1)" -ge 150 ] || fail "$run: only $(tail -1 "$out/log")"
    done
done

# These kernels are not reductions, so their results are wrong, but "count_wrong" counts them
# anyway.
"$build/redsweep" run tests/kernels/transposes/transposes.json --device sim:sms=132 --quiet --out "$out/transposes" \
    >"$out/log" 2>&1 || [ $? -eq 1 ] || fail "transposes"
WRONG=yes tests/gpu/same_counts.sh --recorded results/reference/h100-transposes "$out/transposes" >"$out/log" ||
    { tail -5 "$out/log"; fail "transposes: not as on an H100"; }
grep -q '^48 points, 480 cells' "$out/log" || fail "transposes: only $(tail -1 "$out/log")"

# The comparison must report one changed count in a compared column and one row with a changed
# status.
"$build/redsweep" show "$out/reductions" --columns id,backend,kernel,n,grid,status,gld_requests,gst_sectors \
    --data - >"$out/plain"
compare() {
    awk -v polls="${2:-}" -f tests/data.awk -f tests/gpu/waits.awk -f tests/gpu/same_counts.awk "$1" \
        "$out/plain" >"$out/said"
}
# change COLUMN KERNEL: adds one to the count in that column, in one of the kernel's rows with
# several blocks in the grid.
change() {
    awk -F '\t' -v OFS='\t' -v name="\"$1\"" -v kernel="\"$2\"" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        !done && $at["\"kernel\""] == kernel && $at["\"grid\""] > 1 { $at[name]++; done = 1 }
        { print }
        END { exit !done }' "$out/plain" >"$out/other"
}
compare "$out/plain" || fail "equal rows: $(tail -1 "$out/said")"
change gst_sectors block_tree
compare "$out/other" && fail "another count is not told"
grep -q 'gst_sectors: .* on the device' "$out/said" || fail "another count: $(tail -1 "$out/said")"
compare "$out/other" block_tree && fail "another count of stores is not told where the kernel polls"
change gld_requests block_tree
compare "$out/other" && fail "another count of loads is not told"
compare "$out/other" block_tree || fail "loads are compared where blocks poll: $(tail -1 "$out/said")"
awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { $at["\"grid\""] = 1 } { print }' \
    "$out/other" >"$out/single"
compare "$out/single" block_tree && fail "loads of a result's only block are not compared"
sed '/"block_tree"/s/"ok"/"wrong"/' "$out/plain" >"$out/other"
compare "$out/other" && fail "a wrong row is not told"
exit $failed
