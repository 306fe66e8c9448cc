#!/bin/sh
# Every command that reads runs refuses a cell that no run would write, and names its file, line and
# column. The columns come from `list columns`, so new columns are covered automatically.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$here/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 tried=0
cp -r "$here/results/reference/h100-minute-cuda13" run && rm run/samples.csv || exit 1
cp run/results.csv whole.csv

line=$(awk -F, 'NR == 1 { width = NF } NR > 1 && NF == width { print NR; exit }' whole.csv)
# plant COLUMN CELL: writes CELL into a line without quotes
plant() {
    awk -F, -v OFS=, -v line="$line" -v column="$1" -v cell="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; if (!at) exit 3 }
        NR == line { $at = cell } { print }' whole.csv >run/results.csv
}
expect_refused() { # COMMAND…
    tried=$((tried + 1))
    timeout 60 "$@" >out.txt 2>&1 && { echo "test_cells: FAILED: not refused: $*, '$cell' in $column"; failed=1; }
    grep -qF "results.csv, line $line, column $column: redsweep did not write '$cell'" out.txt || { echo "test_cells: FAILED: $*, '$cell' in $column says:"; cat out.txt; failed=1; }
}
text=' id backend device kernel type op cache scope status reason stopped_by throttle result run host device_uuid measured_at shard '
for column in $(head -1 whole.csv | tr ',' ' '); do
    for cell in fast nan inf -inf 5+0 0x5; do
        plant "$column" "$cell" || { echo "test_cells: cannot plant into $column"; exit 1; }
        case $text:$column:$cell in
        *" $column "*) continue ;;
        *:rel_error:nan | *:rel_error:inf | *:rel_error:-inf) timeout 60 "$redsweep" show run --head 1 >/dev/null || failed=1 ;;
        *) expect_refused "$redsweep" show run --head 1 ;;
        esac
    done
done
for column in time_us_median n registers bandwidth_gbs; do
    cell=-5
    plant $column "$cell"
    for command in "show run" "best run" "diff run $here/results/reference/h100-minute-cuda13" \
        "diff $here/results/reference/h100-minute-cuda13 run" "report run" "export run --out there" "tuned run --out lib"; do
        # shellcheck disable=SC2086 # several words
        expect_refused "$redsweep" $command
    done
done
[ ! -e run/report.html ] || { echo 'test_cells: FAILED: a page of it was written'; failed=1; }
[ $failed -eq 0 ] && echo "test_cells: $tried commands refused"
exit $failed
