#!/bin/sh
# If one of the config's metrics is not available, `run --require-metrics` exits with 1. Without the
# option, `run` just prints a note.
set -u
cd "$(dirname "$0")/../.." || exit 1
redsweep=${BUILD:-$PWD/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
REDSWEEP_CACHE=$work/cache
export REDSWEEP_CACHE
failed=0

expect() { # CODE METRIC OPTION…
    wanted=$1 metric=$2
    shift 2
    printf '{"kernels": "interleaved", "sizes": 1000, "blocks": 64, "metrics": [%s]}' "$metric" \
        >"$work/config.json"
    rm -rf "$work/run"
    "$redsweep" run "$work/config.json" --device sim --out "$work/run" "$@" >"$work/said" 2>&1
    code=$?
    if [ "$code" -ne "$wanted" ] || [ "$(tests/count_rows.sh "$redsweep" "$work/run" 'status = ok')" -ne 1 ]; then
        echo "test_require_metrics: FAILED: $metric $* ended with $code instead of $wanted:"
        tail -3 "$work/said"
        failed=1
    fi
}

says() { # TEXT
    grep -q "$1" "$work/said" && return
    echo "test_require_metrics: FAILED: no '$1' in:"
    cat "$work/said"
    failed=1
}

expect 0 '"gld_transactions"' --require-metrics
expect 0 '"dram_read_bytes"'
says '^note: dram_read_bytes is not available: '
expect 1 '"dram_read_bytes"' --require-metrics
# The message names all missing metrics, grouped by reason.
expect 1 '"dram_read_bytes", "gld_transactions", "achieved_occupancy", "l2_tex_hit_rate"' --require-metrics
for metric in dram_read_bytes achieved_occupancy l2_tex_hit_rate; do
    says "^note: .*$metric.* \(is\|are\) not available: "
done
if grep '^note: ' "$work/said" | grep -q 'gld_transactions'; then
    echo "test_require_metrics: FAILED: gld_transactions has a value"
    failed=1
fi
[ "$failed" -eq 0 ] && echo "test_require_metrics.sh: passed"
exit "$failed"
