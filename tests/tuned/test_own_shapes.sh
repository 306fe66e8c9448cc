#!/bin/sh
# Runs redsweep tuned --shapes FILE on a fake GPU (fake_cuda.h). Checks which candidates are
# measured at a program's own shapes, how the library uses these measurements, and which files are
# refused.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
devices=$(cd "${BUILD:-$root/build}/tests/devices" && pwd) || exit 1
redsweep=$devices/fake_gpu/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root" REDSWEEP_CACHE="$devices/fake_cache"
export REDSWEEP_CUPTI="$devices/fake_cupti.so" REDSWEEP_NVML="$devices/fake_nvml.so"
export FAKE_CUPTI_CHIP=GH100
failed=0

fail() {
    echo "test_own_shapes: FAILED: $*"
    cat "$work/err"
    failed=1
}

# The fake compiler's machine code is really PTX. The toolkit's fatbinary program would not accept
# that, so nothing is compressed.
export REDSWEEP_FATBINARY=/no/such/program

tuned() { # CODE ARGUMENTS…
    want=$1
    shift
    "$redsweep" tuned "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$want" ] || fail "tuned $*: exit code $got, not $want"
}

refused() { # FILE'S TEXT, WORDS
    printf '%s' "$1" >"$work/bad"
    tuned 2 "$work/run" --shapes "$work/bad" --device cuda --out "$work/none"
    grep -qF -- "$2" "$work/err" || fail "'$1': nothing about '$2'"
    [ ! -e "$work/none-shapes" ] || fail "'$1': something was measured"
}

"$redsweep" run --kernels rows_lanes,rows_warp --shapes 64x64,128x32 --types float32 --ops sum --tunables.lanes 1,4 \
    --blocks 128 --timing.max_samples 3 --timing.contexts 1 --device cuda --out "$work/run" >"$work/out" 2>"$work/err" ||
    fail "the run"

printf '# a program\nfloat32 sum 100x48\r\n\n  float32\tsum 7x4000  # longer than any measured\n' >"$work/own"
tuned 0 "$work/run" --shapes "$work/own" --device cuda --out "$work/lib"
# For each shape, two configurations of rows_lanes and one of rows_warp race.
measured() { # prints their values, and how many rows have them
    "$redsweep" show "$work/$1" --columns "$2" --csv - | sed 1d | tr , ' ' | sort | uniq -c | awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print $0, n }' >"$work/seen"
}
measured lib-shapes n,row_length,kernel
printf '28000 4000 rows_lanes 2\n28000 4000 rows_warp 1\n4800 48 rows_lanes 2\n4800 48 rows_warp 1\n' |
    diff - "$work/seen" || fail "what was measured"
for shape in 4800,4800,48 28000,28000,4000 4096,4096,32; do
    grep -q "^redsweep_rows_sum_f32,$shape,1,rows_lanes" "$work/lib/table.csv" || fail "no $shape in the table"
done

# For an axis, only axis kernels race.
"$redsweep" run --kernels axis_thread,axis_tiles --shapes 2x64x64,1x128x32 --types float32 --ops sum --tunables.side 4,16 \
    --blocks 128 --timing.max_samples 3 --timing.contexts 1 --device cuda --out "$work/axis" >"$work/out" 2>"$work/err" ||
    fail "the run of an axis"
printf 'float32 sum 3x100x24\n' >"$work/apart"
tuned 0 "$work/run" "$work/axis" --shapes "$work/apart" --device cuda --out "$work/both"
measured both-shapes n,row_length,inner,kernel
printf '7200 100 24 axis_thread 1\n7200 100 24 axis_tiles 2\n' | diff - "$work/seen" || fail "what was measured of an axis"
grep -q '^redsweep_axis_sum_f32,7200,7200,100,24,axis_t' "$work/both/table.csv" || fail "no 3x100x24 in the table"
grep -q '^redsweep_rows_sum_f32,4096,4096,32,1,rows_lanes' "$work/both/table.csv" || fail "no rows beside an axis"
grep -q 'redsweep_axis_sum_f32(const float \*input, size_t outer, size_t length, size_t inner' \
    "$work/both/redsweep_tuned.h" || fail "no function of an axis"

tuned 2 "$work/run" --shapes "$work/own" --device cuda --out "$work/lib"
grep -qF "$work/lib-shapes" "$work/err" || fail "a second time: nothing about the folder"

refused 'float32 sum 40y5' 'bad:1: --shape: "40y5" is not a shape'
refused '
float32 sum' 'bad:2: expected a type, an operation and a shape'
refused 'float32 sum 4x4 4' 'bad:1: expected a type, an operation and a shape'
refused 'float33 sum 4x4' 'bad:1: expected a type, an operation and a shape'
refused 'float32 max 4x4' 'bad:1: the runs contain no configuration along rows for float32 max'
refused 'float32 sum 4x4x4' 'bad:1: the runs contain no configuration along an axis for float32 sum'
refused '# nothing' 'bad contains no shapes'
tuned 2 "$work/run" --device cuda --out "$work/none"
grep -q -- '--device needs --shapes FILE' "$work/err" || fail "--device alone"

[ "$failed" -eq 0 ] && echo "test_own_shapes: passed"
exit "$failed"
