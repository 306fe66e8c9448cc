#!/bin/sh
# Prints a Markdown table of A/A tests of many configs (experiments/comparing/aa_configs.sh) on
# several card models: for how many ordered pairs of runs on the same card `redsweep diff` exits
# with 0. Needs no GPU.
#
#   experiments/comparing/aa_table.sh [FOLDER…]    FOLDER contains CONFIG/runK, or the runs of one config, or a runs.tar.xz
#                                      with them (default: results/reference/*-aa-configs)
#
# The exit code is 0 if `diff` exits with 0 for at least 95 % of the pairs of each model and at least 80 % of
# the pairs of each config. It is 1 if `diff` does so for fewer pairs, and 2 if there is nothing to compare.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
. experiments/shared/unpacked.sh
[ $# -gt 0 ] || set -- results/reference/*-aa-configs
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
info() { "$build/redsweep" show "$1" --info | sed -n "s/^provenance\.device\.$2\t//p"; }
folder=0
for given in "$@"; do
    folder=$((folder + 1))
    runs=$(unpacked "$given" "$work/$folder") || exit 2
    for file in "$runs"/*/results.csv "$runs"/*/*/results.csv; do
        [ -e "$file" ] || continue
        run=$(dirname "$file")
        config=$(basename "$(dirname "$run")")
        [ "$(dirname "$run")" != "$runs" ] || config=$(basename "$given")
        printf '%s\t%s\t%s\t%s\n' "$config" "$(info "$run" name)" "$(info "$run" uuid)" "$run"
    done
done | sort -t '	' -k 1,3 -s >"$work/runs"
[ -s "$work/runs" ] || { echo "aa_table: no CONFIG/runK in: $*" >&2; exit 2; }
# The runs of one config on one card are compared with each other.
cut -f 1-3 "$work/runs" | uniq >"$work/groups"
group=0
while IFS='	' read -r config model uuid; do
    group=$((group + 1))
    awk -F '\t' -v c="$config" -v u="$uuid" '$1 == c && $3 == u { print $4 }' "$work/runs" >"$work/list"
    runs=$(wc -l <"$work/list")
    mkdir "$work/group$group"
    if [ "$runs" -gt 1 ]; then
        # Run names contain no blanks, because they are made of names of config files and mktemp
        # folders.
        OUT=$work/group$group experiments/comparing/aa.sh $(cat "$work/list") >"$work/group$group/log"
        [ $? -lt 2 ] || { cat "$work/group$group/log" >&2; exit 2; }
    fi
    about=
    [ ! -e "experiments/comparing/aa/$config.json" ] ||
        about=$(sed -n 's/^ *"comment": "\(.*\)",$/\1/p' "experiments/comparing/aa/$config.json")
    printf '%s\t%s\t%s\t%s\t%s\n' "$config" "$model" "$runs" "$work/group$group/pairs.txt" "$about"
done <"$work/groups" >"$work/compared"
awk -F '\t' -f experiments/comparing/aa_table.awk "$work/compared" | tee "$work/table"
grep -q 'nothing was compared' "$work/table" && exit 2
grep -q '^passed' "$work/table"
