#!/bin/sh
# Checks the parts of docs/measuring.md that come from recorded runs (docs/measured.sh,
# docs/outputs.awk).
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
export BUILD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

expect() { # PATTERN FILE
    grep -q -e "$1" "$2" && return
    echo "test_measured: FAILED: no line '$1' in:"
    sed 's/^/    /' "$2"
    failed=1
}
fill() { awk -f docs/outputs.awk "$work/page.md" >"$work/out.md" 2>"$work/err.txt"; }

mkdir "$work/run"
cat >"$work/run/run.json" <<'JSON'
{"schema": 2, "sessions": [
{"since":"2026-01-01T00:00:00Z","ceilings_start":{"empty_us":9,"read_gbs":1,"missing":null},"seconds":{"time":99}},
{"since":"2026-01-02T00:00:00Z","ceilings_start":{"empty_us":1.62,"read_gbs":4211.9,"copy_gbs":null,"write_gbs":2900.4,"bytes":1,"missing":null},"ceilings_end":{"empty_us":1.63,"read_gbs":4190.2,"copy_gbs":null,"write_gbs":2901,"bytes":1,"missing":null},"drift_pct":-0.5,"self_checks":[{"name":"a","meaning":"sectors, once each","expected":32768,"found":32768,"tolerance":0,"ok":true},{"name":"b","meaning":"times","expected":10,"found":12,"tolerance":0.1,"ok":false}],"seconds":{"compile":0.084,"time":2.5,"device_busy":2.31}}
]}
JSON
docs/measured.sh conditions "$work/run" >"$work/said"
expect '^| empty_us | 1.62 | 1.63 |$' "$work/said"
expect '^| read_gbs | 4212 | 4190 |$' "$work/said"
expect '^| copy_gbs |  |  |$' "$work/said"
expect '^| sectors, once each | 32768 | 32768 | ok |$' "$work/said"
expect '^| times | 10 | 12 | failed |$' "$work/said"
expect '^| device_busy | 2.31 |$' "$work/said"
grep -q 99 "$work/said" && echo "test_measured: FAILED: an earlier session is shown" && failed=1

cat >"$work/bench.json" <<'JSON'
{
  "compile_cold_s": {"value": 8.5, "unit": "s", "missing": null},
  "ncu_ms_per_point": {"value": null, "unit": "", "missing": "ncu is not on this machine"}
}
JSON
docs/measured.sh bench "$work/bench.json" >"$work/said"
expect '^| compile_cold_s | 8.5 s |$' "$work/said"
expect '^| ncu_ms_per_point |  ncu is not on this machine |$' "$work/said"

docs/measured.sh cold-warm results/reference/h200-ladder >"$work/said"
expect '^| smem_unroll | int32 | 16777216 | 512 | 8 | 67.109 | 100.0[0-9] % |' "$work/said"
expect '^passed: of 680 counts 0 ' "$work/said"
docs/measured.sh aa "$work/run" "$work/none" >"$work/said"
expect 'Not measured yet: .*/none is missing' "$work/said"

printf 'a\n<!-- output echo new -->\nold\n<!-- end -->\nb\n' >"$work/page.md"
fill || { echo "test_measured: FAILED: outputs.awk" && failed=1; }
printf 'a\n<!-- output echo new -->\nnew\n<!-- end -->\nb\n' | cmp - "$work/out.md" || failed=1
for page in '<!-- output exit 3 -->\n<!-- end -->\n' '<!-- output echo x -->\n' \
    '<!-- end -->\n' '<!-- output echo x -->\n<!-- output echo y -->\n<!-- end -->\n'; do
    # shellcheck disable=SC2059
    printf "$page" >"$work/page.md"
    fill && echo "test_measured: FAILED: accepted $page" && failed=1
done

[ "$failed" -eq 0 ] && echo "test_measured.sh: passed"
exit "$failed"
