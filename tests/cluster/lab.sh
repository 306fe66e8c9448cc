#!/bin/bash
# Makes a small Slurm cluster on this machine for tests: one controller, and four nodes with two
# "GPUs" each in two partitions. Runs as root, without systemd, cgroups or accounting. All of its
# files are in $LAB.
#
#   lab.sh start | stop | kill-node NAME | start-node NAME
#
# These settings have reasons that Slurm's manual does not state: NodeHostname, NodeAddr, Port four
#   slurmd -N NAME on one host
#   linuxproc                      needs no cgroups; pgid would lose a worker that has its own group
#   File= of gres.conf             must be a device, or CUDA_VISIBLE_DEVICES is left out
#   cred_expire=5                  a requeued job waits for that long; 120 s by default
#   backfill                       with the builtin scheduler of 22.05 a job that depends on an array
#                                  starts together with it
#   SlurmdTimeout                  how soon a lost node is noticed
set -eu
lab=${LAB:-/tmp/redsweep-lab}
port=${LAB_PORT:-17817}
export SLURM_CONF=$lab/slurm.conf
host=$(hostname -s 2>/dev/null || hostname)
nodes=(a1 a2 h1 h2)

model_of() { case $1 in a*) echo a100 ;; *) echo h100 ;; esac; }

write_config() {
    mkdir -p "$lab"/{state,spool,log,dev,munge}
    chmod 700 "$lab/munge"
    [ -s "$lab/munge/key" ] || head -c 256 /dev/urandom >"$lab/munge/key"
    chmod 400 "$lab/munge/key"
    cat >"$SLURM_CONF" <<C
ClusterName=redsweep
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$lab/munge/socket,cred_expire=5
StateSaveLocation=$lab/state
SlurmdSpoolDir=$lab/spool/%n
SlurmctldPidFile=$lab/slurmctld.pid
SlurmdPidFile=$lab/slurmd-%n.pid
SlurmctldLogFile=$lab/log/slurmctld.log
SlurmdLogFile=$lab/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SlurmdTimeout=${LAB_NODE_TIMEOUT:-5}
SlurmctldTimeout=10
KillWait=2
InactiveLimit=0
ReturnToService=2
SlurmdParameters=config_overrides
C
    : >"$lab/gres.conf"
    local i=0 name gpu
    for name in "${nodes[@]}"; do
        i=$((i + 1))
        echo "NodeName=$name NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=4 RealMemory=1000 Gres=gpu:$(model_of "$name"):2" >>"$SLURM_CONF"
        for gpu in 0 1; do
            ln -sfn /dev/null "$lab/dev/$name-$gpu"
            echo "NodeName=$name Name=gpu Type=$(model_of "$name") File=$lab/dev/$name-$gpu" >>"$lab/gres.conf"
        done
    done
    echo "PartitionName=a100 Nodes=a1,a2 MaxTime=60 Default=YES" >>"$SLURM_CONF"
    echo "PartitionName=h100 Nodes=h1,h2 MaxTime=60" >>"$SLURM_CONF"
}

end_process() { # PID-FILE SIGNAL
    [ -s "$1" ] || return 0
    local pid i
    pid=$(cat "$1")
    kill "-$2" "$pid" 2>/dev/null || return 0
    for i in {1..30}; do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
}

start() {
    write_config
    munged --force --key-file="$lab/munge/key" --socket="$lab/munge/socket" \
        --pid-file="$lab/munge/pid" --log-file="$lab/munge/log" --seed-file="$lab/munge/seed"
    slurmctld -c
    local name i
    for name in "${nodes[@]}"; do slurmd -N "$name"; done
    for i in {1..150}; do
        [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" -ne 4 ] || return 0
        sleep 0.2
    done
    sinfo -N -l >&2
    echo "lab.sh: the cluster did not start; logs are in $lab/log" >&2
    return 1
}

case ${1:-} in
start) start ;;
stop)
    scancel --user=root 2>/dev/null || true
    for name in "${nodes[@]}"; do end_process "$lab/slurmd-$name.pid" TERM; done
    end_process "$lab/slurmctld.pid" TERM
    end_process "$lab/munge/pid" TERM
    ;;
kill-node) end_process "$lab/slurmd-$2.pid" KILL ;;
start-node) slurmd -N "$2" ;;
*)
    echo "use: lab.sh start | stop | kill-node NAME | start-node NAME" >&2
    exit 2
    ;;
esac
