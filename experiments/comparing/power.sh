#!/bin/sh
# Measures which regressions `redsweep gate` finds, and which `redsweep diff` finds with two runs.
# In each try, slows one kernel down by a known percentage (tests/gpu/plant.sh), and compares the
# kernels with the unchanged ones.
#
#   experiments/comparing/power.sh [SECONDS]     takes at most SECONDS (200); needs a GPU, sh and awk
#
# For every try, the script prints whether the slowed kernel was found to be SLOW, whether another
# kernel was named by mistake, and the true effect according to the medians. It prints this for all
# sizes together, for the sizes up to 2^17 together, and for each size. First,
# experiments/comparing/calibrate.sh determines the length of the planted loop, and a longer gate
# measures the loop's true cost (effects.csv). Shares have 95 % confidence intervals (Wilson). The
# points and the sizes of a try are not independent of each other, so the intervals of their shares
# are too narrow. As a control, some tries compare the kernels with an unchanged copy, which must
# find nothing.
#
# `redsweep gate --confirm` reports a verdict only if two successive tries with the same planted loop give it,
# each in a separate process. The columns "confirmed" count these verdicts.
#
# TRIES lists the tries in their order, each as KIND:PERCENT:COUNT. KIND is `gate`, or `pair` for `diff` with
# two runs. PERCENT is 0 for an unchanged copy. The script makes as many of the tries as time permits. CONFIG
# names a config that replaces power.json.
#
# The tables are written to ${OUT:-build/power} as power.csv and power.md. They are computed from tries.tsv
# and verdicts.tsv (SLOW and FAST verdicts) in the same folder, which also contains effects.csv, list.tsv,
# and the output of each comparison. With KEEP=yes, all runs are kept. Runs in which another kernel is named
# are always kept. JUDGE=FOLDER compares the runs that were kept in FOLDER again, and needs no GPU. With
# another build (BUILD), it makes the tables of another version from the same times. The exit code is 0 if
# power was measured, 1 if an unchanged copy did not pass or another kernel was named twice, and 2 if nothing
# could be measured.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} out=${OUT:-${BUILD:-build}/power} device=${DEVICE:-cuda}
redsweep=$build/redsweep seconds=${1:-200}
tries=${TRIES:-gate:3:12 gate:0:8 gate:3:48 gate:2:12 pair:3:4 gate:1:12}
config=${CONFIG:-experiments/comparing/power.json}
kernels=$(sed -n 's/.*"kernels": \[\(.*\)\].*/\1/p' "$config" | tr -d '",')
again=${JUDGE:-}
end=$(($(date +%s) + seconds))
rm -rf "$out"
mkdir -p "$out/plants" "$out/tries" || exit 2
export LC_ALL=C
# One process measures both sides of a gate, so choosing among contexts would change nothing.
sed 's/"contexts": [0-9]*, *//; s/"timing": {/"timing": {"contexts": 1, /' "$config" >"$out/gate.json"

# Unchanged copies need no calibration.
calibrate() {
    case " $tries" in *:[1-9]*:*) ;; *) : >"$out/effects.csv" && return ;; esac
    experiments/comparing/calibrate.sh "$config" 3 "$out/calibration" >"$out/calibration.txt" 2>"$out/log" ||
        { cat "$out/log"; exit 2; }
    cat "$out/calibration.txt"
    cp "$out/calibration/effects.csv" "$out/calibration/rounds.txt" "$out"
    rm -rf "$out/calibration/gate" "$out/calibration/times" "$out/calibration/planted"
}

plant() { # KERNEL PERCENT: the folder
    folder=$out/plants/$1-$2
    [ -d "$folder" ] && return
    [ "$2" = 0 ] || awk -v rounds=1 -v percent="$2" -f tests/data.awk -f tests/gpu/plant.awk "$out/rounds.txt" \
        >"$out/plants/counts-$2" 2>/dev/null || exit 2
    tests/gpu/plant.sh kernels "$1" "$2" "$folder" "$out/plants/counts-$2" || exit 2
}

# Makes a folder with the kernels of another folder, for `redsweep run`.
home_of() {
    mkdir -p "$1.home" && rm -f "$1.home/kernels"
    ln -s "$(cd "$1" && pwd)" "$1.home/kernels"
    (cd "$1.home" && pwd)
}

