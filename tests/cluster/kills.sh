#!/bin/bash
# Kills processes at random moments of sweeps on a real Slurm (tests/cluster/lab.sh). While a sweep
# of four shards runs, it kills a task, its worker, a slurmd or a node. It kills KILLS times (50 by
# default), and submits each array again until the sweep is complete. No row may be lost or measured
# twice: the merged rows of each sweep must equal those of the undivided run, and results and counts
# must match byte for byte. If a worker or a compiling process was killed, its point's row says so,
# and `redsweep resume --retry` measures the point again.
#
#   SEED=1 KILLS=50 tests/cluster/kills.sh      takes several minutes; not part of make test
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
kills=${KILLS:-50}
RANDOM=${SEED:-1}
LAB=$(mktemp -d /tmp/redsweep-lab.XXXXXX) || exit 1
export LAB SLURM_CONF=$LAB/slurm.conf LAB_PORT=${LAB_PORT:-17917}
trap '"$root/tests/cluster/lab.sh" stop; rm -rf "$LAB"' EXIT
began=$SECONDS done_kills=0 sweeps=0 wrong=0
declare -A made=([task]=0 [worker]=0 [slurmd]=0 [node]=0)

"$root/tests/cluster/lab.sh" start || exit 1
cd "$LAB" || exit 1
cat >c.json <<'J'
{"name": "c", "kernels": ["neighbored", "interleaved", "unroll", "smem_unroll", "shuffle"],
 "sizes": {"log2": [13, 19]}, "blocks": [64, 128, 256, 512], "unrolls": [2, 4, 8],
 "types": ["int32", "float32"], "timing": {"min_samples": 50000, "max_samples": 60000}}
J
"$redsweep" run c.json --device sim --out whole >/dev/null 2>&1 || exit 1
rows() { "$root/tests/rows_of.sh" "$redsweep" "$1" | md5sum; }
whole=$(rows whole)
nap() { sleep "$((RANDOM % 2)).$((RANDOM % 10))"; }
# Prints the process ids of the sweep's parents (children of slurmstepd) or workers (children of
# parents).
processes() { # parents | workers
    local p parent
    for p in $(pgrep -f "redsweep run $LAB/$sweep/"); do
        parent=$(awk '{ print $4 }' "/proc/$p/stat" 2>/dev/null) || continue
        if grep -q '^redsweep' "/proc/$parent/comm" 2>/dev/null; then
            [ "$1" = workers ] && echo "$p"
        else
            [ "$1" = parents ] && echo "$p"
        fi
    done
}
any() { shuf -n 1 --random-source=<(yes "$RANDOM"); }
node() { echo "a1 a2 h1 h2" | tr ' ' '\n' | any; }

kill_something() {
    local victim kind
    case $((RANDOM % 4)) in
    0) kind=task victim=$(processes parents | any) ;;
    1) kind=worker victim=$(processes workers | any) ;;
    2) kind=slurmd victim=$(node) ;;
    3) kind=node victim=$(node) ;;
    esac
    [ -n "$victim" ] || return
    case $kind in
    task | worker) kill -KILL "$victim" 2>/dev/null || return ;;
    slurmd) # a slurmd is lost for a moment or forever, while its jobs go on
        "$root/tests/cluster/lab.sh" kill-node "$victim"
        (sleep $((RANDOM % 9)); "$root/tests/cluster/lab.sh" start-node "$victim") &
        ;;
    node)
        scontrol update nodename="$victim" state=down reason=test
        (sleep 2; scontrol update nodename="$victim" state=resume) 2>/dev/null &
        ;;
    esac
    made[$kind]=$((made[$kind] + 1))
    done_kills=$((done_kills + 1))
    echo "$((SECONDS - began)) s  $sweep: $kind $victim"
}

busy() { [ -n "$(squeue -h 2>/dev/null)" ]; }
while [ $done_kills -lt "$kills" ]; do
    sweeps=$((sweeps + 1)) sweep=s$sweeps
    "$redsweep" submit c.json --tasks 4 --partition a100,h100 --same-model --out "$sweep" --device sim --time 5 >/dev/null 2>&1 ||
        { echo "submit failed"; exit 1; }
    for try in {1..20}; do
        while busy; do
            nap
            [ $try -lt 4 ] && [ $done_kills -lt "$kills" ] && kill_something
        done
        wait
        for shard in "$sweep"/shard-*; do # measures the points that killed workers lost
            "$redsweep" show "$shard" --where 'status = crashed or status = compile_error' --columns id --csv - 2>/dev/null |
                sed 1d | grep -q . &&
                "$redsweep" resume "$shard" --retry crashed,compile_error >retry.txt 2>&1
        done
        "$redsweep" status "$sweep" >status.txt 2>&1 && break
        sbatch "$sweep/submit.sh" >/dev/null || exit 1
    done
    rm -rf "$sweep/merged"
    "$redsweep" merge "$sweep" --out "$sweep/merged" >merge.txt 2>&1
    if [ "$(rows "$sweep/merged" 2>&1)" = "$whole" ]; then
        echo "$((SECONDS - began)) s  $sweep: complete after $try submissions"
    else
        wrong=$((wrong + 1))
        echo "FAILED $sweep: not the undivided run's rows"
        cat status.txt merge.txt retry.txt
        "$redsweep" show "$sweep/merged" --where 'status != ok'
        tail -n 4 "$sweep"/logs/*
    fi
done
echo "kills.sh: $done_kills kills (${made[task]} tasks, ${made[worker]} workers, ${made[slurmd]} slurmd, ${made[node]} nodes) in $sweeps sweeps, $wrong with wrong rows, $((SECONDS - began)) s, seed ${SEED:-1}"
[ $wrong -eq 0 ]
