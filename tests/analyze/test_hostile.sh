#!/bin/sh
# Runs hostile.py, which gives a malicious run folder to every command that reads one. Its four
# parts run in parallel.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
command -v python3 >/dev/null || { echo 'test_hostile: skipped: python3 is missing'; exit 0; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for part in cells samples members files; do
    mkdir "$work/$part"
    (python3 "$here/hostile.py" "$build/redsweep" "$build/tests/devices" "$root" "$work/$part" $part >"$work/$part.txt" 2>&1
    echo $? >"$work/$part.code") &
done
wait
failed=0
for part in cells samples members files; do
    head -40 "$work/$part.txt"
    [ "$(cat "$work/$part.code")" = 0 ] || failed=1
done
[ $failed -eq 0 ] && echo 'test_hostile: ok'
exit $failed