# Copies RUN to FOLDER, without the rows for more than N elements.
part_of() { # RUN N FOLDER
    mkdir -p "$3"
    cp "$1/samples.csv" "$1/run.json" "$3"
    "$redsweep" show "$1" --where "n <= $2" --csv - >"$3/results.csv"
}

# Appends a result: KIND PERCENT KERNEL NUMBER EXIT_CODE BASELINE CANDIDATE FOLDER
evaluate() {
    say() {
        awk -v kind="$1" -v percent="$2" -v kernel="$3" -v number="$4" -v class="$5" -v table="$6" \
            -v verdicts="$8/verdicts" -f tests/data.awk -f experiments/comparing/power_try.awk "$7" >>"$8/lines"
    }
    mkdir -p "$8"
    : >"$8/verdicts"
    printf '%s\t%s\t%s\t%s\texit code 1\t%d\t1\t\t0\n' "$1" "$2" "$3" "$4" $(($5 == 1)) >"$8/lines"
    for part in "all n|10^18" "n <= 2^17|131072"; do
        rm -rf "$8/a" "$8/b"
        part_of "$6" "${part#*|}" "$8/a"
        part_of "$7" "${part#*|}" "$8/b"
        "$redsweep" diff "$8/a" "$8/b" --table kernels --data "$8/t.data" >/dev/null 2>>"$out/log"
        say "$1" "$2" "$3" "$4" "kernel, ${part%|*}" kernels "$8/t.data" "$8"
    done
    for table in problems points; do
        "$redsweep" diff "$6" "$7" --table $table --data "$8/t.data" >/dev/null 2>>"$out/log"
        say "$1" "$2" "$3" "$4" "" $table "$8/t.data" "$8"
    done
    cat "$8/lines" >>"$out/tries.tsv" # a single write, because tries end in any order
    cat "$8/verdicts" >>"$out/verdicts.tsv"
    grep -q '	0	[A-Z]* ' "$8/verdicts" || [ -n "${KEEP:-}$again" ] || rm -rf "${6%/*}"
    rm -rf "$8"
}

# KIND PERCENT COUNT: makes COUNT more tries, as long as there is time.
try_all() {
    eval "number=\${done_$1_$2:-0}"
    until=$((number + $3))
    while [ $number -lt $until ] && [ "$(date +%s)" -lt $end ]; do
        for kernel in ${kernels:-all}; do
            [ $number -lt $until ] && [ "$(date +%s)" -lt $end ] || break
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
            printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$kernel" $number >>"$out/list.tsv"
            evaluate "$1" "$2" "$kernel" $number $code "$a" "$b" "$at.work" &
        done
    done
    eval "done_$1_$2=$number"
}

echo kind percent kernel try class found of effect_pct wrong | tr ' ' '\t' >"$out/tries.tsv"
echo kind percent kernel try class own verdict | tr ' ' '\t' >"$out/verdicts.tsv"
if [ -n "$again" ]; then
    cp "$again/effects.csv" "$out" || exit 2
    while IFS='	' read -r kind percent kernel number; do
        at=$again/tries/$kind-$percent-$number a=baseline b=candidate
        [ "$kind" = gate ] || { a=a b=b; }
        "$redsweep" diff "$at/$a" "$at/$b" >"$out/tries/${at##*/}.txt" 2>>"$out/log"
        code=$?
        [ $code -lt 2 ] || { tail -3 "$out/log"; exit 2; }
        evaluate "$kind" "$percent" "$kernel" "$number" $code "$at/$a" "$at/$b" "$out/tries/${at##*/}.work"
    done <"$again/list.tsv"
else
    calibrate
    for t in $tries; do
        percent=${t#*:}
        try_all "${t%%:*}" "${percent%:*}" "${t##*:}"
    done
    wait
fi
{ head -1 "$out/tries.tsv" && tail -n +2 "$out/tries.tsv" | sort -s -t "$(printf '\t')" -k1,1 -k2,2n -k4,4n; } >"$out/sorted" &&
    mv "$out/sorted" "$out/tries.tsv"
awk -v csv="$out/power.csv" -v md="$out/power.md" -v verdicts="$out/verdicts.tsv" \
    -v effects="$out/effects.csv" -f experiments/comparing/power_table.awk "$out/tries.tsv"
code=$?
cat "$out/power.md"
exit $code
