#!/bin/sh
# Reads complete runs of redsweep 0.2.0. In these runs, `reason` says in words what later versions
# say in `flags`. All commands that read runs accept them and derive the flags from the words.
# resume says why it does not continue such a run. Version f9aa1b7, the last before 0.3.0, made
# tests/data/runs-0.2.0.tar.xz. The runs `a` and `b` are races on that version's fake GPU
# (tests/devices/fake_cuda.h); launches in `b` take 25 % longer. In `a`, one kernel faults, and at
# some point another program starts launching kernels. The runs `shards` and `stopped` were made on
# the simulator, and `stopped` was killed.
set -u
. "$(dirname "$0")/../scratch.sh"
export REDSWEEP_CACHE="$work/cache"
cd "$work" && tar -xJf "$root/tests/data/runs-0.2.0.tar.xz" && cd runs || exit 1

# says CODE WORDS COMMAND…: the command must exit with CODE and print WORDS.
says() {
    code=$1 words=$2
    shift 2
    "$redsweep" "$@" >"$work/out" 2>&1
    got=$?
    checks=$((checks + 1))
    [ $got -eq "$code" ] && grep -q -- "$words" "$work/out" && return
    echo "test_older: FAILED: $* ended with $got, or says nothing of '$words':"
    cat "$work/out"
    failed=1
}
# equal COUNT RUN EXPRESSION: the expression must hold for exactly COUNT rows of the run.
equal() {
    count=$("$root/tests/count_rows.sh" "$redsweep" "$2" "$3")
    checks=$((checks + 1))
    [ "$count" -eq "$1" ] || { echo "test_older: FAILED: $count rows of $2 with $3, not $1"; failed=1; }
}

# Each flag must be set in exactly the rows whose reason says the same in words.
equal 64 a 'n > 0'
while read -r rows flag words; do
    equal "$rows" a "$words"
    equal "$rows" a "flags = '*$flag*'"
    equal "$rows" a "flags = '*$flag*' and $words"
done <<'ROWS'
36 unplaced reason = '*queue slot not verified*'
15 unresolved reason = "*below the clock's resolution*"
24 raced stopped_by = raced
9 given_up_launch_error status = skipped and reason = 'the kernel was given up: at three points in a row its status was launch_error'
ROWS
equal 3 a "status = launch_error and flags = ''"
cp -r a silent && sed -i 's/queue slot not verified/a note/; s/the kernel was given up/a note/' silent/results.csv
equal 0 silent "flags = '*unplaced*' or flags = '*given_up*'"

# Commands make tables, a page and charts.
says 0 '^64 of 64 rows' show a
says 0 '^Excluded: 15 rows whose time is below the clock' best a
says 0 '^Excluded: 24 rows that a search dropped' best a
[ "$("$redsweep" best a --data - --table winners | awk -F '\t' '{ printf "%s ", $5 }')" = '"n" 65536 1048576 ' ] ||
    { echo "test_older: FAILED: best at 2^10, where nothing is resolved, or not elsewhere"; failed=1; }
says 1 '^ *without times that could be compared: 9 of these points' diff a b
says 0 '/report.html$' report a
says 0 '^bandwidth  ' plots a time bandwidth
says 0 '^a  *complete  *64 ' status a

# merge checks the shards, and the merged run has their rows.
says 0 '^2 of 2 shards are complete$' status shards
says 0 '^merged 8 points of 2 shards' merge shards --out merged
equal 8 merged 'status = ok'
cp -r shards short && sed -i '$d' short/shard-001/results.csv
says 3 'shard' merge short --out none
[ ! -e none ] || { echo "test_older: FAILED: shards without a row were merged"; failed=1; }

# resume does not extend an older version's run, because kernels and columns have changed since.
cp -r stopped before
says 2 'hash of the source of kernel smem: was c8775ca836734090' resume stopped
says 2 'differ from those that this redsweep would write (missing: flags' resume stopped --anyway
cmp -s stopped/results.csv before/results.csv || { echo "test_older: FAILED: resume changed the rows"; failed=1; }
says 3 '^stopped  *killed  *4 of 8 ' status stopped
[ $failed -eq 0 ] && echo "test_older: $checks checks, 0 failed"
exit $failed
