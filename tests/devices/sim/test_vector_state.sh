#!/bin/sh
# Interpreter functions that use AVX registers must execute vzeroupper before they return or
# tail-call. If the upper halves stay dirty, each later switch between SSE and AVX code costs about
# 70 cycles. This once slowed the interpreter by a third.
set -u
build=${BUILD:-build}
[ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null ||
    { echo "test_vector_state: skipped: it needs x86-64 and objdump"; exit 0; }
objdump -d --no-show-raw-insn "$build/redsweep" | awk '
    /^[0-9a-f]+ <.*>:/ { name = $2; dirty = 0 }
    /%[yz]mm/ { dirty = 1; functions += !(name in seen); seen[name] = 1 }
    /vzeroupper/ { dirty = 0 }
    /\tret/ || /\tjmp .*<[a-z_0-9]*>$/ { if (dirty) { print "test_vector_state: FAILED: " name, $0; failed = 1 } }
    END {
        print "test_vector_state: " (functions < 100 ? "skipped: built without optimization, " : "") \
            functions + 0 " functions use AVX registers"
        exit failed
    }'
