#!/bin/sh
# This script draws the pictures of terminals in the README. They show what redsweep printed for
# committed runs on a terminal of 120 columns. The runs' folders are called results/latest.
#
#   docs/screens.sh [folder of the pictures]
set -eu
folder=${1:-docs/screens}
cd "$(dirname "$0")/.."
draw() { # NAME COLUMNS LINES
    sed 's#results/quick-[a-z0-9]*-[0-9TZ]*#results/latest#g; s#results/quick#results/latest#g' |
        awk -v title='$ make sweep' -v columns="$2" -v lines="$3" -f docs/screen.awk >"$folder/$1.svg"
    echo "wrote $folder/$1.svg"
}
draw without-a-gpu 120 80 <results/reference/sim-quick/screen.txt
draw on-an-h100 120 60 <results/reference/h100-quick/screen-120.txt
