# For tests: reading RFC 4180 CSV with awk: quoted cells may contain commas, quotes and line ends.
#
# Use: csv_line(text) for every line of input. It returns 1 when a row is complete, in CELL[1..CELLS]
# (CELLS is 0 when it is no CSV). csv_damage() says at the end what was wrong with the file, if
# anything: a row that was torn in its last line is not. CSV_LINES says whether a cell of the row may have a line
# end; csv_join() makes blanks of them, for those who print cells in lines.
#
# csv_number(cell, name, signed) is the cell of the column `name` where it is empty or a finite decimal number, below
# zero only with `signed`; anything else ends with stop(), which users define.

function csv_line(text,    quotes, row) {
    sub(/\r$/, "", text)
    gsub(/[\001-\010\013-\037\177]|\302[\200-\237]/, "?", text) # names go to a terminal
    row = csv_open ? csv_open_row "\n" text : text
    # A row goes on while a quote is open: that is, while their number is odd.
    quotes = text
    csv_open = (csv_open + gsub(/"/, "", quotes)) % 2
    if (!csv_open) {
        csv_split(row)
        CSV_LINES = index(row, "\n") > 0
        return 1
    }
    if (csv_open_row == "" || index(row, "\n") == 0)
        csv_open_at = FNR
    csv_open_row = row
    if (length(row) > 100000) # or a damaged file of many rows would take for ever
        stop(csv_damage())
    return 0
}

function csv_number(cell, name, signed) {
    if (cell != "" && (cell !~ /^-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$/ || (cell ~ /^-/ && !signed) || cell + 0 > 1.79e308 || cell + 0 < -1.79e308)) {
        gsub(/\n/, " ", cell)
        stop("line " FNR ", column " name ": '" substr(cell, 1, 60) "'; expected a finite number" (signed ? "" : " that is not negative") ", or nothing: no run has written this")
    }
    return cell
}

function csv_join(    i) {
    for (i = 1; i <= CELLS; i++)
        gsub(/\n/, " ", CELL[i])
}

function csv_damage() {
    return csv_open && FNR > csv_open_at ? "line " csv_open_at ": a quote is never closed" : ""
}

function csv_split(text,    at) {
    if (index(text, "\"") == 0) {
        CELLS = split(text, CELL, ",")
        return
    }
    CELLS = 0
    for (;;) {
        # A quote that is not closed, or text behind a closing quote, is no CSV: no cells then.
        if (substr(text, 1, 1) != "\"")
            match(text, /^[^,]*/)
        else if (!match(text, /^"([^"]|"")*"(,|$)/)) {
            CELLS = 0
            return
        } else if (substr(text, RLENGTH, 1) == ",")
            RLENGTH--
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
