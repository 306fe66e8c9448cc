#!/bin/sh
# Makes runs for A/A tests of many configs. Each round runs every config in experiments/comparing/aa
# once, in a process of its own. There are RUNS rounds (6). No run starts after SECONDS_MAX seconds
# (400).
#
#   experiments/comparing/aa_configs.sh [CONFIG…]     writes the runs ${OUT:-build/aa-configs}/NAME/runK
#
# `experiments/comparing/aa.sh OUT/NAME/run*` then compares the runs of one config, and needs no GPU.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} out=${OUT:-${BUILD:-build}/aa-configs}
end=$(($(date +%s) + ${SECONDS_MAX:-400}))
[ $# -gt 0 ] || set -- experiments/comparing/aa/*.json
mkdir -p "$out" || exit 2
k=1
while [ $k -le "${RUNS:-6}" ]; do
    for config in "$@"; do
        [ "$(date +%s)" -lt $end ] || { echo "aa_configs: out of time at run $k of $config"; exit 0; }
        name=$(basename "$config" .json)
        "$build/redsweep" run "$config" --device "${DEVICE:-cuda}" --out "$out/$name/run$k" --quiet || exit 2
    done
    k=$((k + 1))
done
