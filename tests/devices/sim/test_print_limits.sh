#!/bin/sh
# Checks the limits on kernel output: on width and precision, on the number of formatted lines, and
# on instructions, because each printf counts as several. Each sweep may take ten seconds of CPU
# time. Without the limits, the kernels would run for minutes or print a single number with 2 GB of
# digits.
set -u
. "$(dirname "$0")/../../scratch.sh"
export REDSWEEP_HOME="$root"
cd "$work" && mkdir k || exit 1

kernel() { # NAME STATEMENT
    cat >"k/$1.cu" <<KERNEL
// kernel:   $1
// idea:     prints more than anybody reads
// source:   tests
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"
extern "C" __global__ void $1(element *input, element *output, index_t n) { $2 output[0] = 0; }
KERNEL
}
# expect NAME STATUS WORDS: the kernel must have this status, and the run must print these words.
expect() { # NAME STATUS WORDS
    echo "{\"kernels\": [\"$1\"], \"sizes\": 64, \"blocks\": 64, \"kernel_folders\": [\"k\"],
        \"timing\": {\"instruction_limit\": 20000000}}" >c.json
    (ulimit -t 10 && "$redsweep" run c.json --device sim --out "run-$1") >"$1.txt" 2>&1
    grep -q ",$2," "run-$1/results.csv" && grep -q "$3" "$1.txt" || {
        echo "test_print_limits: FAILED: $1"
        head -5 "$1.txt" && tail -1 "run-$1/results.csv"
        failed=1
    }
}

kernel precise 'if (threadIdx.x == 0) printf("%.2000000000f\n", 1.0 / 3);'
kernel wide 'printf("%2000000000d\n", 1);'
kernel starred 'printf("%*d|%-*.*f\n", 2000000000, 1, -2000000000, 2000000000, 0.5);'
kernel many 'for (int i = 0; i < 100000; i++) printf("%d\n", i);'
kernel endless 'while (n) printf("a\n");'
kernel short_text 'if (threadIdx.x == 0) printf("%5d|%-5d|%05.1f|%*d|%s\n", 42, 42, 2.25, 4, 7, "text");'

expect precise wrong '0\.33333'
expect wide wrong 'thread'
expect starred wrong 'thread'
expect many timeout 'thread (2,0,0): 0'
expect endless timeout 'thread (2,0,0): a'
expect short_text wrong '   42|42   |002\.2|   7|text'
exit $failed
