#!/bin/sh
# SIGTERM lets the round that runs end: points that have timing.min_samples are kept with what they
# have, otherwise the whole group is left to resume. Also when, as batch systems do it, every process
# of the job gets the signal. SIGHUP (as SIGINT, which a shell keeps from its background jobs) ends the run at once.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
checks=0 failed=0
ok() { checks=$((checks + 1)); }
fail() { echo "test_stop: FAILED: $*"; cat "$work/out"; failed=1; }

# column NAME: the cells of a column of the run's rows
column() {
    awk -F, -v NAME="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == NAME) at = i; next } { print $at }' \
        "$work/r/results.csv"
}
rows() { echo $(($(wc -l <"$work/r/results.csv") - 1)); }
# start MIN_SAMPLES: groups of two points that are timed for ever; returns when timing has begun
start() {
    rm -rf "$work/r"
    cat >"$work/c.json" <<J
{"name": "c", "kernels": ["cpu_loop"], "sizes": [1048576, 2097152],
 "timing": {"min_samples": $1, "max_samples": 100000, "relative_width": 0, "budget_s": 3600, "point_limit_s": 60}}
J
    "$redsweep" run "$work/c.json" --device cpu --out "$work/r" >"$work/out" 2>&1 &
    pid=$!
    tries=0
    while [ "$(worked)" -lt 150 ] && [ $tries -lt 2400 ]; do sleep 0.05; tries=$((tries + 1)); done
}
# worked: hundredths of a second of CPU time that the worker has had. After 150 it times, and has had
# several samples of each point, however busy the machine is.
worked() {
    worker=$([ ! -s "$work/r/run.json" ] || cat "/proc/$pid/task/$pid/children" 2>/dev/null)
    ticks=$([ -z "$worker" ] || cut -d' ' -f14 "/proc/${worker%% *}/stat" 2>/dev/null)
    echo "${ticks:-0}"
}
ended() { # CODE
    wait $pid
    code=$?
    [ $code -eq "$1" ] || fail "$what: exit code $code, not $1"
}

what="enough samples"
start 3
kill -TERM $pid
ended 3
[ "$(rows)" -ge 1 ] && [ "$(column stopped_by | sort -u)" = signal ] && ok || fail "$what"
first=$(column samples | head -1)
[ "$first" -ge 3 ] && [ "$(grep -c . "$work/r/samples.csv")" -eq $(($(column samples | awk '{ s += $1 } END { print s }') + 1)) ] &&
    ok || fail "$what: samples"

what="the whole job"
start 3
kill -TERM $pid $(cat /proc/$pid/task/$pid/children)
ended 3
[ "$(rows)" -ge 1 ] && [ "$(column status | sort -u)" = ok ] && ok || fail "$what"

what="too few samples"
start 100000
kill -TERM $pid
ended 3
[ "$(rows)" -eq 0 ] && ok || fail "$what"

what="SIGHUP"
start 3
kill -HUP $pid
ended 3
[ "$(rows)" -eq 0 ] && ok || fail "$what"

[ $failed -eq 0 ] && echo "test_stop: $checks checks passed"
exit $failed
