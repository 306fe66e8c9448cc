#!/bin/sh
# Measures the time and energy of the fastest int32 sums in results/reference/h200-fastest, at two
# sizes with a cold cache. Needs a Volta or newer GPU.
#
#   experiments/measuring/energy.sh            takes about 80 s; defaults: SIZES="1048576 268435456", FINALISTS=4 of each
#
# Each of the fastest sums (finalists) is measured in six blocks of one second, and the cache flush
# alone in six other blocks (docs/measuring.md). $FROM names the folder of another run. DEVICE is
# cuda by default. The run is stopped after LIMIT seconds (180).
#
# The script writes to ${OUT:-build/energy}: run/ (run.json, results.csv, samples.csv), energy.csv and energy.txt with
# the output of `redsweep best`, and log.txt with its progress. It also writes steps.txt, the output of
# build/experiments/measuring/energy_steps (which `make stage` builds): the steps of NVML's counter in three seconds,
# and the time that a reading takes. The exit code is 0 if energy was measured, 1 if a finalist has no energy, and 2
# if nothing could be measured.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} out=${OUT:-${BUILD:-build}/energy} device=${DEVICE:-cuda}
from=${FROM:-results/reference/h200-fastest} sizes=${SIZES:-1048576 268435456}
redsweep=$build/redsweep work=$out/work
export LC_ALL=C
rm -rf "$out/run" "$work"
mkdir -p "$work/part" || exit 2

# Until they are measured, the counter's steps are assumed to be 20 to 100 ms apart.
if [ -x "$build/experiments/measuring/energy_steps" ]; then
    "$build/experiments/measuring/energy_steps" >"$out/steps.txt" 2>&1
    cat "$out/steps.txt"
fi

cp "$from/run.json" "$work/part" || exit 2
# shellcheck disable=SC2086 # words on purpose
"$redsweep" show "$from" --where "type = int32 and op = sum and cache = cold and ($(printf ' or n = %s' $sizes | cut -c5-))" \
    --csv - >"$work/part/results.csv" || exit 2
start=$(date +%s)
timeout -s INT -k 20 "${LIMIT:-180}" "$redsweep" best "$work/part" --remeasure "$out/run" --energy --finalists "${FINALISTS:-4}" \
    --device "$device" >"$out/energy.txt" 2>"$out/log.txt"
code=$?
echo "$(($(date +%s) - start)) s, exit code $code"
rm -rf "$work"
[ $code -eq 0 ] || tail -3 "$out/log.txt"
[ -s "$out/run/results.csv" ] || exit 2
"$redsweep" best "$out/run" --table energy --csv "$out/energy.csv" || exit 2
points=$("$redsweep" show "$out/run" --where 'status = ok' --columns id --csv - | sed 1d | wc -l) metered=$(($(wc -l <"$out/energy.csv") - 1))
echo "$metered of $points points have an energy"
[ "$points" -gt 0 ] && [ "$metered" -eq "$points" ] || exit 1
