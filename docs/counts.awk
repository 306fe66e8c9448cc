# This script makes the table of results/reference/h200-counts/README.md. It compares the counts of
# two runs of one config, kernel by kernel.
#
#   awk [-v polls=KERNELS] [-v launches=KERNELS] -f tests/data.awk -f tests/gpu/waits.awk \
#       -f docs/counts.awk HARDWARE SIMULATOR          data of `redsweep show --data`
#
# `polls` lists kernels that read a word again and again until another block has written it, and
# `launches` lists kernels that launch kernels. If not all counts of these kernels are equal, a cell
# says so, and the counts are not added up. Points of `polls` at which each result has one block are
# an exception, because this block waits for no other block. Rows are matched by id. A cell says how
# many of the points have equal counts: "all 36", or "30 of 36". Atomics and reductions are added
# up, because PTX's red may become the machine's atom.

BEGIN {
    groups = split("requests sectors lines reductions wavefronts", GROUP, " ")
    PART["requests"] = "gld_requests gst_requests"
    PART["sectors"] = "gld_transactions gst_transactions"
    PART["lines"] = "gld_lines gst_lines"
    split(polls, list, " ")
    for (i in list)
        SPECIAL[list[i]] = "polls"
    split(launches, list, " ")
    for (i in list)
        SPECIAL[list[i]] = "launches"
    SUM["reductions"] = "red_requests atom_requests"
    PART["wavefronts"] = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld_sum " \
                         "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st_sum"
}

FNR == 1 { file++; columns = 0 }

data_line($0) {
    if (!columns) {
        columns = CELLS
        for (i = 1; i <= CELLS; i++)
            AT[file, CELL[i]] = i
        next
    }
    id = CELL[AT[file, "id"]]
    if ((CELL[AT[file, "status"]] != "ok" && CELL[AT[file, "status"]] != "sampled") || CELL[AT[file, "backend"]] == "cpu")
        next
    for (i = 1; i <= CELLS; i++)
        ROW[file, id, i] = CELL[i]
    SEEN[file, id] = 1
    if (file == 1) {
        order[++rows] = id
        kernel = CELL[AT[1, "kernel"]]
        if (!(kernel in known)) {
            known[kernel] = 1
            kernels[++kernel_count] = kernel
        }
    }
}

function value(which, id, column) { return ROW[which, id, AT[which, column]] }

function equal_parts(id, list,    n, i, parts) {
    n = split(list, parts, " ")
    for (i = 1; i <= n; i++)
        if (value(1, id, parts[i]) == "" || value(2, id, parts[i]) == "" ||
            value(1, id, parts[i]) + 0 != value(2, id, parts[i]) + 0)
            return 0
    return 1
}

function equal_sum(id, list,    n, i, parts, a, b) {
    n = split(list, parts, " ")
    for (i = 1; i <= n; i++) {
        a += value(1, id, parts[i])
        b += value(2, id, parts[i])
    }
    return a == b
}

function of(count, all) { return count == all ? "all " all : count " of " all }

END {
    for (r = 1; r <= rows; r++) {
        id = order[r]
        kernel = value(1, id, "kernel")
        if (!SEEN[2, id])
            continue
        points[kernel]++
        total++
        alone = kernel in SPECIAL && SPECIAL[kernel] == "polls" && \
                !waits(value(1, id, "grid"), value(1, id, "n"), value(1, id, "row_length"))
        singles[kernel] += alone
        for (g = 1; g <= groups; g++) {
            same = GROUP[g] in SUM ? equal_sum(id, SUM[GROUP[g]]) : equal_parts(id, PART[GROUP[g]])
            equals[kernel, g] += same
            single_equals[kernel, g] += same && alone
        }
        if (value(2, id, "inst_per_warp") + 0 > 0) {
            ratio = value(1, id, "inst_per_warp") / value(2, id, "inst_per_warp")
            if (!(kernel in low) || ratio < low[kernel]) low[kernel] = ratio
            if (ratio > high[kernel] + 0) high[kernel] = ratio
        }
    }
    print "| kernel | points | requests | 32-byte sectors | 128-byte lines | atomics and reductions | shared wavefronts | instructions, hardware / PTX |"
    print "| --- | ---: | --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= kernel_count; k++) {
        kernel = kernels[k]
        if (!points[kernel])
            continue
        printf "| `%s` | %d", kernel, points[kernel]
        for (g = 1; g <= groups; g++) {
            if (kernel in SPECIAL && equals[kernel, g] < points[kernel]) {
                if (singles[kernel]) {
                    everything[g] += single_equals[kernel, g]
                    compared[g] += singles[kernel]
                    printf " | %s, else ", of(single_equals[kernel, g], singles[kernel])
                } else
                    printf " | "
                printf "%s", SPECIAL[kernel]
                continue
            }
            everything[g] += equals[kernel, g]
            compared[g] += points[kernel]
            printf " | %s", of(equals[kernel, g], points[kernel])
        }
        printf " | %.2f – %.2f |\n", low[kernel], high[kernel]
    }
    printf "| **all** | %d", total
    for (g = 1; g <= groups; g++)
        printf " | %s", of(everything[g], compared[g])
    print " | |"
}
