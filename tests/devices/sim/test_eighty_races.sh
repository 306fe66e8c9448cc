#!/bin/sh
# Runs racecheck on the eighty kernels of races/kernels.txt, forty of which contain one planted
# race. racecheck must report each of these, either as a race or as a read of shared memory that was
# never written, and nothing for the other forty. Prints a table by class for
# results/reference/h100-races/README.md, which puts racecheck next to compute-sanitizer on an H100,
# or next to the reports in the file named by SANITIZER=FILE (experiments/counts/sanitizer.sh).
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
python3 "$here/races/make.py" "$work/kernels" || exit 1
mv "$work/kernels/all.cu" "$work/"
cut -d' ' -f1 "$work/kernels/names.txt" | xargs "$redsweep" racecheck --kernel-folder "$work/kernels" >"$work/said" 2>&1
awk '
function part(of, class, sort) { return of[class, sort] + 0 " of " all[class, sort] }
FILENAME ~ /names.txt$/ { sort[$1] = $2; class[$1] = $3; all[$3, $2]++; all["all", $2]++; next }
FILENAME ~ /said$/ {
    name = $1
    if (!(name in sort) || $2 !~ /^(has|failed:|was)$/) next
    seen[name] = 1
    if (/ has (more than )?[0-9]+ races? in /) verdict = "race"
    else if (/which no thread of the block has written/) verdict = "race"
    else if (/ has no race in [1-9]/) verdict = "none"
    else verdict = "?"
    if (verdict == "race") { ours[class[name], sort[name]]++; ours["all", sort[name]]++ }
    if (verdict != (sort[name] == "racy" ? "race" : "none")) { print "test_eighty_races: FAILED: " $0 >"/dev/stderr"; bad = 1 }
    next
}
$2 == "found" { theirs[class[$1], sort[$1]]++; theirs["all", sort[$1]]++ }
$2 == "found" || $2 == "silent" { compared++ }
END {
    for (name in sort) if (!(name in seen)) { print "test_eighty_races: FAILED: nothing of " name >"/dev/stderr"; bad = 1 }
    print "| what races | races found | correct kernels reported |" (compared ? " compute-sanitizer: races found | correct kernels reported |" : "")
    print "| --- | ---: | ---: |" (compared ? " ---: | ---: |" : "")
    n = split("block warp global grid copies all", order, " ")
    text["block"] = "shared memory, threads of a block"; text["warp"] = "shared memory, lanes of a warp"
    text["global"] = "global memory, threads of a block"; text["grid"] = "global memory, blocks of a grid"
    text["copies"] = "asynchronous copies"; text["all"] = "**all**"
    for (k = 1; k <= n; k++) {
        c = order[k]
        print "| " text[c] " | " part(ours, c, "racy") " | " part(ours, c, "right") " |" \
            (compared ? " " part(theirs, c, "racy") " | " part(theirs, c, "right") " |" : "")
    }
    exit bad
}' "$work/kernels/names.txt" "$work/said" "${SANITIZER:-$root/results/reference/h100-races/sanitizer.txt}" || exit 1
echo "test_eighty_races: passed"
