#!/bin/sh
# Finds how long the loop planted by tests/gpu/plant.sh has to be to slow kernels down by PERCENT at
# every size on this GPU.
#
#   experiments/comparing/calibrate.sh CONFIG PERCENT OUT_DIR [COUNTS]
#
# Plants a loop in all kernels of CONFIG at once, and compares them with the unchanged kernels
# (`redsweep gate`). After each of ROUNDS rounds (3), plant.awk corrects the loop's counts. COUNTS
# has initial counts to use instead of a guess. A longer gate with CHECK samples per point (200)
# then measures the planted loop's true cost; CHECK=0 skips it.
#
# Writes to OUT_DIR: counts.txt for plant.sh, rounds.txt with the counts and measurements of each
# round, and effects.csv with the true effect at each point and its standard error. The exit code is
# 0 if the loop was calibrated, and 2 if something failed.
set -u
cd "$(dirname "$0")/../.." || exit 2
[ $# -ge 3 ] && [ $# -le 4 ] || { sed -n '2,16p' "$0" >&2; exit 2; }
config=$1 percent=$2 out=$3 counts=${4:-}
redsweep=${BUILD:-build}/redsweep device=${DEVICE:-cuda}
export LC_ALL=C
mkdir -p "$out" || exit 2
kernels=$(sed -n 's/.*"kernels": \[\(.*\)\].*/\1/p' "$config" | tr -d '",')
[ -n "$kernels" ] || { echo "calibrate: $config has no list of kernels in one line" >&2; exit 2; }

# Prints CONFIG with SAMPLES samples per point and a single context, because a gate does not choose
# among contexts.
with_samples() {
    sed 's/"timing": {.*}/"timing": {"contexts": 1, "min_samples": '"$1"', "max_samples": '"$1"', "relative_width": 0}/' \
        "$config" >"$out/config.json"
}

# Runs a gate with the planted loop, and writes points.data, from which calibrate.awk computes
# rounds and effects.
measure() { # COUNTS SAMPLES
    tests/gpu/plant.sh kernels "$kernels" "$percent" "$out/planted" "$1" || return 2
    with_samples "$2"
    rm -rf "$out/gate" "$out/points.data"
    "$redsweep" gate "$out/config.json" --baseline kernels --candidate "$out/planted" --device "$device" \
        --out "$out/gate" --data "$out/points.data" >"$out/gate.txt" 2>"$out/log"
    [ -s "$out/points.data" ] || { tail -3 "$out/log" >&2; return 2; }
}

if [ -z "$counts" ]; then
    with_samples 30
    rm -rf "$out/times"
    "$redsweep" run "$out/config.json" --device "$device" --out "$out/times" >/dev/null 2>"$out/log"
    "$redsweep" show "$out/times" --data - | awk -v percent="$percent" -f tests/data.awk -f tests/gpu/plant.awk >"$out/counts.txt" || { tail -3 "$out/log" >&2; exit 2; }
else
    cp "$counts" "$out/counts.txt" || exit 2
fi
: >"$out/rounds.txt"
for round in $(seq "${ROUNDS:-3}"); do
    measure "$out/counts.txt" 100 || exit 2
    awk -v round="$round" -v counts="$out/counts.txt" -f tests/data.awk -f experiments/comparing/calibrate.awk \
        "$out/points.data" >>"$out/rounds.txt" || exit 2
    awk -v rounds=1 -v percent="$percent" -f tests/data.awk -f tests/gpu/plant.awk "$out/rounds.txt" \
        >"$out/counts.new" || exit 2
    mv "$out/counts.new" "$out/counts.txt"
done
if [ "${CHECK:-200}" != 0 ]; then
    measure "$out/counts.txt" "${CHECK:-200}" || exit 2
    awk -v effects=1 -f tests/data.awk -f experiments/comparing/calibrate.awk "$out/points.data" >"$out/effects.csv" || exit 2
    awk -F, 'NR > 1 { s[$2] += $6; m[$2]++; if (m[$2] == 1 || $6 < low[$2]) low[$2] = $6
                      if (m[$2] == 1 || $6 > high[$2]) high[$2] = $6 }
        END { for (n in s) printf "n = %d: %.2f %% (%.2f to %.2f, %d points)\n", n, s[n] / m[n], low[n], high[n], m[n] }' \
        "$out/effects.csv" | sort -n -k3
fi
exit 0
