#!/bin/sh
# Commands that only read results must not need CUDA. Every file in harness/analyze compiles with
# redsweep's and the system's headers alone, and includes no header from a folder that needs a
# device.
set -u
cd "$(dirname "$0")/../.." || exit 1
failed=0 files=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# CUDA's headers may be in the system's include folders. They are hidden by headers with the same
# names, which contain nothing but an error.
for header in cuda cuda_runtime cuda_runtime_api nvrtc nvJitLink nvml cupti cupti_profiler_target; do
    echo "#error analyze needs $header.h" >"$work/$header.h"
done
compile() { ${CC:-gcc} -std=c11 -D_GNU_SOURCE -fsyntax-only -I"$work" -Iharness -I"${BUILD:-build}" "$@"; }

printf '#include <cuda_runtime_api.h>\n' >"$work/needs.c"
if compile "$work/needs.c" 2>/dev/null; then
    echo "test_no_cuda: FAILED: the test cannot see that a file needs CUDA"
    exit 1
fi
for file in harness/analyze/*.c; do
    files=$((files + 1))
    compile "$file" || failed=1
done
# Three files from other folders are allowed, because they are just data: metrics/metrics.h (names
# and formulas), spec/kernel_index.h (the order of kernels) and charts.def (the rows of all charts,
# which the Makefile collects).
if grep -nE '#include "' harness/analyze/*.[ch] | grep -vE '"(analyze|base|record|table)/|"metrics/metrics\.h"|"spec/kernel_index\.h"|"charts\.def"'; then
    echo "test_no_cuda: FAILED: analyze includes base, table and record only, the table of metrics, the index of kernels, and the rows of charts"
    failed=1
fi
[ $failed -eq 0 ] && echo "test_no_cuda: $files files of harness/analyze compile without CUDA"
exit $failed
