#!/bin/bash
# Tests the library from `make tuned` on a GPU: checks random calls, compares its times with CUB's,
# and runs the PyTorch example.
#
#   experiments/library/tuned.sh [CALLS [SAMPLES]]      defaults: 100000 calls to each function, 20 samples of each time
#
# ELEMENTS=4194304 limits arrays to 4194304 elements instead of 2^24, which takes a quarter of the
# time.
#
# It builds only the example: run `make tuned RUNS=…` first, and `make cub` for CUB's times. The output of the steps
# is written to $OUT (build/tuned) as calls.txt, bench.csv and torch.csv. A step is stopped after $STEP seconds
# (200), and then the next step begins. STEPS="calls torch" runs only these two steps. The exit code is 1 if a step
# failed or was stopped.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
tuned=$build/tuned
out=${OUT:-$tuned}
failed=0
mkdir -p "$out" || exit 2
for program in calls bench; do
    [ -x "$tuned/$program" ] || { echo "tuned.sh: $tuned/$program is missing: make tuned RUNS=…" >&2; exit 2; }
done

step() { # NAME FILE COMMAND...
    local name=$1 file=$2 start code
    shift 2
    start=$(date +%s)
    timeout -k 10 "${STEP:-200}" "$@" >"$out/$file" 2>"$out/$name.err"
    code=$?
    tail -n 5 "$out/$name.err" >&2
    tail -n 1 "$out/$file"
    echo "$name: $(($(date +%s) - start)) s, exit code $code"
    [ $code -eq 0 ] || [ $code -eq 77 ] || failed=1
}

for one in ${STEPS:-calls bench torch}; do
    case $one in
    calls) step calls calls.txt "$tuned/calls" "${1:-100000}" ${ELEMENTS:+"$ELEMENTS"} ;;
    bench) step bench bench.csv "$tuned/bench" "${2:-20}" ;;
    torch) step torch torch.csv python3 "$root/examples/torch/build.py" "$tuned" ;;
    *) echo "tuned.sh: there is no step $one" >&2 && exit 2 ;;
    esac
done
exit $failed
