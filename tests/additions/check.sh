#!/bin/sh
# Checks what docs/internals.md says about additions: an operation that keeps one value touches
# three files, and an element type touches two. Copies the tree and applies tests/additions/*.patch,
# which add an operation (absmax) and a type (int16). Then builds the copy and runs kernels with
# both additions on the simulator. `make test` does not run it, because it compiles nearly the whole
# program. The command is:
#
#   make check-additions
set -u
. "$(dirname "$0")/../scratch.sh"
export REDSWEEP_CACHE="$work/cache"

git -C "$root" ls-files -z Makefile harness kernels configs plots tests setup tuned docs README.md CHANGELOG.md LICENSE |
    (cd "$root" && xargs -0 cp --parents -t "$work") || exit 1
cd "$work" || exit 1
touched() { [ "$(grep -c '^+++ ' "$root/tests/additions/$1.patch")" -eq "$2" ] || fail "$1.patch does not touch $2 files"; }
touched operation 3
touched type 2
for change in operation type; do
    patch -p1 -s <"$root/tests/additions/$change.patch" || exit 1
done
make -s SETUP=no -j"$(nproc)" all >"$work/out" 2>&1 || { tail -20 "$work/out"; exit 1; }

# runs NAME OPTION…: makes a run in which at least one point must be `ok`, and all others `ok` or
# `skipped`.
runs() {
    name=$1
    shift
    REDSWEEP_HOME=$work build/redsweep run --device sim --quiet --blocks 128 --sizes 1,1000,100003 --out "$work/$name" \
        --kernels "$kernels" "$@" >"$work/out" 2>&1 || { fail "$name"; tail -5 "$work/out"; }
    right=$("$root/tests/count_rows.sh" build/redsweep "$work/$name" 'status = ok')
    wrong=$("$root/tests/count_rows.sh" build/redsweep "$work/$name" 'status != ok and status != skipped')
    if [ "$right" -gt 0 ] && [ "$wrong" -eq 0 ]; then
        echo "additions: $name: $right points right, $wrong wrong"
    else
        fail "$name: $right points right, $wrong wrong"
    fi
}
kernels=interleaved,smem_unroll,shuffle,vector,atomic,ticket,onepass_packed,onepass_slots,onepass_vector
runs absmax --ops absmax --types float32,float64,float16,bfloat16
runs int16 --types int16 --ops sum,max,min,prod,argmax,argmin,sumsq
[ "$failed" -eq 0 ] && echo "additions: passed"
exit "$failed"
