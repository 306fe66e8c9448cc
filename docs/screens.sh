#!/bin/sh
# The pictures of terminals in the README and results/reference/h100-minute-cuda13/README.md, from what terminals showed
# (screen.txt of committed runs): docs/screens.sh. The runs' temporary folders are called results/latest.
set -eu
cd "$(dirname "$0")/.."
redsweep=${REDSWEEP:-build/redsweep}
draw() { # NAME COLUMNS LINES
    sed 's#/tmp/[^ ]*/quick#results/latest#g; s#results/quick-[a-z0-9]*-[0-9TZ]*#results/latest#g' |
        awk -v title='$ make sweep' -v columns="$2" -v lines="$3" -f docs/screen.awk >"docs/screens/$1.svg"
    echo "wrote docs/screens/$1.svg"
}
draw without-a-gpu 132 62 <results/reference/sim-quick/screen.txt
# On the H100 0.1.0 ran, whose table was wider: 0.2.0 prints it again, from the recorded run.
run=results/reference/h100-minute-cuda13
{
    sed '/^Fastest/,$d' $run/screen.txt
    "$redsweep" best $run --brief
    for next in 'best results/latest    winners and ties' 'plots results/latest    charts'; do
        echo "${indent:-\nnext:} build/redsweep $next" | sed 's/\\n//'
        indent='     '
    done
} | draw on-an-h100 142 31
