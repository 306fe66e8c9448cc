# Reads the output of `redsweep show RUN --data -`, or of another command with --data: a line of column names, then
# rows; cells between tabs, texts in quotes that contain no quotes, missing numbers as NaN.
#
#   redsweep show RUN --data - --columns kernel,n | awk -f tests/data.awk -f program
#
# data_line($0) is true, and puts the CELLS cells of the line into CELL[1 … CELLS]: texts without
# their quotes, "" for missing ones.

function data_line(line,    i) {
    CELLS = split(line, CELL, "\t")
    for (i = 1; i <= CELLS; i++)
        if (CELL[i] ~ /^"/)
            CELL[i] = substr(CELL[i], 2, length(CELL[i]) - 2)
        else if (CELL[i] == "NaN")
            CELL[i] = ""
    return 1
}
