#!/bin/sh
# Compares the measurements of experiments/comparing/power.sh again, and prints a Markdown table:
# how many single points of the planted kernel are SLOW, by true effect, and how many points of
# other kernels are SLOW or FAST. A second build can judge the same times. Needs no GPU.
#
#   experiments/comparing/power_again.sh ARCHIVE.tar.xz [BUILD]    power_pack.sh made ARCHIVE; BUILD is another version's build
#
# The exit code is 0 if a point of another kernel is named in at most 5 % of the tries, 1 if one is named in
# more of them, and 2 if nothing was compared.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
mkdir "$work/runs"
tar xJf "$1" -C "$work/runs" || exit 2
find "$work/runs" -name samples.txt | while read -r file; do
    awk 'BEGIN { print "id,sample,time_us" }
        { sample = 0
          for (i = 2; i <= NF; i++) { split($i, part, "*"); for (k = 0; k < part[2]; k++) print $1 "," sample++ "," part[1] } }' \
        "$file" >"${file%.txt}.csv"
done
for config in "$work"/runs/*/list.tsv; do
    folder=$(dirname "$config")
    for build in ${2:+"$2"} "${BUILD:-build}"; do
        side=$([ "$build" = "${2:-}" ] && echo other || echo this)
        mkdir -p "$work/$side"
        code=0
        BUILD=$build JUDGE=$folder OUT=$work/$side/$(basename "$folder") experiments/comparing/power.sh >"$work/log" 2>&1 || code=$?
        [ $code -lt 2 ] || { tail -3 "$work/log" >&2; exit 2; }
    done
done
awk -v runs="$work/runs" -v other="${2:+$work/other}" -v this="$work/this" -f experiments/comparing/power_again.awk "$work"/runs/*/list.tsv
