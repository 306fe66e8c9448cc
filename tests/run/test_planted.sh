#!/bin/sh
# Kernels that are wrong on purpose (tests/kernels) must get the expected status for every type and
# operation, and no other point may fail. DEVICE is sim, or cuda on a machine with a GPU.
set -u
. "$(dirname "$0")/../scratch.sh"

"$redsweep" run "$root/tests/kernels/planted.json" --device "${DEVICE:-sim}" --out "$work/run" \
    >"$work/out.txt" 2>&1
code=$?
[ "$code" -eq 1 ] || { echo "test_planted: FAILED: exit code $code, not 1"; cat "$work/out.txt"; exit 1; }

# statuses KERNEL: prints how many of the kernel's points have each status, such as "6 wrong"
statuses() {
    "$redsweep" show "$work/run" --where "kernel = $1" --columns status --csv - | sed 1d | sort | uniq -c |
        awk '{ printf "%s%d %s", sep++ ? ", " : "", $1, $2 }'
}

expect() { # KERNEL STATUSES
    got=$(statuses "$1")
    [ "$got" = "$2" ] && return
    echo "test_planted: FAILED: $1: $got, not $2"
    grep "$1" "$work/run/results.csv" | head -3
    failed=1
}
# Two of the faults are checked for sums only. A maximum or minimum may hide them, because the
# missing element is rarely the extreme one.
expect planted_reads_beyond "6 wrong"
expect planted_writes_beyond "6 wrong"
expect planted_fills_beyond "6 wrong"
expect planted_writes_nothing "6 wrong"
expect planted_faults "3 launch_error, 3 skipped" # the kernel is given up
expect smem "6 ok"
for kernel in planted_forgets planted_changes_input; do
    got=$("$root/tests/count_rows.sh" "$redsweep" "$work/run" "kernel = $kernel and op = sum and status = wrong")
    [ "$got" -eq 2 ] || { echo "test_planted: FAILED: $kernel: $got wrong sums, not 2"; failed=1; }
done
says_beyond() { # BUFFER RUN
    grep -q "past the end of its $1" "$2/results.csv" && return
    echo "test_planted: FAILED: no row says that a kernel wrote past the end of its $1"
    failed=1
}
says_beyond output "$work/run"
# planted_fills_beyond has its own sweep: once a kernel has broken a guard, every later launch of
# the sweep checks all guards.
"$redsweep" run "$root/tests/kernels/planted.json" --kernels planted_fills_beyond,smem --device "${DEVICE:-sim}" \
    --out "$work/alone" >"$work/alone.txt" 2>&1
says_beyond workspace "$work/alone"
[ "$failed" -eq 0 ] && echo "test_planted: all planted faults were caught on ${DEVICE:-sim}"
exit "$failed"
