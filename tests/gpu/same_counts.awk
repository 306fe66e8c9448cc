# Compares the counts of two runs of one config, cell by cell.
#
#   awk -f tests/data.awk -f tests/gpu/waits.awk -f tests/gpu/same_counts.awk [-v skip=KERNELS] [-v polls=KERNELS] [-v part=1] \
#       [-v wrong=1] [-v projects=LIST] HARDWARE SIMULATOR          data of `redsweep show --data`
#
# Rows are matched by id. With `part`, rows that the simulator's run lacks are left out. With
# `wrong`, points with wrong results are compared like any others, and points that end with an error
# in both runs count as equal. `projects` is a file whose lines begin with a kernel and its project;
# with it, the script prints a table by project.
#
# The script compares the counts of accesses to each memory. It does not compare instructions,
# because the simulator counts PTX instructions, nor shared memory requests, because the hardware
# makes some requests that belong to no lane. A cell that is empty in the simulator's row means that
# no rule for this count is known; such cells are counted separately. Requests of reductions and
# atomics are compared as a sum, because the assembler may replace one with the other. How often a
# loop reads while it waits for another block or a copy depends on time, so points of the kernels in
# `skip` are not compared. Blocks of the kernels in `polls` look for each other's results, so their
# loads are not compared at points with several blocks per result.

BEGIN {
    n = split(skip, names, " ")
    for (i = 1; i <= n; i++)
        SKIPPED[names[i]] = 1
    n = split(polls, names, " ")
    for (i = 1; i <= n; i++)
        POLLS[names[i]] = 1
    read_projects()
}

function read_projects(    line, part) {
    while (projects != "" && (getline line <projects) > 0)
        if (line !~ /^#/ && split(line, part, "\t") >= 2)
            PROJECT[part[1]] = part[2]
}

function counts(column) {
    return column ~ /^(gld|gst|red|atom|local_load|local_store)_(requests|sectors|lines|transactions|requested_bytes)$/ ||
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

function value_of(which, id, column) { return VALUE[which, id, column] }

# Counts a cell for its project and for all projects together.
function note(id, column) {
    SUM[PROJECT[NAME[id]], column]++
    SUM["all", column]++
}

function compare(id, column, a, b) {
    if (b == "") {
        empty++
        note(id, "empty")
        return
    }
    cells++
    if (a != "" && a + 0 == b + 0)
        note(id, "equal")
    else {
        different++
        note(id, "different")
        if (different <= 40 && projects == "")
            printf "%s %s: %s: %s on the device, %s in the simulator\n", NAME[id], id, column, a, b
    }
}

function right_or_wrong(status) { return status == "ok" || (wrong && status == "wrong") }

function sum_of(which, id, a, b) {
    return value_of(which, id, a) == "" || value_of(which, id, b) == "" ? "" : value_of(which, id, a) + value_of(which, id, b)
}

# Prints the table: one line per project, in list order, with the numbers of cells of its kernels.
function print_table(    line, part, project) {
    print "| project | kernels | points | cells equal | different | empty in the simulator |"
    print "| --- | ---: | ---: | ---: | ---: | ---: |"
    close(projects)
    while ((getline line <projects) > 0) {
        split(line, part, "\t")
        project = part[2]
        if (SUM[project, "points"] && !done[project]++)
            print_row(project, project)
    }
    print_row("**all**", "all")
}

function print_row(title, key) {
    printf "| %s | %d | %d | %d | %d | %d |\n", title, SUM[key, "kernels"], SUM[key, "points"], SUM[key, "equal"], \
           SUM[key, "different"], SUM[key, "empty"]
}

END {
    for (r = 1; r <= rows; r++) {
        id = order[r]
        if (part && !((2, id) in STATUS))
            continue
        if (STATUS[1, id] == "skipped" && STATUS[2, id] == "skipped")
            continue
        if (wrong && STATUS[1, id] == "launch_error" && STATUS[2, id] == "launch_error") {
            faults++
            continue
        }
        if (!right_or_wrong(STATUS[1, id]) || !right_or_wrong(STATUS[2, id])) {
            bad++
            printf "%s %s: %s on the device, %s in the simulator\n", NAME[id], id, STATUS[1, id], STATUS[2, id]
            continue
        }
        if (NAME[id] in SKIPPED)
            continue
        points++
        note(id, "points")
        if (!seen[NAME[id]]++)
            note(id, "kernels")
        races += STATUS[1, id] != STATUS[2, id]
        waiting += WAITS[id]
        for (i = 1; i in wanted; i++)
            if (wanted[i] !~ /^(red|atom)_requests$/ && !(WAITS[id] && wanted[i] ~ /^gld_/))
                compare(id, wanted[i], value_of(1, id, wanted[i]), value_of(2, id, wanted[i]))
        if (AT[1, "red_requests"] && AT[1, "atom_requests"])
            compare(id, "red_requests + atom_requests", sum_of(1, id, "red_requests", "atom_requests"),
                    sum_of(2, id, "red_requests", "atom_requests"))
    }
    if (projects != "") {
        print_table()
        print ""
    }
    printf "%d points, %d cells: %d different, %d empty in the simulator; %d points not ok", points, cells, \
           different, empty, bad
    if (faults)
        printf "; %d end with an error on both", faults
    if (races)
        printf "; %d right on one of them and wrong on the other", races
    print waiting ? "; " waiting " points without their loads" : ""
    exit !points || different || bad
}
