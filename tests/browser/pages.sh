#!/usr/bin/env bash
# Opens the pages of report and diff in a headless Chromium (make test-browser). Tests sorting,
# filtering, links, the keyboard, console messages, two window widths, and printing. Also runs
# axe-core, an accessibility checker that is downloaded from PyPI. With SETUP=no, nothing is
# downloaded and axe-core is skipped. Without a browser, all tests are skipped.
#
# Screenshots and PDFs stay in $BUILD/browser.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
redsweep=$build/redsweep
out=$build/browser
axe_version=0.1.8 # of axe-playwright-python, which includes axe-core 4.11

skip() { echo "test-browser: skipped: $1"; exit 0; }
command -v python3 >/dev/null || skip 'there is no python3'
python3 -c 'import sys; sys.path.insert(0, "tests/browser"); import devtools; sys.exit(not devtools.find())' ||
    skip 'there is no chromium (on Debian: apt-get install chromium-headless-shell)'

rm -rf "$out/profile" "$out"/*.html "$out"/*.json
mkdir -p "$out" || exit 1

# Extracts one file from a wheel. The file is not part of redsweep.
axe=$out/axe-$axe_version.js
if [ ! -s "$axe" ] && [ "${SETUP:-yes}" != no ]; then
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --dest "$out" "axe-playwright-python==$axe_version" 2>"$out/pip.txt" &&
        python3 -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("axe_playwright_python/axe.min.js"))' \
            "$out"/axe_playwright_python-*.whl >"$axe"
    rm -f "$out"/*.whl
fi
[ -s "$axe" ] || { rm -f "$axe"; axe=; echo 'test-browser: skipped axe: it cannot be fetched from PyPI (SETUP=no, or no network)'; }

# filters: prints the choices (a JSON object), the words, and how many rows `show --where` finds for
# them.
filters() { # RUN [CHOICES WORDS EXPRESSION]…
    local run=$1 separator=
    shift
    while [ $# -ge 3 ]; do
        printf '%s[%s, "%s", %d]' "$separator" "$1" "$2" "$("$redsweep" show "$run" --where "$3" --csv - | tail -n +2 | wc -l)"
        separator=', '
        shift 3
    done
}

# mark: prints the text of the mark for a kernel's fastest row at one n, with values from `redsweep
# show`.
mark() { # RUN CHOICES CHART KERNEL WHERE N COLUMN LABEL
    "$redsweep" show "$1" --where "$5 and kernel = $4" --sort time_us_median --columns "$7" --csv - |
        awk -v start="[$2, \"$3\", [\"$4\", \"n: $6\", \"$8: " 'NR == 2 { printf "%s%.6g\"]]", start, $1 }'
}

reference=results/reference
# With gnuplot, this report has all charts.
rm -rf "$out/ladder" && mkdir "$out/ladder" && cp $reference/h200-ladder/*.csv $reference/h200-ladder/run.json "$out/ladder"
"$redsweep" plots "$out/ladder" --format svg >"$out/plots.txt" 2>&1 || echo 'test-browser: without charts: they cannot be drawn here'
"$redsweep" report "$out/ladder" --out "$out/ladder.html" >/dev/null || exit 1
printf '{"links": 0, "filters": [%s]}' "$(filters $reference/h200-ladder '{"n": "=1048576"}' '' 'n = 2^20' \
    '{"kernel": "=unroll", "unroll": "=16"}' '' 'kernel = unroll and unroll = 16' \
    '{"type": "=float32"}' 'SMEM Unroll' 'type = float32 and kernel = "smem*unroll*"')" >"$out/ladder.json.part"
printf '%s, "charts": [%s, %s, %s]}' "$(sed 's/}$//' "$out/ladder.json.part")" \
    "$(mark $reference/h200-ladder '{"type": "float32"}' time unroll 'type = float32 and n = 2^24' 2²⁴ time_us_median 'time, median (µs)')" \
    "$(mark $reference/h200-ladder '{"type": "int32"}' bandwidth smem_unroll 'type = int32 and n = 2^28' 2²⁸ bandwidth_gbs 'bandwidth (GB/s)')" \
    "$(mark $reference/h200-ladder '{"type": "int32"}' winners interleaved 'type = int32 and n = 2^20' 2²⁰ time_us_median time_us_median)" >"$out/ladder.json"
"$redsweep" report $reference/sim-quick --out "$out/simulator.html" >/dev/null || exit 1
printf '{"links": 1, "filters": [%s]}' "$(filters $reference/sim-quick '{"status": "=skipped"}' '' 'status = skipped' \
    '{"t_loads": "=4"}' '' 'loads = 4' '{"t_loads": "=", "block": "=128"}' '' 'not (loads > 0) and block = 128' \
    '{"t_loads": "*"}' '' 'loads > 0')" >"$out/simulator.json"
"$redsweep" diff $reference/h200-ladder $reference/h100-ladder --html "$out/cards.html" >/dev/null
ratio=$(awk -v a="$("$redsweep" show $reference/h200-ladder --where 'n = 2^30 and type = int32' --sort time_us_median --columns id,time_us_median --csv - | sed -n 2p)" 'BEGIN { split(a, of, ","); print of[1], of[2] }')
ratio=$("$redsweep" show $reference/h100-ladder --where "id = \"${ratio% *}\"" --columns time_us_median --csv - | awk -v of="${ratio#* }" 'NR == 2 { printf "%.6g", $1 / of }')
printf '{"links": 0, "filters": [[{"n": "=1048576"}, "", 110], [{"block": "=64", "kernel": "=unroll", "n": "=1073741824"}, "", 8]], "marks": [
    ["costs", ["winners_of: h200-ladder (H200)", "run: h100-ladder (H100 80GB HBM3)", "sizes: 17"]],
    ["history", ["run: h100-ladder (H100 80GB HBM3)", "n: 2³⁰", "ratio: %s"]], ["counts", ["metric: dram_read_bytes", "unroll"]]]}' "$ratio" >"$out/cards.json"
# Other runs have other charts. Compares one mark of each chart with the row that `redsweep show`
# prints.
unpack() { # REFERENCE FOLDER
    rm -rf "${out:?}/$2" && mkdir -p "$out/$2" && tar xf "$reference/$1.tar.xz" -C "$out/$2"
}
row() { # RUN WHERE COLUMNS: prints the fastest row's values, separated by blanks
    "$redsweep" show "$1" --where "$2" --sort time_us_median --columns "$3" --csv - | awk -F, 'NR == 2 { $1 = $1; print }'
}
short() { awk -v x="$1" 'BEGIN { printf "%.6g", x }'; }
"$redsweep" report $reference/h200-cold-warm --out "$out/cache.html" >/dev/null || exit 1
printf '{"marks": [["cache", ["vector", "n: 2²³", "cold_us: %s", "warm_us: %s"]], ["spread", ["unroll", "n: 2²⁰", "time_us_median: %s"]]]}' \
    "$(short "$(row $reference/h200-cold-warm 'cache = cold and kernel = vector and n = 2^23' time_us_median)")" \
    "$(short "$(row $reference/h200-cold-warm 'cache = warm and kernel = vector and n = 2^23' time_us_median)")" \
    "$(short "$(row $reference/h200-cold-warm 'cache = cold and kernel = unroll and n = 2^20' time_us_median)")" >"$out/cache.json"
unpack h200-exact/runs exact && unpack h200-search-live/runs search && unpack h200-rows/rows-runs rows || exit 1
"$redsweep" report "$out/exact/bits" --out "$out/bits.html" >/dev/null || exit 1
# shellcheck disable=SC2046 # three words
set -- $(row "$out/exact/bits" 'type = float32 and op = sum and n = 1000003 and inputs = uniform' kernel,bits,time_us_median)
printf '{"marks": [["bits", ["%s", "bits: %s", "time_us_median: %s"]]]}' "$1" "$2" "$(short "$3")" >"$out/bits.json"
"$redsweep" report "$out/search/live-1" --out "$out/search.html" >/dev/null || exit 1
printf '{"marks": [["search", ["%s", "n: 2²⁴", "loss_pct: 0"]]]}' "$(row "$out/search/live-1" 'n = 2^24' kernel)" >"$out/search.json"
"$redsweep" report "$out/rows/ops" --out "$out/rows.html" >/dev/null || exit 1
printf '{"marks": [["shapes", ["%s", "n: 2²⁸", "row_length: 4096"]]]}' \
    "$(row "$out/rows/ops" 'type = float32 and op = max and n = 2^28 and row_length = 4096 and not (kernel = "cub*") and not (kernel = "read*")' kernel)" >"$out/rows.json"
rm -rf "$out/exact" "$out/search" "$out/rows"

# In this run, one kernel got slower and one point became wrong.
mkdir -p "$out/slower" && rm -f "$out/slower"/*
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    NR > 1 && $column["kernel"] == "smem_unroll" && $column["n"] > 2097152 { for (i in column) if (i ~ /^time_us_(m|ci)/) $column[i] *= 1.2 }
    NR == 9 { $column["status"] = "wrong" }
    { print }' $reference/h200-aa-b/results.csv >"$out/slower/results.csv"
sed 's/^\(.*,\)/\1/' $reference/h200-aa-b/run.json >"$out/slower/run.json"
"$redsweep" diff $reference/h200-aa-a "$out/slower" --html "$out/slower.html" >/dev/null
[ $? -eq 1 ] || { echo 'test-browser: FAILED: the slower run is not found'; exit 1; }
printf '{"links": 2, "filters": [[{"verdict": "=BROKEN"}, "", 1], [{"verdict": "=SLOW", "kernel": "=smem_unroll"}, "", %d]]}' \
    "$("$redsweep" diff $reference/h200-aa-a "$out/slower" --table points --csv - |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR > 1 && $c["kernel"] == "smem_unroll" && $c["verdict"] == "SLOW"' | wc -l)" >"$out/slower.json"

# This run takes longer than the test watches its page.
rm -rf "$out/live"
"$redsweep" run configs/ladder.json --device sim --sizes 2^14..2^26 --out "$out/live" >"$out/live.txt" 2>&1 &
live=$!
for _ in $(seq 300); do
    grep -qs 'http-equiv="refresh"' "$out/live/report.html" && grep -qs '\["unroll",' "$out/live/report.html" && break
    sleep 0.2
done

python3 tests/browser/pages.py "$out/profile" "$out" "$axe" "$out/live/report.html" "$out"/{ladder,simulator,cards,slower,cache,bits,search,rows}.html
code=$?
kill $live 2>/dev/null # a script's background job ignores an interrupt
wait $live
rm -rf "$out/profile" "$out/long.html"
exit $code
