#!/bin/sh
# Runs every test that needs a GPU, on a machine that has one. That machine needs no packages except
# CUDA. First build the programs elsewhere with `make stage`, and then copy the tree, with build/,
# to that machine.
#
#   tests/gpu/run.sh [STEP …]        all steps, or some of them; logs in ${OUT:-build/test-gpu}
#
#   kernels    every kernel right for every n, block, unroll, type and operation   (about 4 minutes)
#   planted    kernels that are wrong on purpose get the right status              (10 s)
#   reproduce  the published tables: every count must be equal                     (1 minute)
#   counters   known counts, many ranges                                           (1 minute)
#   oracle     random access patterns: every cell equals the simulator's count     (30 s)
#   written    examples/reductions/README.md: right, counts as in the simulator    (30 s)
#   operations every operation, by rows and on whole arrays: counts as in the simulator (1 minute)
#   memcheck racecheck initcheck synccheck
#              compute-sanitizer, clean for every kernel that is not marked racy   (1 minute each)
#
# The exit code is 1 if a step failed. The last lines name the failed steps.
set -u
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
out=${OUT:-$build/test-gpu}
mkdir -p "$out"
summary=
failed=0

if ! "$build/redsweep" doctor --device cuda >"$out/doctor.txt" 2>&1 && grep -q '^redsweep: ' "$out/doctor.txt"; then
    echo "test-gpu: these tests need an NVIDIA GPU, and there is none that can be used:" >&2
    grep '^redsweep: ' "$out/doctor.txt" >&2
    exit 1
fi

sanitizer=$(command -v compute-sanitizer || echo "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer")
[ -x "$sanitizer" ] || sanitizer=${CUDA_HOME:-/usr/local/cuda}/compute-sanitizer/compute-sanitizer

# Of the four tools, only memcheck supports kernels that launch kernels.
nested='nested*'

sanitize() { # TOOL ARGUMENTS…
    tool=$1
    shift
    "$sanitizer" --tool "$tool" --error-exitcode 9 "$build/tests/gpu/kernels" cuda --sizes tiny "$@"
}

step_kernels() {
    "$build/tests/gpu/kernels" cuda --sizes all --seconds 200
}
step_planted() {
    BUILD=$build DEVICE=cuda tests/run/test_planted.sh
}
step_reproduce() {
    status=0
    for table in k80 1050ti; do
        rm -rf "$out/$table"
        "$build/redsweep" run "configs/published-$table.json" --device cuda --out "$out/$table" &&
            setup/reproduce.sh "$build/redsweep" "$out/$table" results/published/"$table"-* || status=1
    done
    return $status
}
step_counters() {
    "$build/tests/gpu/counters_smoke"
}
step_oracle() {
    OUT=$out BUILD=$build tests/gpu/same_counts.sh tests/kernels/oracle/oracle.json
}
step_written() {
    OUT=$out BUILD=$build tests/gpu/same_counts.sh examples/reductions/reductions.json
}
step_operations() {
    OUT=$out BUILD=$build tests/gpu/same_counts.sh configs/counts-operations.json
}
step_memcheck() {
    sanitize memcheck
}
# The tool must find the planted race. Otherwise, its silence about other kernels would prove
# nothing.
step_racecheck() {
    sanitize racecheck --kernel-folder tests/kernels planted_races
    if [ $? -ne 9 ]; then
        echo "racecheck did not find the planted race"
        return 1
    fi
    sanitize racecheck --skip "$nested"
}
step_initcheck() {
    sanitize initcheck --skip "$nested"
}
step_synccheck() {
    sanitize synccheck --skip "$nested"
}

[ $# -gt 0 ] || set -- kernels planted reproduce counters oracle written operations memcheck racecheck initcheck synccheck
for step in "$@"; do
    begin=$(date +%s)
    if "step_$step" >"$out/$step.log" 2>&1; then
        result=passed
    else
        result=FAILED
        failed=1
        tail -40 "$out/$step.log"
    fi
    line=$(printf '%-10s %s in %d s: %s' "$step" "$result" $(($(date +%s) - begin)) \
        "$(tail -1 "$out/$step.log")")
    echo "$line"
    summary="$summary
$line"
done
printf '\ntest-gpu:%s\n' "$summary"
exit "$failed"
