#!/bin/sh
# This script prints the parts of docs/measuring.md that come from recorded runs, as Markdown.
# docs/make.sh puts the output of a command between its marks. If a run is missing, a line of the
# page says so.
#
#   docs/measured.sh aa RUN_A RUN_B       the A/A table
#   docs/measured.sh cold-warm RUN        bytes from DRAM, cold and warm
#   docs/measured.sh conditions RUN       ceilings, self-checks and seconds of a run
#   docs/measured.sh bench FILE           the numbers of `make bench`
#   docs/measured.sh rows ARCHIVE OPTION… experiments/rows/rows_table.py of the races along rows in an archive
#   docs/measured.sh beside ARCHIVE …     the same for races along rows that alternated with PyTorch
#   docs/measured.sh arrays ARCHIVE …     the same for races of whole arrays that alternated with PyTorch and cuBLAS
#   docs/measured.sh counts GPU SIM       counts of two runs of one config (docs/counts.awk): folders, or folders
#                                         in archives (runs.tar.xz/FOLDER)
set -eu
cd "$(dirname "$0")/.."
root=$PWD
part=$1
shift
for needed in "$@"; do
    case $needed in
    -*) break ;;
    *.tar.xz/*) needed=${needed%.tar.xz/*}.tar.xz ;;
    esac
    if [ ! -e "$needed" ]; then
        printf '\n*Not measured yet: %s is missing.*\n\n' "$needed"
        exit 0
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OUT=$work
export OUT

# member NAME: prints a value of the latest session, or "" if it is missing.
member() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/session"; }
# Four digits are enough for a table.
short() { awk -v v="$1" 'BEGIN { if (v == "" || v == "null") exit; if (v >= 1000) printf "%.0f", v; else printf "%.4g", v }'; }

conditions() {
    "${BUILD:-build}/redsweep" show "$1" --info |
        awk -F '\t' '/^sessions\./ { split($1, part, "."); last = part[2]; line[NR] = $0 }
            END { for (i = 1; i <= NR; i++)
                      if (index(line[i], prefix = "sessions." last ".") == 1)
                          print substr(line[i], length(prefix) + 1) }' >"$work/session"
    [ -s "$work/session" ] || { printf '\n*%s does not tell its conditions.*\n\n' "$1"; exit 0; }
    printf '\n| ceiling | at the start | at the end |\n| --- | ---: | ---: |\n'
    for name in empty_us read_gbs copy_gbs write_gbs; do
        printf '| %s | %s | %s |\n' "$name" "$(short "$(member ceilings_start.$name)")" \
            "$(short "$(member ceilings_end.$name)")"
    done
    printf '\n| self-check | expected | found | |\n| --- | ---: | ---: | --- |\n'
    for check in 0 1 2 3 4 5 6 7; do
        meaning=$(member self_checks.$check.meaning)
        [ -n "$meaning" ] || break
        ok=failed
        [ "$(member self_checks.$check.ok)" != yes ] || ok=ok
        printf '| %s | %s | %s | %s |\n' "$meaning" "$(short "$(member self_checks.$check.expected)")" \
            "$(short "$(member self_checks.$check.found)")" "$ok"
    done
    printf '\n| seconds of | |\n| --- | ---: |\n'
    sed -n 's/^seconds\.//p' "$work/session" | while IFS='	' read -r name value; do
        printf '| %s | %s |\n' "$name" "$(short "$value")"
    done
    printf '\n'
}

bench() {
    printf '\n| | |\n| --- | ---: |\n'
    sed -n 's/^  "\([^"]*\)": {"value": \([^,]*\), "unit": "\([^"]*\)", "missing": \(.*\)},*$/\1|\2|\3|\4/p' "$1" |
        while IFS='|' read -r name value unit missing; do
            [ "$value" != null ] || value= unit=$(printf '%s' "$missing" | tr -d '"')
            printf '| %s | %s %s |\n' "$name" "$value" "$unit"
        done
    printf '\n'
}

# shapes 'FOLDER…' ARCHIVE OPTION…: prints a table of these runs in an archive.
shapes() {
    tar xf "$2" -C "$work"
    runs=
    for run in $1; do # an archive might not contain all runs
        [ -e "$work/$run" ] && runs="$runs $run"
    done
    shift 2
    # shellcheck disable=SC2086 # the names contain no spaces
    (cd "$work" && table python3 "$root/experiments/rows/rows_table.py" $runs "$@")
}

# results_of RUN NAME: makes a file with the rows of a run as data. The run is a folder, or a folder
# in an archive.
results_of() {
    run=$1
    if [ ! -d "$1" ]; then
        folder=${1#*.tar.xz/}
        mkdir "$work/$2"
        tar -C "$work/$2" -xJf "${1%/"$folder"}" "$folder/results.csv" "$folder/run.json"
        run=$work/$2/$folder
    fi
    "${BUILD:-build}/redsweep" show "$run" --data - >"$work/$2.data" && echo "$work/$2.data"
}

counts() {
    table awk -v polls="$(setup/kernels_with.sh 'counts: *vary' | tr '\n' ' ')" \
        -v launches="$(setup/kernels_with.sh 'link: *device runtime' | tr '\n' ' ')" \
        -f tests/data.awk -f tests/gpu/waits.awk -f docs/counts.awk "$(results_of "$1" gpu)" "$(results_of "$2" sim)"
}

# The exit codes of the checks are ignored here, because the last line of the table contains their
# results.
table() {
    printf '\n'
    "$@" | sed 's/^\(passed\|FAILED\)/\n&/' || true
    printf '\n'
}

case $part in
aa) table experiments/comparing/aa.sh "$@" ;;
cold-warm) table experiments/measuring/cold_warm.sh "$@" ;;
conditions) conditions "$@" ;;
bench) bench "$@" ;;
counts) counts "$@" ;;
rows) shapes 'grid ops ops-2 ops-3 dot' "$@" ;;
beside) shapes 'beside-1 beside-2 peers/run beside-3 beside-4 peers-2/run' "$@" ;;
arrays) shapes 'grid arrays-beside-1 arrays-beside-2 peers0/run' "$@" --arrays ;;
*) echo "docs/measured.sh: there is no part $part" >&2 && exit 1 ;;
esac
