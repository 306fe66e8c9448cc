# These functions read the output of `redsweep show RUN --data -`, or of another command with
# --data. It consists of a line of column names and a line for each row. Tabs separate the cells.
# Texts are in quotes and contain no quotes, and missing numbers are NaN.
#
#   redsweep show RUN --data - --columns kernel,n | awk -f tests/data.awk -f program
#
# data_line($0) returns true. It stores the cells of the line in CELL[1 … CELLS]: texts without
# their quotes, and "" for missing values.
#
# data_row($0) stores the names in the first line and returns false for it. It returns true for
# every other line. After that, cell("kernel") returns the line's cell in that column, or "" if
# there is no such column.

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
