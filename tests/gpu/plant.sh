#!/bin/sh
# Plants a regression: a copy of a folder of kernels in which one kernel does a little more. Its
# results stay the same.
#
#   tests/gpu/plant.sh KERNELS_DIR KERNEL PERCENT OUT_DIR [RESULTS.csv]
#
# The first thread of the last block waits before it begins, for A + B * n cycles of the
# multiprocessor's clock. A and B are fitted to the medians that RESULTS.csv (of a run of these
# kernels on the GPU at hand) has of KERNEL, so that the kernel takes about PERCENT longer at every
# size: what is smallest is the sum of squares of the relative errors. What it really costs has to
# be measured. Without RESULTS.csv times like those of a large GPU of 2022 are assumed.
#
# With PLANT=loads the first thread of every block loads one element more, however large PERCENT is:
# that shows in counts, without a GPU. PERCENT 0: a copy that is the same.
#
# Exit codes: 0 planted, 1 the kernel's source is not as expected, 2 usage.
set -u
[ $# -ge 4 ] && [ $# -le 5 ] || { sed -n '2,18p' "$0" >&2; exit 2; }
kernels=$1 kernel=$2 percent=$3 out=$4 results=${5:-}
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$kernels/$kernel.cu" ] || { echo "plant: there is no $kernels/$kernel.cu" >&2; exit 2; }
[ -z "$results" ] || [ -f "$results" ] || { echo "plant: there is no $results" >&2; exit 2; }
rm -rf "$out"
mkdir -p "$out" && cp -r "$kernels/." "$out" || exit 2
[ "$percent" != 0 ] || exit 0

if [ "${PLANT:-cycles}" = loads ]; then
    statement='if (threadIdx.x == 0 \&\& n > 0) (void)*(volatile element *)input;'
else
    # cycles that make up PERCENT: "A B", A >= 0, B >= 0
    fit=$(awk -v kernel="$kernel" -v percent="$percent" -f "$here/../../plots/csv.awk" \
        -f "$here/plant.awk" "${results:-/dev/null}") || { echo "plant: $fit" >&2; exit 1; }
    statement=$(echo "$fit" | awk '{
        printf "if (blockIdx.x == gridDim.x - 1 \\&\\& threadIdx.x == 0) { long long until = clock64() + " \
            "%.0fll + (long long)(((unsigned long long)n * %.0full) >> 24); while (clock64() < until) ; }", \
            $1, $2 * 16777216 }')
    echo "$kernel: $percent %: $fit (cycles, cycles per element)"
fi

# Behind the first brace of the kernel, wherever its name is relative to its return type.
awk -v kernel="$kernel" -v statement="$statement" '
    /__global__/ { in_head = 1 }
    in_head && index($0, kernel "(") { named = 1 }
    { print }
    in_head && /^\{/ {
        if (named && !planted++) {
            gsub(/\\&/, "\\&", statement)
            print "    { " statement " } /* planted */"
        }
        in_head = named = 0
    }
    END { exit planted != 1 }' "$kernels/$kernel.cu" >"$out/$kernel.cu" ||
    { echo "plant: $kernels/$kernel.cu has no __global__ $kernel whose body begins with { in a line" >&2; exit 1; }
