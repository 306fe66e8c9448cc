#!/bin/sh
# redsweep racecheck must find planted races and name the two lines of each, and find none in
# correct kernels. It accepts races that a kernel's facts announce, and reports an error if an
# announced race does not happen.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
out=$(mktemp) || exit 1
here=$(mktemp -d) || exit 1
trap 'rm -rf "$out" "$here"' EXIT
failed=0

check() { # EXPECTED_CODE ARGUMENT...
    expected=$1
    shift
    name=$*
    "$redsweep" racecheck "$@" >"$out" 2>&1
    code=$?
    [ "$code" -eq "$expected" ] && return
    echo "test_check: FAILED: check $name: exit code $code, not $expected"
    grep -v "^ " "$out"
    failed=1
}
says() { # TEXT
    grep -qF -- "$1" "$out" && return
    echo "test_check: FAILED: check $name does not say: $1"
    grep -v "^ " "$out"
    failed=1
}
counted() { # TEXT -eq|-ge LINES WHAT_IS_WRONG
    test "$(grep -cF -- "$1" "$out")" "$2" "$3" && return
    echo "test_check: FAILED: $4"
    grep -v "^ " "$out"
    failed=1
}
planted() { check "$@" --kernel-folder "$root/tests/kernels"; }

planted 1 planted_races
says "shared memory, threads of one block: a read, then a write"
says "planted_races.cu:22"
says "tile[tid] = combine(tile[tid], tile[tid + stride]);"
says "do not say that it is racy"
says "1 kernel: 1 with a race"

planted 1 planted_no_atomic
says "global memory, threads of different blocks: a write, then a read"
says "planted_no_atomic.cu:19"
# Each pair of lines is printed once, however many instructions, shapes and blocks race there.
counted 'different blocks:' -eq 1 'the race is printed more than once'

# The kernel planted_wide has a race for some operations, but not for sums.
planted 1 planted_wide
says "first with float32 mean_var"

planted 1 planted_called_racy
says "but its facts say that it is racy: its author thought so"
says "1 without the expected race"

planted 1 planted_faults
says "planted_faults failed: int32 sum n=1 block=64"

planted 1 'planted_[rn]*' smem
says "smem has no race in"

# Of all reductions that redsweep ships, only those marked as racy have races.
check 0
says "smem_volatile.cu:41"
says "unroll_warps_volatile has 10 races"
says "onepass_ticket has no race in"
says "nested has no race in"
says "nested_nosync has "
says "onepass_cluster has no race in"
says "cub was not checked"
counted ', as expected, because its facts say' -ge 6 'fewer than 6 racy kernels were found racy'

check 2 cub
says "none of these kernels can be checked"
# Kernels in the current folder are found without an option, like by `run`.
sed 's/last_ticket/my_sum/g' "$root/examples/reductions/last_ticket.cu" >"$here/my_sum.cu"
redsweep=$(realpath "$redsweep")
cd "$here" || exit 1
check 0 my_sum
says "my_sum has no race in"
cd "$root" || exit 1

check 2 smen
says "did you mean 'smem'?"
check 2 smem --device cpu
says "cannot detect races"
check 2 --divice sim
says "did you mean '--device'?"
check 0 --help
says "Exit codes: 0 the kernels with the fact"

[ "$failed" -eq 0 ] && echo "test_check: races are found where they are, and only there"
exit "$failed"
