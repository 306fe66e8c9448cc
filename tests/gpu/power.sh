#!/bin/sh
# What regressions `redsweep gate`, and two runs with `redsweep diff`, find: kernels are slowed down
# by a known share (tests/gpu/plant.sh), one kernel at a time, and compared with what they were.
#
#   tests/gpu/power.sh [SECONDS]     at most so long, 330 by default; needs a GPU, sh and awk
#
# Of every comparison, of its sizes up to 2^17 alone, and of each size: was the kernel found to be
# SLOW, was another one named, and what was the effect that was really there, by the medians. Shares
# have exact 95 % intervals; points and sizes of one try are not independent, so theirs are too
# narrow. An unchanged copy has to pass.
#
# TRIES: what is tried, in this order, as far as the time goes: KIND:PERCENT:COUNT, where KIND is
# gate, or pair for two runs; 0 % is an unchanged copy.
#
# ${OUT:-build/power}: power.csv and power.md, the table; tries.csv, what it is computed from; what
# each comparison printed. KEEP=yes keeps the runs, too.
# Exit codes: 0 measured, 1 an unchanged copy did not pass, or another kernel was named, 2 nothing
# could be measured.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} out=${OUT:-${BUILD:-build}/power} device=${DEVICE:-cuda}
redsweep=$build/redsweep seconds=${1:-330}
tries=${TRIES:-gate:3:60 gate:0:30 pair:3:5 gate:2:12 gate:1:12 gate:5:12}
config=${CONFIG:-tests/gpu/power.json}
kernels=$(sed -n 's/.*"kernels": \[\(.*\)\].*/\1/p' "$config" | tr -d '",')
end=$(($(date +%s) + seconds))
rm -rf "$out"
mkdir -p "$out/plants" "$out/tries" || exit 2
export LC_ALL=C

# One process measures both sides of a gate: choosing among contexts gains nothing.
sed 's/"timing": {/"timing": {"contexts": 1, /' "$config" >"$out/gate.json"
"$redsweep" run "$config" --device "$device" --out "$out/times" >/dev/null 2>"$out/log" ||
    { cat "$out/log"; exit 2; }

plant() { # KERNEL PERCENT: the folder
    folder=$out/plants/$1-$2
    [ -d "$folder" ] || tests/gpu/plant.sh kernels "$1" "$2" "$folder" "$out/times/results.csv" \
        >>"$out/plants.txt" || exit 2
}

# A folder whose kernels are those of another one, for `redsweep run`.
home_of() {
    mkdir -p "$1.home" && rm -f "$1.home/kernels"
    ln -s "$(cd "$1" && pwd)" "$1.home/kernels"
    (cd "$1.home" && pwd)
}

# The rows of a run up to some n; its other files as they are.
part_of() { # RUN N FOLDER
    mkdir -p "$3"
    ln "$1/samples.csv" "$1/run.json" "$3"
    awk -v max="$2" -f plots/csv.awk -f tests/gpu/power_part.awk "$1/results.csv" >"$3/results.csv"
}

# Appends what was found: KIND PERCENT KERNEL NUMBER EXIT_CODE BASELINE CANDIDATE FOLDER
evaluate() {
    say() {
        awk -v kind="$1" -v percent="$2" -v kernel="$3" -v number="$4" -v class="$5" -v table="$6" \
            -f plots/csv.awk -f tests/gpu/power_try.awk "$7" >>"$8/lines"
    }
    mkdir -p "$8"
    echo "$1,$2,$3,$4,exit code 1,$(($5 == 1)),1,,0" >"$8/lines"
    for part in "all n|1e18" "n <= 2^17|131072"; do
        rm -rf "$8/a" "$8/b"
        part_of "$6" "${part#*|}" "$8/a"
        part_of "$7" "${part#*|}" "$8/b"
        "$redsweep" diff "$8/a" "$8/b" --table kernels --csv "$8/t.csv" >/dev/null 2>>"$out/log"
        say "$1" "$2" "$3" "$4" "kernel, ${part%|*}" kernels "$8/t.csv" "$8"
    done
    for table in problems points; do
        "$redsweep" diff "$6" "$7" --table $table --csv "$8/t.csv" >/dev/null 2>>"$out/log"
        say "$1" "$2" "$3" "$4" "" $table "$8/t.csv" "$8"
    done
    cat "$8/lines" >>"$out/tries.csv" # one write: tries end in any order
    rm -rf "$8"
    [ -n "${KEEP:-}" ] || rm -rf "${6%/*}"
}

# KIND PERCENT COUNT: tries, as long as there is time
try_all() {
    number=0
    while [ $number -lt "$3" ] && [ "$(date +%s)" -lt $end ]; do
        for kernel in $kernels; do
            [ $number -lt "$3" ] && [ "$(date +%s)" -lt $end ] || break
            number=$((number + 1))
            at=$out/tries/$1-$2-$number
            plant "$kernel" "$2"
            if [ "$1" = gate ]; then
                "$redsweep" gate "$out/gate.json" --baseline kernels --candidate "$folder" \
                    --device "$device" --out "$at" >"$at.txt" 2>>"$out/log"
                code=$?
                a=$at/baseline b=$at/candidate
            else
                a=$at/a b=$at/b
                "$redsweep" run "$config" --device "$device" --out "$a" >/dev/null 2>>"$out/log"
                REDSWEEP_HOME=$(home_of "$folder") "$redsweep" run "$config" --device "$device" \
                    --out "$b" >/dev/null 2>>"$out/log"
                "$redsweep" diff "$a" "$b" >"$at.txt" 2>>"$out/log"
                code=$?
            fi
            [ $code -lt 2 ] || { tail -3 "$out/log"; exit 2; }
            evaluate "$1" "$2" "$kernel" $number $code "$a" "$b" "$at.work" &
        done
    done
}

echo "kind,percent,kernel,try,class,found,of,effect_pct,wrong" >"$out/tries.csv"
for t in $tries; do
    percent=${t#*:}
    try_all "${t%%:*}" "${percent%:*}" "${t##*:}"
done
wait
awk -v csv="$out/power.csv" -v md="$out/power.md" -f plots/csv.awk \
    -f tests/gpu/power_table.awk "$out/tries.csv"
code=$?
cat "$out/power.md"
exit $code
