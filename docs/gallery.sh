#!/bin/sh
# Makes docs/gallery.md from the runs that are committed: the charts of the runs of results/reference
# and results/published (drawn again into the run's own plots/), runs of one config against each other,
# published runs against a measured one, and the report page as a picture where there is a browser.
#
# gallery.sh [REDSWEEP]: the program, by default build/redsweep. Run it in the repository's root.
# shellcheck disable=SC2016 # backquotes of Markdown
set -u
LC_ALL=C
export LC_ALL
redsweep=${1-build/redsweep}
BUILD=$(dirname "$redsweep") # for plots/plot.sh
export BUILD
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
    roofline) echo 'Operations per second against operations per byte of DRAM.' ;;
    versus) echo 'Times of b against a.' ;;
    counts) echo 'Counts of b against a.' ;;
    esac
}

# A member of a run's provenance.
provenance() { "$redsweep" show "$1" --info | awk -F '\t' -v name="provenance.$2" '$1 == name { print $2 }'; }

picture() { printf '\n![%s: %s](%s)\n\n*%s*\n' "$1" "$2" "$3" "$(caption "$2")"; }

show_run() {
    run=$1
    name=${run#results/}
    printf '\n## %s\n\n' "$name"
    printf 'Device: %s.' "$(provenance "$run" device.name)"
    [ -z "$(provenance "$run" command)" ] ||
        printf ' Begun %s by `%s`.' "$(provenance "$run" started)" "$(provenance "$run" command)"
    printf '\n'
    plots/plot.sh "$run" >"$work/plots.txt" || true
    rm -f "$run"/plots/*.png # the page shows the SVG; a repository needs no second copy
    for chart in time bandwidth speedup heatmap metrics sectors cache roofline; do
        [ -f "$run/plots/$chart.svg" ] && grep -q "^$chart .*svg" "$work/plots.txt" &&
            picture "$name" "$chart" "../$run/plots/$chart.svg"
    done
    if grep -q 'left out' "$work/plots.txt"; then
        printf '\nNot drawn: '
        sed -n 's/^\([a-z]*\) *left out: \(.*\)/\1 (\2)/p' "$work/plots.txt" | paste -s -d ';' | sed 's/;/; /g'
    fi
}

# How many values two runs have in common: times and counts of the same points.
common() {
    "$redsweep" diff "$1" "$2" --csv "$work/common.csv" >/dev/null 2>&1
    [ $? -ne 2 ] || { echo 0 && return; }
    awk -f plots/csv.awk -f - "$work/common.csv" <<'PROGRAM'
csv_line($0) {
    if (!rows++)
        for (i = 1; i <= CELLS; i++)
            column[CELL[i]] = i
    else if (CELL[column["verdict"]] !~ /^ONLY_/) {
        values += CELL[column["ratio"]] != ""
        for (i = column["share_b_pct"] + 1; i < CELLS; i += 2)
            values += CELL[i] != "" && CELL[i + 1] != ""
    }
}
END { print values + 0 }
function stop(why) { print why > "/dev/stderr"; exit 1 }
PROGRAM
}

show_pair() {
    a=$1
    b=$2
    to=$folder/$(basename "$a")--$(basename "$b")
    mkdir -p "$to"
    "$redsweep" diff "$a" "$b" --csv "$to/diff.csv" >"$work/diff.txt" 2>&1
    [ $? -eq 2 ] || plots/plot_diff.sh "$to/diff.csv" "$a" "$b" >/dev/null
    rm -f "$to"/*.png "$to/diff.csv"
    rmdir "$to" 2>/dev/null && return # nothing could be drawn
    printf '\n## %s against %s\n' "${a#results/}" "${b#results/}"
    for chart in versus counts; do
        [ -f "$to/$chart.svg" ] && picture "$(basename "$to")" "$chart" "${to#docs/}/$chart.svg"
    done
    printf '\n<details><summary>What `redsweep diff` says</summary>\n\n```\n'
    cat "$work/diff.txt"
    printf '```\n\n</details>\n'
}

runs=
for run in results/reference/*/ results/published/*/; do
    # A folder without a manifest is not a run, but something that was taken from some.
    [ -f "${run}results.csv" ] && "$redsweep" show "$run" --info >"$work/info.txt" 2>&1 && runs="$runs ${run%/}"
done
[ -n "$runs" ] || fail 'there are no runs in results/reference and results/published'

{
    printf '# Gallery\n\n'
    printf 'Made by `make gallery` from the runs in `results/reference` (measured) and `results/published`\n'
    printf '(transcribed from what others printed). The pictures are drawn from `results.csv` alone.\n'
    # Of runs of one config on one device the first one is shown; the others are compared with it.
    seen=
    for run in $runs; do
        kind="|$(provenance "$run" run)/$(provenance "$run" device.name)|"
        case $seen in
        *"$kind"*) continue ;;
        esac
        seen=$seen$kind
        show_run "$run"
    done
    # Measured runs of one config, against each other …
    for a in $runs; do
        for b in $runs; do
            case $a:$b in
            *published/*) continue ;;
            esac
            [ "$(expr "$a" '<' "$b")" = 1 ] && [ "$(provenance "$a" run)" = "$(provenance "$b" run)" ] &&
                show_pair "$a" "$b"
        done
    done
    # … and each published one against the run of a GPU that has most in common with it.
    for a in $runs; do
        case $a in
        results/published/*) ;;
        *) continue ;;
        esac
        most=0 best=
        for b in $runs; do
            case $b in
            results/reference/sim-* | results/published/*) continue ;;
            esac
            values=$(common "$a" "$b")
            [ "$values" -le "$most" ] || { most=$values best=$b; }
        done
        [ -z "$best" ] || show_pair "$a" "$best"
    done
} >"$work/gallery.md"

browser=
for candidate in chromium chromium-browser google-chrome; do
    command -v "$candidate" >/dev/null && browser=$candidate && break
done
if [ -n "$browser" ]; then
    # The measured run of most rows as a page.
    run=$(for run in $runs; do wc -l "$run/results.csv"; done | sort -rn | sed -n '1s,^ *[0-9]* \(.*\)/results.csv,\1,p')
    if "$redsweep" report "$run" --out "$work/report.html" >/dev/null; then
        timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,1600 \
            --user-data-dir="$work/profile" --screenshot="$PWD/$folder/report.png" \
            "file://$work/report.html" >/dev/null 2>&1
        [ -s "$folder/report.png" ] &&
            printf '\n## The report page\n\n`make report RUN=%s` writes one page; this is its beginning.\n\n![report](gallery/report.png)\n' \
                "$run" >>"$work/gallery.md"
    fi
fi
cp "$work/gallery.md" "$page" || exit 2
printf '%s\n' "$page"
