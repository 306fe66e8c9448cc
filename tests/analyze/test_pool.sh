#!/bin/sh
# Compares several runs per side. Each was recorded by its own process, with one config on an H100.
# Two processes per side decide cases that one process per side cannot decide. Changes that are
# planted in the candidate's runs are found.
set -eu
cd "$(dirname "$0")/../.."
redsweep=$PWD/${BUILD:-build}/redsweep
case ${BUILD:-build} in /*) redsweep=$BUILD/redsweep ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar xJf results/reference/h100-aa-configs/runs.tar.xz -C "$work" arrays rows clusters
cd "$work"
failed=0

# expect CODE PATTERN ARGUMENTS…: `redsweep diff` must exit with CODE and print a line that matches.
expect() {
    code=0 wanted=$1 pattern=$2
    shift 2
    "$redsweep" diff "$@" >said 2>&1 || code=$?
    if [ "$code" -ne "$wanted" ] || ! grep -Eq -- "$pattern" said; then
        echo "FAILED: diff $* ended with $code instead of $wanted, or did not say '$pattern':"
        tail -4 said
        failed=1
    fi
}

# plant FROM TO CONDITION FACTOR: copies a run, making rows for which awk's CONDITION holds take
# FACTOR times as long. $c["NAME"] is a column of results.csv; no cell of these runs has a comma.
plant() {
    mkdir -p "$2"
    cp "$1/run.json" "$2"
    awk -F, -v OFS=, -v f="$4" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next }
        '"$3"' { for (name in c) if (name ~ /_us_/ || name ~ /^time_us_/) if ($c[name] != "")
                     $c[name] = sprintf("%.9g", $c[name] * f) }
        { print }' "$1/results.csv" >"$2/results.csv"
}

# The times in the third run of `arrays` are wrong by 1.1 us at one size. With two runs per side,
# diff nevertheless finds no change.
a=arrays/run
expect 1 '^Exit code 1: slower: 10 points' ${a}1 ${a}3
expect 0 '^Exit code 0: nothing fails' --baseline ${a}1 ${a}2 --candidate ${a}3 ${a}4
expect 0 '^Exit code 0: nothing fails' --candidate ${a}1 ${a}2 --baseline ${a}3 ${a}4
expect 0 '^a +arrays/run1, arrays/run2, arrays/run5: NVIDIA H100' \
    --baseline ${a}1 ${a}2 ${a}5 --candidate ${a}3 ${a}4 ${a}6 --strict --min-effect 400
# With one run per side, the result is that of `diff A B`.
"$redsweep" diff ${a}1 ${a}2 --csv pair.csv >/dev/null
"$redsweep" diff --baseline ${a}1 --candidate ${a}2 --csv sides.csv >/dev/null
cmp pair.csv sides.csv || failed=1

# With one process per side, diff can judge a single point, but not a kernel at one size, so it
# prints a command that measures more. The test makes the runs that the printed command names, and
# then executes the command.
lone='$c["kernel"] == "shuffle" && $c["n"] == 16777216'
plant ${a}4 lone "$lone" 1.04
plant ${a}5 more "$lone" 1.04
expect 1 'These may have changed.*$' ${a}1 lone
grep -q '1 kernel at one problem' said || { echo "FAILED: no kernel at one problem waits"; failed=1; }
grep '^  redsweep diff --baseline arrays/run1 arrays/run1-2 --candidate lone lone-2$' said >command ||
    { echo "FAILED: no command decides"; failed=1; }
grep -q '^  redsweep run .*/arrays.json --device cuda --out arrays/run1-2$' said &&
    grep -q '^  redsweep run .*/arrays.json --device cuda --out lone-2$' said ||
    { echo "FAILED: no command makes the further runs"; failed=1; }
cp -r ${a}2 arrays/run1-2
mv more lone-2
mkdir bin
ln -s "$redsweep" bin/redsweep
code=0
PATH=$PWD/bin:$PATH sh ./command >said || code=$?
[ "$code" -eq 1 ] && grep -Eq '^Exit code 1: slower: 1 kernel at one problem' said ||
    { echo "FAILED: two processes of each side do not find a kernel at one size:"; tail -3 said; failed=1; }
rm -r arrays/run1-2 lone lone-2

# Multiplies a point's time by 1.5, or a kernel's by 1.03, in both of the candidate's runs or in
# just one.
for i in 3 4; do
    plant rows/run$i point$i '$c["id"] == "'"$(sed -n 40p rows/run1/results.csv | cut -d, -f1)"'"' 1.5
    plant rows/run$i kernel$i '$c["kernel"] == "rows_warp"' 1.03
done
expect 1 '^Exit code 1: slower: 1 point\.' --baseline rows/run1 rows/run2 --candidate point3 point4
expect 0 '^Exit code 0' --baseline rows/run1 rows/run2 --candidate point3 rows/run4
expect 1 '^Exit code 1: slower: 1 kernel' --baseline rows/run1 rows/run2 --candidate kernel3 kernel4
expect 0 'faster: 1 kernel' --candidate rows/run1 rows/run2 --baseline kernel3 kernel4

# A point that is wrong in one process counts as wrong.
mkdir wrong
cp clusters/run3/run.json wrong
sed '5s/,ok,/,wrong,/' clusters/run3/results.csv >wrong/results.csv
expect 1 'wrong: 1 point' --baseline clusters/run1 clusters/run2 --candidate clusters/run4 wrong

expect 2 'is named twice' --baseline ${a}1 ${a}1 --candidate ${a}2
expect 2 'needs --candidate' --baseline ${a}1 ${a}2
expect 2 'arrays/run3 belongs to neither side' --baseline ${a}1 ${a}2 --strict ${a}3 --candidate ${a}4
sed 's/"GPU-[0-9a-f]*-/"GPU-00000000-/' ${a}2/run.json >card.json
cp -r ${a}2 card
mv card.json card/run.json
expect 2 'were measured on two cards' --baseline ${a}1 card --candidate ${a}3

[ "$failed" -eq 0 ] && echo "test_pool.sh: passed"
exit "$failed"
