#!/bin/sh
# Checks that the generated parts of docs/ are up to date, and that the generator reports outdated
# parts.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
cases=0

check() { # WHAT COMMAND…: COMMAND must succeed
    what=$1
    shift
    cases=$((cases + 1))
    "$@" >"$work/check.txt" 2>&1 && return
    printf 'test_docs: FAILED: %s\n' "$what"
    sed 's/^/    /' "$work/check.txt"
    failed=1
}
fails() { ! "$@"; }
says() { grep -q -- "$1" "$2"; }
# Writes a page with a table that begins with this line.
fill() {
    { printf '%s\n' "$1"; printf 'old\n<!-- end -->\ntail\n'; } >"$work/page.md"
    (cd "$root" && docs/tables.sh "$redsweep" "$work/page.md") >"$work/out.md" 2>"$work/err.txt"
}

case $redsweep in /*) ;; *) redsweep=$PWD/$redsweep ;; esac
check "docs are up to date (make docs)" "$root/docs/make.sh" --check "$redsweep"

each_config_is_explained() {
    for config in "$root"/configs/*.json; do
        grep -q "\`$(basename "$config")\`" "$root/configs/README.md" || { echo "configs/README.md lacks $config"; return 1; }
    done
}
check "every shipped config is in configs/README.md" each_config_is_explained
# A new kernel must not have a tunable named like an existing one but with other values, because
# configs that select "*" would fail.
each_config_has_a_plan() {
    for config in "$root"/configs/*.json; do
        "$redsweep" run "$config" --device sim --dry-run >"$work/plan.txt" 2>&1 || { cat "$work/plan.txt"; return 1; }
    done
}
check "every shipped config can be planned" each_config_has_a_plan
# Checks all links from pages to files in the tree and to headings.
links_lead_somewhere() {
    (
        cd "$root" || exit 1
        find . -name '*.md' ! -path './build*' ! -path './.*/*' ! -path './dist/*' ! -path './results/[!rp]*' >"$work/pages"
        xargs awk -f tests/docs/links.awk <"$work/pages" >"$work/links"
        [ "$(grep -c '^file' "$work/links")" -gt 300 ] || { echo "few links were found"; exit 1; }
        ! grep '^lost' "$work/links" || exit 1
        while read -r _ page line target; do
            [ -e "$target" ] || { echo "$page:$line: no $target"; exit 1; }
        done <"$work/links"
    )
}
check "links lead somewhere" links_lead_somewhere
# The README and the pages under "Use" in docs/README.md may have at most 30 000 words in all.
MOST_WORDS=30000
pages_for_use_are_short() {
    pages=$(sed -n '/^## Use/,/^Commands generate/p' "$root/docs/README.md" | grep '^|' | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//')
    [ "$(echo "$pages" | wc -l)" -gt 15 ] || { echo "few pages were found"; return 1; }
    words=$(cd "$root/docs" && cat README.md ../README.md $pages | wc -w)
    [ "$words" -le $MOST_WORDS ] || { echo "$words words; at most $MOST_WORDS: move evidence beside its data"; return 1; }
}
check "the pages for use are short" pages_for_use_are_short
each_page_is_listed() {
    for page in "$root"/docs/*.md; do
        case $page in */README.md) continue ;; esac
        grep -q "]($(basename "$page"))" "$root/docs/README.md" || { echo "docs/README.md lacks $page"; return 1; }
    done
}
check "every page is in docs/README.md" each_page_is_listed

mkdir "$work/run"
cat >"$work/run/results.csv" <<'CSV'
kernel,type,op,unroll,n,block,block_x,grid,cache,scope,status,reason,time_us_median,gld_transactions
a,int32,sum,1,64,32,,1,cold,kernel,wrong,"odd, and ""quoted""",1,2
a,int32,sum,1,64,32,,1,cold,kernel,ok,,250,1000000
b,int32,sum,2,64,32,16,1,cold,kernel,ok,,100,
b,int32,sum,4,64,32,16,1,cold,kernel,ok,,50,31250
CSV
run="run=$work/run"
fill "<!-- table $run n=64 t_block_x=16 type=int32 rows=a,b:4,b:2 columns=time_us_median,speedup,gld_transactions,loaded_mb -->"
check "ok rows are found, by unroll factor" says '^| `b` 4 | 50 | 5 | 31 250 | 1 |$' "$work/out.md"
check "the first row is the measure" says '^| `a` | 250 | 1 | 1 000 000 | 32 |$' "$work/out.md"
check "missing cells stay empty" says '^| `b` 2 | 100 | 2.500 |  |  |$' "$work/out.md"
check "the old table is gone" fails says old "$work/out.md"
check "the rest of the page stays" says '^tail$' "$work/out.md"
fill "<!-- table $run n=65 rows=a columns=speedup -->"
check "a missing row is an error" says 'has no row a' "$work/err.txt"
fill "<!-- table $run rows=a columns=speed -->"
check "an unknown column is an error" says 'speed has no heading' "$work/err.txt"
fill "<!-- table run=$work/none rows=a columns=speedup -->"
check "a run that is missing is said to be" says 'Not measured yet' "$work/out.md"
check "a stale page is noticed" fails cmp -s "$work/page.md" "$work/out.md"

# Without lizard, the sizes of functions must be missing rather than zero.
mkdir "$work/none"
PATH=$work/none /bin/sh "$root/docs/size.sh" "$root" >"$work/out.md" 2>"$work/err.txt"
check "sizes without lizard are an error" [ $? -eq 1 ]
check "what is missing is named" says 'lizard, which counts functions, is not installed: pip install' "$work/err.txt"
check "nothing is printed in its place" [ ! -s "$work/out.md" ]

[ "$failed" -eq 0 ] && printf 'test_docs: %d checks passed\n' "$cases"
exit "$failed"
