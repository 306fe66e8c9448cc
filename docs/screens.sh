#!/bin/sh
# The pictures of terminals in the README and docs/first-minute.md, from what terminals showed
# (screen.txt of committed runs): docs/screens.sh. The runs' temporary folders are called results/latest.
set -eu
cd "$(dirname "$0")/.."
screen() { # NAME COMMAND COLUMNS LINES RUN
    sed 's#/tmp/[^ ]*/quick#results/latest#g; s#results/quick-[a-z0-9]*-[0-9TZ]*#results/latest#g' "results/reference/$5/screen.txt" |
        awk -v title="\$ $2" -v columns="$3" -v lines="$4" -f docs/screen.awk >"docs/screens/$1.svg"
    echo "wrote docs/screens/$1.svg"
}
screen without-a-gpu 'make sweep' 132 31 sim-quick
screen on-an-h100 'make sweep' 132 31 h100-minute-cuda13
