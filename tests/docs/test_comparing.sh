#!/bin/sh
# The example by hand in results/reference/h200-aa/README.md: its commands print what the page says.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
case ${BUILD:-build} in /*) ln -s "$BUILD/redsweep" "$work/bin" ;; *) ln -s "$root/${BUILD:-build}/redsweep" "$work/bin" ;; esac
cd "$work"
# The two blocks of that section: commands, and what they print.
awk '/^## Six points by hand/ { here = 1 } !here { next }
    /^```/ { block += inside = !inside; next } inside { print >("block" block) }' "$root/results/reference/h200-aa/README.md"
code=0
PATH=$work/bin:$PATH sh ./block1 >said || code=$?
[ "$code" -eq 1 ] || { echo "FAILED: the example ends with $code"; exit 1; }
sed -n '/^Slower/,$p' said >printed
diff block2 printed || { echo "FAILED: results/reference/h200-aa/README.md is not what the example prints"; exit 1; }
echo "test_comparing.sh: passed"
