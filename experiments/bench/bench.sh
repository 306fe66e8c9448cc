#!/bin/sh
# Measures what redsweep itself costs. Prints a table and writes JSON
# (${OUT:-build/bench}/bench.json). Run `make bench`, or `make stage` and then this script on a
# machine with a GPU.
#
#   compile     the seconds for 500 variants for sm_90, with an empty and with a full cache, and the CPU
#               time of a variant
#   sweep       configs/aa.json (792 points of at most 2^22 elements, 30 samples each) on the GPU:
#               points per second, and the share of the time in which the GPU is busy with trials
#   counters    500 points with the three default metrics: the seconds per point, compared with ncu for the
#               same points and counters (for both, without the time that launching the points takes)
#   simulator   million warp instructions per second on one thread. The kernel interleaved (int32, block
#               256, n = 2^17) is also compared with Oclgrind, an OpenCL simulator (Debian package
#               oclgrind), on one thread. The numbers of thread instructions (of LLVM in Oclgrind, of PTX
#               in redsweep) and of loaded bytes show that both did the same work
#   rows        memory and CPU time of the commands that read a run of 10^6 points. `diff` compares the
#               run with itself, so it needs memory for two runs (two minutes and 2 GB of disk)
#   shards      the same points in 1000 shards: memory and CPU time of planning one of them, of `status`,
#               of `merge`, and of resuming the merged run (20 minutes and 3 GB of disk; only if named)
#
# `experiments/bench/bench.sh PART…` runs just these parts.
#
# Parts that cannot run on this machine print a reason instead of numbers.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
out=${OUT:-$build/bench}
points=500
mkdir -p "$out"
: >"$out/lines"

# report NAME VALUE UNIT, or missing NAME REASON
report() { printf '%s\t%s\t%s\t\n' "$1" "$2" "$3" >>"$out/lines"; }
missing() { printf '%s\t\t\t%s\n' "$1" "$2" >>"$out/lines"; }
value() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }
ratio() { awk -v a="$1" -v b="$2" -v scale="${3:-1}" 'BEGIN { if (b + 0 > 0) printf "%.4g", a / b * scale }'; }
now() { date +%s.%N; }

bench_compile() {
    "$build/experiments/bench/bench_compile" >"$out/compile.txt" 2>"$out/compile.log" || {
        missing compile_cold_s "$(tail -1 "$out/compile.log")"
        return
    }
    report compile_variants "$(value "$out/compile.txt" variants)" ""
    report compile_threads "$(value "$out/compile.txt" threads)" ""
    report compile_cpu_ms "$(value "$out/compile.txt" cpu_ms)" ms
    report compile_system_ms "$(value "$out/compile.txt" system_ms)" ms
    report compile_page_faults "$(value "$out/compile.txt" page_faults)" ""
    report compile_cold_s "$(value "$out/compile.txt" cold_s)" s
    report compile_cached_s "$(value "$out/compile.txt" cached_s)" s
}

# Prints one of the session's recorded durations, in seconds.
seconds() { "$build/redsweep" show "$out/sweep" --info | sed -n 's/^sessions\.0\.seconds\.'"$1"'\t//p'; }

bench_sweep() {
    rm -rf "$out/sweep"
    "$build/redsweep" run configs/aa.json --device cuda --out "$out/sweep" >"$out/sweep.log" 2>&1 || {
        missing gpu_share_pct "needs a GPU: $(tail -1 "$out/sweep.log" | cut -c 1-120)"
        return
    }
    rows=$(($(wc -l <"$out/sweep/results.csv") - 1))
    report sweep_points "$rows" ""
    report sweep_measuring_s "$(seconds measuring)" s
    report points_per_second "$(ratio "$rows" "$(seconds measuring)")" 1/s
    report gpu_share_pct "$(ratio "$(seconds device_busy)" "$(seconds measuring)" 100)" %
}

# Prints how long a command takes, in seconds. The command's output goes to a log.
took() {
    log=$1 start=$(now)
    shift
    "$@" >"$log" 2>&1 || return 1
    awk -v a="$start" -v b="$(now)" 'BEGIN { printf "%.3f", b - a }'
}

