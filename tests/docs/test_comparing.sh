#!/bin/sh
# results/reference/h200-aa/README.md has an example calculated by hand. Its commands must print
# what the page says.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
case ${BUILD:-build} in /*) ln -s "$BUILD/redsweep" "$work/bin" ;; *) ln -s "$root/${BUILD:-build}/redsweep" "$work/bin" ;; esac
cd "$work"
# Writes the example's two code blocks, the commands and their output, to two files.
awk '/^## Six points by hand/ { here = 1 } !here { next }
    /^```/ { block += inside = !inside; next } inside { print >("block" block) }' "$root/results/reference/h200-aa/README.md"
code=0
PATH=$work/bin:$PATH sh ./block1 >said || code=$?
[ "$code" -eq 1 ] || { echo "FAILED: the example ends with $code"; exit 1; }
sed -n '/^Slower/,$p' said >printed
diff block2 printed || { echo "FAILED: results/reference/h200-aa/README.md is not what the example prints"; exit 1; }
# The section's table has the same points. For each of them, the interval, the family's p and the
# verdict must agree.
awk -F ' *[|] *' '/^## Six points by hand/ { here = 1; next } /^## / { here = 0 } here && ($2 == "sum" || $2 == "max") {
        gsub(/ · 10\^−/, "e-"); gsub(/−/, "-"); gsub(/ %/, "")
        split($9, limits, " to ")
        print $2, $3, $8, limits[1], limits[2], $10
    }' "$root/results/reference/h200-aa/README.md" >page
PATH=$work/bin:$PATH redsweep diff a b --csv - | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
        family = $at["p_family"] + 0
        printf "%s 2^%d %s %+.1f %+.1f %s\n", $at["kernel"], log($at["n"]) / log(2) + 0.5,
               family < 0.01 ? sprintf("%.0e", family) : sprintf("%.2g", family),
               100 * ($at["ratio_lo"] - 1), 100 * ($at["ratio_hi"] - 1), $at["verdict"]
    }' >computed
[ "$(wc -l <page)" -eq 6 ] || { echo "FAILED: the table does not have six points"; exit 1; }
diff page computed || { echo "FAILED: the six points of the table are not what diff finds"; exit 1; }
echo "test_comparing.sh: passed"
