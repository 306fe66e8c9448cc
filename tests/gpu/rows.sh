#!/bin/bash
# Reductions along rows on a GPU: which configuration is the fastest at which shape, and the winners
# beside CUB, PyTorch and the ceiling.
#
#   tests/gpu/rows.sh STEP...
#     search   sums: configs/rows-search.json races
#     ops      the other operations race among what is fast for sums
#     final    the winners of both, CUB and the ceiling, interleaved
#     peers    PyTorch, eager and compiled, in blocks that alternate with the winners at $PEER_SIZES
#     pack     everything into $OUT
#   No step begins after $LIMIT seconds (170), but pack always does. PICK=FOLDER: without a search, what
#   that run found. DEVICE is cuda by default. Runs are kept in $BUILD/rows.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
redsweep=$build/redsweep
runs=$build/rows
device=${DEVICE:-cuda}
sizes=${SIZES:-2^14,2^20,2^26} peer_sizes=${PEER_SIZES:-2^28}
peer_lengths=${PEER_LENGTHS:-2^4,2^6,2^10,2^12,2^14,2^17,2^24}
ops=${OPS:-max,argmax,norm2,mean_var,logsumexp} peer_ops=${PEER_OPS:-sum,max,argmax,mean_var,logsumexp}
types=${TYPES:-float32,bfloat16} shards=${SHARDS:-12}
mkdir -p "$runs"
cd "$root" || exit 1
export REDSWEEP_CACHE=$runs/cache TORCHINDUCTOR_CACHE_DIR=$runs/inductor

timed() { # NAME COMMAND...: its output goes to NAME.txt, its wall time to times.txt
    name=$1
    shift
    start=$(date +%s)
    "$@" >"$runs/$name.txt" 2>&1
    code=$?
    tail -n 8 "$runs/$name.txt"
    echo "$name $(($(date +%s) - start)) s, exit code $code" | tee -a "$runs/times.txt"
    return "$code"
}

picked() { # NAME OPTION...: a config of the winners so far
    config=$runs/$1.json
    name=$1
    shift
    found=${PICK:-$runs/search}
    [ -e "$runs/ops/results.csv" ] && found="$found $runs/ops"
    # shellcheck disable=SC2086 # a list of folders
    python3 tests/gpu/rows_pick.py $found --name "$name" "$@" >"$config"
}

step() {
    case $1 in
    search)
        rm -rf "$runs/search"
        timed search "$redsweep" run configs/rows-search.json --sizes "$sizes" --device "$device" --out "$runs/search"
        ;;
    ops)
        rm -rf "$runs/ops"
        picked rows-ops --keep 4 --ops "$ops" --sizes 2^26 --with '' --samples 8 &&
            timed ops "$redsweep" run "$runs/rows-ops.json" --device "$device" --out "$runs/ops"
        ;;
    final)
        rm -rf "$runs/final"
        picked rows-final --keep 2 --ops "sum,$ops" --sizes "$sizes" --samples 20 &&
            timed final "$redsweep" run "$runs/rows-final.json" --device "$device" --out "$runs/final"
        ;;
    peers)
        rm -rf "$runs/peers" "$runs"/beside-*
        picked rows-beside --keep 1 --ops "$peer_ops" --sizes "$peer_sizes" --row-lengths "$peer_lengths" || return 1
        set -- "$runs/peers" --sizes "$peer_sizes" --row-lengths "$peer_lengths" --types "$types" --ops "$peer_ops"
        workers=
        for i in $(seq 0 $((shards - 1))); do
            python3 tests/gpu/peers.py "$@" --compile-only --shards "$shards" --shard "$i" >"$runs/compile-$i.txt" 2>&1 &
            workers="$workers $!"
        done
        # shellcheck disable=SC2086 # a list of numbers
        wait $workers
        timed peers python3 tests/gpu/peers.py "$@" --blocks "${BLOCKS:-2}" --between \
            "'$redsweep' run '$runs/rows-beside.json' --device $device --out '$runs'/beside-\$BLOCK"
        ;;
    pack)
        : "${OUT:?}"
        cd "$runs" || exit 1
        tar -cJf "$OUT/rows.tar.xz" --exclude='results.json' --exclude=cache --exclude=inductor -- *
        cp ./*.txt "$OUT/"
        ls -l "$OUT"
        ;;
    *)
        sed -n '2,14s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
    esac
}

[ $# -gt 0 ] || step help
failed=0
for one; do
    if [ "$one" != pack ] && [ "$SECONDS" -ge "${LIMIT:-170}" ]; then
        echo "$one left out after $SECONDS s" | tee -a "$runs/times.txt"
        continue
    fi
    step "$one" || failed=1
done
exit $failed
