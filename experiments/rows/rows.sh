#!/bin/bash
# Finds, on a GPU, the fastest configurations of reductions along rows for each shape, and of whole
# arrays for each operation. It compares these winners with CUB, PyTorch, cuBLAS and the speed limit
# (rows_limit).
#
#   experiments/rows/rows.sh STEP...
#     arrays   whole arrays: configs/operations.json races
#     grid     sums along rows by every row-wise kernel: configs/rows.json races
#     dot      dot products along rows, with the same config
#     search   sums: configs/rows-search.json races
#     ops      the other operations, with the same config at $OPS_SIZES
#     final    the winners of search and ops, CUB and the speed limit, interleaved
#     peers    PyTorch, eager and compiled, in blocks that alternate with the winners at $PEER_SIZES
#     peers0   PyTorch and cuBLAS on whole arrays, in blocks that alternate with configs/operations.json
#     pack     packs everything into $OUT: rows.tar.xz, and the output of the steps as rows.txt
# No step begins after $LIMIT seconds (170), except pack, which always runs. A step is stopped after $STEP
# seconds (90) and keeps its rows. peers and peers0, which also compile, have three times as many seconds. If a
# step fails, the next steps still run, and the exit code is 1. The exit code is also 1 if a run is doubtful.
# Runs that alternate with PyTorch are always doubtful, because another process uses the card. ops, final and
# peers use the winners of search, or else those of grid, or else those of results/reference/h200-rows or
# PICK=FOLDER. DEVICE is cuda by default. Runs are kept in $BUILD/rows. OPTIONS contains more options for all
# runs of redsweep, for example "--search.strategy exhaustive" with DEVICE=sim.
#
# With 16 cores and with CUB's libraries already built, one call runs everything in 7 minutes:
#
#     LIMIT=440 STEP=120 PEER_SIZES=2^20,2^28 experiments/rows/rows.sh grid ops dot peers0 pack peers pack
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
redsweep=$build/redsweep
runs=$build/rows
device=${DEVICE:-cuda}
sizes=${SIZES:-2^14,2^20,2^26} grid_sizes=${GRID_SIZES:-2^14,2^20,2^26,2^28} dot_sizes=${DOT_SIZES:-2^20,2^28} ops_sizes=${OPS_SIZES:-2^20,2^26}
peer_sizes=${PEER_SIZES:-2^28}
peer_lengths=${PEER_LENGTHS:-2^4,2^6,2^10,2^12,2^14,2^17,2^24}
ops=${OPS:-max,argmax,norm2,mean_var,logsumexp} peer_ops=${PEER_OPS:-sum,max,argmax,mean_var,logsumexp}
arrays_ops=${ARRAYS_OPS:-sum,max,argmax,norm2,dot,mean_var,logsumexp}
types=${TYPES:-float32,bfloat16} shards=${SHARDS:-12} options=${OPTIONS:-} seconds=${STEP:-90}
mkdir -p "$runs"
cd "$root" || exit 1
export REDSWEEP_CACHE=$runs/cache TORCHINDUCTOR_CACHE_DIR=$runs/inductor

timed() { # NAME COMMAND...: its output goes to NAME.txt, its wall time to times.txt
    name=$1
    shift
    start=$(date +%s)
    timeout -s INT -k 20 "$allowed" "$@" >"$runs/$name.txt" 2>&1
    code=$?
    tail -n 8 "$runs/$name.txt"
    echo "$name $(($(date +%s) - start)) s, exit code $code" | tee -a "$runs/times.txt"
    return "$code"
}

# These are the points in the races of `grid` and `ops` at which CUB takes 2 to 30 ms.
slow="kernel = 'cub*' and n = 2^28 and (row_length = 2^4 or row_length = 2^24)"

picked() { # NAME OPTION...: a config of the winners so far
    config=$runs/$1.json
    name=$1
    shift
    found=$runs/search
    [ -e "$found/results.csv" ] || found=$runs/grid
    found=${PICK:-$found}
    if [ ! -e "$found/results.csv" ]; then
        mkdir -p "$runs/reference"
        tar xJf results/reference/h200-rows/rows-runs.tar.xz -C "$runs/reference" grid ops ops-2
        found="$runs/reference/grid $runs/reference/ops $runs/reference/ops-2"
    fi
    [ -e "$runs/ops/results.csv" ] && found="$found $runs/ops"
    # shellcheck disable=SC2086 # a list of folders
    python3 experiments/rows/rows_pick.py $found --name "$name" "$@" >"$config" ||
        { echo "$name: no config of what $found has" | tee -a "$runs/times.txt"; return 1; }
}

