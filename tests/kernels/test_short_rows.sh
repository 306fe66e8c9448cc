#!/bin/sh
# Runs rows_short, which stores its results in packs, and two changed copies. The first copy stores
# results one by one, as a library does if the caller's results begin between two packs. The second
# copy leaves out the last element of each row, so its results must be reported as wrong.
set -u
. "$(dirname "$0")/../scratch.sh"
kernel=$root/kernels/rows/rows_short.cu

# runs NAME [OPTION...]: runs the kernel on the simulator with whole tiles and with partial groups,
# and writes the output to $work/NAME.txt.
runs() {
    name=$1
    shift
    "$redsweep" run --kernels "$name" "$@" --types bfloat16,int8,float64 --ops sum,mean_var,dot \
        --shapes 37x2,552x2,37x7,1000x7 --blocks 64 --tunables.LENGTH 2,7 --tunables.STAGED all --metrics= \
        --device sim --out "$work/$name" >"$work/$name.txt" 2>&1
}

# copied NAME EXPRESSION: changes a copy of the kernel and runs it.
copied() {
    mkdir -p "$work/of-$1"
    sed -e "$2" -e "s/rows_short/$1/g" "$kernel" >"$work/of-$1/$1.cu"
    runs "$1" --kernel-folder "$work/of-$1"
}

said() { tail -n 20 "$work/$1.txt"; }

runs rows_short || fail "results are wrong: $(said rows_short)"
points=$("$redsweep" show "$work/rows_short" --where "status = ok" --columns type --csv - | wc -l)
[ "$points" -gt 60 ] || fail "only $points points ran"

copied rows_apart 's/(size_t)at % (OUT < 16 ? OUT : 16) == 0/(size_t)at == 1/; s/(size_t)at % 16 == 0/(size_t)at == 1/' ||
    fail "results that are stored one by one are wrong: $(said rows_apart)"
[ "$(grep -c 'at == 1' "$work/of-rows_apart/rows_apart.cu")" = 2 ] ||
    fail "the kernel no longer has the two conditions that this test changes"

copied rows_forgetful 's/fold_values<LENGTH>(x, y, 0, 1, LENGTH)/fold_values<LENGTH - 1>(x, y, 0, 1, LENGTH - 1)/' &&
    fail "a forgotten element was not noticed: $(said rows_forgetful)"
grep -q wrong "$work/rows_forgetful.txt" || fail "a forgotten element has another message: $(said rows_forgetful)"
exit "$failed"
