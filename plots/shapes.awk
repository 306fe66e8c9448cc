# Speed by shape, of runs with rows: a panel per type, operation and who, the fastest kernel of the run at each
# shape and each of those that others are measured by (CUB, PyTorch, cuBLAS; kernels with the role peer), of
# the run or of PEER_ROWS (peers.awk).
#
#   shapes.dat   a block per panel: place across and up, value, text
#   shapes.txt   gnuplot variables
#
# A value is the percentage that the speed is of a kernel's that only reads the input and writes the results
# (role `limit of rows`, in the same run at the same type and shape): of one that moves as many bytes as the run's
# kernels of that operation, else of any. With WANT_METRIC=bandwidth_gbs, or where the run has no such kernel, it is GB/s. Columns are across and n is upwards; with WANT_Y=rows rows are. Cache state, scope and further axes are one combination: the one with most rows.

function is_rows_limit(kernel) { return kernel in ROLE && ROLE[kernel] == "limit of rows" }

# A row of peers.awk is a peer's, whatever the run says of its kernel.
function is_peer_row(r) { return r > rows || is_peer(K[r]) }
function shape_of(r) { return TYPE[r] SUBSEP N[r] SUBSEP V[r, "row_length"] }

# Whether a row is one by shape, and wanted; `slice` is the combination of the axes that no panel has, "" for any.
function has_shape(r, slice) {
    return V[r, "row_length"] + 0 > 0 && T[r] != "" && !RACED[r] && BACKEND[r] != "cpu" && !(r in UNWANTED) && \
           wanted(TYPE[r], "WANT_TYPE") && wanted(CACHE[r], "WANT_CACHE") && wanted(SCOPE[r], "WANT_SCOPE") && \
           wanted(N[r], "WANT_N") && wanted_shape(r) && (slice == "" || (r > rows ? index(slice, rest_of(r)) == 1 : rest_of(r) == slice))
}

# Of a peer only what its row says.
function rest_of(r,    i, text) {
    text = CACHE[r] ", scope " SCOPE[r]
    for (i = 1; r <= rows && i <= further_axes; i++)
        if (FURTHER_AXIS[i] != "row_length")
            text = text ", " FURTHER_AXIS[i] " " V[r, FURTHER_AXIS[i]]
    return text
}

# The rows of peers.awk behind the run's own; the number of the last. Cells without a value are missing.
function take_peers(    line, parts, last) {
    last = rows
    while (ENVIRON["PEER_ROWS"] != "" && (getline line < ENVIRON["PEER_ROWS"]) > 0) {
        split(line, parts, " ")
        last++
        K[last] = parts[1]; TYPE[last] = parts[2]; OP[last] = parts[3]; N[last] = parts[4]; V[last, "row_length"] = parts[5]
        CACHE[last] = parts[6]; SCOPE[last] = parts[7]; T[last] = parts[8]; BW[last] = parts[9]
        RACED[last] = 0; BACKEND[last] = ""
    }
    return last
}

function write_shapes(    r, slice, count, most, limit, best, panel, panels, list, who, share, any) {
    if (!("row_length" in IS_FURTHER))
        return left_out("shapes", "the run has no axis row_length")
    for (r = 1; r <= rows; r++)
        if (has_shape(r, "") && (group_of(K[r]) == "reduce" || is_rows_limit(K[r])) && ++count[rest_of(r)] > most) {
            most = count[rest_of(r)]
            slice = rest_of(r)
        }
    last_shape = take_peers()
    for (r = 1; r <= last_shape; r++) {
        if (!has_shape(r, slice))
            continue
        if (is_rows_limit(K[r])) {
            take_limit(limit, shape_of(r), T[r] + 0)
            take_limit(limit, shape_of(r) SUBSEP bytes_of(r), T[r] + 0)
        }
        if ((!is_peer_row(r) && (group_of(K[r]) != "reduce" || !wanted(K[r], "WANT_KERNEL"))) || !wanted(OP[r], "WANT_OP"))
            continue
        who = is_peer_row(r) ? K[r] : ""
        if (who == "")
            SHAPE_BYTES[shape_of(r), OP[r]] = bytes_of(r)
        panel = TYPE[r] SUBSEP OP[r] SUBSEP who
        if (!(panel in any)) {
            any[panel] = 1
            list[++panels] = panel
        }
        panel = panel SUBSEP N[r] SUBSEP V[r, "row_length"]
        if (!(panel in best) || T[r] + 0 < T[best[panel]] + 0)
            best[panel] = r
    }
    if (!panels)
        return left_out("shapes", series ? "no timed row has a row length, or the requested type, operation and n" : why_no_times())
    share = 0
    for (r in limit)
        share = ENVIRON["WANT_METRIC"] !~ /^bandwidth_gbs/
    sort_names(list, panels)
    by_rows = ENVIRON["WANT_Y"] == "rows"
    draw_shapes(list, panels, best, limit, share, slice)
}