# Runs PyTorch's compiler on all cores. Takes the arguments of peers.py.
compile_peers() {
    workers=
    start=$(date +%s)
    for i in $(seq 0 $((shards - 1))); do
        timeout -k 5 "$seconds" python3 experiments/rows/peers.py "$@" --compile-only --shards "$shards" --shard "$i" \
            >"$runs/compile-$i.txt" 2>&1 &
        workers="$workers $!"
    done
    # shellcheck disable=SC2086 # a list of numbers
    wait $workers
    echo "compiling for PyTorch: $(($(date +%s) - start)) s" | tee -a "$runs/times.txt"
}

# Alternates blocks of PyTorch with redsweep's run of CONFIG OPTION... No sample is taken if there
# is too little time for another run. redsweep stays in the process group that `timed` stops.
beside() { # NAME FOLDERS 'CONFIG OPTION...' ARGUMENT-OF-PEERS.PY...
    name=$1 folders=$2 run=$3
    shift 3
    compile_peers "$@"
    allowed=$((2 * seconds))
    timed "$name" python3 experiments/rows/peers.py "$@" --like "$folders-1" --blocks "${BLOCKS:-2}" \
        --seconds "${PEER_SECONDS:-$((seconds * 5 / 3))}" --between \
        "timeout --foreground -s INT -k 20 $seconds '$redsweep' run $run $options --device $device --out '$folders'-\$BLOCK"
}

# shellcheck disable=SC2086 # $options is a list of words
step() {
    case $1 in
    arrays)
        rm -rf "$runs/arrays"
        timed arrays "$redsweep" run configs/operations.json --sizes "$grid_sizes" --types "$types" $options \
            --ops "$arrays_ops" --device "$device" --out "$runs/arrays"
        ;;
    grid)
        rm -rf "$runs/grid"
        timed grid "$redsweep" run configs/rows.json --sizes "$grid_sizes" --types "$types" $options \
            --device "$device" --out "$runs/grid"
        ;;
    dot)
        rm -rf "$runs/dot"
        timed dot "$redsweep" run configs/rows.json --ops dot --sizes "$dot_sizes" --types "$types" $options \
            --device "$device" --out "$runs/dot"
        ;;
    peers0)
        rm -rf "$runs/peers0" "$runs"/arrays-beside-*
        beside peers0 "$runs/arrays-beside" "configs/operations.json --sizes $grid_sizes --types $types --ops $arrays_ops" \
            "$runs/peers0" --sizes "$grid_sizes" --row-lengths 0 --types "$types" --ops "$arrays_ops"
        ;;
    search)
        rm -rf "$runs/search"
        timed search "$redsweep" run configs/rows-search.json --sizes "$sizes" $options --device "$device" --out "$runs/search"
        ;;
    ops)
        rm -rf "$runs/ops"
        timed ops "$redsweep" run configs/rows.json --ops "$ops" --sizes "$ops_sizes" --types "$types" $options \
            --device "$device" --out "$runs/ops"
        ;;
    final)
        rm -rf "$runs/final"
        picked rows-final --keep 2 --ops "sum,$ops" --sizes "$sizes" --samples 20 &&
            timed final "$redsweep" run "$runs/rows-final.json" $options --device "$device" --out "$runs/final"
        ;;
    peers)
        rm -rf "$runs/peers" "$runs"/beside-*
        picked rows-beside --keep 1 --ops "$peer_ops" --sizes "$peer_sizes" --row-lengths "$peer_lengths" &&
            beside peers "$runs/beside" "'$runs/rows-beside.json' --exclude \"$slow\"" \
                "$runs/peers" --sizes "$peer_sizes" --row-lengths "$peer_lengths" --types "$types" --ops "$peer_ops"
        ;;
    pack)
        : "${OUT:?}"
        cd "$runs" || exit 1
        # Some remote machines return only a few files, so pack everything into one.
        tail -n +1 -- *.txt >"$OUT/rows.txt"
        XZ_OPT='-T0 -3' tar -cJf "$OUT/rows.tar.xz" --exclude='results.json' --exclude=cache --exclude=inductor \
            --exclude=reference -- *
        cd "$root" || exit 1
        ls -l "$OUT"
        ;;
    *)
        sed -n '2,25s/^# \{0,1\}//p' "$0"
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
    allowed=$seconds
    step "$one" || failed=1
done
exit $failed
