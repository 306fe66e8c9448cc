#!/bin/sh
# Lets each fuzz target generate inputs for a while, starting from the saved corpus and what earlier
# runs found:
#
#   [FUZZ_RUNS=-1] [FUZZ_SEED=0] setup/fuzz.sh FOLDER SECONDS TARGET …
#
# FOLDER contains the programs invent_<target>. New inputs go to FOLDER/found/<target>, and crashes
# to FOLDER/crash/<target>-…. When you fix a crash, add its file to tests/fuzz/corpus/<target>/.
# FUZZ_RUNS is the maximum number of inputs. A FUZZ_SEED other than 0 generates the same inputs each
# time, without inputs from earlier runs. The exit code is 1 if a target crashed, leaked, took more
# than 10 s for an input, or used more than 1 GB.
set -u
folder=$1 seconds=$2
shift 2
mkdir -p "$folder/crash"
failed=0
for target in "$@"; do
    found=$folder/found/$target
    if [ "${FUZZ_SEED:-0}" -ne 0 ]; then
        found=$folder/found-$FUZZ_SEED/$target
        rm -rf "$found"
    fi
    mkdir -p "$found"
    log=$folder/$target.log
    if "$folder/invent_$target" -max_total_time="$seconds" -runs="${FUZZ_RUNS:--1}" \
        -seed="${FUZZ_SEED:-0}" -timeout=10 -rss_limit_mb=1000 \
        -max_len=16384 -print_final_stats=1 -artifact_prefix="$folder/crash/$target-" \
        "$found" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
        awk -v t="$target" '/number_of_executed_units/ { n = $2 } /cov:/ { for (i = 1; i < NF; i++) if ($i == "cov:") c = $(i + 1) } END { printf "fuzz %-8s %d inputs, %d edges, no crash\n", t, n, c }' "$log"
    else
        failed=1
        tail -30 "$log"
        echo "fuzz $target: FAILED; the input is in $folder/crash/"
    fi
done
exit $failed
