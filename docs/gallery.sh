#!/bin/sh
# This script makes docs/gallery.md and docs/gallery/ from committed runs. They contain charts for
# learning, tuning, several runs and papers, each with the command that draws it. If there is a
# browser, they also contain report pages as pictures. The script needs scour and pngquant
# (docs/smaller.sh).
#
# Run gallery.sh [REDSWEEP] in the repository's root. REDSWEEP is the program, build/redsweep by default.
# shellcheck disable=SC2016 # the backquotes are Markdown
set -u
LC_ALL=C
export LC_ALL
redsweep=${1-build/redsweep}
REDSWEEP=$(cd "$(dirname "$redsweep")" && pwd)/$(basename "$redsweep")
export REDSWEEP
page=docs/gallery.md
folder=docs/gallery
reference=results/reference

fail() { printf 'gallery.sh: %s\n' "$*" >&2; exit 2; }
if [ ! -d plots ] || [ ! -d results ]; then fail 'run it in the repository'; fi
[ -x "$redsweep" ] || fail "$redsweep: no such program; make builds it"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
rm -rf "$folder"
mkdir -p "$folder" || exit 2
LC_ALL=C.UTF-8 gnuplot experiments/search/search_chart.gp >"$folder/search-strategies.svg" || exit 2 # of results/reference/h200-search-truth/README.md

# caption CHART [RUNS]: prints the chart's sentence. A chart that can show one run or several has two
# sentences, and the second sentence is for several runs.
caption() {
    case ${2-} in *' '*) several=1 ;; *) several= ;; esac
    "$redsweep" list charts | awk -v chart="$1" -v several=$several '$1 == chart && (several || !found) { found = $0 }
        END { sub(/^[^ ]+ +/, "", found); print found }'
}

# show NAME OPTIONS RUNS CHARTS: draws charts of one or several runs as docs/gallery/NAME-CHART.svg, and
# writes the section's command and pictures. OPTIONS are quoted as for a shell.
show() {
    name=$1 options=$2 runs=$3 charts=$4
    printf '\n```\nredsweep plots %s %s %s\n```\n' "$runs" "$charts" "$options" | sed 's/ *$//'
    for chart in $charts; do
        eval "set -- $options"
        rm -rf "$work/drawn"
        # shellcheck disable=SC2086 # the value is meant to be split into words
        "$redsweep" plots $runs $chart "$@" --out "$work/drawn" --format svg >"$work/out.txt" 2>&1
        file=$folder/$chart-$name.svg
        if mv "$work/drawn/$chart.svg" "$file" 2>/dev/null; then
            printf '\n![%s: %s](gallery/%s)\n\n*%s*\n' "$name" "$chart" "$(basename "$file")" "$(caption "$chart" "$runs")"
        else
            printf 'gallery.sh: %s: %s\n' "$name" "$(cat "$work/out.txt")" >&2
        fi
    done
}

# unpack RUN [PREFIX]: prints where the runs of the archive PREFIXruns.tar.xz are, or nothing if it
# cannot be unpacked.
unpack() {
    mkdir -p "$work/$1" && tar xf "$reference/$1/${2-}runs.tar.xz" -C "$work/$1" 2>/dev/null
}

# shapes FOLDER RUN NAME OPTIONS [PEERS]: draws the speed by shape of a run in an archive, with
# PyTorch beside it.
shapes() {
    unpack "$1" rows- || return
    from=$1 run=$2 name=$3 options=$4 peers=${5-}
    printf '\n```\ntar xf %s/%s/rows-runs.tar.xz\nredsweep plots %s shapes %s%s\n```\n' "$reference" "$from" "$run" "$options" "${peers:+ --peers $peers}"
    eval "set -- $options"
    [ -z "$peers" ] || set -- "$@" --peers "$work/$from/$peers"
    "$redsweep" plots "$work/$from/$run" shapes "$@" --out "$work/drawn" --format svg >/dev/null
    mv "$work/drawn/shapes.svg" "$folder/shapes-$name.svg"
    set -- "$from" "$run" "$name"
    printf '\n![%s: shapes](gallery/shapes-%s.svg)\n\n*%s %s*\n' "$3" "$3" "$(caption shapes)" "On an $(echo "${1%-rows}" | tr h H)."
}

