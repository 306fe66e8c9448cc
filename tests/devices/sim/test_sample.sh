#!/bin/sh
# Checks sim:sample=K, with which the simulator executes only a sample of each grid's blocks. The
# counts that follow from the sample must equal those of the whole grid, for every uniform kernel,
# every type and three sizes. At n = 2^30, they must match an H200's. A sampled row has its own
# status, never wins and is not measured again, and the run exits with 0. Kernels that are not
# uniform or give wrong results must be detected. ALL=1 checks every point of
# results/reference/h200-ladder at 2^30. test_lazy_memory checks time and memory.
set -u
. "$(dirname "$0")/../../scratch.sh"
cd "$root" || exit 1


# run NAME DEVICE [EXIT]: runs the config NAME.json into the folder NAME-DEVICE
run() {
    "$redsweep" run "$work/$1.json" --device "$2" --out "$work/$1-$2" >"$work/out.txt" 2>&1
    code=$?
    [ $code -eq "${3:-0}" ] || { fail "$1 on $2: exit code $code: $(cat "$work/out.txt")"; return 1; }
}

# compare A B COLUMNS [TOLERANCE]: checks that each sampled row of B has the same counts as A's row
# with the same id.
cat >"$work/compare.awk" <<'AWK'
function differs(a, b) { return a == "" ? b != "" : (a - b > EPS * a || b - a > EPS * a || b == "") }
data_line($0) {
    if (FNR == 1) { file++; for (i = 1; i <= CELLS; i++) at[file, CELL[i]] = i; next }
    id = CELL[at[file, "id"]]
    if (file == 1) {
        for (i = 1; i <= count; i++) count_of[id, i] = CELL[at[1, name[i]]]
        status_of[id] = CELL[at[1, "status"]]
        next
    }
    if (!(id in status_of) || status_of[id] == "skipped" || CELL[at[2, "status"]] == "skipped") next
    here = CELL[at[2, "status"]]
    if (status_of[id] != "ok") print id ": whole: " status_of[id]
    if (here == "sampled") {
        sampled++
        kernels[CELL[at[2, "kernel"]]] = 1
        share = CELL[at[2, "sampled_share"]]
        if (!(share > 0 && share < 1)) print id ": sampled_share is " share
    } else if (here != "ok" || CELL[at[2, "sampled_share"]] != "")
        print id ": " CELL[at[2, "kernel"]] ": " here ": " CELL[at[2, "reason"]]
    for (i = 1; i <= count; i++)
        if (count_of[id, i] != "-" && differs(count_of[id, i], CELL[at[2, name[i]]]))
            print CELL[at[2, "kernel"]] " " CELL[at[2, "type"]] " n=" CELL[at[2, "n"]] " block=" \
                CELL[at[2, "block"]] ": " name[i] " is " CELL[at[2, name[i]]] ", not " count_of[id, i]
}
BEGIN { count = split(NAMES, name, " ") }
END { for (k in kernels) known++; print "sampled " sampled + 0 " of " known + 0 " kernels" }
AWK
compare() {
    "$redsweep" show "$1" --data - >"$work/a.data"
    "$redsweep" show "$2" --data - >"$work/b.data"
    awk -v NAMES="$3" -v EPS="${4:-0}" -f tests/data.awk -f "$work/compare.awk" "$work/a.data" "$work/b.data" >"$work/out.txt" 2>&1
    tail -1 "$work/out.txt" >"$work/last.txt"
    [ "$(wc -l <"$work/out.txt")" -eq 1 ] || fail "$2: $(head -12 "$work/out.txt")"
}

counts="gld_transactions gst_transactions gld_requests gst_requests gld_lines gst_lines
    gld_efficiency gst_efficiency inst_per_warp warp_execution_efficiency branch_efficiency
    shared_load_transactions shared_store_transactions inst_executed"
metrics=$(echo $counts | sed 's/ /", "/g')

