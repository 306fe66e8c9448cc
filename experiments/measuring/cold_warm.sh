#!/bin/sh
# Checks that "cold" and "warm" are what they claim to be, using the hardware's own counts of bytes
# read from and written to DRAM:
#
#   cold   A kernel that reads its input once reads n × size bytes. The count may differ from this
#          number by 0.2 % plus 16 KiB (code and parameters take 8 to 10 KiB on an H200). The number
#          of written bytes is below 1 % of n × size plus 16 KiB, so no line in the cache was dirty.
#   warm   If the input takes at most a quarter of the L2, the number of bytes read from DRAM is
#          below 1 % of the input plus 16 KiB.
#
#   experiments/measuring/cold_warm.sh [RUN]     RUN is an existing run with these counts and gld_sectors;
#                                    without RUN, configs/cold-warm.json is run (about 20 s, H200)
#
# The run and cold_warm.txt are written to ${OUT:-build/cold-warm}. The exit code is 0 if the run passed, 1 if
# a count is off, and 2 if nothing could be checked.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
out=${OUT:-$build/cold-warm}
mkdir -p "$out"
run=${1:-$out/run}
if [ $# -eq 0 ]; then
    rm -rf "$run"
    "$build/redsweep" run configs/cold-warm.json --device "${DEVICE:-cuda}" --out "$run" || exit 2
fi
if [ ! -f "$run/results.csv" ] || ! "$build/redsweep" show "$run" --info >"$out/info.txt"; then
    echo "$run is not a run: it has no results.csv or no run.json"
    exit 2
fi
l2=$(sed -n 's/^provenance\.device\.l2_bytes\t//p' "$out/info.txt")
"$build/redsweep" show "$run" --data - >"$out/rows.data" || exit 2
awk -v l2="${l2:-0}" -f tests/data.awk -f experiments/measuring/cold_warm.awk "$out/rows.data" |
    tee "$out/cold_warm.txt"
case $(tail -1 "$out/cold_warm.txt") in
passed*) exit 0 ;;
FAILED*) exit 1 ;;
*) exit 2 ;;
esac
