#!/bin/sh
# Runs compute-sanitizer's racecheck on each of the eighty kernels of tests/devices/sim/races,
# each in its own process. It prints a line `NAME found|silent|failed` for each kernel. It needs a GPU, nvcc
# and compute-sanitizer. tests/devices/sim/test_eighty_races.sh makes a table of the output:
#
#   experiments/counts/sanitizer.sh >sanitizer.txt; SANITIZER=sanitizer.txt tests/devices/sim/test_eighty_races.sh
#
# The script runs as many processes at once as there are processors, because compute-sanitizer
# takes longer to start than the kernel takes to run.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" = --one ]; then
    out=$(timeout 60 compute-sanitizer --tool racecheck "$2" "$3" 2>&1 </dev/null)
    case $out in
    *'RACECHECK SUMMARY: 0 hazards'*) echo "$3 silent" ;;
    *'RACECHECK SUMMARY'*) echo "$3 found" ;;
    *) echo "$3 failed: $(printf '%s' "$out" | tail -1)" ;;
    esac
    exit
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
python3 "$root/tests/devices/sim/races/make.py" "$work" || exit 2
nvcc -arch="${ARCH:-sm_90}" -lineinfo -o "$work/all" "$work/all.cu" 2>"$work/log" || { cat "$work/log" >&2; exit 2; }
cut -d' ' -f1 "$work/names.txt" | xargs -P "$(nproc)" -n 1 "$0" --one "$work/all" | sort
