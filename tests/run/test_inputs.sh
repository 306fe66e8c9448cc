#!/bin/sh
# The axis `inputs`: kernels are right on all of them, ids of points without it stay, sums alone have it,
# and kernels that cannot add them are found.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=$(cd "${BUILD:-$root/build}" && pwd)/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root"
failed=0

fail() {
    echo "test_inputs: FAILED: $*"
    cat "$work/err"
    failed=1
}

kinds=uniform,normal,span60,wide,cancelling,sorted,special,subnormal
# sweep FOLDER OPTIONS…
sweep() {
    out=$work/$1
    shift
    "$redsweep" run --sizes 1000,70001 --blocks 128 --unrolls 4 --cache cold --scope complete --metrics= "$@" --device sim \
        --out "$out" --quiet >/dev/null 2>"$work/err"
    code=$?
}
rows() { "$redsweep" show "$work/$1" --columns "$2" --where "$3" --head 10000 --csv - 2>"$work/err" | sed 1d; }

sweep all --kernels unroll,shuffle,onepass_fixed,cpu_recursive --types float32,float64,float16,bfloat16 --inputs $kinds
[ $code -eq 0 ] || fail "exit code $code"
[ -z "$(rows all kernel,type,n,inputs,status,reason 'status != ok and status != skipped')" ] ||
    fail "$(rows all kernel,type,n,inputs,status,reason 'status != ok and status != skipped')"
for kind in $(echo $kinds | tr , ' '); do
    [ "$(rows all id "inputs = $kind and status = ok" | wc -l)" -ge 16 ] || fail "few points of $kind are ok"
done
# 1000 normal numbers have a sum whose float32 bits most orders miss; no two inputs have one sum.
[ "$(rows all result "kernel = shuffle and type = float64 and n = 1000" | sort -u | wc -l)" -ge 7 ] || fail 'inputs are alike'
rows all result 'kernel = shuffle and inputs = special' | grep -qiE 'inf|nan' || fail 'no special sum is special'

# The default has the ids and bits of a run that knows nothing of the axis; its column is not there.
sweep plain --kernels unroll,shuffle --types float32 --exclude "kernel = 'cpu*'"
head -1 "$work/plain/results.csv" | grep -q inputs && fail 'a column that nobody asked for'
rows plain id,bits 'n > 0' | sort >"$work/plain.ids"
sweep two --kernels unroll,shuffle --types float32 --inputs uniform,normal --exclude "kernel = 'cpu*'"
rows two id,bits 'inputs = uniform' | sort >"$work/two.ids"
cmp -s "$work/plain.ids" "$work/two.ids" || fail "ids: $(diff "$work/plain.ids" "$work/two.ids")"
rows two id 'n > 0' | sort | uniq -d | grep . && fail 'one id twice'

sweep others --kernels unroll --types int32,float32 --ops sum,max --inputs normal --exclude "kernel = 'cpu*'"
[ "$(rows others reason 'status = skipped' | grep -c 'are for sums of floats')" -eq 6 ] || fail "$(rows others type,op,status,reason 'n > 0')"
[ "$(rows others id 'status = ok' | wc -l)" -eq 2 ] || fail 'a sum of floats is skipped'

# Kahan's compensation makes a NaN of an infinity.
sweep kahan --kernels compensated --types float32 --inputs special --exclude "kernel = 'cpu*'"
rows kahan reason 'status = wrong' | grep -q 'the sum is -*nan, but must be -*inf' || fail "$(rows kahan status,reason 'n > 0')"
exit $failed
