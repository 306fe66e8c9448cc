#!/bin/bash
# Runs sweeps on a real Slurm (tests/cluster/lab.sh) with `redsweep submit`. Submits an array over
# two partitions, and a job that merges the shards. Also tests a task that is requeued, a task that
# gets SIGTERM, a node that is set to "down", and a node that is lost while its job goes on. Each
# time, the merged rows must equal those of the undivided run, and results and counts must match
# byte for byte. Takes about 100 s. Needs root and Debian's munge, slurmctld, slurmd and
# slurm-client. If they are missing, the exit code is 77.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
for program in munged slurmctld slurmd sbatch scontrol; do
    command -v $program >/dev/null || { echo "slurm.sh: skipped: there is no $program"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "slurm.sh: skipped: needs root"; exit 77; }
LAB=$(mktemp -d /tmp/redsweep-lab.XXXXXX) || exit 1
export LAB SLURM_CONF=$LAB/slurm.conf
trap '"$root/tests/cluster/lab.sh" stop; rm -rf "$LAB"' EXIT
began=$SECONDS passed=0 failed=0
ok() { passed=$((passed + 1)); echo "ok     $((SECONDS - began)) s  $1"; }
fail() { failed=$((failed + 1)); echo "FAILED $((SECONDS - began)) s  $1"; }
check() { if [ "$2" = "$3" ]; then ok "$1"; else fail "$1: '$2', expected '$3'"; fi; }
wait_for() { # SECONDS COMMAND…: waits until the command succeeds
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}
nobody() { [ -z "$(squeue -h 2>/dev/null)" ]; }
has_rows() { [ "$(wc -l 2>/dev/null <"$1" || echo 0)" -gt "$2" ]; }
is_down() { sinfo -h -N -n "$1" -o %t | grep -q '^down'; }
logged() { grep -q "$1" "$2" 2>/dev/null; }
rows() { "$root/tests/rows_of.sh" "$redsweep" "$1" | md5sum; }

"$root/tests/cluster/lab.sh" start || exit 1
ok "the cluster is up"

cd "$LAB" || exit 1
# The work takes long enough for the test to disturb a running task. The number of samples just
# raises the estimated time.
cat >c.json <<'J'
{"name": "c", "kernels": ["neighbored", "interleaved", "unroll", "smem_unroll", "shuffle"],
 "sizes": {"log2": [13, 19]}, "blocks": [64, 128, 256, 512], "unrolls": [2, 4, 8],
 "types": ["int32", "float32"], "timing": {"min_samples": 50000, "max_samples": 60000}}
J
"$redsweep" run c.json --device sim --out whole >/dev/null 2>&1 || { echo "slurm.sh: FAILED: the undivided run"; exit 1; }
whole=$(rows whole)
# submit NAME TASKS OPTIONS…: submits a sweep into NAME/ and prints the array's number
submit() {
    local name=$1 tasks=$2
    shift 2
    "$redsweep" submit c.json --tasks "$tasks" --out "$name" --device sim --time 5 "$@" >"$name.out" 2>&1 ||
        { cat "$name.out" >&2; fail "$name: submit"; }
    awk '$1 == "array" { print $2 }' "$name/jobs.txt"
}
merged() { # NAME
    wait_for 120 nobody || fail "$1: jobs do not end"
    check "$1: merged, and the rows are the undivided run's" "$(rows "$1/merged" 2>&1)" "$whole"
    [ "$failed" -eq 0 ] || tail -n 4 "$1"/logs/* >&2
}

submit array 4 --partition a100,h100 --same-model >/dev/null
merged array

named="a \"folder\"'s #50%a"
submit "$named" 2 >/dev/null
merged "$named"
check "names: the logs" "$(cd "$named/logs" && ls)" "0.log
1.log
merge.log"

job=$(submit requeue 2)
wait_for 30 has_rows requeue/shard-000/results.csv 1
scontrol requeue "${job}_0"
merged requeue
check "requeue: two sessions" "$("$redsweep" status requeue --csv - | awk -F, 'NR == 2 { print $6 }')" 2

job=$(submit term 1)
wait_for 30 has_rows term/shard-000/results.csv 1
scancel --batch --signal=TERM "${job}_0"
merged term
logged "requeued after" term/logs/0.log && ok "term: it queued itself again" || fail "term: log"

job=$(submit down 1)
wait_for 30 has_rows down/shard-000/results.csv 1
node=$(squeue -h -j "$job" -o %N)
scontrol update nodename="$node" state=down reason=test
sleep 1
merged down
scontrol update nodename="$node" state=resume 2>/dev/null

# The node is lost, but its job goes on unnoticed and holds the folder's lock. Slurm starts the task
# elsewhere. The new task waits for the lock until the node is back and Slurm ends the first task.
job=$(submit lost 1)
wait_for 30 has_rows lost/shard-000/results.csv 1
for p in $(pgrep -f "redsweep run $LAB/lost/"); do kill -STOP "$p"; done # the first task: it may end within a second
node=$(squeue -h -j "$job" -o %N)
"$root/tests/cluster/lab.sh" kill-node "$node"
wait_for 60 is_down "$node" || fail "lost: the node is not given up"
wait_for 60 logged "waits for it up to 300 s" lost/logs/0.log && ok "lost: the second task waits" || fail "lost: nobody waits"
"$root/tests/cluster/lab.sh" start-node "$node"
merged lost

echo "slurm.sh: $passed passed, $failed failed, $((SECONDS - began)) s"
[ $failed -eq 0 ]
