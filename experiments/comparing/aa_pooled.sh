#!/bin/sh
# A/A test with several processes per side: `redsweep diff --baseline A1 A2 --candidate B1 B2`
# compares two runs of a config with two other runs of the same config on the same card. The script
# does this for every choice of the four runs. Needs no GPU.
#
#   experiments/comparing/aa_pooled.sh [FOLDER…]    FOLDER is the same as for experiments/comparing/aa_table.sh
#
# Prints a Markdown table with a row for each config and card that have at least four runs. The exit
# code is 0 if `diff` exits with 0 in at least 95 % of the comparisons, 1 if not, and 2 if there is
# nothing to compare.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
. experiments/shared/unpacked.sh
[ $# -gt 0 ] || set -- results/reference/*-aa-configs
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
number=0
for given in "$@"; do
    number=$((number + 1))
    runs=$(unpacked "$given" "$work/$number") || exit 2
    for run in "$runs"/*/run*; do
        [ -e "$run/results.csv" ] || continue
        printf '`%s` | %s\t%s\n' "$(basename "$(dirname "$run")")" "$("$build/redsweep" show "$run" --info |
            sed -n 's/^provenance\.device\.\(name\|uuid\)\t//p' | cut -c 1-20 | paste -sd' ')" "$run"
    done
done | sort -s >"$work/runs"
awk -F '\t' '{ run[$1, ++count[$1]] = $2 }
    END { for (g in count) for (a = 1; a <= count[g]; a++) for (b = a + 1; b <= count[g]; b++)
              for (c = 1; c <= count[g]; c++) for (d = c + 1; d <= count[g]; d++)
                  if (c != a && c != b && d != a && d != b)
                      print g "\t" run[g, a] "\t" run[g, b] "\t" run[g, c] "\t" run[g, d] }' \
    "$work/runs" | sort >"$work/choices"
[ -s "$work/choices" ] || { echo "aa_pooled: no config has four runs of one card in: $*" >&2; exit 2; }
while IFS='	' read -r group a1 a2 b1 b2; do
    code=0
    "$build/redsweep" diff --baseline "$a1" "$a2" --candidate "$b1" "$b2" >"$work/said" || code=$?
    [ $code -lt 2 ] || exit 2
    printf '%s\t%s\n' "$group" $code
done <"$work/choices" | awk -F '\t' '
    function line(name) { printf "| %s | %d of %d |\n", name, good[name], all[name] }
    BEGIN { print "| config | card | choices with 0 |"; print "| --- | --- | ---: |" }
    { if ($1 != last && last != "") line(last)
      last = $1; all[$1]++; all["all"]++; good[$1] += $2 == 0; good["all"] += $2 == 0 }
    END { line(last); good["all | "] = good["all"]; all["all | "] = all["all"]; line("all | "); exit 100 * good["all"] < 95 * all["all"] }'
