#!/bin/sh
# Runs the examples of docs/kernels.md and examples/as-written on the simulator and on a fake GPU.
# These are kernels as their authors wrote them, with their own names, templates, parameter orders,
# scalars and zeroed outputs. Also tests the messages about missing and wrong facts.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
redsweep=$build/redsweep
fake=$build/tests/devices/fake_gpu/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root"
failed=0

fail() {
    echo "test_as_written: FAILED: $*"
    failed=1
}

# Each CUDA code block in docs/kernels.md becomes a file with the kernel's name.
mkdir "$work/kernels" "$work/wrong"
awk -v DIR="$work/kernels" '/^```cuda$/ { text = ""; inside = 1; next }
    /^```$/ && inside { printf "%s", text >(DIR "/" name ".cu"); inside = 0 }
    inside { text = text $0 "\n"; if ($2 == "kernel:") name = $3 }' "$root/docs/kernels.md"
cp "$root"/examples/as-written/*.cu "$work/kernels"
names=$(cd "$work/kernels" && echo *.cu)
[ "$names" = "grid_sum.cu last_block.cu my_rows.cu pair_up.cu reduce_tree.cu warp_atomic.cu" ] || fail "found $names"

config() { # NAME FOLDER KERNELS MORE
    echo "{\"kernels\": [$3], \"kernel_folders\": [\"$work/$2\"], \"sizes\": [1, 33, 1000, 70001],
        \"blocks\": [64, 256], \"types\": [\"int32\", \"float32\", \"float64\"], \"unrolls\": 4, $4
        \"metrics\": [\"gst_requests\"]}" >"$work/$1.json"
}
timing='"tunables": "all", "timing": {"min_samples": 3, "max_samples": 3, "contexts": 1},'
all='"grid_sum", "last_block", "pair_up", "reduce_tree", "warp_atomic"'
config all kernels "$all" "$timing"
"$redsweep" run "$work/all.json" --device sim --out "$work/sim" >"$work/out.txt" 2>&1 ||
    fail "on the simulator: $(cat "$work/out.txt")"
rows=$("$root/tests/count_rows.sh" "$redsweep" "$work/sim" 'status = ok')
[ "$rows" -ge 100 ] || fail "only $rows points are ok: $(cat "$work/out.txt")"
"$redsweep" run --kernels my_rows --kernel-folder "$work/kernels" --sizes 24000 --row_lengths 1,24,7,24000 \
    --device sim --types float32 --out "$work/rows" >"$work/out.txt" 2>&1 || fail "by rows: $(cat "$work/out.txt")"
[ "$("$root/tests/count_rows.sh" "$redsweep" "$work/rows" 'status = ok')" -eq 3 ] || fail "by rows: $(cat "$work/rows/results.csv")"
grep -q ',skipped,n = 24000 is not a multiple of row_length = 7,' "$work/rows/results.csv" || fail "no row was skipped"
"$redsweep" racecheck grid_sum last_block my_rows pair_up reduce_tree warp_atomic --kernel-folder "$work/kernels" \
    >"$work/out.txt" 2>&1 || fail "races: $(cat "$work/out.txt")"

# On a GPU, the time for a complete result includes zeroing the output. The kernel's counts do not.
if [ -x "$fake" ]; then
    export REDSWEEP_CACHE="$build/tests/devices/fake_cache" FAKE_CUPTI_CHIP=GH100
    export REDSWEEP_CUPTI="$build/tests/devices/fake_cupti.so" REDSWEEP_NVML="$build/tests/devices/fake_nvml.so"
    FAKE_CUDA_MEMORY=1073741824 "$fake" run "$work/all.json" --device cuda --out "$work/cuda" >"$work/out.txt" 2>&1 ||
        fail "on the fake GPU: $(cat "$work/out.txt")"
    cat >"$work/rows.awk" <<'AWK'
data_line($0) {
    if (FNR == 1) { file++; for (i = 1; i <= CELLS; i++) at[file, CELL[i]] = i; next }
    id = CELL[at[file, "id"]]
    if (file == 1) { result[id] = CELL[at[1, "result"]]; stores[id] = CELL[at[1, "gst_requests"]]; next }
    if (CELL[at[2, "status"]] != "ok") next
    kernel = CELL[at[2, "kernel"]]; time = CELL[at[2, "time_us_median"]]
    rows++
    if (id in result && CELL[at[2, "type"]] == "int32" && result[id] != CELL[at[2, "result"]])
        print kernel ": " CELL[at[2, "result"]] " on the GPU, " result[id] " on the simulator"
    if (kernel == "warp_atomic") {
        atomics++
        if (CELL[at[2, "gst_requests"]] != 0) print "zeroing was counted: " CELL[at[2, "gst_requests"]]
        if (!(time >= 4)) print "zeroing was not timed: " time
    } else if (kernel == "last_block" && CELL[at[2, "n"]] == 1 && !(time < 4))
        print "a launch of 2 us took " time
}
END { if (rows < 100 || atomics < 16) print rows " rows, " atomics " with atomics" }
AWK
    for run in sim cuda; do "$redsweep" show "$work/$run" --data - >"$work/$run.data"; done
    awk -f "$root/tests/data.awk" -f "$work/rows.awk" "$work/sim.data" "$work/cuda.data" >"$work/out.txt" 2>&1
    [ -s "$work/out.txt" ] && fail "$(cat "$work/out.txt")"
fi

# Messages explain facts that are missing or wrong.
sed '/output: *zeroed/d' "$work/kernels/warp_atomic.cu" >"$work/wrong/warp_atomic.cu"
sed 's/int(N)/int(N - 1)/; s/^\/\/ requires:.*/\/\/ requires: N > 1/' "$work/kernels/reduce_tree.cu" >"$work/wrong/reduce_tree.cu"
sed 's/unsigned(N)/size_t(N)/' "$work/kernels/last_block.cu" >"$work/wrong/last_block.cu"
sed 's/trees::/flowers::/' "$work/wrong/reduce_tree.cu" | sed 's/kernel: *reduce_tree/kernel: no_tree/' \
    >"$work/wrong/no_tree.cu"
config wrong wrong '"warp_atomic", "reduce_tree", "last_block", "no_tree"' '"tunables": {"ITEMS": 1},'
"$redsweep" run "$work/wrong.json" --device sim --out "$work/w" >"$work/out.txt" 2>&1
[ $? -eq 1 ] || fail "wrong facts: exit code $?"
grep -q ',wrong,.*the difference is 1 fill pattern 0x7b…, so the kernel adds to an output that must be zero (see the fact.*output: zeroed' \
    "$work/w/results.csv" || fail "int32 into a filled output: $(grep warp_atomic "$work/w/results.csv" | head -2)"
grep 'float32' "$work/w/results.csv" | grep -q ',wrong,.*is the fill pattern 0x7b…, so the kernel has not written it, has added to it' ||
    fail "float32 into a filled output: $(grep warp_atomic "$work/w/results.csv" | grep float32 | head -2)"
grep 'reduce_tree' "$work/w/results.csv" | grep -q ',wrong,' || fail "int(N - 1) is right"
grep -q 'last_block.*launch_error.*parameter 4 has 4 bytes, but the argument has 8' "$work/w/results.csv" ||
    fail "a wrong size: $(grep last_block "$work/w/results.csv" | head -1)"
grep -q 'no_tree.*compile_error.*flowers' "$work/w/results.csv" ||
    fail "an entry that is none: $(grep no_tree "$work/w/results.csv" | head -1)"

[ $failed -eq 0 ] && echo "test_as_written: passed"
exit $failed
