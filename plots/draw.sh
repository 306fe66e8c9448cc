# Sourced by plot_diff.sh: what charts take from the environment, and drawing.
#
#   FORMAT=svg,png     any of svg, png, pdf
#   WIDTH=             column (85 mm) or page (178 mm) of a paper; otherwise for a screen
#   TITLE=no           no heading and no foot; the words are printed instead, for the caption
#   FONT='DejaVu Sans' the family of all texts
#   SUFFIX=-warm       appended to the files' names
# shellcheck shell=sh disable=SC2154 # here and drawn are of those who source this

fail() {
    code=$1
    shift
    printf '%s: %s\n' "$(basename "$0")" "$(printable "$*")" >&2
    exit "$code"
}

# Names of files and texts of others on a terminal: no control character of theirs, no line of their own.
printable() {
    printf '%s' "$1" | LC_ALL=C tr '\001-\037\177' '?' | LC_ALL=C sed 's/\xc2[\x80-\x9f]/?/g'
}

# chart_folder FOLDER: makes the folder of the charts, and prints its path. A folder of charts that is a link leads
# out of the run.
chart_folder() {
    [ ! -L "$1" ] || fail 2 "$1: is a symbolic link; charts are only written into a folder of their own (OUT, --out)"
    mkdir -p "$1" || fail 2 "$1: cannot make the folder"
    (cd "$1" && pwd -P) || fail 2 "$1: cannot be entered"
}

formats=$(printf '%s' "${FORMAT:-svg,png}" | tr ',' ' ')
for format in $formats; do
    case $format in
    svg | png | pdf) ;;
    text) fail 2 "FORMAT=$FORMAT: charts in characters are gone; redsweep best and redsweep show print tables" ;;
    *) fail 2 "FORMAT=$FORMAT: no format is called '$format'; there are svg, png and pdf" ;;
    esac
done
case ${WIDTH-} in
'' | column | page) ;;
*) fail 2 "WIDTH=$WIDTH: no such width; there are column (85 mm) and page (178 mm)" ;;
esac
case ${TITLE-} in
'' | yes | no) ;;
*) fail 2 "TITLE=$TITLE: yes or no" ;;
esac
family=${FONT:-DejaVu Sans}
case $family in
*[\'\"\\,]*) fail 2 "FONT=$family: the name of a family, without quotes and sizes" ;;
esac
WIDTH=${WIDTH-} TITLE=${TITLE-}
export WIDTH TITLE
command -v gnuplot >/dev/null || fail 2 'gnuplot is missing; on Debian and Ubuntu: apt install gnuplot-nox'

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# draw_charts FOLDER CHART…: draws what charts.txt of the current folder calls ok, and says why the rest is left
# out. Adds to `drawn`.
draw_charts() {
    into=$1
    shift
    for chart; do
        why=$(awk -F '\t' -v chart="$chart" '$1 == chart { print $2; exit }' charts.txt)
        if [ "$why" != ok ]; then
            printf '%-10s left out: %s\n' "$chart" "$why"
            continue
        fi
        drawn=$((drawn + 1))
        script=$chart.gp
        [ ! -f "$chart.bars" ] || script=bars.gp
        for format in $formats; do
            rm -f caption.txt
            gnuplot -e "chart='$chart'; format='$format'; family='$family'" "$script" 2>gnuplot.txt ||
                fail 1 "gnuplot failed on $script: $(cat gnuplot.txt)"
            file=$into/$chart${SUFFIX-}.$format
            # gnuplot titles each curve by its command, which a browser would show, names one font only, and
            # leaves in a text what XML has for the end of a section.
            [ "$format" != svg ] ||
                sed -i 's/\(<g id="[^>]*>\)<title>.*<\/title>/\1/; s/font-family="[^"]*/&, sans-serif/g; s/]]>/]]\&gt;/g' "$chart.svg"
            # It takes the place of what is there, also of a link, and goes into no folder.
            mv -fT "$chart.$format" "$file" || fail 2 "$file: cannot write"
            printf '%-10s %s\n' "$chart" "$(printable "$file")"
        done
        [ ! -s caption.txt ] || printf '%-10s caption: %s\n' "$chart" "$(cat caption.txt)"
    done
}

# Says what charts of one type, operation, … do not show.
say_others() {
    [ -s others.txt ] || return 0
    printf 'not shown: %s\n           (choose with --where)\n' "$(cat others.txt)"
}
