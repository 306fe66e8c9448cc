#!/bin/sh
# Runs setup/rename_hashes.sh in a separate repository. Also tests what resume, merge, diff and
# tuned say about runs whose hashes belong to a different text or come from redsweep 0.2.0.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=$BUILD/redsweep tool=$BUILD/tests/setup/kernel_hashes
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "test_rename_hashes: FAILED: $*"; failed=1; }
# expect CODE PATTERN COMMAND…: checks the exit code and a line of the output.
expect() {
    code=$1 pattern=$2
    shift 2
    "$@" >"$work/said" 2>&1
    got=$?
    [ "$got" = "$code" ] || { fail "exit code $got instead of $code: $*"; cat "$work/said"; }
    grep -q -- "$pattern" "$work/said" || { fail "'$pattern' is not said by: $*"; cat "$work/said"; }
}

# There are four kernels. In the first, comments change; in the second, the code; in the third, a
# fact; and in the fourth, an included header.
tree=$work/tree
mkdir -p "$tree/setup" "$tree/kernels"
cp "$root/setup/rename_hashes.sh" "$tree/setup"
cp "$root/kernels/lib/common.cuh" "$root/kernels/lib/types.cuh" "$tree/kernels"
# kernel NAME SUMMAND FACT COMMENT
kernel() {
    cat >"$tree/kernels/$1.cu" <<EOF
// kernel:  $1
// idea:    ${4:-one element each}
// source:  a test
// result:  partial
// input:   untouched
// covers:  BLOCK
// blocks:  32
// uniform: yes
$3
#include "common.cuh"
#include "$1.cuh"
/* ${4:-} */
extern "C" __global__ void $1(element *input, element *output, index_t n)
{
    element sum = 0;
    for (unsigned i = 0; i < 32; i++)
        sum += 32 * blockIdx.x + i < n ? input[32 * blockIdx.x + i] + $2 : 0;
    if (threadIdx.x == 0)
        output[blockIdx.x] = sum;
}
EOF
}
for name in comments code fact header allows refuses; do
    kernel $name 0 '// depth: 40'
    echo '#define UNUSED 0' >"$tree/kernels/$name.cuh"
done
echo 'static __device__ element more(element e) { return e; }' >"$tree/kernels/header.cuh"
sed -i 's/+ 0 : 0/+ more(0) : 0/' "$tree/kernels/header.cu"
git_here() { git -C "$tree" -c user.name=t -c user.email=t@t "$@"; }
git_here init -q && git_here add . && git_here commit -qm one || exit 1

printf '{"name": "few", "kernels": ["comments", "code", "fact", "header", "allows", "refuses"], "sizes": [100], "blocks": [32], "metrics": ["gld_transactions"], "types": "int32", "ops": "sum"}' >"$work/few.json"
cd "$tree" || exit 1
export REDSWEEP_CACHE="$work/cache" REDSWEEP_HOME="$root"
"$redsweep" run "$work/few.json" --device sim --out "$work/run" --kernel-folder "$tree/kernels" --quiet >"$work/said" 2>&1 ||
    { fail "the run"; cat "$work/said"; }
# Replaces the hashes in the run with those that redsweep 0.2.0 would have written. The folder `new`
# keeps a copy with today's hashes.
cp -r "$work/run" "$work/new"
"$tool" texts kernels/*.cu >"$work/texts"
while IFS='	' read -r file all rest today; do
    sed -i "s/\"$today\"/\"$rest\"/" "$work/run/run.json" "$work/run/results.json"
done <"$work/texts"
hash_in() { sed -n "/\"name\": *\"$2\"/,/source_hash/s/.*\"source_hash\": *\"\([0-9a-f]*\)\".*/\1/p" "$1/run.json" | head -1; }
now() { awk -F'\t' -v f="kernels/$1.cu" '$1 == f { print $4 }' "$work/texts"; }
[ "$(hash_in "$work/new" code)" = "$(now code)" ] || fail "today's hash is not in run.json"
[ "$(hash_in "$work/run" code)" != "$(now code)" ] || fail "the old hash is not in run.json"

