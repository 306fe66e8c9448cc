#!/bin/sh
# Tests the axis `inputs`, which applies to reductions of floats only. Kernels must be right for all
# kinds of input. Points without the axis must keep their ids. A kernel that cannot add some kind of
# input must be found.
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
# No two kinds of input may have the same sum. The sums are compared in float64, because float32
# might round differences away.
[ "$(rows all result "kernel = shuffle and type = float64 and n = 1000" | sort -u | wc -l)" -ge 7 ] || fail 'inputs are alike'
rows all result 'kernel = shuffle and inputs = special' | grep -qiE 'inf|nan' || fail 'no special sum is special'

# With the default uniform inputs, ids and bits are the same as in a run without the axis, and the
# column is missing.
sweep plain --kernels unroll,shuffle --types float32 --exclude "kernel = 'cpu*'"
head -1 "$work/plain/results.csv" | grep -q inputs && fail 'a column that nobody asked for'
rows plain id,bits 'n > 0' | sort >"$work/plain.ids"
sweep two --kernels unroll,shuffle --types float32 --inputs uniform,normal --exclude "kernel = 'cpu*'"
rows two id,bits 'inputs = uniform' | sort >"$work/two.ids"
cmp -s "$work/plain.ids" "$work/two.ids" || fail "ids: $(diff "$work/plain.ids" "$work/two.ids")"
rows two id 'n > 0' | sort | uniq -d | grep . && fail 'one id twice'

# Some combinations lack a reference or an error bound for some kinds of input. The reason then
# names the kinds that do have one.
sweep others --kernels unroll --types int32,float32 --ops sum,max,prod --inputs normal --exclude "kernel = 'cpu*'"
[ "$(rows others reason 'type = int32 and status = skipped' | grep -c 'are defined only for reductions of floats')" -eq 6 ] || fail "$(rows others type,op,status,reason 'n > 0')"
[ "$(rows others id 'type = float32 and op != prod and status = ok' | wc -l)" -eq 4 ] || fail 'a sum or a maximum of floats is skipped'
[ "$(rows others reason 'type = float32 and op = prod' | grep -c 'prod cannot be checked with the inputs ""normal"", but only with uniform"$')" -eq 2 ] ||
    fail "$(rows others type,op,status,reason 'n > 0')"

# Runs operations other than sums, first over whole arrays, and then over rows. For whole arrays, 38
# of the 48 pairs of operation and kind of input can be checked.
sweep ops --kernels shuffle --types float32,bfloat16 --ops max,argmin,norm2,dot,mean_var,logsumexp --inputs $kinds --exclude "kernel = 'cpu*'"
[ -z "$(rows ops type,op,n,inputs,status,reason 'status != ok and status != skipped')" ] || fail "$(rows ops type,op,n,inputs,status,reason 'status != ok and status != skipped')"
[ "$(rows ops op,inputs 'status = ok' | sort -u | wc -l)" -eq 38 ] || fail "$(rows ops op,inputs 'status = ok' | sort -u)"
rows ops result 'op = max and inputs = special' | grep -qiE 'inf|nan' || fail 'no special maximum is special'
rows ops result 'op = norm2 and inputs = special' | grep -qiE 'inf|nan' || fail 'no special norm is special'
"$redsweep" run --kernels rows_warp --types float32,bfloat16 --sizes 3300 --row_lengths 100 --blocks 128 --cache cold --metrics= --inputs $kinds \
    --ops sum,max,sumsq,mean_var,logsumexp --device sim --out "$work/by-rows" --quiet >/dev/null 2>"$work/err" || fail 'reductions by rows'
[ "$(rows by-rows op,inputs 'status = ok' | sort -u | wc -l)" -eq 32 ] || fail "$(rows by-rows op,inputs,status,reason 'n > 0')"

# In sorted bfloat16 inputs, many neighbors are equal and round in the same direction, so the
# rounding errors of a sum of 3300 squares are not random. The error bound must allow for that.
"$redsweep" run --kernels rows_thread --types bfloat16 --sizes 66000 --row_lengths 3300 --blocks 128 --cache cold --metrics= --inputs sorted \
    --ops sumsq --device sim --out "$work/alike" --quiet >/dev/null 2>"$work/err"
[ "$(rows alike status 'n > 0')" = ok ] || fail "$(rows alike status,reason 'n > 0')"

# Kahan's compensation turns an infinity into a NaN.
sweep kahan --kernels compensated --types float32 --inputs special --exclude "kernel = 'cpu*'"
rows kahan reason 'status = wrong' | grep -q 'the sum is -*nan, but must be -*inf' || fail "$(rows kahan status,reason 'n > 0')"
exit $failed
