#!/bin/sh
# `--shapes` takes shapes: an n with a row length, and possibly an inner length. Rows and tables
# contain the shapes, and rows can be read back as points.
set -u
. "$(dirname "$0")/../scratch.sh"


rows() { "$redsweep" show "$work/$1" --columns "$2" --csv - | sed 1d | sort; } # RUN COLUMNS

"$redsweep" run --kernels rows_thread,axis_thread --shapes 64x5,32x96,4x64x16 --types float32 \
    --metrics gld_transactions --device sim --out "$work/run" >"$work/run.txt" 2>&1 ||
    fail "the run: $(cat "$work/run.txt")"
cat >"$work/expected" <<EOF
axis_thread,3072,96,1,32x96
axis_thread,320,5,1,64x5
axis_thread,4096,64,16,4x64x16
rows_thread,3072,96,1,32x96
rows_thread,320,5,1,64x5
EOF
rows run kernel,n,row_length,inner,shape | diff "$work/expected" - || fail "other rows"

# Requested as sizes and row lengths, the same points have the same ids.
"$redsweep" run --kernels rows_thread --sizes 320,3072 --row_lengths 5,96 --exclude "n = 320 and row_length = 96" \
    --exclude "n = 3072 and row_length = 5" --types float32 --metrics= --device sim --out "$work/product" >"$work/product.txt" 2>&1 ||
    fail "the product: $(cat "$work/product.txt")"
rows product id >"$work/ids"
rows run id,kernel | sed -n 's/,rows_thread//p' | diff "$work/ids" - || fail "other ids"

# Reads a run's rows as points. The size of one row must not be combined with the row length of
# another one.
"$redsweep" run --points "$work/run/results.csv" --metrics= --device sim --out "$work/again" >"$work/again.txt" 2>&1 ||
    fail "the points: $(cat "$work/again.txt")"
rows run id >"$work/ids"
rows again id | diff "$work/ids" - || fail "other points"
grep -q '"row_lengths' "$work/again/run.json" && fail "the points became row lengths that sizes are combined with"

# Tables for people show the shape instead of row_length and inner. The CSV has all three.
"$redsweep" show "$work/run" --where "shape = '4x64x16'" >"$work/show.txt"
grep -q '4x64x16' "$work/show.txt" && ! grep -q 'row_length' "$work/show.txt" || fail "show: $(cat "$work/show.txt")"
"$redsweep" best "$work/run" --metric gld_transactions >"$work/best.txt"
grep -q 'axis of float32 sum, 4x64x16, cache' "$work/best.txt" || fail "best: $(cat "$work/best.txt")"
"$redsweep" best "$work/run" --metric gld_transactions --table winners --data "$work/best.data" >/dev/null
awk -f "$root/tests/data.awk" -f - "$work/best.data" >"$work/winners" <<'A'
data_row($0) { print cell("n") "," cell("shape") "," cell("row_length") "," cell("inner") }
A
grep -qx '4096,4x64x16,64,16' "$work/winners" || fail "winners: $(cat "$work/winners")"

exit $failed