# Checks what commands say about these old hashes.
expect 2 'hash of the source of kernel code: was ' "$redsweep" resume "$work/run"
expect 0 'source code of kernels: allows, code, comments, fact, header, refuses' "$redsweep" diff "$work/run" "$work/new"

kernel comments 0 '// depth: 40' 'another comment'
kernel code '(int)threadIdx.x' '// depth: 40'
kernel fact 0 '// depth: 41'
kernel allows 0 '// depth: 40
// requires: N < 1000'
kernel refuses 0 '// depth: 40
// requires: N > 1000'
echo 'static __device__ element more(element e) { return e + 1; }' >kernels/header.cuh
git_here add . && git_here commit -qm two || exit 1
"$tool" texts kernels/*.cu >"$work/texts"
mkdir "$work/kept" && cp -r "$work/run" "$work/kept/r" && (cd "$work/kept" && tar -cJf "$work/runs.tar.xz" r/run.json r/results.csv r/samples.csv)
cp "$work/runs.tar.xz" "$work/before.tar.xz"
setup/rename_hashes.sh "$work/run" "$work/runs.tar.xz" >"$work/report" 2>"$work/err" || { fail "the report"; cat "$work/err"; }
grep -q '^equal	comments	.*	2	1	1	0$' "$work/report" || fail "a comment makes other code"
grep -q '^equal	allows	' "$work/report" || fail "a requires that allows what was measured makes other facts"
for line in 'differs	code' 'differs	header' 'facts	fact' 'facts	refuses'; do
    grep -q "^$line	" "$work/report" || fail "not said: $line"
done
cmp -s "$work/runs.tar.xz" "$work/before.tar.xz" || fail "a report changes an archive"
[ "$(hash_in "$work/run" comments)" != "$(now comments)" ] || fail "a report renames"
[ "$failed" = 0 ] || cat "$work/report"

setup/rename_hashes.sh --write "$work/run" "$work/runs.tar.xz" >"$work/report" 2>"$work/err" || { fail "--write"; cat "$work/err"; }
mkdir "$work/unpacked" && tar -xJf "$work/runs.tar.xz" -C "$work/unpacked"
tar -tJf "$work/runs.tar.xz" >"$work/members"
printf 'r/run.json\nr/results.csv\nr/samples.csv\n' | cmp -s - "$work/members" || fail "other members"
for run in "$work/run" "$work/unpacked/r"; do
    [ "$(hash_in "$run" comments)" = "$(now comments)" ] || fail "$run: comments is not renamed"
    for name in code fact header; do
        [ "$(hash_in "$run" $name)" = "$(hash_in "$work/kept/r" $name)" ] || fail "$run: $name is renamed"
    done
    cmp -s "$run/results.csv" "$work/kept/r/results.csv" || fail "$run: other rows"
done
grep -q "\"$(now comments)\"" "$work/run/results.json" || fail "results.json is not renamed"
expect 2 'source of kernel code' "$redsweep" resume "$work/run"
grep -q 'kernel comments' "$work/said" && fail "a renamed kernel counts as changed"

# In one run, a hash belongs to no text. A shallow clone has no history to search.
sed -i "s/\"$(hash_in "$work/run" code)\"/\"0123456789abcdef\"/" "$work/run/run.json"
expect 0 '^unknown	code	0123456789abcdef' setup/rename_hashes.sh "$work/run"
git clone -q --depth 1 "file://$tree" "$work/shallow"
expect 2 'git fetch --unshallow' "$work/shallow/setup/rename_hashes.sh" "$work/run"
expect 2 'there is no option' setup/rename_hashes.sh --wirte

# Shards of two versions of the kernels cannot be merged.
sed -i 's/, "code", "fact", "header", "allows", "refuses"//' "$work/few.json"
for k in 0 1; do
    "$redsweep" run "$work/few.json" --device sim --shard $k/2 --out "$work/shards" --kernel-folder "$tree/kernels" --quiet >"$work/said" 2>&1 ||
        { fail "shard $k"; cat "$work/said"; }
done
sed -i 's/"sources_hash": *"[0-9a-f]*"/"sources_hash": "0123456789abcdef"/' "$work/shards/shard-000/run.json"
expect 2 "differ in the hash of the kernels' sources" "$redsweep" merge "$work/shards" --out "$work/merged"
exit $failed