# Every uniform kernel runs twice, with all blocks and sampled.
uniform=$(setup/kernels_with.sh 'uniform: *yes')
[ "$(echo "$uniform" | wc -l)" -ge 26 ] || fail "only $(echo "$uniform" | wc -l) uniform kernels"
shape='"sizes": [2048, 5000, 8191], "blocks": [32, 64], "unrolls": [2, 8], "cache": "cold"'
cat >"$work/all.json" <<JSON
{"name": "all", "kernels": ["$(echo $uniform | sed 's/ /", "/g')"], $shape,
 "exclude": "kernel = divergence_thread and type = float64",
 "types": ["int32", "float64"], "ops": ["sum", "max"], "scope": ["kernel", "complete"],
 "tunables": {"COLUMNS": 1024, "BLOCK_X": [16, 32]}, "metrics": ["$metrics"]}
JSON
run all sim && run all sim:sample=2 && compare "$work/all-sim/results.csv" \
    "$work/all-sim:sample=2/results.csv" "$counts"
read -r _ sampled _ kernels _ <"$work/last.txt"
[ "$sampled" -ge 1000 ] && [ "$kernels" -eq "$(echo "$uniform" | wc -l)" ] ||
    fail "$(cat "$work/last.txt"), of $(echo "$uniform" | wc -l)"

mkdir "$work/kernels"
facts='// source: a test
// result: partial
// input: untouched
// covers: BLOCK
// blocks: 32 40 56
// uniform: yes
#include "common.cuh"'

# The data of different blocks, and one whole input, begin at different offsets within a 128-byte
# line.
cat >"$work/kernels/odd.cu" <<CU
// kernel: odd
// idea: blocks of no whole number of lines, read twice
$facts
extern "C" __global__ void odd(volatile element *input, element *output, index_t n)
{
    index_t i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ element values[64];
    values[threadIdx.x] = i < n ? input[i] : IDENTITY;
    __syncthreads();
    if (threadIdx.x == 0) {
        element sum = IDENTITY;
        for (unsigned k = 0; k < blockDim.x; k++)
            sum = combine(sum, values[k]);
        output[blockIdx.x] = sum;
    }
}
CU
cat >"$work/odd.json" <<JSON
{"name": "odd", "kernels": ["odd"], "kernel_folders": ["$work/kernels"], "sizes": [4003],
 "blocks": [32, 40, 56], "types": ["int32", "int64"], "offsets": [0, 3], "cache": "cold",
 "scope": "kernel", "metrics": ["$metrics"]}
JSON
run odd sim && run odd sim:sample=3 && compare "$work/odd-sim/results.csv" \
    "$work/odd-sim:sample=3/results.csv" "$counts"
[ "$(cat "$work/last.txt")" = "sampled 12 of 1 kernels" ] || fail "odd: $(cat "$work/last.txt")"

# The complete result of a sampled launch covers only the blocks that ran, so a wrong block is
# found.
for name in added missed; do
    [ $name = added ] && last=0 || last=1
    cat >"$work/kernels/$name.cu" <<CU
// kernel: $name
// idea: every thread adds to the result, but for $last in each block
// source: a test
// result: complete
// output: zeroed
// input: untouched
// covers: BLOCK
// blocks: 64
// types: int32
// ops: sum
// uniform: yes
#include "common.cuh"
extern "C" __global__ void $name(element *input, element *output, index_t n)
{
    index_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && threadIdx.x + $last < blockDim.x)
        atomicAdd(output, input[i]);
}
CU
    echo "{\"name\": \"$name\", \"kernels\": [\"$name\"], \"kernel_folders\": [\"$work/kernels\"], \"sizes\": [4003],
        \"blocks\": 64, \"types\": \"int32\", \"metrics\": [\"$metrics\"]}" >"$work/$name.json"
done
run added sim && run added sim:sample=3 && compare "$work/added-sim/results.csv" \
    "$work/added-sim:sample=3/results.csv" "$counts"
[ "$(cat "$work/last.txt")" = "sampled 1 of 1 kernels" ] || fail "added: $(cat "$work/last.txt")"
run missed sim:sample=3 1
grep -q 'wrong.*the sum is' "$work/missed-sim:sample=3/results.csv" || fail "missed: $(cat "$work/missed-sim:sample=3/results.csv")"

# At n = 2^30, counts are compared with an H200's (results/reference/h200-ladder).
if [ "${ALL:-0}" = 1 ]; then
    ladder='"neighbored", "neighbored_less", "interleaved", "unroll", "smem_unroll"' blocks='{"log2": [6, 10]}'
    unrolls='2, 4, 8, 16' types='"int32", "float32"' rows=110
