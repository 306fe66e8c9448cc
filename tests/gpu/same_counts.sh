#!/bin/sh
# Runs a config on a GPU and on the simulator. All counts must be equal, except those that are empty
# in the simulator's rows, instruction counts (the simulator counts PTX instructions), and counts
# that depend on time because a kernel polls.
#
#   tests/gpu/same_counts.sh CONFIG [DEVICE]        default: cuda; both runs are in ${OUT:-build/test-gpu}
#   tests/gpu/same_counts.sh --recorded RUN SIM     compares two existing runs, at the points that SIM has
#
# WRONG=yes: also compares points whose result is wrong, which a config with "count_wrong" counts.
# PROJECTS=LIST: prints a table of the projects to which LIST assigns the kernels.
#
# The simulated device has as many multiprocessors as the GPU.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
# These kernels have loops that end when another block, a copy or another atomic lets them, so how
# often they iterate depends on time. Their results are checked.
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

# The log is not named FOLDER.log, because run.sh writes a file with that name if one of its steps
# is named like the config.
run() { # DEVICE FOLDER: the comparison will name points that are not ok
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
