#!/bin/sh
# Measures how often `redsweep diff` finds effects planted in recorded runs, and prints a Markdown
# table. The effects are a kernel that takes 3 % longer at every point, and single points that take
# 10 % or 50 % longer. Each effect is tried with one process (one run) per side, and with two. Needs
# no GPU.
#
#   experiments/comparing/power_recorded.sh FOLDER CONFIG…    FOLDER is the same as for aa_table.sh; makes TRIES (60) tries of each kind
#
# The try's number seeds the random choice of runs, kernels and points. Runs are drawn from the card
# with the most runs. Tries in which another kernel is named are counted separately.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
folder=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ ! -e "$folder/runs.tar.xz" ] || { tar xJf "$folder/runs.tar.xz" -C "$work" "$@"; folder=$work; }

# plant FROM TO COLUMN VALUE FACTOR makes a copy of a run in which the times are FACTOR times as long in the
# rows whose COLUMN is VALUE. In rows that are ok, no cell contains a comma.
plant() {
    rm -rf "$2"
    mkdir "$2"
    cp "$1/run.json" "$2"
    awk -F, -v OFS=, -v column="$3" -v value="$4" -v f="$5" '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next }
        $c["status"] == "ok" && $c[column] == value {
            for (name in c)
                if (name ~ /^(time|placement)_us_/ && $c[name] != "")
                    $c[name] = sprintf("%.9g", $c[name] * f)
        }
        { print }' "$1/results.csv" >"$2/results.csv"
}

# try CONFIG K PROCESSES COLUMN FACTOR prints a line "kernel found itself others longer".
try() {
    awk -v k="$2" -v n="$3" 'BEGIN { srand(k); while (n-- > -'"$3"') { r = ""; while (r == "" || r in taken)
        r = 1 + int(rand() * '"$runs"'); taken[r]; print r } }' >"$work/drawn"
    set -- "$1" "$2" "$3" "$4" "$5" $("$build/redsweep" show "$work/run1" --columns "$4,kernel,time_us_median" \
        --where 'status = ok and backend = cuda and time_us_median >= 0' --csv - | awk -F, -v k="$2" '
        NR > 1 { line[++count] = $1 " " $2 " " $3 }
        END { srand(k + 1000); print line[1 + int(rand() * count)] }')
    before= after= i=0
    while read -r r; do
        i=$((i + 1))
        if [ $i -le "$3" ]; then
            before="$before $work/run$r"
        else
            plant "$work/run$r" "$work/planted$r" "$4" "$6" "$5"
            after="$after $work/planted$r"
        fi
    done <"$work/drawn"
    code=0
    "$build/redsweep" diff --baseline $before --candidate $after --csv "$work/points" >/dev/null || code=$?
    [ $code -lt 2 ] || exit 2
    "$build/redsweep" diff --baseline $before --candidate $after --table kernels --csv "$work/kernels" >/dev/null || true
    awk -F, -v kernel="$7" -v code=$code -v us="$8" '
        FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; file++; next }
        $1 != kernel && $1 != "all" && ($c["verdict"] == "SLOW" || $c["verdict"] == "FAST") { others = 1 }
        file == 1 && $1 == kernel && $c["verdict"] == "SLOW" { point = 1 }
        file == 2 && $1 == kernel && $c["verdict"] == "SLOW" { itself = 1 }
        END { print (code == 1), itself + 0, others + 0, (us >= 10) }' "$work/points" "$work/kernels"
}

echo "| config | planted change | processes | found | found at 10 µs and more | the kernel is \`SLOW\` | tries that name other kernels |"
echo "| --- | --- | --- | ---: | ---: | ---: | ---: |"
for config in "$@"; do
    rm -rf "$work"/run[0-9]* # of the config before
    for run in "$folder/$config"/run*; do
        printf '%s %s\n' "$("$build/redsweep" show "$run" --info | sed -n 's/^provenance\.device\.uuid\t//p')" "$run"
    done >"$work/cards"
    card=$(cut -d' ' -f1 "$work/cards" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
    runs=0
    for run in $(awk -v card="$card" '$1 == card { print $2 }' "$work/cards"); do
        runs=$((runs + 1))
        ln -sfn "$(cd "$run" && pwd)" "$work/run$runs"
    done
    for kind in "kernel 1.03" "id 1.1" "id 1.5"; do
        for processes in 1 2; do
            [ $((2 * processes)) -le $runs ] || continue
            k=1
            while [ $k -le "${TRIES:-60}" ]; do
                try "$config" $k $processes ${kind% *} ${kind#* }
                k=$((k + 1))
            done >"$work/tried"
            awk -v config="$config" -v kind="$kind" -v processes=$processes '
                { found += $1; itself += $2; others += $3; long += $4; found_long += $1 * $4 }
                END { split(kind, part, " "); of_kernel = part[1] == "kernel"
                      printf "| `%s` | %g %% of %s | %d and %d | %d of %d | %s | %s | %d |\n", config,
                          100 * (part[2] - 1), of_kernel ? "a kernel" : "a point", processes, processes, found, NR,
                          of_kernel ? "" : found_long + 0 " of " long + 0, of_kernel ? itself + 0 " of " NR : "", others }' \
                "$work/tried"
        done
    done
done
