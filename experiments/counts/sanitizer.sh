#!/bin/sh
# Runs compute-sanitizer's racecheck on each of the eighty kernels in tests/devices/sim/races, in a
# process each, and prints `NAME found|silent|failed` for each kernel. Needs a GPU, nvcc and
# compute-sanitizer. tests/devices/sim/test_eighty_races.sh makes a table of the output:
#
#   experiments/counts/sanitizer.sh >sanitizer.txt; SANITIZER=sanitizer.txt tests/devices/sim/test_eighty_races.sh
#
# Runs one process per processor at a time, because starting compute-sanitizer takes longer than the
# kernel.
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
