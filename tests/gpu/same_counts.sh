#!/bin/sh
# A config run on a GPU and on the simulator: every count must be equal, but those that are empty in the
# simulator, instructions, which it counts in PTX, and what depends on time because kernels poll.
#
#   tests/gpu/same_counts.sh CONFIG [DEVICE]        default: cuda; both runs are in ${OUT:-build/test-gpu}
#   tests/gpu/same_counts.sh --recorded RUN SIM     two runs that there are; of RUN the points that SIM has
#
# WRONG=yes: also of points whose result is wrong, which a config with "count_wrong" counts.
# PROJECTS=LIST: the answer is a table of the projects that LIST has for the kernels.
#
# The simulator gets as many multiprocessors as the device has.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
# Loops of these end when another block, a copy or another atomic lets them: how often they turn depends
# on time. Their results are checked.
skip="cooperative_grid staged_pipeline barrier_copy argmax_cas"
polls=$(setup/kernels_with.sh 'counts: *vary' | tr '\n' ' ')

compare() { # RUN SIM [OPTION...]
    run=$1 sim=$2
    shift 2
    data=$(mktemp -d)
    "$build/redsweep" show "$run" --data - >"$data/run" && "$build/redsweep" show "$sim" --data - >"$data/sim" || exit 2
    code=0
    awk "$@" -v wrong="${WRONG:+1}" -v projects="${PROJECTS:-}" -v skip="$skip" -v polls="$polls" -f tests/data.awk -f tests/gpu/waits.awk \
        -f tests/gpu/same_counts.awk "$data/run" "$data/sim" || code=$?
    rm -rf "$data"
    return $code
}
if [ "$1" = --recorded ]; then
    compare "$2" "$3" -v part=1
    exit
fi
config=$1 device=${2:-cuda}
out=${OUT:-$build/test-gpu}/$(basename "$config" .json)
rm -rf "$out" "$out-sim"
mkdir -p "$(dirname "$out")"

# Not FOLDER.log: a step of run.sh has the name of its config, and writes there.
run() { # DEVICE FOLDER: points that are not ok are named by the comparison
    "$build/redsweep" run "$config" --device "$1" --out "$2" >"$2-run.log" 2>&1 || [ $? -eq 1 ] || {
        tail -5 "$2-run.log"
        exit 2
    }
}
run "$device" "$out"
sms=$("$build/redsweep" show "$out" --info | awk -F '\t' '$1 == "provenance.device.multiprocessors" { print $2 }')
[ -n "$sms" ] || { echo "$out does not say how many multiprocessors the device has"; exit 2; }
run "sim:sms=$sms" "$out-sim"
compare "$out" "$out-sim"