metrics=gld_transactions,inst_per_warp,shared_load_bank_conflicts
{
    printf '# Gallery\n\n'
    printf '`make gallery` makes this page from committed runs. [Charts](charts.md#charts) explains each chart and its\n'
    printf 'options.\n'

    printf '\n## Learning\n\nThese charts show the ladder of the book'\''s kernels on an H200, at one block size.\n'
    show ladder "--where 'block = 1024 and n = 2^24' --by unroll" $reference/h200-ladder 'ladder'
    show ladder "--where 'block = 1024 and n = 2^24 and (unroll = 8 or unroll = 1)'" $reference/h200-ladder 'metrics'
    show h200-ladder "--where 'n = 2^24'" $reference/h200-ladder 'sectors'
    show h200-ladder '' $reference/h200-ladder 'bandwidth time winners spread half'
    printf '\nThe whole catalogue:\n'
    show catalogue '' $reference/h200-catalogue 'ladder speedup'
    show catalogue "--y $metrics" $reference/h200-catalogue 'metrics'
    printf '\nThe simulator reports no times, so its ladder shows a count instead.\n'
    show simulator "--y gld_transactions,inst_per_warp,warp_execution_efficiency --where 'block = 512 and (unroll = 8 or unroll = 1)'" \
        $reference/sim-quick 'ladder metrics'
    printf '\nCold caches against warm ones:\n'
    show cold-warm '' $reference/h200-cold-warm 'cache'

    printf '\n## Tuning\n\nThe 5353 configurations in a search for the fastest sum:\n'
    show search "--where 'n = 2^24'" $reference/h200-fastest-search 'configs tunables'
    show search "--kernels onepass_packed --where 'n = 2^24' --x loads --y block" $reference/h200-fastest-search 'heatmap'
    show fastest '' $reference/h200-fastest-search 'winners'
    show fastest "--where 'op = sum and cache = cold'" $reference/h200-fastest 'choice relative'

    if unpack h200-search-live; then
        printf '\nThis chart shows a search and a run that measured all points of its space (%s/h200-search-live/runs.tar.xz). The\n' "$reference"
        printf 'strategy `transfer` records the points of an n when its search is finished. `--truth` can also name another search.\n'
        "$redsweep" plots "$work/h200-search-live/pruned-201" search --truth "$work/h200-search-live/pruned-all" --out "$work/drawn" --format svg >/dev/null
        mv "$work/drawn/search.svg" "$folder/search-live.svg"
        printf '\n```\nredsweep plots pruned-201 search --truth pruned-all\n```\n'
        printf '\n![h200-search-live: search](gallery/search-live.svg)\n\n*%s*\n' "$(caption search)"
    fi

    if unpack h200-exact; then
        printf '\nThis chart shows which kernels agree in every bit (runs.tar.xz in %s/h200-exact), and how much time that costs ([bits.md](bits.md)).\n' "$reference"
        (cd "$work/h200-exact" && "$REDSWEEP" plots bits bits --where "type = float32 and n = 1000003 and inputs = cancelling" --out "$work/drawn" --format svg >/dev/null)
        mv "$work/drawn/bits.svg" "$folder/bits-cancelling.svg"
        printf "\n\`\`\`\nredsweep plots bits bits --where 'type = float32 and n = 1000003 and inputs = cancelling'\n\`\`\`\n"
        printf '\n![h200-exact: bits](gallery/bits-cancelling.svg)\n\n*%s*\n' "$(caption bits)"
    fi

    printf '\n## Rows\n\nThese charts show reductions along rows ([measurements](../results/reference/h200-rows/README.md)): the run'\''s fastest kernel, CUB, and PyTorch,\n'
    printf 'eager and compiled.\n'
    shapes h200-rows beside-1 h200-rows-float32 "--where 'type = float32'" peers/peers.csv
    shapes h200-rows beside-3 h200-rows-bfloat16 "--where 'type = bfloat16'" peers-2/peers.csv
    shapes h200-rows ops h200-rows-ops "--where 'type = float32'"
    shapes h200-rows grid h200-rows-sum "--where 'type = float32 and op = sum' --y rows"
    shapes h100-rows beside-1 h100-rows-float32 "--where 'type = float32'" peers/peers.csv
    shapes h100-rows beside-1 h100-rows-bfloat16 "--where 'type = bfloat16'" peers/peers.csv

    printf '\n## Several runs\n\nTwo cards:\n'
    show cards '' "$reference/h100-ladder $reference/h200-ladder" 'bandwidth share best costs'
    show h200-ladder '' "$reference/h100-ladder $reference/h200-ladder" 'versus'
    if unpack h200-counts && unpack sim-counts; then
        printf '\nThis chart compares the simulator with an H200 (runs.tar.xz in %s/h200-counts and in %s/sim-counts).\n' "$reference" "$reference"
        mv "$work/h200-counts/counts" "$work/h200" && mv "$work/sim-counts/counts" "$work/sim"
        (cd "$work" && "$REDSWEEP" plots h200 sim counts --y gld_transactions,inst_per_warp,shared_load_requests --out drawn --format svg >/dev/null)
        mv "$work/drawn/counts.svg" "$folder/counts-sim-counts.svg"
        printf '\n```\nredsweep plots h200 sim counts --y gld_transactions,inst_per_warp,shared_load_requests\n```\n'
        printf '\n![sim-counts: counts](gallery/counts-sim-counts.svg)\n\n*%s*\n' "$(caption counts)"
    fi
    if unpack h100-aa; then
        printf '\nThis chart follows one kernel over eight runs on one card (%s/h100-aa/runs.tar.xz).\n' "$reference"
        runs='s1 s2 s3 s4 s5 s6 s7 s8'
        # shellcheck disable=SC2046 # the value is meant to be split into words
        "$redsweep" plots $(for run in $runs; do printf '%s ' "$work/h100-aa/$run"; done) history --kernels unroll --out "$work/drawn" --format svg >/dev/null
        mv "$work/drawn/history.svg" "$folder/history-aa.svg"
        printf '\n```\nredsweep plots %s history --kernels unroll\n```\n' "$runs"
        printf '\n![h100-aa: history](gallery/history-aa.svg)\n\n*%s*\n' "$(caption history)"
    fi

    printf '\n## Papers\n\nThese charts are one column (85 mm) wide and have no heading; the text of the heading is printed, for use as a caption.\n'
    show column '--width column --no-title' $reference/h200-ladder 'bandwidth winners'
    show column "--width column --no-title --where 'block = 1024 and n = 2^24'" $reference/h200-ladder 'ladder'
    printf '\n```\ncaption%s\n```\n' "$(sed -n 's/.*caption:/:/p' "$work/out.txt")"
} >"$work/gallery.md"

