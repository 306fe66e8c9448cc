#!/bin/sh
# Strings from files may neither start a new line on the terminal nor send control characters to it.
# Such strings are config values, kernels' names and output, cells, and folder names. Line ends,
# carriage returns, ESC and the C1 characters are printed as escapes.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$here/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$here"
cd "$work" || exit 1
failed=0
esc=$(printf '\033') cr=$(printf '\r') c1=$(printf '\302\233') end='
'
forged="x${end}redsweep: FORGED$cr${esc}[2J${c1}31m"
in_json='x\nredsweep: FORGED\r\u001b[2J\u009b31m'
clean() { # WHAT CODE COMMAND…: no line is forged, and the text is shown as an escape
    what=$1 want=$2
    shift 2
    timeout 60 "$redsweep" "$@" >out.txt 2>&1
    got=$?
    [ $got -eq "$want" ] || { echo "test_lines: FAILED: $what ends with $got:"; cat out.txt; failed=1; }
    ! grep -q '^redsweep: FORGED' out.txt || { echo "test_lines: FAILED: $what: a line of its own:"; cat -v out.txt; failed=1; }
    ! LC_ALL=C grep -q "$esc\|$cr\|$c1" out.txt || { echo "test_lines: FAILED: $what: a control character:"; cat -v out.txt; failed=1; }
    grep -q 'FORGED' out.txt || { echo "test_lines: FAILED: $what: not shown at all:"; cat -v out.txt; failed=1; }
}
printf '{"kernels": ["%s"]}' "$in_json" >kernels.json
clean 'a value of a config' 2 run kernels.json --device sim
printf '{"%s": 1}' "$in_json" >key.json
sed -i 's/\\r.*"/"/' key.json
clean 'a key of a config' 2 run key.json --device sim
printf '{"kernels": ["interleaved"], "sizes": 64, "exclude": ["block > %s"]}' "$in_json" >exclude.json
clean 'an expression of a config' 2 run exclude.json --device sim
clean 'an argument' 2 show "$forged"
clean 'the value of an option' 2 list metrics --chip "$forged"

mkdir kernels
find "$here/kernels" -name interleaved.cu -exec cp {} "kernels/$forged.cu" \;
clean "a kernel's file" 2 list kernels --kernel-folder kernels
rm -r kernels && mkdir kernels
cat >kernels/talks.cu <<'J'
// kernel:   talks
// idea:     prints
// source:   a test
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"
extern "C" __global__ void talks(element *input, element *output, index_t n)
{
    if (threadIdx.x == 0)
        printf("x\nredsweep: FORGED\r\033[2J\302\233");
    output[0] = 0;
}
J
clean 'what a kernel prints' 1 run --kernels talks --kernel-folder kernels --sizes 64 --blocks 64 --device sim --out talked

"$redsweep" run --kernels interleaved --sizes 64 --blocks 64,128 --device sim --out run --quiet >/dev/null 2>&1 || exit 1
awk -F, -v OFS=, -v cell="\"$forged\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "device") at = i } NR == 2 { $at = cell } { print }' run/results.csv >planted.csv
mv planted.csv run/results.csv
clean 'a cell' 0 show run --columns device,n
mv run "$forged"
clean "a folder's name" 0 report "$forged"
[ $failed -eq 0 ] && echo 'test_lines: ok'
exit $failed
