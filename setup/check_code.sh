#!/bin/sh
# Runs static analysis on harness/: clang-tidy (.clang-tidy and setup/clang-tidy.txt list the
# exceptions with reasons) and cppcheck (its exceptions are in setup/cppcheck.txt). `make check-code` passes
# the folders of headers, and the number of states that clang's analyzer may visit in one function (the
# analyzer's time grows with this number):
#
#   setup/check_code.sh BUILD CUDA NODES
set -u
build=$1 cuda=$2 nodes=$3
export build cuda nodes
jobs=$(nproc)
failed=0
command -v clang-tidy >/dev/null && command -v cppcheck >/dev/null || {
    echo "check_code: clang-tidy or cppcheck is not installed"
    exit 2
}
ls harness/*/*.c harness/*/*/*.c harness/*/*/*/*.c | xargs -P"$jobs" -n4 sh -c '
    clang-tidy --quiet "$@" -- -std=c11 -D_GNU_SOURCE -Iharness -Ikernels -I"$build" \
        -Iharness/devices/cuda/cxx_shim -isystem "$cuda/include" \
        -isystem "$cuda/extras/CUPTI/include" \
        -Xclang -analyzer-config -Xclang "max-nodes=$nodes" 2>/dev/null' tidy >"$build/clang-tidy.txt"
# A finding is accepted if a line of the list names its file and part of its message.
grep -E '(warning|error):' "$build/clang-tidy.txt" | sort -u | awk '
    FNR == NR { if ($1 !~ /^#/ && NF) { file[++n] = $1; part[n] = $2 } next }
    { for (i = 1; i <= n; i++) if (index($0, "harness/" file[i] ":") && index($0, part[i])) { known++; next }
      print; found++ }
    END { printf "clang-tidy: %d findings, %d accepted ones\n", found, known; exit found > 0 }' \
    setup/clang-tidy.txt - || failed=1
cppcheck -q -j"$jobs" --std=c11 --enable=warning,performance,portability --inline-suppr \
    --library=posix --suppressions-list=setup/cppcheck.txt --error-exitcode=1 \
    -Iharness -Ikernels harness || failed=1
echo "cppcheck: done"
exit $failed
