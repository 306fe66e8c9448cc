#!/bin/sh
# tests/run.sh must name and count every failed test. With AGAIN, a failed test that passes when run
# again alone is called unsteady. A test that fails again counts as failed, as do all failed tests
# if there are more than AGAIN.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
bed=$(mktemp -d)
trap 'rm -rf "$bed"' EXIT
printf '#!/bin/sh\nexit 0\n' >"$bed/passes"
printf '#!/bin/sh\necho of no use; exit 3\n' >"$bed/fails"
cp "$bed/fails" "$bed/fails too"
# The test `late` fails if the file "first" exists, and removes this file, so that it passes the
# next time.
printf '#!/bin/sh\nrm "%s/first" 2>/dev/null && exit 1; exit 0\n' "$bed" >"$bed/late"
chmod +x "$bed"/*

expect() { # AGAIN CODE LINES… -- TEST…: checks the exit code, and lines that must be printed
    again=$1 code=$2 got=0
    shift 2
    : >"$bed/first"
    : >"$bed/wanted"
    while [ "$1" != -- ]; do
        echo "$1" >>"$bed/wanted"
        shift
    done
    shift
    AGAIN=$again JOBS=2 "$root/tests/run.sh" "$@" >"$bed/printed" || got=$?
    while read -r line; do
        grep -qF -- "$line" "$bed/printed" || { echo "not printed: $line"; cat "$bed/printed"; exit 1; }
    done <"$bed/wanted"
    [ "$got" -eq "$code" ] || { echo "exit code $got, not $code"; cat "$bed/printed"; exit 1; }
}

expect 0 0 '1 tests, 0 failed' -- "$bed/passes"
expect 0 1 'of no use' "$bed/fails (exit code 3)" '2 tests, 1 failed' "failed: $bed/fails" -- "$bed/passes" "$bed/fails"
expect 0 1 '2 tests, 1 failed' -- "$bed/passes" "$bed/late"
expect 2 0 "UNSTEADY: $bed/late" '2 tests, 0 failed' -- "$bed/passes" "$bed/late"
expect 2 1 "once more, alone: $bed/fails too" "failed: $bed/fails too" -- "$bed/passes" "$bed/fails too"
expect 2 1 "UNSTEADY: $bed/late" "failed: $bed/fails" '2 tests, 1 failed' -- "$bed/late" "$bed/fails"
expect 1 1 '2 tests, 2 failed' -- "$bed/late" "$bed/fails"
