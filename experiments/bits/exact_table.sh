#!/bin/sh
# Prints the tables in results/reference/h200-exact/README.md from packed runs of
# configs/exact.json, exact-rows.json and bits.json and the output of experiments/bits/providers.py:
#
#   experiments/bits/exact_table.sh results/reference/h100-exact results/reference/h200-exact
#
# The first table has the time of the fastest plain sum on each card by type and size in bytes, and
# how fast the fastest exact sum is relative to it, for three kinds of inputs. The second shows how
# many different results the kernels produce, and how many kernels' results vary from launch to
# launch. The third has the times of the fastest plain and exact row sums. The last has the times in
# µs of the library, of CUB's levels and of PyTorch, and how many results differ in their bits.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder; do
    mkdir "$work/$(basename "$folder")"
    tar -xJf "$folder/runs.tar.xz" -C "$work/$(basename "$folder")"
done

# rows RUN: kernel, type, n, inputs, median, bits of correct results
rows() {
    "$redsweep" show "$1" --columns kernel,type,n,inputs,time_us_median,bits --where 'status = ok' --head 1000000 --csv - |
        awk -F, 'NR > 1 { print $1, $2, $3, $4, $5, $6 }'
}

for folder in "$work"/*; do rows "$folder/exact" | sed "s/^/$(basename "$folder" -exact) /"; done | awk '
    {
        card = $1; exact = $2 == "onepass_exact" || $2 == "exact_ring"; what = card SUBSEP $3 SUBSEP $4 * size($3) SUBSEP (exact ? $5 : "plain")
        if (!(card in known)) { known[card] = 1; cards[++count] = card }
        if (!(what in best) || $6 < best[what]) best[what] = $6
    }
    function size(type) { return type == "float64" ? 8 : type == "float32" ? 4 : 2 }
    function us(at) { return at in best ? sprintf("%.5g", best[at]) : "–" }
    function share(card, type, bytes, inputs,    at) {
        at = card SUBSEP type SUBSEP bytes SUBSEP
        return (at inputs) in best && (at "plain") in best ? sprintf("%.1f %%", 100 * best[at "plain"] / best[at inputs]) : "–"
    }
    END {
        line = "| type, bytes |"; rule = "| --- |"
        for (c = 1; c <= count; c++) {
            line = line " " toupper(cards[c]) ": plain, µs | exact, µs | exact | span60 | wide |"
            rule = rule " ---: | ---: | ---: | ---: | ---: |"
        }
        print line; print rule
        types = split("float32 float64 bfloat16 float16", type, " ")
        for (t = 1; t <= types; t++)
            for (e = 20; e <= 30; e += 2) {
                line = "| " type[t] ", 2^" e " |"
                for (c = 1; c <= count; c++) {
                    at = cards[c] SUBSEP type[t] SUBSEP 2 ^ e SUBSEP
                    line = line sprintf(" %s | %s | %s | %s | %s |", us(at "plain"), us(at "uniform"),
                        share(cards[c], type[t], 2 ^ e, "uniform"), share(cards[c], type[t], 2 ^ e, "span60"),
                        share(cards[c], type[t], 2 ^ e, "wide"))
                }
                print line
            }
    }'
echo
echo "| type | inputs | n | kernels | vary | different bits |"
echo "| --- | --- | ---: | ---: | ---: | ---: |"
rows "$(ls -d "$work"/*/bits | tail -1)" | awk '
    { what = $2 " | " $4 " | " $3; if (!(what in kernels)) order[++count] = what; kernels[what]++ }
    $6 == "varies" { vary[what]++; next }
    !((what, $6) in seen) { seen[what, $6] = 1; classes[what]++ }
    END { for (i = 1; i <= count; i++) print "| " order[i] " | " kernels[order[i]] " | " vary[order[i]] + 0 " | " classes[order[i]] + 0 " |" }' | sort -t'|' -k2,2 -k3,3 -k4,4n
echo
echo "| card | type | rows of | plain, µs | exact, µs | exact |"
echo "| --- | --- | ---: | ---: | ---: | ---: |"
for folder in "$work"/*; do
    "$redsweep" show "$folder/exact-rows" --columns kernel,type,row_length,time_us_median --where 'status = ok and time_us_median > 0' \
        --head 1000000 --csv - | awk -F, -v card="$(basename "$folder" -exact)" 'NR > 1 { print card, $2, $3, $1 ~ /^rows_exact/, $4 }'
done | awk '
    { what = $1 " | " $2 " | " $3; if (!(what in known)) { known[what] = 1; order[++count] = what } }
    !((what, $4) in best) || $5 < best[what, $4] { best[what, $4] = $5 }
    END {
        for (i = 1; i <= count; i++) {
            plain = best[order[i], 0]; exact = best[order[i], 1]
            if (plain && exact) printf "| %s | %.5g | %.5g | %.1f %% |\n", toupper(order[i]), plain, exact, 100 * plain / exact
        }
    }' | sed 's/FLOAT/float/; s/BFLOAT/bfloat/; s/Bfloat/bfloat/' | sort -t'|' -k2,2 -k3,3 -k4,4n
for folder; do
    echo
    echo "| $(basename "$folder" -exact | tr a-z A-Z) | free | invariant | exact | CUB, not_guaranteed | run_to_run | gpu_to_gpu | PyTorch | compiled |"
    echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    awk -F, 'NR > 1 {
        what = $1 == "rows" ? $3 " x " $4 " " $2 : "2^" log($4) / log(2) " " $2 ($1 == "array" ? "" : ", " $1)
        if (!(what in known)) { known[what] = 1; order[++count] = what }
        cell[what, $5] = sprintf("%.5g (%d/%d)", $6, $8, $7)
    }
    END {
        names = split("free invariant exact cub_not_guaranteed cub_run_to_run cub_gpu_to_gpu torch compiled", name, " ")
        for (i = 1; i <= count; i++) {
            line = "| " order[i] " |"
            for (k = 1; k <= names; k++) line = line " " ((order[i], name[k]) in cell ? cell[order[i], name[k]] : "–") " |"
            print line
        }
    }' "$folder/providers.csv"
done