function take_limit(limit, key, us) {
    if (!(key in limit) || us < limit[key])
        limit[key] = us
}

# What a row reads and writes, as the GB/s and the time say it; as text, with fewer digits than these have.
function bytes_of(r) { return sprintf("%.5g", BW[r] * T[r]) }

# What reading and writing takes at a row's shape: as many bytes as its operation does, whose results may be wider.
function limit_of(r, limit,    key) {
    key = shape_of(r) SUBSEP SHAPE_BYTES[shape_of(r), OP[r]]
    return key in limit ? limit[key] : shape_of(r) in limit ? limit[shape_of(r)] : ""
}

# Where a row is on the axis upwards.
function shape_y(r) { return by_rows ? N[r] / V[r, "row_length"] : N[r] }

# A picture has a largest height.
function draw_shapes(list, panels, best, limit, share, slice,    key, parts, p, drawn, more, missing, high, titles, xs, ys, nx, ny, names) {
    nx = shape_values(best, 0, xs)
    ny = shape_values(best, 1, ys)
    for (p = 1; p <= panels; p++) {
        # A panel without a value would be empty, and to gnuplot not there: the next one would get its title.
        if (!has_values(list[p], best, limit, share))
            continue
        if (drawn == (narrow ? 6 : 24)) {
            more++
            continue
        }
        split(list[p], parts, SUBSEP)
        titles[++drawn] = parts[1] " " parts[2] ": " (parts[3] == "" ? "the run's fastest" : parts[3])
        printf "%s", (drawn > 1 ? "\n\n" : "") > "shapes.dat"
        high = max(high, draw_panel(list[p], best, limit, share))
    }
    if (high == 0)
        return left_out("shapes", "the run has no bandwidths")
    print "shapes\tok" > "charts.txt"
    give("SHAPES = " drawn "; SHAPE_SHARE = " share "; SHAPE_HIGH = " (share ? max(high, 100) : high), "shapes.txt")
    give("SHAPE_SLICE = " quote(slice) "; SHAPE_Y = " quote(by_rows ? "rows" : "n"), "shapes.txt")
    give("SHAPE_MORE = " quote((more ? "; " more " more panels: choose with WANT_TYPE, WANT_OP" : "") \
                                (shapes_unlimited ? "; " shapes_unlimited " shapes without such a kernel" : "")), "shapes.txt")
    write_array("shapes.txt", "SHAPE_TITLE", titles, drawn, 1)
    give("SHAPE_COLUMNS = " nx "; SHAPE_ROWS = " ny, "shapes.txt")
    write_array("shapes.txt", "SHAPE_ACROSS", xs, nx, 1)
    write_array("shapes.txt", "SHAPE_UP", ys, ny, 1)
}

# The values of an axis among the rows of `best`, by size, as names in list; their places in SHAPE_PLACE.
function shape_values(best, upwards, list,    key, v, seen, count, i) {
    for (key in best) {
        v = sprintf("%.0f", upwards ? shape_y(best[key]) : V[best[key], "row_length"])
        if (!(v in seen)) {
            seen[v] = 1
            list[++count] = v
        }
    }
    sort_numbers(list, count)
    for (i = 1; i <= count; i++) {
        v = sprintf("%.0f", list[i])
        SHAPE_PLACE[upwards, v] = i
        list[i] = power_of_two(v) < 0 || power_of_two(v) > 9 ? size_name(v) : "2" word_of("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", power_of_two(v) + 1)
    }
    return count
}

function word_of(text, i,    words) {
    split(text, words, " ")
    return words[i]
}

# What a panel shows of a row: "" where it is not the panel's fastest, or there is nothing to compare it with.
function shape_value(r, panel, best, limit, share,    key) {
    key = panel SUBSEP N[r] SUBSEP V[r, "row_length"]
    if (!(key in best) || best[key] != r || (share && limit_of(r, limit) == ""))
        return ""
    return share ? 100 * limit_of(r, limit) / T[r] : BW[r]
}

function has_values(panel, best, limit, share,    r, key, any) {
    for (r = 1; r <= last_shape; r++) {
        key = panel SUBSEP N[r] SUBSEP V[r, "row_length"]
        if (shape_value(r, panel, best, limit, share) != "")
            any = 1
        else if (share && (key in best) && best[key] == r)
            shapes_unlimited++
    }
    return any
}

# The largest value of a panel.
function draw_panel(panel, best, limit, share,    r, x, high) {
    for (r = 1; r <= last_shape; r++) {
        if ((x = shape_value(r, panel, best, limit, share)) == "")
            continue
        high = max(high, x + 0)
        print SHAPE_PLACE[0, sprintf("%.0f", V[r, "row_length"])], SHAPE_PLACE[1, sprintf("%.0f", shape_y(r))], x, \
              (x >= 9.95 ? sprintf("%.0f", x) : sprintf("%.2g", x)) > "shapes.dat"
    }
    return high
}
