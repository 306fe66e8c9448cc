# Reads what `redsweep show RUN --data -`, or another command with --data, prints: a line of column
# names and a line per row. Tabs separate the cells. Strings are in quotes and contain no quotes,
# and missing numbers are NaN.
#
#   redsweep show RUN --data - --columns kernel,n | awk -f tests/data.awk -f program
#
# data_line($0) stores the cells of a line in CELL[1 … CELLS]: strings without their quotes, and ""
# for missing numbers. It always returns true.
#
# data_row($0) also calls data_line($0). For the first line, it stores the names of the columns and
# returns false. For every other line, it returns true, and cell("kernel") then returns the line's
# cell in that column, or "" if there is no such column.

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
