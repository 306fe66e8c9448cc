# Makes gnuplot's SVG a third as large: groups without content or with a single path are dissolved, and what is
# the default anyway, zeros behind the point and the family of each text go. `title` becomes the picture's
# title, `family` the font of all of it.
/^<g fill="none"/ { held = $0; next }
/^<\/g>/ && held != "" { held = ""; next }
/^[[:space:]]*$/ || /^<desc>/ { next }
/<filter id=/, /<\/filter>/ { next } # boxes of text, of which there are none
{ sub(/<title>('|&apos;|&#39;).*<\/title>/, "") } # plot commands, which a browser would show
/^<\?xml/ { print; next }
/^<svg/ { $0 = "<svg font-family=\"" family "\"" }
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
function tidy(line) {
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