# pictures RUN NAME: takes pictures of the run's pages, docs/gallery/NAME.png and so on.
pictures() {
    "$redsweep" report "$reference/$1" --out "$work/report.html" >/dev/null && docs/report_pictures.py "$work/report.html" "$folder" "$2"
}
if pictures h200-ladder report && pictures sim-quick report-simulator; then
    printf '\n## The report page\n\n`redsweep report %s/h200-ladder` writes one page. The pictures show its beginning, its charts while a mark is pointed\n' "$reference"
    printf 'at, and its beginning on a phone (1280 and 390 pixels wide). Below them is the page of a run on the simulator.\n'
    printf '\n![the report page on a desk](gallery/report.png)\n\n![its charts](gallery/report-charts.png)\n'
    printf '\n![on a phone](gallery/report-phone.png) ![the charts on a phone](gallery/report-phone-charts.png)\n'
    printf '\n![the report page of a run on the simulator](gallery/report-simulator.png)\n'
    printf '\n![on a phone](gallery/report-simulator-phone.png)\n'
    rm -f "$folder"/report-simulator-*charts.png
else
    printf 'gallery.sh: without pictures of the report page: no browser (chromium-headless-shell) can be started\n' >&2
fi >>"$work/gallery.md"
docs/smaller.sh "$folder"/* || exit 2
cp "$work/gallery.md" "$page" || exit 2
printf '%s\n' "$page"
