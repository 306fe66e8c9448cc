#!/usr/bin/env bash
# `redsweep import` reads typical files, such as tests/cli/import/sum.cu with its main, host code,
# and C and C++ headers. Checks which facts it finds and which questions it asks, and runs the
# imported kernels on the simulator.
set -u
root=$PWD redsweep=$PWD/${BUILD#"$PWD"/}/redsweep failed=0
case $BUILD in /*) redsweep=$BUILD/redsweep ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "test_import: FAILED: $*"; failed=1; }
export REDSWEEP_HOME=$root
cp "$root"/tests/cli/import/*.cu "$work"
cd "$work" || exit 1

# import EXIT KERNEL OPTIONS…
import() {
    local code=$1
    shift
    "$redsweep" import sum.cu "$@" >said 2>&1 </dev/null
    [ $? -eq "$code" ] || fail "import $*: not exit code $code: $(cat said)"
}
fact() { grep -qx "// $2: *$3" "$1.facts" || fail "$1: its $2 is not $3: $(cat "$1.facts")"; }
says() { grep -q "$1" said || fail "no '$1' in: $(cat said)"; }

import 2
says 'sum.cu contains several kernels; choose one, and write its name after the file: reduce6, in_place, atomics, fixed, wrong$'
import 2 reduce7
says 'sum.cu contains no kernel reduce7; choose one of reduce6, '
"$redsweep" import nowhere.cu >said 2>&1 && fail "a file that is not there"
says 'nowhere.cu: No such file'

import 0 reduce6
fact reduce6 result partial
fact reduce6 input untouched
fact reduce6 entry 'reduce6<element, BLOCK, false>'
fact reduce6 parameters 'input output unsigned(N)'
fact reduce6 blocks 'power of two'
fact reduce6 types 'int32 uint32 int64 float32 float64 uint64'
grep -q 'varies:' reduce6.facts && fail "atomics of another kernel make it vary"
fact reduce6 requires 'N < 4294967296'
says 'redsweep run --kernels reduce6 --kernel-folder reduce6.facts'
"$redsweep" run --kernels reduce6 --device sim --quiet --sizes 1,1000,100003 --blocks 64,512 --types all --out run >said 2>&1 ||
    fail "reduce6 does not run: $(cat said)"
[ "$("$root/tests/count_rows.sh" "$redsweep" run 'status = ok')" -eq 36 ] || fail "not 36 rows: $("$redsweep" show run)"
import 2 reduce6
says 'reduce6.facts: File exists; remove it, or choose another --name'

import 0 in_place --name halves
fact halves input 'in place'
fact halves covers BLOCK
fact halves types float32
fact halves requires 'N % COVERS = 0'

import 2 atomics
says 'kernel atomics: the import cannot find the value of the parameter scale; state it with --parameter.scale VALUE'
[ ! -e atomics.facts ] || fail "it wrote facts of what it does not know"
import 0 atomics --parameter.scale 1
fact atomics result complete
fact atomics output zeroed
fact atomics varies yes
fact atomics parameters 'input output int(N) int(1)'
"$redsweep" run --kernels 'atomics' --device sim --quiet --sizes 1,100003 --blocks 256 --out run2 >said 2>&1 || fail "atomics: $(cat said)"

import 0 fixed --size 4096
fact fixed requires 'N = 4096'
fact fixed output zeroed

import 2 wrong
says 'are wrong with every set of facts that the import tried; .*--fact.KEY VALUE.*The message for the first set was: wrong: '

# If a file states a block size, this size is tried first. The file's only kernel need not be named.
"$redsweep" import stated.cu >said 2>&1 </dev/null || fail "stated: $(cat said)"
fact stated blocks 64
fact stated requires 'N < 2147483648'
[ "$(grep -c '^trying the kernel with blocks' said)" -eq 1 ] || fail "more than one block size was tried: $(cat said)"
says '^trying the kernel with blocks of 64 threads'

# Some facts come from code outside of the kernel and its parameters.
"$redsweep" import told.cu told >said 2>&1 </dev/null || fail "told: $(cat said)"
fact told entry 'told<BLOCK, 12>'
fact told parameters 'output input size_t(N)'
fact told covers '12 \* BLOCK'
grep -q '^// requires:' told.facts && fail "told: it is right at any n: $(cat told.facts)"
"$redsweep" import told.cu narrow >said 2>&1 </dev/null || fail "narrow: $(cat said)"
fact narrow blocks '32 64'

# A kernel that has the name of a CUDA function must be refused.
sed 's/ stated(/ max(/' stated.cu >named.cu
"$redsweep" import named.cu max >said 2>&1 </dev/null && fail "max: it is imported"
says "CUDA already has a function with the kernel's name; rename the kernel: the code does not compile"

# A config may name many single kernel files.
for i in $(seq 70); do
    sed "s/^\(\/\/ kernel: *\).*/\1many_$i/" reduce6.facts >"many_$i.facts"
done
printf '{"kernels": ["many_70"], "sizes": 4096, "kernel_folders": [%s]}\n' \
    "$(seq -f '"many_%g.facts"' 70 | paste -sd, -)" >many.json
"$redsweep" run many.json --device sim --dry-run >said 2>&1 || fail "70 files of kernels: $(cat said)"

[ "$failed" -eq 0 ] && echo "test_import: passed"
exit "$failed"
