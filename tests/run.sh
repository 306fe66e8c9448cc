#!/bin/sh
# Runs tests, several at a time. Prints a line for each test, and the whole output of failed tests.
#
#   BUILD=DIR tests/run.sh TEST…
#
# JOBS is how many tests run at a time (default: one per processor). TEST_LIMIT is how long a test
# may take, in seconds (default: 1800). If a test failed, the exit code is 1 and the last lines name
# it.
#
# On a shared machine, a test may fail for lack of time. If at most AGAIN tests failed (default: 0),
# they are run once more, one by one. A test that passes now is listed as unsteady, and one that
# fails again counts as failed. If more than AGAIN failed, all of them count as failed right away.
set -u
if [ "${1:-}" = --one ]; then
    log=$(mktemp) || exit 1
    began=$(date +%s) code=0
    timeout "${TEST_LIMIT:-1800}" ${DEFAULT_SIGNALS:-} "$2" >"$log" 2>&1 </dev/null || code=$?
    took=$(($(date +%s) - began))
    if [ $code -eq 0 ]; then
        { printf 'ok      %4d s  %s\n' $took "$2" && grep '^test_[^ ]*: skipped' "$log"; } | cat
    else
        { cat "$log" && printf 'FAILED  %4d s  %s (exit code %d)\n' $took "$2" $code; } | cat
        echo "$2" >>"$TESTS_FAILED"
    fi
    rm -f "$log"
    exit 0
fi
[ $# -gt 0 ] || { sed -n '2,12p' "$0" >&2; exit 2; }
# Tests put the names of temporary folders into configs and scripts, so a TMPDIR that needs quoting
# there is ignored.
case ${TMPDIR:-} in *[!A-Za-z0-9/._-]*) unset TMPDIR ;; esac
# nohup, batch systems and some CI runners ignore signals, and child processes inherit that. Some
# tests send these signals to their children.
DEFAULT_SIGNALS='env --default-signal=HUP,INT,QUIT,PIPE'
$DEFAULT_SIGNALS true 2>/dev/null || DEFAULT_SIGNALS=
TESTS_FAILED=$(mktemp) || exit 1
export TESTS_FAILED DEFAULT_SIGNALS
trap 'rm -f "$TESTS_FAILED"' EXIT
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-$(nproc)}" "$0" --one || exit 1
failed=$(wc -l <"$TESTS_FAILED")
if [ "$failed" -gt 0 ] && [ "$failed" -le "${AGAIN:-0}" ]; then
    first=$(cat "$TESTS_FAILED")
    : >"$TESTS_FAILED"
    printf '%s\n' "$first" | while read -r name; do
        echo "once more, alone: $name"
        "$0" --one "$name"
        grep -qxF "$name" "$TESTS_FAILED" || echo "UNSTEADY: $name failed, and passed alone"
    done
    failed=$(wc -l <"$TESTS_FAILED")
fi
echo "$# tests, $failed failed"
sed 's/^/failed: /' "$TESTS_FAILED"
[ "$failed" -eq 0 ]
