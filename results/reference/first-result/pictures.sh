#!/bin/sh
# This script draws pictures of the first result that a user sees, before redsweep explained it and after. It writes
# them into its own folder. They show the output of `redsweep run` on terminals with 80 and 120 columns, and the run's
# page with a width of 1280 and 390 pixels. One run is on the simulator (configs/quick.json). The other run
# (configs/ladder.json) replays the recorded run h200-ladder, in place of a run on a GPU.
#
#   git worktree add /tmp/before f5228ce && make -C /tmp/before && results/reference/first-result/pictures.sh /tmp/before
#
# It needs script (bsdutils), pngquant and chromium-headless-shell. If a screen is long, its picture shows only the
# beginning and the end.
set -eu
before=${1:?the tree of the version before, built}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# screen COLUMNS: prints its input as a terminal shows it, without colors. It keeps the last state of a progress line, and
# it breaks long lines.
screen() {
    python3 -c '
import re, sys
columns = int(sys.argv[1])
for line in sys.stdin.buffer.read().decode(errors="replace").replace("\r\n", "\n").split("\n"):
    line = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line.rsplit("\r\x1b[K", 1)[-1]).rstrip("\r")
    for at in range(0, max(len(line), 1), columns):
        print(line[at:at + columns])' "$1"
}

# draw WHEN TREE DEVICE CONFIG DEVICE-OF-REDSWEEP
draw() {
    for columns in 80 120; do
        name=$1-$3-$columns
        rm -rf "$work/latest"
        (cd "$2" && script -qec "stty cols $columns; build/redsweep run $4 --device $5 --out $work/latest" /dev/null </dev/null) |
            screen $columns | sed "s#$work#results#g" |
            awk -v title="\$ redsweep run $4    ($columns columns)" -v columns=$columns -v lines=60 -f "$root/docs/screen.awk" >"$here/$name.svg"
    done
    [ -s "$work/latest/report.html" ] || (cd "$2" && build/redsweep report "$work/latest" --out "$work/latest/report.html" >/dev/null)
    python3 - "$work/latest/report.html" "$here/$1-$3" "$root/tests/browser" <<'PYTHON'
import base64, pathlib, sys, tempfile
sys.path.insert(0, sys.argv[3])
import devtools
with tempfile.TemporaryDirectory() as profile, devtools.Browser(devtools.find(), profile) as browser:
    for width, height in [(1280, 800), (390, 844)]:
        browser.open(pathlib.Path(sys.argv[1]).as_uri(), width, height)
        pathlib.Path(f"{sys.argv[2]}-{width}px.png").write_bytes(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))
PYTHON
}

for tree in "before $before" "after $root"; do
    # shellcheck disable=SC2086 # two words
    set -- $tree
    draw "$1" "$2" sim configs/quick.json sim
    draw "$1" "$2" gpu configs/ladder.json "replay:$root/results/reference/h200-ladder"
done
for picture in "$here"/*.png; do
    pngquant --force --strip --ext .png 8 "$picture"
done
