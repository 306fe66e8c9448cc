#!/bin/sh
# Each recipe in docs/recipes.md, run exactly as written there, must do what the page says. A recipe
# whose program is not installed is skipped. PYTHON may name another python3 that has pandas (and
# DuckDB).
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0 ran=0

# Writes each code block in a language into its own file: $work/LANGUAGE-1 and so on.
awk -v work="$work" '
    /^```[a-z]/ { language = substr($0, 4); name = work "/" language "-" ++count[language]; on = 1; next }
    /^```$/ { on = 0; next }
    on { print > name }' docs/recipes.md

has() { # WHAT PATTERN
    grep -q -e "$2" "$work/out" && return
    printf 'test_recipes: FAILED: %s does not print %s:\n' "$1" "$2"
    head -n 12 "$work/out"
    failed=1
}
run() { # WHAT COMMAND…
    what=$1
    shift
    ran=$((ran + 1))
    "$@" >"$work/out" 2>&1 && return
    printf 'test_recipes: FAILED: %s:\n' "$what"
    tail -n 5 "$work/out"
    failed=1
}
skip() { echo "test_recipes: skipped $1: it is not installed"; }

[ -s "$work/python-2" ] && [ -s "$work/sql-2" ] && [ -s "$work/r-1" ] || { echo "test_recipes: FAILED: recipes are missing"; exit 1; }
python=${PYTHON:-python3}
if "$python" -c 'import pandas' 2>/dev/null; then
    run pandas "$python" "$work/python-1"
    has pandas ' 16777216 *smem_unroll '
    run "pandas, samples" "$python" "$work/python-2"
    has "pandas, samples" "'kernel': "
else
    skip pandas
fi
if "$python" -c 'import duckdb' 2>/dev/null; then
    run DuckDB "$python" -c 'import duckdb, sys; print(duckdb.sql(open(sys.argv[1]).read()))' "$work/sql-1"
    has DuckDB 'NVIDIA H100.*1073741824'
    has DuckDB 'NVIDIA H200.*1073741824'
elif command -v duckdb >/dev/null; then
    run DuckDB duckdb -f "$work/sql-1"
    has DuckDB 'NVIDIA H200.*1073741824'
else
    skip DuckDB
fi
if command -v sqlite3 >/dev/null; then
    run SQLite sh -c "sqlite3 -batch :memory: <'$work/sql-2'"
    has SQLite '^smem_unroll '
    has SQLite '^neighbored '
else
    skip SQLite
fi
if command -v Rscript >/dev/null; then
    run R Rscript "$work/r-1"
    has R '1073741824'
else
    skip R
fi
[ "$failed" -eq 0 ] && echo "test_recipes: $ran recipes did as they should"
exit "$failed"
