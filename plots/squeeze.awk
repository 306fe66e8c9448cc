# Makes gnuplot's SVG several times smaller: groups without content or with a single path are dissolved, filled
# circles of one size and colour become the dots of one path, coordinates have one decimal, and what is the
# default anyway and the family of each text go. `title` becomes the picture's title, `family` the font of all of it.
{ dot = is_dot($0) }
dots != "" && !dot { draw_dots() }
dot { next }
/^<g fill="none"/ { held = $0; next }
/^<\/g>/ && held != "" { held = ""; next }
/^[[:space:]]*$/ || /^<desc>/ { next }
/<filter id=/, /<\/filter>/ { next } # boxes of text, of which there are none
/<polygon / { gsub(/ = '/, "='") }
{ sub(/<path [^>]* d='M[-0-9.]*,[-0-9.]* *'\/>/, "") } # marks of no length
{ sub(/<title>('|&apos;|&#39;).*<\/title>/, "") } # plot commands, which a browser would show
/^<\?xml/ { print; next }
/^<svg/ { print "<svg font-family=\"" family ", sans-serif\""; next }
/<title>Gnuplot<\/title>/ { sub(/Gnuplot/, title) }
{
    if (held != "" && match($0, /^[[:space:]]*<path [^>]*><\/g>$/)) {
        wide = held
        sub(/.*stroke-width="/, "", wide)
        sub(/".*/, "", wide)
        sub(/<\/g>$/, "")
        sub(/<path /, "<path fill='none' stroke-width='" wide "' ")
        held = ""
    }
    if (held != "") {
        print tidy(held)
        held = ""
    }
    print tidy($0)
}
END { draw_dots() }

# A mark that is a filled circle: its place is kept, with others of its size and colour. White ones, which
# gnuplot draws below marks of no type, are dropped.
function is_dot(line,    parts, place, kind) {
    if (line !~ /^[[:space:]]*<use xlink:href='#gpPt6' transform='translate\([-0-9.,]*\) scale\([0-9.]*\)' color='[^']*'\/>$/)
        return 0
    if (line ~ /#FFFFFF/)
        return 1
    split(line, parts, "'")
    place = parts[4]
    gsub(/translate\(|\).*/, "", place)
    kind = parts[4] parts[6]
    sub(/.*scale\(/, "", kind)
    if (dots != "" && kind != dot_kind)
        draw_dots()
    dot_kind = kind
    dot_size = kind + 0
    dot_colour = parts[6]
    dots = dots "M" short(place) "h0"
    return 1
}
function draw_dots() {
    if (dots == "")
        return
    if (held != "") {
        print tidy(held)
        held = ""
    }
    print "<path fill='none' stroke-linecap='round' stroke-width='" 2 * dot_size "' stroke='" dot_colour "' d='" dots "'/>"
    dots = ""
}
# Coordinates with one decimal.
function short(text,    parts, count, i, out) {
    count = split(text, parts, ".")
    out = parts[1]
    for (i = 2; i <= count; i++) {
        sub(/^[0-9]+/, substr(parts[i], 1, 1), parts[i])
        if (parts[i] ~ /^0/)
            out = out substr(parts[i], 2)
        else
            out = out "." parts[i]
    }
    return out
}
function tidy(line) {
    if (line ~ /^[[:space:]]*<(path|polygon|g transform|use)/ && line !~ /id=/)
        line = short_parts(line)
    gsub(/ stroke-linecap="butt" stroke-linejoin="miter"/, "", line)
    gsub(/ class="gridline"/, "", line)
    gsub(/rgb\( */, "rgb(", line)
    gsub(/, +/, ", ", line)
    while (line !~ /<text>/ && match(line, /[0-9]\.[0-9]*0[^0-9.]/)) # 80.00 is 80, 0.60 is 0.6
        line = substr(line, 1, RSTART) plain_number(substr(line, RSTART + 1, RLENGTH - 2)) substr(line, RSTART + RLENGTH - 1)
    gsub(" *font-family=\"" family "\" *", " ", line)
    gsub(/<tspan >/, "<tspan>", line)
    if (line ~ /<text><tspan>[^<]*<\/tspan><\/text>/)
        gsub(/<\/?tspan>/, "", line)
    gsub(/<tspan[^>]*><\/tspan>/, "", line)
    if (line !~ /<text/)
        gsub(/  +/, " ", line)
    sub(/^[[:space:]]+/, "", line)
    return line
}
function plain_number(fraction) {
    sub(/0+$/, "", fraction)
    return fraction == "." ? "" : fraction
}
# The decimals of coordinates (d, points, transform), not those of other attributes.
function short_parts(line,    at, end, text) {
    if (!match(line, /( d| points| transform)=('|")/))
        return line
    at = RSTART + RLENGTH
    text = substr(line, at)
    end = index(text, substr(line, at - 1, 1))
    return substr(line, 1, at - 1) short(substr(text, 1, end - 1)) substr(text, end)
}