find_ncu() {
    for ncu in "$(command -v ncu)" "${CUDA_HOME:-/usr/local/cuda}/bin/ncu"; do
        [ -x "$ncu" ] && echo "$ncu" && return
    done
}

bench_counters() {
    bench=$build/experiments/bench/bench_points config=configs/bench-count.json
    "$bench" "$config" "$points" count >"$out/count.txt" 2>"$out/count.log" || {
        missing count_ms_per_point "needs a GPU: $(tail -1 "$out/count.log" | cut -c 1-120)"
        return
    }
    counted=$(value "$out/count.txt" counted)
    [ "${counted:-0}" -gt 0 ] || {
        missing count_ms_per_point "this GPU's counters cannot be read"
        return
    }
    report counted_points "$counted" ""
    report count_ms_per_point "$(ratio "$(value "$out/count.txt" count_s)" "$counted" 1000)" ms
    ncu=$(find_ncu)
    [ -n "$ncu" ] || {
        missing ncu_ms_per_point "ncu is not on this machine"
        return
    }
    counters=$("$bench" "$config" "$points" counters)
    plain=$(took "$out/plain.log" "$bench" "$config" "$points" plain)
    # ncu profiles only the kernels under test, not the harness's own kernels for inputs and cache
    # sweeps.
    profiled=$(took "$out/ncu.log" "$ncu" --metrics "$counters" \
        --kernel-name 'regex:^(neighbored|neighbored_less|interleaved|unroll|smem_unroll)$' \
        --csv --log-file "$out/ncu.csv" "$bench" "$config" "$points" plain) || {
        missing ncu_ms_per_point "$(tail -1 "$out/ncu.log" | cut -c 1-120)"
        return
    }
    launches=$(awk -F '","' '/^"[0-9]/ { seen[$1] = 1 } END { for (i in seen) n++; print n + 0 }' "$out/ncu.csv")
    report ncu_launches "$launches" ""
    ncu_ms=$(awk -v a="$profiled" -v b="$plain" -v n="$launches" 'BEGIN { if (n) printf "%.4g", (a - b) / n * 1000 }')
    report ncu_ms_per_point "$ncu_ms" ms
    ours=$(ratio "$(value "$out/count.txt" count_s)" "$counted" 1000)
    report ncu_times_ours "$(ratio "$ncu_ms" "$ours")" ""
}

bench_simulator() {
    for kernel in interleaved neighbored smem_unroll; do
        "$build/tests/devices/sim/bench_sim" "$kernel" >"$out/sim.txt" 2>&1
        speed=$(sed -n 's/.*: \([0-9.]*\) million a second.*/\1/p' "$out/sim.txt")
        if [ -n "$speed" ]; then
            report "simulator_${kernel}" "$speed" "million warp instructions/s"
        else
            missing "simulator_${kernel}" "$(tail -1 "$out/sim.txt" | cut -c 1-120)"
        fi
    done
}

