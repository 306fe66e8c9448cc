#!/bin/sh
# Tests that other programs can read redsweep's CSV as it is. Each program counts the rows, adds up
# a column and finds a cell with a comma. At least two must succeed. Those that are not installed
# are named and skipped.
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
run=$work/run # a path without quote characters, which every program would escape differently
ln -s "$here/../data/quick-h200" "$run" || exit 1
failed=0
read_by=0

# All programs must find what redsweep itself finds: 60 rows, 57 of them ok, the sum of the medians,
# and the reason with a comma in it.
"${BUILD:-$here/../../build}/redsweep" show "$run" --columns status,time_us_median,reason --data "$work/rows" >/dev/null
awk -f "$here/../data.awk" -f - "$work/rows" >"$work/expected" <<'PROGRAM'
NR > 1 && data_line($0) {
    rows++
    ok += CELL[1] == "ok"
    sum += CELL[2]
    if (CELL[1] == "skipped" && reason == "")
        reason = CELL[3]
}
END { printf "%d %d %.3f %s\n", rows, ok, sum, reason }
PROGRAM
case $(cat "$work/expected") in
"60 57 "*", but "*) ;;
*) echo "test_readers: the test itself reads: $(cat "$work/expected")"; exit 1 ;;
esac

# compare NAME: compares what the program NAME wrote to $work/found with the expected result.
compare() {
    if cmp -s "$work/expected" "$work/found"; then
        read_by=$((read_by + 1))
    else
        printf 'test_readers: FAILED: %s read\n    %s\nwhere this stands:\n    %s\n' "$1" \
            "$(cat "$work/found")" "$(cat "$work/expected")"
        failed=1
    fi
}
skip() { printf 'test_readers: skipped %s: it is not installed\n' "$1"; }

if command -v python3 >/dev/null && python3 -c 'import csv' 2>/dev/null; then
    python3 - "$run/results.csv" >"$work/found" 2>&1 <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline=""), strict=True))
ok = [r for r in rows if r["status"] == "ok"]
total = sum(float(r["time_us_median"]) for r in rows if r["time_us_median"])
print(len(rows), len(ok), "%.3f" % total, next(r["reason"] for r in rows if r["status"] == "skipped"))
END
    compare "python3's csv"
else
    skip python3
fi

if command -v sqlite3 >/dev/null; then
    sqlite3 -batch :memory: -cmd '.mode csv' -cmd ".import '$run/results.csv' r" -cmd '.mode list' \
        "SELECT count(*) || ' ' || sum(status = 'ok') || ' ' ||
                printf('%.3f', sum(time_us_median)) || ' ' ||
                (SELECT reason FROM r WHERE status = 'skipped' LIMIT 1) FROM r;" >"$work/found" 2>&1
    compare sqlite3
else
    skip sqlite3
fi

if command -v duckdb >/dev/null; then
    duckdb -noheader -list -c "SELECT count(*) || ' ' || count(*) FILTER (status = 'ok') || ' ' ||
                printf('%.3f', sum(time_us_median)) || ' ' ||
                (SELECT reason FROM '$run/results.csv' WHERE status = 'skipped' LIMIT 1)
                FROM '$run/results.csv';" >"$work/found" 2>&1
    compare duckdb
else
    skip duckdb
fi

if command -v Rscript >/dev/null; then
    # shellcheck disable=SC2016 # R uses the dollar signs
    Rscript -e 'r <- read.csv(commandArgs(TRUE)[1]); cat(nrow(r), sum(r$status == "ok"),
        sprintf("%.3f", sum(r$time_us_median, na.rm = TRUE)),
        r$reason[r$status == "skipped"][1], sep = " ", fill = 10000)' "$run/results.csv" \
        >"$work/found" 2>&1
    compare R
else
    skip R
fi

# gnuplot cannot print text cells, so it just counts rows and adds up numbers.
if command -v gnuplot >/dev/null; then
    gnuplot -e "set datafile separator comma; set datafile columnheaders;
                stats '$run/results.csv' using (column('time_us_median')) nooutput;
                set print '-'; print sprintf('%d %.3f', STATS_records, STATS_sum)" >"$work/found" 2>&1
    cut -d ' ' -f 2,3 "$work/expected" >"$work/expected.short"
    if cmp -s "$work/expected.short" "$work/found"; then
        read_by=$((read_by + 1))
    else
        printf 'test_readers: FAILED: gnuplot read %s\n' "$(cat "$work/found")"
        failed=1
    fi
else
    skip gnuplot
fi

# sqlite3, if installed, reads samples.csv too.
if command -v sqlite3 >/dev/null; then
    samples=$(sqlite3 -batch :memory: -cmd '.mode csv' -cmd ".import '$run/samples.csv' s" \
        -cmd '.mode list' 'SELECT count(*) FROM s;')
    [ "$samples" = 5595 ] || { echo "test_readers: FAILED: sqlite3 read $samples samples, not 5595"; failed=1; }
fi

# Every column's name is a valid SQL name without quotes, even if a tunable is called ORDER.
if command -v sqlite3 >/dev/null; then
    build=$(realpath "${BUILD:-$here/../../build}")
    REDSWEEP_CACHE=$work/cache "$build/redsweep" run --kernels onepass_packed --sizes 4096 --tunables.ORDER all \
        --device sim --out "$work/tunables" --quiet >"$work/said" 2>&1
    names=$(head -n 1 "$work/tunables/results.csv" | tr -d '\r')
    case $names in
    *,t_order,*) ;;
    *) echo "test_readers: FAILED: no column t_order: $names $(cat "$work/said")"; failed=1 ;;
    esac
    sqlite3 -batch :memory: -cmd '.mode csv' -cmd ".import '$work/tunables/results.csv' r" \
        "SELECT $names FROM r; SELECT t_order, count(*) FROM r GROUP BY t_order ORDER BY t_order;" \
        >"$work/selected" 2>&1
    [ "$(tail -n 2 "$work/selected" | tr -d '\r' | tr '\n' ' ')" = "0,1 1,1 " ] || {
        echo "test_readers: FAILED: sqlite3 selected by name: $(tail -n 2 "$work/selected")"
        failed=1
    }
fi

if [ "$read_by" -lt 2 ]; then
    echo "test_readers: FAILED: only $read_by other programs could read results.csv"
    failed=1
fi
[ $failed -eq 0 ] && echo "test_readers: $read_by other programs read results.csv"
exit $failed
