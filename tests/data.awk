# Reads the output of `redsweep show RUN --data -`, or of another command with --data: a line of column names, then
# rows; cells between tabs, texts in quotes that contain no quotes, missing numbers as NaN.
#
#   redsweep show RUN --data - --columns kernel,n | awk -f tests/data.awk -f program
#
# data_line($0) is true, and puts the CELLS cells of the line into CELL[1 … CELLS]: texts without
# their quotes, "" for missing ones.
#
# data_row($0) is false for the first line, whose names it notes, and true for every other; cell("kernel") is then the
# line's cell in that column, "" if there is no such column.

function data_line(line,    i) {
    CELLS = split(line, CELL, "\t")
    for (i = 1; i <= CELLS; i++)
        if (CELL[i] ~ /^"/)
            CELL[i] = substr(CELL[i], 2, length(CELL[i]) - 2)
        else if (CELL[i] == "NaN")
            CELL[i] = ""
    return 1
}

function data_row(line,    i) {
    data_line(line)
    if (NAMED)
        return 1
    for (i = 1; i <= CELLS; i++)
        COLUMN[CELL[i]] = i
    NAMED = 1
    return 0
}

function cell(name) { return name in COLUMN ? CELL[COLUMN[name]] : "" }
