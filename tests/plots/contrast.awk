# Checks the contrast (WCAG 2: 1.4.3, 1.4.11) of the SVG files of plots/. Each text must have a
# contrast of at least 4.5 with its background, and each line, mark and area 3 with the white
# picture. Prints all parts with less, and finally how many parts it compared.
#
# Some parts need no contrast: grid lines, areas that are partly transparent (they have a border),
# and the band around a chart's limit (it has a line). In charts of cells (heat maps), neither the
# scale nor the cells need contrast, but the texts in the cells must contrast with the cells.

FNR == 1 { areas = 0; cells = 0; background = 0 }
/<title>(redsweep: )?[a-z]+<\/title>/ { cells = $0 ~ /(heatmap|winners|costs|best|shapes)</ }
/<rect x="0" y="0" [^>]*fill="#ffffff"/ { background = 1 }
/<defs>/, /<\/defs>/ { next }
/<polygon / { area() }
match($0, /<path [^>]*stroke='rgb\([0-9, ]*\)'/) || match($0, /<use [^>]*color='rgb\([0-9, ]*\)'/) { mark(rgb_in(substr($0, RSTART, RLENGTH))) }
/<g transform="translate\(.*fill="rgb\(/ { place() }
/<text>/ { write_text() }
/<\/svg>/ && !background { bad("there is no white background") }
END { print texts + 0 " texts, " marks + 0 " marks" }

function bad(what) {
    print FILENAME ": " what
}

# Returns the last color in a string, in the form "r g b".
function rgb_in(text) {
    sub(/.*rgb\(/, "", text)
    sub(/\).*/, "", text)
    gsub(/, */, " ", text)
    return text
}

function linear(x) {
    x /= 255
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ^ 2.4
}

function contrast(a, b,    p, q, x, y) {
    split(a, p, " ")
    split(b, q, " ")
    x = 0.05 + 0.2126 * linear(p[1]) + 0.7152 * linear(p[2]) + 0.0722 * linear(p[3])
    y = 0.05 + 0.2126 * linear(q[1]) + 0.7152 * linear(q[2]) + 0.0722 * linear(q[3])
    return x > y ? x / y : y / x
}

function mark(color) {
    if (color == "216 216 216" || color == "255 255 255")
        return
    marks++
    if (contrast(color, "255 255 255") < 3)
        bad(sprintf("a mark of rgb(%s) has a contrast of %.2f, less than 3", color, contrast(color, "255 255 255")))
}

function area(    color, points, list, count, i, x, y) {
    color = $0
    sub(/.*<polygon [^>]*fill *= *'/, "", color)
    sub(/'.*/, "", color)
    color = rgb_in(color)
    points = $0
    sub(/.* points *= *'/, "", points)
    sub(/ *'.*/, "", points)
    count = split(points, list, /[ ,]+/)
    LEFT[++areas] = TOP[areas] = 1e9
    RIGHT[areas] = BOTTOM[areas] = -1e9
    COLOR[areas] = color
    for (i = 1; i < count; i += 2) {
        x = list[i] + 0; y = list[i + 1] + 0
        LEFT[areas] = x < LEFT[areas] ? x : LEFT[areas]; RIGHT[areas] = x > RIGHT[areas] ? x : RIGHT[areas]
        TOP[areas] = y < TOP[areas] ? y : TOP[areas]; BOTTOM[areas] = y > BOTTOM[areas] ? y : BOTTOM[areas]
    }
    if ($0 ~ /fill-opacity *= *'0/)
        areas--
    else if (!cells && color != "226 226 226")
        mark(color)
}

# Sets the position and color of the texts that follow.
function place(    at) {
    at = $0
    sub(/.*<g transform="translate\(/, "", at)
    text_x = at + 0
    sub(/^[-0-9.]*,/, "", at)
    text_y = at + 0
    text_color = $0
    sub(/.*fill="/, "", text_color)
    sub(/".*/, "", text_color)
    text_color = rgb_in(text_color)
    text_x += $0 ~ /"middle"/ ? 0 : $0 ~ /"end"/ ? -3 : 3
    text_y -= $0 ~ /rotate/ ? 0 : 4
}

function write_text(    i, below, text) {
    text = $0
    gsub(/<[^>]*>/, "", text)
    if (text ~ /^ *$/)
        return
    texts++
    below = "255 255 255"
    for (i = 1; i <= areas; i++)
        if (text_x > LEFT[i] && text_x < RIGHT[i] && text_y > TOP[i] && text_y < BOTTOM[i])
            below = COLOR[i]
    if (contrast(text_color, below) < 4.5)
        bad(sprintf("'%s' of rgb(%s) on rgb(%s) has a contrast of %.2f, less than 4.5", text, text_color, below, contrast(text_color, below)))
}