bench_oclgrind() {
    command -v oclgrind-kernel >/dev/null || {
        missing oclgrind_interleaved "oclgrind-kernel is not installed: Debian package oclgrind"
        return
    }
    elements=131072
    mkdir -p "$out/oclgrind"
    cp experiments/bench/interleaved.cl "$out/oclgrind"
    cat >"$out/oclgrind/interleaved.sim" <<END
interleaved.cl
interleaved
$elements 1 1
256 1 1
<size=$((elements * 4)) fill=1 int>
<size=$((elements / 64)) fill=0 dump int>
<size=4 uint>
$elements
END
    theirs=$(cd "$out/oclgrind" && took log oclgrind-kernel --num-threads 1 --inst-counts interleaved.sim) || {
        missing oclgrind_interleaved "$(tail -1 "$out/oclgrind/log")"
        return
    }
    [ "$(grep -c 'output\[.*= 256$' "$out/oclgrind/log")" -eq $((elements / 256)) ] || {
        missing oclgrind_interleaved "Oclgrind's sums are wrong"
        return
    }
    "$build/tests/devices/sim/bench_sim" interleaved 256 17 >"$out/oclgrind/ours" 2>&1
    # thread instructions, loaded bytes and seconds
    set -- $(sed -n 's/^of threads: \([0-9]*\) instructions, \([0-9]*\) bytes loaded, \([0-9.]*\) s$/\1 \2 \3/p' \
        "$out/oclgrind/ours")
    [ $# -eq 3 ] || {
        missing oclgrind_interleaved "$(tail -1 "$out/oclgrind/ours")"
        return
    }
    counted=$(awk '$2 == "-" { n += $1 } END { print n + 0 }' "$out/oclgrind/log")
    loaded=$(sed -n 's/.*load global (\([0-9]*\) bytes).*/\1/p' "$out/oclgrind/log")
    report oclgrind_interleaved "$(ratio "$counted" "$theirs" 1e-6)" "million thread instructions/s"
    report simulator_threads "$(ratio "$1" "$3" 1e-6)" "million thread instructions/s"
    report oclgrind_instructions "$counted" ""
    report simulator_instructions "$1" ""
    report oclgrind_loaded "$loaded" bytes
    report simulator_loaded "$2" bytes
    report oclgrind_time_ratio "$(ratio "$theirs" "$3")" "times the simulator's time"
}

# report_commands PART COMMAND...: reports the numbers that bench_rows printed for these commands.
report_commands() {
    part_name=$1
    shift
    for command; do
        report "${part_name}_${command}_mb" "$(value "$out/$part_name.txt" "$command")" MB
        report "${part_name}_${command}_s" "$(awk -v name="$command" '$1 == name { print $3 }' "$out/$part_name.txt")" s
    done
}

bench_rows() {
    rm -rf "$out/rows"
    "$build/redsweep" run experiments/bench/rows.json --device sim --out "$out/rows" >"$out/rows.log" 2>&1 &
    run=$!
    while kill -0 $run 2>/dev/null && [ ! -s "$out/rows/results.csv" ]; do sleep 0.2; done
    kill -TERM $run # background jobs in scripts ignore SIGINT
    wait $run
    "$build/experiments/bench/bench_rows" "$out/rows" 2 "$build/redsweep" >"$out/rows.txt" 2>>"$out/rows.log" || {
        missing rows "$(tail -1 "$out/rows.log" | cut -c 1-120)"
        return
    }
    report rows_points "$(sed -n 's/ points, .*//p' "$out/rows.txt")" ""
    report_commands rows show best resume diff
    rm -rf "$out/rows"
}

bench_shards() {
    rm -rf "$out/shards"
    shards=$out/shards
    "$build/redsweep" run experiments/bench/rows.json --device sim --shard 7/1000 --out "$shards" >"$out/shards.log" 2>&1 &&
        "$build/experiments/bench/bench_rows" "$shards" 2 "$build/redsweep" shards >"$out/shards.txt" 2>>"$out/shards.log" || {
        missing shards "$(tail -1 "$out/shards.log" | cut -c 1-120)"
        return
    }
    report shards_points "$(sed -n 's/ points, .*//p' "$out/shards.txt")" ""
    report_commands shards run status merge resume
    report shards_merged_mb "$(du -m "$shards/merged/results.csv" | cut -f 1)" MiB
    rm -rf "$shards"
}

[ $# -gt 0 ] || set -- compile sweep counters simulator oclgrind rows
for part; do
    "bench_$part"
done
awk -F '\t' '{ printf "%-26s %12s %s%s\n", $1, $2 == "" ? "-" : $2, $3, $4 == "" ? "" : "(" $4 ")" }' "$out/lines"
awk -F '\t' 'BEGIN { printf "{" }
    { gsub(/["\\]/, "", $4)
      printf("%s\n  \"%s\": {\"value\": %s, \"unit\": \"%s\", \"missing\": %s}",
        NR > 1 ? "," : "", $1, $2 == "" ? "null" : $2, $3, $4 == "" ? "null" : "\"" $4 "\"") }
    END { printf "\n}\n" }' "$out/lines" >"$out/bench.json"
echo "$out/bench.json"
