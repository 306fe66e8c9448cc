#!/bin/sh
# Each header of harness/ must compile on its own, without another one before it. All headers must
# also compile together in one translation unit, so that no two define the same name differently.
# Each device has its own struct device, so its private headers are compiled apart from those of
# other devices.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
cuda=$(sed -n 's/^CUDA *:= *//p' "${BUILD:-build}/toolkit.mk")
flags="-std=c11 -D_GNU_SOURCE -Iharness -Ikernels -Iharness/devices/cuda/cxx_shim"
failed=0

compile() { # WHAT: compiles the headers on stdin, one per line
    what=$1
    sed 's,^harness/\(.*\),#include "\1",' |
        ${CC:-cc} $flags -isystem "$cuda/include" -isystem "$cuda/extras/CUPTI/include" \
            -Wall -Werror -fsyntax-only -x c - || { echo "test_headers: FAILED: $what"; return 1; }
}

all=$(find harness -name '*.h' ! -path '*/cxx_shim/*' | sort)
common=$(echo "$all" | grep -v '^harness/devices/[^/]*/')
for header in $all; do
    echo "$header" | compile "$header alone" || failed=1
done
for device in harness/devices/*/; do
    { echo "$common"; echo "$all" | grep "^$device"; } | compile "all with $device" || failed=1
done

# The interface to devices and the folder table/ may include only headers of base/, and the worker's
# code may not name any device.
above=$(grep -h '#include "' harness/devices/*.h | grep -v '"base/\|"devices/[a-z_]*\.h"')
[ -z "$above" ] || { echo "test_headers: FAILED: harness/devices includes $above"; failed=1; }
below=$(grep -h '#include "' harness/table/*.[ch] | grep -v '"\(base\|table\)/')
[ -z "$below" ] || { echo "test_headers: FAILED: harness/table includes $below"; failed=1; }
names=$(sed -n 's/^ *\.name = \("[a-z]*"\),.*/\1/p' harness/devices/*/*.c | sort -u)
[ "$(echo "$names" | wc -l)" -ge 3 ] || { echo "test_headers: FAILED: drivers $names"; failed=1; }
for name in $names; do
    grep -n "$name" harness/run/worker.c harness/measure/*.c && {
        echo "test_headers: FAILED: a device is known by name"; failed=1; }
done

# The comment at the top of sweep_state.h lists the files of run/ from the top layer down. It must
# list every file, and a file may include only those further down.
page=harness/run/sweep_state.h
order() { awk '/^ \*   [a-z_]*\.[ch] / { print $2 } /^ \*\// { exit }' "$1"; }
lower() { # PAGE FILE…: prints includes of run/ that go up, and files that the page lacks
    order "$1" >"$work/order"
    shift
    awk '
        FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.[ch]$/, "", file) }
        FILENAME == ARGV[1] { name = $1; sub(/\.[ch]$/, "", name); at[name] = FNR; next }
        FNR == 1 && !(file in at) { print FILENAME " is not on the first page" }
        /^#include "run\// { name = $2; gsub(/^"run\/|\.h"$/, "", name)
                            if (name != file && at[name] <= at[file]) print FILENAME " includes " name }
    ' "$work/order" "$@"
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
up=$(lower "$page" harness/run/*.[ch])
[ -z "$up" ] || { echo "test_headers: FAILED: harness/run: $up"; failed=1; }
printf '#include "run/sweep.h"\n' >"$work/lane.c"
printf '\n' >"$work/another.c"
up=$(lower "$page" "$work/lane.c" "$work/another.c" | wc -l)
[ "$up" -eq 2 ] || { echo "test_headers: FAILED: arrows that go up in harness/run are not noticed"; failed=1; }

[ "$failed" -eq 0 ] && echo "test_headers: passed ($(echo "$all" | wc -l) headers)"
exit "$failed"
