#!/bin/sh
# Checks that the README's pictures of terminals show the recorded texts (docs/screens.sh), and that
# the text of the simulator's sweep is what the command prints today.
set -u
cd "$(dirname "$0")/../.." || exit 1
built=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "test_screens: FAILED: $*"; failed=1; }

docs/screens.sh "$work" >/dev/null
for picture in "$work"/*.svg; do
    cmp -s "$picture" "docs/screens/$(basename "$picture")" || fail "docs/screens/$(basename "$picture") is old; run docs/screens.sh"
done

# Only a few sizes are run here, and the counts of some kernels vary from run to run. Numbers and
# the spaces around them are therefore not compared. Neither is the first line, which depends on the
# machine.
recorded=results/reference/sim-quick/screen.txt
words() { sed '1,/ points: /d; /^next:/,$d; /^ *$/d; s/≈//g; s/[0-9][0-9.]*[kM]*/#/g; s/--*/-/g; s/  */ /g'; }
points=$("$built/redsweep" run configs/quick.json --device sim --dry-run | sed -n 's/^ *points  *\([0-9]*\) .*/\1/p')
grep -q "^$points points: " "$recorded" || fail "$recorded does not have $points points"
if command -v script >/dev/null; then
    script -qec "stty cols 120; $built/redsweep run configs/quick.json --device sim --sizes 2^20 --out $work/screen" /dev/null </dev/null |
        tr -d '\r' | sed "s/.*$(printf '\033')\[[0-9;]*[A-Za-z]//" | words >"$work/today"
    words <"$recorded" | diff - "$work/today" >"$work/changes" || fail "$recorded is old: $(cat "$work/changes")"
    [ "$(wc -l <"$work/today")" -gt 40 ] || fail "little is printed: $(cat "$work/today")"
else
    echo "test_screens: there is no script (bsdutils), so the recorded words are not compared"
fi

[ $failed -eq 0 ] && echo "test_screens: the pictures show what is printed"
exit $failed
