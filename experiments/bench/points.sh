#!/bin/sh
# Measures how long points from a list take on the simulator. The list has 1000 or 100 000 points,
# either in a file (--points FILE) or piped in one by one (--points -). The 1000 points use every
# hundredth size of the 100 000.
#
#   experiments/bench/points.sh            takes a minute, and five more for 100 000 points one after another
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work"

points() { # STEP: distance between sizes
    echo kernel,type,op,n,block,unroll,cache,scope
    seq "$1" "$1" 3125 | awk '{ for (b = 32; b <= 1024; b += 32) print "interleaved,int32,sum," $1 "," b ",1,cold,kernel" }'
}
cat >config.json <<'JSON'
{"name": "points", "kernels": "interleaved", "types": "int32", "ops": "sum", "sizes": "1..3125:1",
 "blocks": "32..1024:32", "unrolls": 1, "cache": "cold", "scope": "kernel", "metrics": []}
JSON
cat >ask.py <<'PY'
import subprocess, sys
lines = open(sys.argv[1]).read().splitlines()
asked = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
rows = open(asked.stdout.fileno(), "rb", closefd=False)
asked.stdin.write((lines[0] + "\n").encode())
for i, line in enumerate(lines[1:]):
    asked.stdin.write((line + "\n").encode())
    if i == 0:
        rows.readline()
    assert rows.readline()
asked.stdin.close()
sys.exit(asked.wait())
PY
for step in 100 1; do
    points $step >points.csv
    count=$(($(wc -l <points.csv) - 1))
    for way in file all one; do
        rm -rf out
        set -- "$redsweep" run config.json --points - --device sim --quiet --out out
        began=$(date +%s.%N)
        case $way in
        file) "$redsweep" run --points points.csv --metrics= --device sim --quiet --out out >/dev/null 2>&1 ;;
        all) "$@" <points.csv >/dev/null 2>&1 ;;
        one) python3 ask.py points.csv "$@" ;;
        esac
        [ "$(wc -l <out/results.csv)" -eq $((count + 1)) ] || { echo "points: rows are missing" >&2; exit 1; }
        echo "$way $count $began $(date +%s.%N)" |
            awk '{ printf "%-4s %6d points: %.1f s, %.3f ms per point\n", $1, $2, $4 - $3, ($4 - $3) / $2 * 1000 }'
    done
done
