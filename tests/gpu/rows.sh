#!/bin/bash
# Reductions along rows on a GPU: which configuration is the fastest at which shape, and the winners
# beside CUB, PyTorch and the ceiling.
#
#   tests/gpu/rows.sh search         configs/rows-search.json (DEVICE: cuda by default)
#   tests/gpu/rows.sh peers          PyTorch, eager and compiled, in blocks that alternate with
#                                    configs/rows.json
#   tests/gpu/rows.sh pack           all of it into $OUT
#
# Runs are kept in $BUILD/rows.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
redsweep=$build/redsweep
runs=$build/rows
device=${DEVICE:-cuda}
mkdir -p "$runs"
cd "$root" || exit 1
export REDSWEEP_CACHE=$runs/cache

timed() { # NAME COMMAND...: its wall time goes to times.txt
    name=$1
    shift
    start=$(date +%s)
    "$@" >"$runs/$name.txt" 2>&1
    code=$?
    tail -n 12 "$runs/$name.txt"
    echo "$name $(($(date +%s) - start)) s, exit code $code" | tee -a "$runs/times.txt"
    return "$code"
}

case ${1:-} in
search)
    rm -rf "$runs/search"
    timed search "$redsweep" run configs/rows-search.json --device "$device" --out "$runs/search" || exit 1
    ;;
peers)
    shift
    sizes=${SIZES:-2^26,2^28} lengths=${ROW_LENGTHS:-2^4,2^6,2^10,2^12,2^14,2^17,2^24}
    types=${TYPES:-float32} ops=${OPS:-sum} shards=${SHARDS:-8}
    export TORCHINDUCTOR_CACHE_DIR=$runs/inductor
    rm -rf "$runs/peers" "$runs"/rows-*
    set -- "$runs/peers" --sizes "$sizes" --row-lengths "$lengths" --types "$types" --ops "$ops"
    for i in $(seq 0 $((shards - 1))); do
        python3 tests/gpu/peers.py "$@" --compile-only --shards "$shards" --shard "$i" >"$runs/compile-$i.txt" 2>&1 &
    done
    wait
    timed peers python3 tests/gpu/peers.py "$@" --blocks "${BLOCKS:-2}" --between \
        "'$redsweep' run configs/rows.json --device $device --out '$runs'/rows-\$BLOCK" || exit 1
    ;;
pack)
    : "${OUT:?}"
    cd "$runs" || exit 1
    rm -rf cache inductor
    tar -cJf "$OUT/rows.tar.xz" --exclude='results.json' -- *
    cp ./*.txt "$OUT/"
    ls -l "$OUT"
    ;;
*)
    sed -n '2,11s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
