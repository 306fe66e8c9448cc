#!/bin/sh
# Plants a regression: copies a folder of kernels and makes one kernel in the copy do a little more
# work. The kernel's results stay the same.
#
#   tests/gpu/plant.sh KERNELS_DIR KERNEL PERCENT OUT_DIR TIMES
#
# The last 256 blocks of a grid (or all, if there are fewer) begin with a loop of dependent
# instructions, whose length depends on n and the block size. TIMES determines the length, and is
# one of these:
#   - the file `counts` of experiments/comparing/calibrate.sh, which has measured how long the loop
#     takes on the GPU: the kernel is PERCENT slower at every size;
#   - the folder of a run of these kernels: the length is a guess, and its effect must be measured.
#
# If PERCENT is 0, the copy is unchanged. KERNEL may be several names in one argument.
#
# With PLANT=loads (and without TIMES), the first thread of every block instead loads one more
# element, whatever PERCENT is. This changes counts, so it can be found without a GPU.
#
# The exit code is 0 if the regression was planted, 1 if the kernel's source is not as expected, and
# 2 if the arguments are wrong.
set -u
[ $# -ge 4 ] && [ $# -le 5 ] || { sed -n '2,20p' "$0" >&2; exit 2; }
kernels=$1 names=$2 percent=$3 out=$4 times=${5:-}
here=$(cd "$(dirname "$0")" && pwd)
# Prints the path of a kernel's file, which may be in any subfolder of KERNELS_DIR.
file_of() { (cd "$kernels" && find . -name "$1.cu"); }
rm -rf "$out"
mkdir -p "$out" && cp -r "$kernels/." "$out" || exit 2
[ "$percent" != 0 ] || exit 0
for kernel in $names; do
    [ -n "$(file_of "$kernel")" ] || { echo "plant: there is no $kernel.cu in $kernels" >&2; exit 2; }
done

# Prints a kernel's counts as an expression over the block and then n. Between two sizes, the larger
# one's count applies. Cases with equal counts are merged.
expression() {
    awk -v kernel="$1" '$1 == kernel { print $3, $2, $4 }' "$counts" | sort -n -k1,1 -k2,2 | awk '
        function close_size() {
            inner = inner (inner == "" ? "" : " : ") "n <= " size "u ? " count "u"
        }
        function close_block() {
            inner = inner == "" ? count "u" : inner " : " count "u"
            if (blocks && inner == of_block[blocks])
                upto[blocks] = block
            else {
                of_block[++blocks] = inner
                upto[blocks] = block
            }
            inner = ""
        }
        NR > 1 && $1 != block { close_block() }
        NR > 1 && $1 == block && $3 != count { close_size() }
        { block = $1; size = $2; count = $3 }
        END {
            if (NR == 0)
                exit 1
            close_block()
            for (i = 1; i <= blocks; i++)
                printf "%s(%s)%s", i < blocks ? "blockDim.x <= " upto[i] "u ? " : "", of_block[i], i < blocks ? " : " : ""
        }'
}

if [ "${PLANT:-cycles}" != loads ]; then
    [ -e "$times" ] || { echo "plant: there is no ${times:-TIMES: counts or a run}" >&2; exit 2; }
    counts=$out/counts.txt
    if [ -f "$times" ]; then
        cp "$times" "$counts"
    else
        "${BUILD:-$here/../../build}/redsweep" show "$times" --data - |
            awk -v percent="$percent" -f "$here/../data.awk" -f "$here/plant.awk" >"$counts" || exit 1
    fi
fi

for kernel in $names; do
    if [ "${PLANT:-cycles}" = loads ]; then
        statement='if (threadIdx.x == 0 && n > 0) (void)*(volatile element *)input;'
    else
        rounds=$(expression "$kernel") || { echo "plant: $times has nothing about $kernel" >&2; exit 1; }
        # The code must use the loop's result, or ptxas would remove the loop. (asm volatile stops
        # only NVVM from doing so.)
        statement="if (gridDim.x - blockIdx.x <= 256) { unsigned value = threadIdx.x, rounds = $rounds; _Pragma(\"unroll 1\") for (unsigned k = 0; k < rounds; k++) asm volatile(\"mad.lo.u32 %0, %0, %0, 1;\" : \"+r\"(value)); if (value == 0x9e3779b9u) (void)*(volatile element *)input; }"
    fi
    file=$(file_of "$kernel")
    [ "${PLANT:-cycles}" = loads ] || awk -v kernel="$kernel" '$1 == kernel' "$counts" >>"$out/planted.txt"
    # Inserts the statement after the first brace that follows the kernel's name, even if the name
    # and the return type are on different lines.
    STATEMENT=$statement awk -v kernel="$kernel" '
        /__global__/ { in_head = 1 }
        in_head && index($0, kernel "(") { named = 1 }
        { print }
        in_head && /^\{/ {
            if (named && !planted++)
                print "    { " ENVIRON["STATEMENT"] " } /* planted */"
            in_head = named = 0
        }
        END { exit planted != 1 }' "$kernels/$file" >"$out/$file" ||
        { echo "plant: $kernels/$file has no __global__ $kernel whose body begins with { in a line" >&2; exit 1; }
done
