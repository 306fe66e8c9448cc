# Reading RFC 4180 CSV with awk: quoted cells may hold commas, quotes and line ends.
#
# Use: csv_line(text) for every line of input. It returns 1 when a row is complete, in CELL[1..CELLS].

function csv_line(text,    quotes) {
    sub(/\r$/, "", text)
    csv_text = csv_open ? csv_text "\n" text : text
    # A row goes on while a quote is open: that is, while their number is odd.
    quotes = csv_text
    csv_open = gsub(/"/, "", quotes) % 2
    if (csv_open)
        return 0
    csv_split(csv_text)
    return 1
}

function csv_split(text,    at) {
    if (index(text, "\"") == 0) {
        CELLS = split(text, CELL, ",")
        return
    }
    CELLS = 0
    for (;;) {
        if (substr(text, 1, 1) == "\"")
            match(text, /^"([^"]|"")*"/)
        else
            match(text, /^[^,]*/)
        CELL[++CELLS] = csv_plain(substr(text, 1, RLENGTH))
        at = RLENGTH + 1
        if (at > length(text))
            return
        text = substr(text, at + 1)
        if (text == "") {
            CELL[++CELLS] = ""
            return
        }
    }
}

function csv_plain(cell) {
    if (substr(cell, 1, 1) != "\"")
        return cell
    cell = substr(cell, 2, length(cell) - 2)
    gsub(/""/, "\"", cell)
    return cell
}