else
    ladder='"neighbored", "unroll", "smem_unroll"' blocks=256 unrolls=8 types='"int32"' rows=3
fi
h200="gld_transactions gst_transactions gld_requests gst_requests gld_lines gst_lines gld_efficiency
    gst_efficiency"
cat >"$work/ladder.json" <<JSON
{"name": "ladder", "kernels": [$ladder], "sizes": 1073741824, "blocks": $blocks,
 "unrolls": [$unrolls], "types": [$types], "metrics": ["$(echo $h200 | sed 's/ /", "/g')"]}
JSON
run ladder sim:sample=8 && compare results/reference/h200-ladder/results.csv \
    "$work/ladder-sim:sample=8/results.csv" "$h200" 1e-12
read -r _ sampled _ <"$work/last.txt"
[ "$sampled" -eq $rows ] || fail "$sampled points of h200-ladder at 2^30, not $rows"

# A sampled row has its own status, never wins and is not measured again.
"$redsweep" show "$work/ladder-sim:sample=8" >"$work/out.txt" 2>&1
grep -q sampled "$work/out.txt" || fail "show: $(head -5 "$work/out.txt")"
"$redsweep" best "$work/ladder-sim:sample=8" --metric gld_transactions >"$work/out.txt" 2>&1
grep -qi 'unroll *8\|winner.*unroll' "$work/out.txt" && fail "best: $(cat "$work/out.txt")"
"$redsweep" resume "$work/ladder-sim:sample=8" --retry sampled >"$work/out.txt" 2>&1
[ $? -eq 2 ] || fail "--retry sampled: $(cat "$work/out.txt")"
"$redsweep" resume "$work/ladder-sim:sample=8" --retry wrong,timeout >"$work/out.txt" 2>&1 ||
    fail "resume: $(cat "$work/out.txt")"
"$redsweep" diff "$work/all-sim" "$work/all-sim:sample=2" >"$work/out.txt" 2>&1
grep -qi 'broken' "$work/out.txt" && fail "diff calls sampled rows broken: $(head -20 "$work/out.txt")"

# The first kernel's fact is false, and the second kernel's blocks are wrong.
cat >"$work/kernels/liar.cu" <<CU
// kernel: liar
// idea: every third block works twice
$facts
extern "C" __global__ void liar(element *input, element *output, index_t n)
{
    if (threadIdx.x == 0) {
        element sum = IDENTITY;
        for (unsigned turn = 0; turn <= (blockIdx.x % 3 == 0); turn++) {
            sum = IDENTITY;
            for (index_t k = blockIdx.x * blockDim.x; k < n && k < (blockIdx.x + 1) * blockDim.x; k++)
                sum = combine(sum, ((volatile element *)input)[k]);
        }
        output[blockIdx.x] = sum;
    }
}
CU
cat >"$work/kernels/off.cu" <<CU
// kernel: off
// idea: forgets the last element of each block
$facts
extern "C" __global__ void off(element *input, element *output, index_t n)
{
    if (threadIdx.x == 0) {
        element sum = IDENTITY;
        for (index_t k = blockIdx.x * blockDim.x; k < n && k + 1 < (blockIdx.x + 1) * blockDim.x; k++)
            sum = combine(sum, input[k]);
        output[blockIdx.x] = sum;
    }
}
CU
for name in liar off; do
    echo "{\"kernels\": [\"$name\"], \"kernel_folders\": [\"$work/kernels\"], \"sizes\": 4096,
        \"blocks\": 32}" >"$work/$name.json"
    run $name sim:sample=20 1
done
grep -q 'unsupported.*uniform: yes.*blocks [0-9]* and [0-9]* do different work' \
    "$work/liar-sim:sample=20/results.csv" || fail "liar: $(cat "$work/liar-sim:sample=20/results.csv")"
grep -q 'wrong.*block 0: the sum is' "$work/off-sim:sample=20/results.csv" ||
    fail "off: $(cat "$work/off-sim:sample=20/results.csv")"

[ $failed -eq 0 ] && echo "test_sample: passed"
exit $failed
