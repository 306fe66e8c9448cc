#!/bin/sh
# compute-sanitizer's racecheck on the eighty kernels of tests/devices/sim/races, one process each: a line `NAME found|silent|failed`
# for each of them. Needs a GPU, nvcc and compute-sanitizer. tests/devices/sim/test_eighty_races.sh makes a table of it:
#
#   tests/gpu/sanitizer.sh >sanitizer.txt; SANITIZER=sanitizer.txt tests/devices/sim/test_eighty_races.sh
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
python3 "$root/tests/devices/sim/races/make.py" "$work" || exit 2
nvcc -arch="${ARCH:-sm_90}" -lineinfo -o "$work/all" "$work/all.cu" 2>"$work/log" || { cat "$work/log" >&2; exit 2; }
while read -r name _; do
    timeout 60 compute-sanitizer --tool racecheck "$work/all" "$name" >"$work/out" 2>&1 </dev/null
    if ! grep -q 'RACECHECK SUMMARY' "$work/out"; then
        echo "$name failed"
    elif grep -q 'RACECHECK SUMMARY: 0 hazards' "$work/out"; then
        echo "$name silent"
    else
        echo "$name found"
    fi
done <"$work/names.txt"
