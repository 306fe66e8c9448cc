#!/bin/sh
# These tests check, on a fake GPU (fake_cuda.h), how the placement of buffers and periodic stalls
# of the memory affect the times of launches. If there is enough memory, samples alternate between
# buffers at several addresses, and the row says by how much the times differ. If the memory stalls
# periodically, the share of samples that contain a stall must be the share that follows from the
# period.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
devices=$(cd "${BUILD:-$root/build}/tests/devices" && pwd) || exit 1
redsweep=$devices/fake_gpu/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root" REDSWEEP_CACHE="$devices/fake_cache"
export REDSWEEP_CUPTI="$devices/fake_cupti.so" REDSWEEP_NVML="$devices/fake_nvml.so"
export FAKE_CUPTI_CHIP=GH100 FAKE_CUDA_RUN=yes
failed=0

fail() {
    echo "test_cuda_placements: FAILED: $*"
    cat "$work/err"
    failed=1
}

# sweep FOLDER SETTING… OPTIONS…: measures one point for each of the two kinds of input.
sweep() {
    out=$work/$1
    shift
    env "$@" --kernels "${kernels:-smem,interleaved}" --sizes 131072 --blocks 128 --unrolls 1 --scope "${scope:-kernel}" --cache cold --metrics= \
        --timing.contexts 1 --timing.relative_width 0 --device cuda --out "$out" --quiet 2>"$work/err" ||
        fail "$*: exit code $?"
}
# hold FOLDER WORDS CONDITION: checks that an awk condition holds for each row of a run. c["name"]
# is the value of the column `name`.
hold() { # FOLDER WORDS CONDITION
    "$redsweep" show "$work/$1" --columns kernel,status,samples,placements,placement_us_stdev,time_us_min,time_us_max,time_us_trimmed,time_us_trimmed_error \
        --csv - 2>"$work/err" >"$work/rows.csv"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[name[i]] = $i; rows++; if (!('"$3"')) bad++ }
        END { exit !(rows == 2 && !bad) }' "$work/rows.csv" || fail "$2: $(cat "$work/rows.csv")"
}

# Inputs consist of 512 KiB and a guard of one page. Half of them begin in slow pages, which make a
# launch 300 ns longer.
sweep placed FAKE_CUDA_PLACED=300 "$redsweep" run --timing.min_samples 40 --timing.max_samples 40
hold placed 'eight inputs, whose times differ' 'c["status"] == "ok" && c["placements"] == 8 &&
    c["time_us_max"] - c["time_us_min"] > 0.29 && c["placement_us_stdev"] > 0.1 && c["placement_us_stdev"] < 0.25 &&
    c["time_us_trimmed"] > c["time_us_min"] && c["time_us_trimmed"] < c["time_us_max"]'
for word in 1 3; do # the output, and the scratch memory that all blocks update
    kernels=atomic,ticket scope=complete sweep "word$word" FAKE_CUDA_PLACED=300:$word "$redsweep" run \
        --timing.min_samples 40 --timing.max_samples 40
    hold "word$word" "eight places of argument $word, whose times differ" 'c["status"] == "ok" && c["placements"] == 8 &&
        c["time_us_max"] - c["time_us_min"] > 0.29 && c["placement_us_stdev"] > 0.1 && c["placement_us_stdev"] < 0.25'
done
sweep alike "$redsweep" run --timing.min_samples 40 --timing.max_samples 40
hold alike 'eight inputs, whose times do not differ' 'c["placements"] == 8 && c["placement_us_stdev"] < 0.001'
sweep one FAKE_CUDA_PLACED=300 "$redsweep" run --timing.min_samples 40 --timing.max_samples 40 --timing.placements 1
hold one 'one input' 'c["placements"] == 1 && c["placement_us_stdev"] == "" && c["time_us_max"] - c["time_us_min"] < 0.01'
# The buffer for the flush takes 10 MiB. Half of the remaining memory has room for two or three
# inputs of each kind.
sweep small FAKE_CUDA_MEMORY=16777216 "$redsweep" run --timing.min_samples 8 --timing.max_samples 8
hold small 'as many inputs as memory has room for' 'c["status"] == "ok" && c["placements"] > 1 && c["placements"] < 8'

# A launch takes about 2.5 us, so it meets a stall in an eighth of the samples if the period is 20
# us, and in a third if the period is 7.3 us. If trials began at regular intervals, they would meet
# a stall always, never, or alternately.
for period in 20000 7300 33333; do
    sweep "stall$period" FAKE_CUDA_STALL=$period:800 "$redsweep" run --timing.min_samples 600 --timing.max_samples 600
    awk -F, -v period=$period 'NR > 1 { id = $1; n[id]++; t[id, n[id]] = $3; if (!(id in low) || $3 < low[id]) low[id] = $3 }
        END {
            for (id in n) {
                slow = 0
                for (i = 1; i <= n[id]; i++) slow += t[id, i] > low[id] + 0.5
                share = slow / n[id]; expected = low[id] * 1e3 / period; points++
                sd = sqrt(expected * (1 - expected) / n[id])
                printf "period %d ns: %.3f of the samples stall, %.3f expected\n", period, share, expected
                if (share < expected - 5 * sd || share > expected + 5 * sd) bad = 1
            }
            exit !(points == 2 && !bad)
        }' "$work/stall$period/samples.csv" >"$work/shares" || fail "$(cat "$work/shares")"
    cat "$work/shares"
done
exit $failed
