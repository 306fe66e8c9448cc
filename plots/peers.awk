# Rows of CUB, PyTorch and cuBLAS by shape, for shapes.awk: lines of kernel, type, operation, n, row length, cache
# state, scope, time and GB/s, from a run's results.csv (WORKLOADS as for read.awk), or from peers.csv of tests/gpu/peers.py, which has no cache
# state and scope: its calls are cold and complete.

BEGIN {
    while ((getline line < ENVIRON["WORKLOADS"]) > 0) {
        split(line, parts, "\t")
        ROLE[parts[1]] = parts[3]
    }
}
FNR == 1 { sub(/^\357\273\277/, "") }
!csv_line($0) { next }
CSV_LINES { csv_join() }
!known {
    for (i = 1; i <= CELLS; i++)
        COLUMN[CELL[i]] = i
    known = 1
    own = "peer" in COLUMN
    split((own ? "peer" : "kernel status") " type op n row_length time_us_median", needed, " ")
    for (i in needed)
        if (!(needed[i] in COLUMN))
            stop("the file lacks the column " needed[i])
    next
}
{
    kernel = cell(own ? "peer" : "kernel")
    if (number("row_length") + 0 > 0 && number("time_us_median") + 0 > 0 && (own || (cell("status") == "ok" && kernel in ROLE && ROLE[kernel] == "peer"))) {
        found = 1
        print word(kernel), word(cell("type")), word(cell("op")), number("n"), cell("row_length"), \
              own ? "cold complete" : word(cell("cache")) " " word(cell("scope")), \
              cell("time_us_median"), number(own ? "gbs" : "bandwidth_gbs")
    }
}
END {
    if (!stopped && !found)
        stop("no row is of a kernel with the role peer and has a row length and a time")
}

function cell(name) { return name in COLUMN ? CELL[COLUMN[name]] : "" }
function number(name) { return csv_number(cell(name), name) }
# Blanks part the cells of what is written.
function word(text) { gsub(/[ \t\n]/, "_", text); return text }
function stop(why) {
    print why > "/dev/stderr"
    stopped = 1
    exit 1
}
