#!/bin/sh
# Tests redsweep log, latest~1, and the status of any run.
set -u
cd "$(dirname "$0")/../.." || exit 1
redsweep=$PWD/${BUILD:-build}/redsweep
case ${BUILD:-build} in /*) redsweep=$BUILD/redsweep ;; esac
reference=$PWD/results/reference
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "test_log: FAILED: $*"; failed=1; }
cd "$work" || exit 1
says() { # CODE PATTERN COMMAND…
    wanted=$1 pattern=$2
    shift 2
    "$redsweep" "$@" >said 2>&1
    code=$?
    [ $code -eq "$wanted" ] && grep -q -e "$pattern" said || { fail "$* ended with $code, without '$pattern':"; cat said; }
}

mkdir results results/plots results/.hidden && echo no run >results/note.txt
says 0 '^there are no runs in results$' log
says 2 'nowhere: No such file' log nowhere

# A new user may start by comparing a sweep with its repetition. Both runs may begin in the same
# second.
says 2 '^redsweep: latest: No such file' show latest
"$redsweep" run --kernels atomic,unroll --sizes 2^14 --device sim --out results/first --quiet >said || fail "no first run"
ln -s first results/latest
says 2 '^redsweep: latest~1 does not exist, because results contains only 1 run; .redsweep log results. lists them$' diff latest~1 latest
sleep 1
"$redsweep" run --kernels atomic,unroll --sizes 2^14,2^15 --device sim --out results/second --quiet >said || fail "no second run"
rm results/latest && ln -s second results/latest
says 0 '^a  results/first: ' diff latest~1 latest
grep -q '^b  results/latest: ' said || { fail "b is another run"; cat said; }
says 0 '^first ' status latest~1
says 0 '^second \|^latest ' status latest
says 2 '^redsweep: latest~2 does not exist, because results contains only 2 runs; ' show latest~2
"$redsweep" show results/first --csv latest >said && [ -f latest ] || fail "what is written is not called latest"
rm -r results/first results/second results/latest latest
# There are three runs, one of them without times. Neither the names of their folders nor the times
# of their files reveal the order in which they were made.
for run in h100-minute-cuda13 h200-catalogue sim-quick; do
    mkdir "results/z-$run" && cp "$reference/$run/run.json" "$reference/$run/results.csv" "results/z-$run"
done
mv results/z-h200-catalogue results/a-h200-catalogue
ln -s z-h100-minute-cuda13 results/latest
says 0 '^z-h100-minute-cuda13  *complete  *339  *onepass_packed at 2^20  *2026-11-22T17:09:49Z  *NVIDIA H100 80GB HBM3  *quick  *d70d032f18ef' log
[ "$(sed 1,2d said | sed 's/ .*//' | tr '\n' ' ')" = "z-h100-minute-cuda13 a-h200-catalogue z-sim-quick " ] || { fail "not in the order of their beginning:"; cat said; }
says 0 '^.-head 0 also lists 2 more runs' log --head 1
[ "$("$redsweep" log --csv - | wc -l)" -eq 4 ] || fail "the CSV has not a line per run"
"$redsweep" log --csv - | grep -q '^z-sim-quick,complete,339,339,,' || fail "a run without a clock has a winner"

# Every command that reads runs accepts latest~1 for the previous run. If a file or folder is named
# latest~1, it takes precedence.
for name in latest~1 results/latest~1; do
    "$redsweep" show "$name" --csv - | cmp -s - results/a-h200-catalogue/results.csv || {
        [ "$("$redsweep" show "$name" --csv - | wc -l)" -eq 354 ] || fail "$name is another run"; }
done
says 0 '^Fastest on NVIDIA H100' best latest~0 --brief
says 0 '/a-h200-catalogue/report.html$' report latest~1
says 2 'latest~3 does not exist, because results contains only 3 runs; .redsweep log results. lists them' show latest~3
says 2 'nowhere/latest~1\|nowhere: No such file' show nowhere/latest~1
says 2 'No such file' show latest~x
rm results/latest && ln -s a-h200-catalogue results/latest
says 0 '^z-sim-quick ' status latest~1

# Checks the status of a complete run, a stopped one and a killed one.
says 0 '^latest  *complete  *353 ' status
sed 's/"status": "complete"/"status": "stopped"/; s/"points": 339,/"points": 1870,/' results/z-sim-quick/run.json >changed && cp changed results/z-sim-quick/run.json
says 3 '^z-sim-quick  *stopped  *339 of 1870' status results/z-sim-quick
grep -q '^to resume: redsweep resume .results/z-sim-quick.$' said || { fail "nothing says how to go on"; cat said; }
sed 's/"status": "stopped"/"status": "running"/' changed >results/z-sim-quick/run.json
says 3 '^z-sim-quick  *killed ' status results/z-sim-quick
[ $failed -eq 0 ] && echo "test_log: the runs of a folder are listed"
exit $failed
