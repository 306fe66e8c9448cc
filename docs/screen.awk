# This script draws a terminal's text as an SVG: awk -v title='$ make sweep' -f docs/screen.awk TEXT
# > SVG
#
# It changes only what a picture cannot show. It leaves out lines beyond `lines` (30), and an extra
# line says how many it left out. A line ends after `columns` (104) characters with an ellipsis.
function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/ /, "\\&#160;", text) # not every viewer keeps spaces
    return text
}
function put(text, colour) {
    row++
    if (text != "")
        body = body sprintf("<text x=\"14\" y=\"%d\" fill=\"%s\">%s</text>\n", 10 + row * 17, colour, escape(text))
}
BEGIN { lines = lines ? lines : 30; columns = columns ? columns : 104; put(title, "#0b57a4") }
{
    sub(/[ \t]+$/, "")
    if (length($0) > columns)
        $0 = substr($0, 1, columns - 1) "…"
    text[++count] = $0
}
END {
    # The beginning shows which command is run, and the end shows what to type next.
    tail = 7
    for (i = 1; i <= count; i++) {
        if (count > lines && i == lines - tail) {
            put("… " count - lines + 1 " more lines …", "#6b7280")
            i = count - tail + 1
        }
        put(text[i], text[i] ~ /^(device|next):/ ? "#0b6b3a" : "#1b2027")
    }
    width = 28 + columns * 7.83; height = 24 + row * 17
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", width, height, width, height
    printf "<title>%s</title>\n", escape(title)
    printf "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#f8f9fb\" stroke=\"#c9ced6\"/>\n", width - 1, height - 1
    print "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\">"
    printf "%s</g>\n</svg>\n", body
}
