#!/bin/sh
# Makes docs/gallery.md from the runs that are committed: the charts of every run of results/reference
# and results/published (drawn again into the run's own plots/), comparisons between runs that have
# points in common and another device, and the report page as a picture where there is a browser.
#
# gallery.sh [REDSWEEP]: the program, by default build/redsweep. Run it in the repository's root.
# shellcheck disable=SC2016 # backquotes of Markdown
set -u
LC_ALL=C
export LC_ALL
redsweep=${1-build/redsweep}
page=docs/gallery.md
folder=docs/gallery

fail() { printf 'gallery.sh: %s\n' "$*" >&2; exit 2; }
if [ ! -d plots ] || [ ! -d results ]; then fail 'run it in the repository'; fi
[ -x "$redsweep" ] || fail "$redsweep: no such program; make builds it"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
rm -rf "$folder"
mkdir -p "$folder" || exit 2

caption() {
    case $1 in
    time) echo 'Time against n, each kernel at its fastest setting, with the 95 % interval of the median.' ;;
    bandwidth) echo 'Bandwidth against n, with the peak and the measured ceiling where it is known.' ;;
    speedup) echo 'The ladder: how many times as fast as `neighbored`.' ;;
    heatmap) echo 'Time by block and unroll; the frame marks the fastest.' ;;
    metrics) echo 'Counts of each kernel at one size.' ;;
    sectors) echo 'Time against the sectors that loads and stores touch.' ;;
    cache) echo 'What a cold cache costs.' ;;
    roofline) echo 'Operations a second against operations per byte of DRAM.' ;;
    versus) echo 'Times of b against a.' ;;
    counts) echo 'Counts of b against a.' ;;
    esac
}

# A field of a run's provenance, from results.json.
told() {
    sed -n "1,/^\"rows\"/s/^[[:space:]]*\"$2\":[[:space:]]*\"\(.*\)\",\{0,1\}\$/\1/p" "$1/results.json" |
        head -1
}

picture() { printf '\n![%s: %s](%s)\n\n*%s*\n' "$1" "$2" "$3" "$(caption "$2")"; }

show_run() {
    run=$1
    name=${run#results/}
    printf '\n## %s\n\n' "$name"
    printf 'Device: %s.' "$(told "$run" name | head -1)"
    [ -z "$(told "$run" command)" ] ||
        printf ' Begun %s by `%s`.' "$(told "$run" started)" "$(told "$run" command)"
    printf '\n'
    plots/plot.sh "$run" >"$work/plots.txt" || true
    for chart in time bandwidth speedup heatmap metrics sectors cache roofline; do
        [ -f "$run/plots/$chart.svg" ] && grep -q "^$chart .*svg" "$work/plots.txt" &&
            picture "$name" "$chart" "../$run/plots/$chart.svg"
    done
    if grep -q 'left out' "$work/plots.txt"; then
        printf '\nNot drawn: '
        sed -n 's/^\([a-z]*\) *left out: \(.*\)/\1 (\2)/p' "$work/plots.txt" | paste -s -d ';' | sed 's/;/; /g'
    fi
}

show_pair() {
    a=$1
    b=$2
    to=$folder/$(basename "$a")--$(basename "$b")
    mkdir -p "$to"
    "$redsweep" diff "$a" "$b" --csv "$to/diff.csv" >"$work/diff.txt" 2>&1
    if [ $? -eq 2 ]; then
        rm -rf "$to"
        return
    fi
    plots/plot_diff.sh "$to/diff.csv" "$a" "$b" >/dev/null
    rm -f "$to"/*.png "$to/diff.csv"
    printf '\n## %s against %s\n' "${a#results/}" "${b#results/}"
    for chart in versus counts; do
        [ -f "$to/$chart.svg" ] && picture "$(basename "$to")" "$chart" "${to#docs/}/$chart.svg"
    done
    printf '\n```\n'
    cat "$work/diff.txt"
    printf '```\n'
}

runs=
for run in results/reference/*/ results/published/*/; do
    [ -f "${run}results.csv" ] && runs="$runs ${run%/}"
done
[ -n "$runs" ] || fail 'there are no runs in results/reference and results/published'

{
    printf '# Gallery\n\n'
    printf 'Made by `make gallery` from the runs in `results/reference` (measured) and `results/published`\n'
    printf '(transcribed from what others printed). The pictures are drawn from `results.csv` alone.\n'
    for run in $runs; do
        show_run "$run"
    done
    # Each measured run against those of other devices.
    for a in $runs; do
        for b in $runs; do
            [ "$a" != "$b" ] || continue
            case $a:$b in
            *published/*:*published/*) continue ;;
            *published/*:*) ;;
            *:*published/*) continue ;; # once is enough: the published run first
            *) [ "$(expr "$a" '<' "$b")" = 1 ] || continue ;;
            esac
            [ "$(told "$a" name | head -1)" != "$(told "$b" name | head -1)" ] || continue
            show_pair "$a" "$b"
        done
    done
} >"$work/gallery.md"

browser=
for candidate in chromium chromium-browser google-chrome; do
    command -v "$candidate" >/dev/null && browser=$candidate && break
done
if [ -n "$browser" ]; then
    # The largest measured run as a page.
    # shellcheck disable=SC2012 # names of our own folders
    run=$(ls -S results/reference/*/results.csv 2>/dev/null | head -1)
    if [ -n "$run" ] && "$redsweep" report "${run%/results.csv}" --out "$work/report.html" >/dev/null; then
        timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,1600 \
            --user-data-dir="$work/profile" --screenshot="$PWD/$folder/report.png" \
            "file://$work/report.html" >/dev/null 2>&1
        [ -s "$folder/report.png" ] &&
            printf '\n## The report page\n\n`make report RUN=%s` writes one page; this is its beginning.\n\n![report](gallery/report.png)\n' \
                "${run%/results.csv}" >>"$work/gallery.md"
    fi
fi
cp "$work/gallery.md" "$page" || exit 2
printf '%s\n' "$page"
