# Compares the counts of two runs of one config, cell by cell.
#
#   awk -f tests/data.awk -f tests/gpu/waits.awk -f tests/gpu/same_counts.awk [-v skip=KERNELS] [-v polls=KERNELS] [-v part=1] \
#       [-v wrong=1] HARDWARE SIMULATOR          data of `redsweep show --data`
#
# Rows are matched by id; with `part` those that the simulator does not have are left out, with `wrong`
# those whose result is wrong on both are compared as if it were right. Compared are
# accesses of each memory; instructions are not, as the simulator counts them in PTX, nor requests of
# shared memory, of which the hardware has some by no lane. A cell that is empty in the simulator's row
# has no rule there and is counted apart. Requests of reductions and atomics are compared as a sum: the
# assembler may make one of the other. How often a loop that waits reads depends on time: points of
# `skip` are not compared, and of `polls`, whose blocks look for each other's results, no loads where a
# result has several blocks.

BEGIN {
    n = split(skip, names, " ")
    for (i = 1; i <= n; i++)
        SKIPPED[names[i]] = 1
    n = split(polls, names, " ")
    for (i = 1; i <= n; i++)
        POLLS[names[i]] = 1
}

function counts(column) {
    return column ~ /^(gld|gst|red|atom|local_load|local_store)_(requests|sectors|lines|transactions)$/ ||
           column ~ /wavefronts_mem_shared/
}

FNR == 1 { file++; count = 0 }

data_line($0) {
    if (!count) {
        count = CELLS
        for (i = 1; i <= CELLS; i++) {
            AT[file, CELL[i]] = i
            if (file == 1 && counts(CELL[i]))
                wanted[++columns] = CELL[i]
        }
        next
    }
    id = CELL[AT[file, "id"]]
    if (CELL[AT[file, "backend"]] == "cpu")
        next
    STATUS[file, id] = CELL[AT[file, "status"]]
    NAME[id] = CELL[AT[file, "kernel"]]
    if (file == 1) {
        order[++rows] = id
        WAITS[id] = NAME[id] in POLLS && waits(CELL[AT[1, "grid"]], CELL[AT[1, "n"]], CELL[AT[1, "row_length"]])
    }
    for (i = 1; i in wanted; i++)
        VALUE[file, id, wanted[i]] = CELL[AT[file, wanted[i]]]
}

function cell(which, id, column) { return VALUE[which, id, column] }

function compare(id, column, a, b) {
    if (b == "") {
        empty++
        return
    }
    cells++
    if (a == "" || a + 0 != b + 0) {
        different++
        if (different <= 40)
            printf "%s %s: %s: %s on the device, %s in the simulator\n", NAME[id], id, column, a, b
    }
}

END {
    for (r = 1; r <= rows; r++) {
        id = order[r]
        if (part && !((2, id) in STATUS))
            continue
        if (STATUS[1, id] == "skipped" && STATUS[2, id] == "skipped")
            continue
        both_wrong = wrong && STATUS[1, id] == "wrong" && STATUS[2, id] == "wrong"
        if (!both_wrong && (STATUS[1, id] != "ok" || STATUS[2, id] != "ok")) {
            bad++
            printf "%s %s: %s on the device, %s in the simulator\n", NAME[id], id, STATUS[1, id], STATUS[2, id]
            continue
        }
        if (NAME[id] in SKIPPED)
            continue
        points++
        waiting += WAITS[id]
        for (i = 1; i in wanted; i++)
            if (wanted[i] !~ /^(red|atom)_requests$/ && !(WAITS[id] && wanted[i] ~ /^gld_/))
                compare(id, wanted[i], cell(1, id, wanted[i]), cell(2, id, wanted[i]))
        compare(id, "red_requests + atom_requests", cell(1, id, "red_requests") + cell(1, id, "atom_requests"),
                cell(2, id, "red_requests") + cell(2, id, "atom_requests"))
    }
    printf "%d points, %d cells: %d different, %d empty in the simulator; %d points not ok", points, cells, \
           different, empty, bad
    print waiting ? "; " waiting " points without their loads" : ""
    exit !points || different || bad
}
