#!/bin/sh
# Tests the course's exercises. Before it is edited, each exercise must fail for the reason that the
# course explains. The solutions must pass, and other mistakes must be reported.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
REDSWEEP=${BUILD:-$root/build}/redsweep
export REDSWEEP
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0 checks=0

expect() { # CODE PATTERN FOLDER EXERCISE…
    want=$1 pattern=$2
    FOLDER=$3
    export FOLDER
    shift 3
    code=0
    exercises/check.sh "$@" >"$work/out" 2>&1 || code=$?
    checks=$((checks + 1))
    [ $code -eq "$want" ] && grep -q -e "$pattern" "$work/out" && return
    printf "test_exercises: FAILED: check.sh %s of %s ended with %d, or does not say '%s':\n" "$*" "$FOLDER" $code "$pattern"
    cat "$work/out"
    failed=1
}

expect 1 '^race: not yet: redsweep racecheck race .* finds something' exercises race
expect 1 '^coalesce: not yet: it loads 1048576 sectors .* 131072 would do' exercises coalesce
expect 1 '^beat: not yet: its warps execute [0-9]* instructions, those of smem_unroll [0-9]*$' exercises beat
expect 0 '^beat: pass' tests/exercises/solutions
expect 2 "no exercise is called 'speed'" exercises speed

# The unedited exercise `race` has a correct result, so only the race check finds its fault.
"$REDSWEEP" run --kernels race --kernel-folder exercises --sizes 2^20 --blocks 256 --metrics= --device sim --quiet --out "$work/run" >/dev/null ||
    { echo 'test_exercises: FAILED: the handed-out race is wrong by itself'; failed=1; }

# Tries two wrong solutions. The first one loses elements, and the second one does not compile.
sed 's/k = tid;/k = tid + 1;/' tests/exercises/solutions/coalesce.cu >"$work/coalesce.cu"
expect 1 '^coalesce: not yet: at n = [0-9]*: wrong: ' "$work" coalesce
sed 's/element sum/elemental sum/' tests/exercises/solutions/coalesce.cu >"$work/coalesce.cu"
expect 1 '^coalesce: not yet: at n = 1: compile_error: ' "$work" coalesce

[ $failed -eq 0 ] && echo "test_exercises: $checks checks passed"
exit $failed
