# Charts for tuning, from the rows of one slice at one n (all sizes where it says so).
#
#   heat.dat       i, j, time, text: the fastest time by two tunables, WANT_X and WANT_Y
#   configs.dat    a block per value of the colour's axis: rank, time, of every configuration
#   tunables.dat   a line per tunable and value: place, min, quartiles, max of time over the fastest
#   search.dat     a block per n: seconds, best so far over the best known

# The n with most timed rows of the slice (of `kernel`, if given); of these the largest.
function busiest_size(kernel,    i, n, count, most) {
    if (!rows_indexed)
        index_rows()
    most = ""
    for (i = 1; i <= ROW_COUNT[kernel]; i++) {
        n = N[ROWS_OF[kernel, i]]
        if (wanted(n, "WANT_N"))
            count[n]++
    }
    for (n in count)
        if (most == "" || count[n] > count[most] || (count[n] == count[most] && n + 0 > most + 0))
            most = n
    return most
}

function chosen_row(r, n) {
    return IN[r] && T[r] != "" && N[r] == n && BACKEND[r] != "cpu" && wanted(K[r], "WANT_KERNEL")
}

# Sorts values of an axis: numbers as such, names as in the ladder or by the alphabet.
function sort_values(axis, list, count,    i) {
    for (i = 1; i <= count; i++)
        if (list[i] !~ /^[0-9.]+$/) {
            sort_names(list, count)
            if (axis == "kernel")
                sort_by_ladder(list, count)
            return
        }
    sort_numbers(list, count)
    for (i = 1; i <= count; i++)
        list[i] = sprintf("%.15g", list[i])
}

# The axes that a tuner chooses, block and unroll first.
function tuning_axes(list,    i) {
    list[1] = "block"; list[2] = "unroll"
    for (i = 1; i <= tunables; i++)
        list[i + 2] = TUNABLE[i]
    return tunables + 2
}

# How much of the variance of the times' logarithms the values of an axis explain (0…1), of rows at n,
# each time relative to its kernel's fastest unless the axis is the kernel. Rows of kernels without the axis
# are left out, or with `all` they are one more value.
function explained(axis, n, all,    i, r, x, v, count, sum, rows_all, squares, total, between) {
    for (i = 1; i <= ROW_COUNT[""]; i++) {
        r = ROWS_OF["", i]
        v = value(r, axis)
        if (N[r] != n || (v == "" && !all))
            continue
        x = log(T[r] / (axis == "kernel" ? 1 : kernel_best(K[r], n)))
        count[v]++; sum[v] += x
        rows_all++; total += x; squares += x * x
    }
    if (rows_all < 2)
        return 0
    for (v in count)
        between += sum[v] * sum[v] / count[v]
    squares -= total * total / rows_all
    return squares > 1e-12 ? (between - total * total / rows_all) / squares : 0
}

# Raced rows are among them, so that no time is below it.
function kernel_best(kernel, n) { return FASTEST_OF[kernel, n] }

# The rows that tuning is about: ROWS_OF["kernel", 1..] and ROWS_OF["", 1..] for all wanted kernels.
function index_rows(    r) {
    rows_indexed = 1
    for (r = 1; r <= rows; r++) {
        if (!IN[r] || T[r] == "" || BACKEND[r] == "cpu")
            continue
        ROWS_OF[K[r], ++ROW_COUNT[K[r]]] = r
        if (!((K[r], N[r]) in FASTEST_OF) || T[r] + 0 < FASTEST_OF[K[r], N[r]])
            FASTEST_OF[K[r], N[r]] = T[r] + 0
        if (wanted(K[r], "WANT_KERNEL"))
            ROWS_OF["", ++ROW_COUNT[""]] = r
    }
}

# How many values an axis has among the rows at n ("" for all) of one kernel ("" for all that are wanted);
# list[1..]: the values.
function values_of(axis, n, kernel, list,    i, r, v, seen, count, key) {
    if (!rows_indexed)
        index_rows()
    key = axis SUBSEP n SUBSEP kernel
    if (!(key in VALUES)) {
        for (i = 1; i <= ROW_COUNT[kernel]; i++) {
            r = ROWS_OF[kernel, i]
            v = value(r, axis)
            if ((n != "" && N[r] != n) || v == "" || v in seen)
                continue
            seen[v] = 1
            list[++count] = v
        }
        sort_values(axis, list, count + 0)
        for (i = 1; i <= count; i++)
            VALUES[key] = VALUES[key] (i > 1 ? "\034" : "") list[i]
        VALUES[key] = VALUES[key] ""
    }
    return VALUES[key] == "" ? 0 : split(VALUES[key], list, "\034")
}

# A heat map over two axes, both with more than one value: as requested, or block and unroll, or the two
# that span most cells of one kernel.
function write_heat(    x, y, why, kernel, n) {
    x = ENVIRON["WANT_X"]; y = ENVIRON["WANT_Y"]
    if (!series)
        return left_out("heatmap", why_no_times())
    if ((x != "" && !is_axis(x)) || (y != "" && !is_axis(y)))
        return left_out("heatmap", "the run has no axis " (x != "" && !is_axis(x) ? x : y))
    if (x != "" && x == y)
        return left_out("heatmap", "WANT_X and WANT_Y are the same axis")
    if (ENVIRON["WANT_KERNEL"] ENVIRON["WANT_N"] != "" && busiest_size("") == "")
        return left_out("heatmap", "no timed row has the requested kernel and n")
    if (!choose_heat(x, y))
        return left_out("heatmap", x y != "" ? "no kernel was timed with more than one value of both axes" \
                        : "no kernel was timed with more than one value of two tunables")
    print "heatmap\tok" > "charts.txt"
    layout_heat()
}

# Finds HEAT_X, HEAT_Y, and unless these are kernel or n the kernel and n with most cells.
function choose_heat(x, y,    axes, count, i, j, k, n, cells, most, across, down) {
    count = tuning_axes(axes)
    most = 0
    if (x == "kernel" || y == "kernel") {
        HEAT_KERNEL = ""
        return choose_heat_of(x == "" ? "block" : x, y == "" ? "block" : y, "") > 0
    }
    for (k = 1; k <= kernels; k++) {
        if (!wanted(KERNEL[k], "WANT_KERNEL"))
            continue
        if (x != "" && y != "")
            most = keep_heat(x, y, KERNEL[k], most)
        else if (x == "" && y == "" && (cells = keep_heat("block", "unroll", KERNEL[k], most)) > most)
            most = cells
        else
            for (i = 1; i <= count; i++)
                for (j = 1; j <= count; j++)
                    if (i != j && (x == "" ? (y != "" || i < j) : axes[i] == x) && (y == "" || axes[j] == y))
                        most = keep_heat(x == "" ? axes[i] : x, y == "" ? axes[j] : y, KERNEL[k], most)
    }
    return most > 0
}

# Keeps the axes and the kernel where they span more cells than `most`; block and unroll, which people
# know, weigh tenfold, and of equals the faster kernel wins.
function keep_heat(x, y, kernel, most,    n, cells, across, down, list) {
    n = x == "n" || y == "n" ? "" : busiest_size(kernel)
    if (n == "" && x != "n" && y != "n")
        return most
    across = values_of(x, n, kernel, list)
    down = across > 1 ? values_of(y, n, kernel, list) : 0
    if (across < 2 || down < 2)
        return most
    cells = across * down * (x == "block" && y == "unroll" ? 10 : 1) + (n != "" ? 1 / (2 + kernel_best(kernel, n)) : 0)
    if (cells <= most)
        return most
    HEAT_X = x; HEAT_Y = y; HEAT_KERNEL = kernel; HEAT_AT = n
    return cells
}

function choose_heat_of(x, y, kernel,    n, list) {
    n = x == "n" || y == "n" ? "" : busiest_size("")
    HEAT_X = x; HEAT_Y = y; HEAT_KERNEL = kernel; HEAT_AT = n
    return values_of(x, n, "", list) > 1 && values_of(y, n, "", list) > 1
}

function layout_heat(    r, x, y, i, j, at, xs, ys, nx, ny, place_x, place_y, best, low, high, found, further, axis_name) {
    nx = values_of(HEAT_X, HEAT_AT, HEAT_KERNEL, xs)
    ny = values_of(HEAT_Y, HEAT_AT, HEAT_KERNEL, ys)
    for (i = 1; i <= nx; i++) place_x[xs[i]] = i
    for (j = 1; j <= ny; j++) place_y[ys[j]] = j
    for (r = 1; r <= rows; r++) {
        if (!IN[r] || T[r] == "" || (HEAT_AT != "" && N[r] != HEAT_AT) ||
            (HEAT_KERNEL != "" ? K[r] != HEAT_KERNEL : !wanted(K[r], "WANT_KERNEL")) ||
            value(r, HEAT_X) == "" || value(r, HEAT_Y) == "")
            continue
        at = place_x[value(r, HEAT_X)] SUBSEP place_y[value(r, HEAT_Y)]
        further += at in found
        if (!(at in found) || T[r] + 0 < T[found[at]] + 0)
            found[at] = r
    }
    for (i = 1; i <= nx; i++)
        for (j = 1; j <= ny; j++) {
            if (!((i, j) in found))
                continue
            r = found[i, j]
            print i, j, T[r], short_number(T[r]) > "heat.dat"
            if (low == "" || T[r] + 0 < low) { low = T[r] + 0; best = "BEST_I = " i "; BEST_J = " j }
            high = max(high, T[r] + 0)
        }
    for (i = 1; i <= nx; i++) if (HEAT_X == "n") xs[i] = size_name(xs[i])
    for (j = 1; j <= ny; j++) if (HEAT_Y == "n") ys[j] = size_name(ys[j])
    give("HEAT_TITLE = " quote("Time by " HEAT_X " and " HEAT_Y (HEAT_KERNEL == "" ? "" : ": " label_of(HEAT_KERNEL)) \
          (HEAT_AT == "" ? "" : ", n = " size_name(HEAT_AT))), "run.gp")
    give("HEAT_REST = " quote(further ? "; each cell: the fastest of the other tunables" : ""), "run.gp")
    give("HEAT_LOW = " low "; HEAT_HIGH = " high "; " best, "run.gp")
    give("HEAT_COLUMNS = " nx "; HEAT_ROWS = " ny "; HEAT_X = " quote(with_unit(HEAT_X)) "; HEAT_Y = " quote(with_unit(HEAT_Y)), "run.gp")
    write_array("run.gp", "HEAT_ACROSS", xs, nx, 1)
    write_array("run.gp", "HEAT_DOWN", ys, ny, 1)
}

function with_unit(axis) {
    return axis == "block" ? "block (threads)" : axis == "n" ? "n (elements)" : axis
}

# All configurations at one n, from the fastest to the slowest, coloured by the axis that explains most of
# their times, or by WANT_COLOR.
function write_configs(    n, r, count, order, axis, i, v, values, place, colour, low, high, x, y, drawn, names, colours, marks, keys, further) {
    if (!series)
        return left_out("configs", why_no_times())
    n = busiest_size("")
    if (n == "")
        return left_out("configs", "no timed row has the requested kernel and n")
    axis = ENVIRON["WANT_COLOR"]
    if (axis != "" && !is_axis(axis))
        return left_out("configs", "the run has no axis " axis)
    if (axis == "")
        axis = strongest_axis(n)
    for (r = 1; r <= rows; r++)
        if (chosen_row(r, n))
            order[++count] = r
    if (count < 3)
        return left_out("configs", "fewer than three configurations were timed at one n")
    sort_rows(order, 1, count)
    values = values_of(axis, n, "", v)
    colour_values(axis, order, count, v, values, place, colour)
    low = T[order[1]] / 1.1; high = T[order[count]] * 1.1
    for (i = 0; i <= values; i++) {
        printf "%s", (i ? "\n\n" : "") > "configs.dat"
        further = 0
        for (x = 1; x <= count; x++) {
            r = order[x]
            if ((value(r, axis) in place ? place[value(r, axis)] : 0) != i)
                continue
            # One mark for all that would be drawn at the same place.
            y = i " " int(700 * x / count) " " int(300 * log(T[r] / low) / log(high / low))
            further = 1
            if (y in drawn)
                continue
            drawn[y] = 1
            print x, T[r], i ? colour[i] : rgb(0) > "configs.dat"
        }
        if (!further)
            print "NaN NaN 0" > "configs.dat"
        else if (i && colour[i] != rgb(0)) {
            names[++keys] = axis == "kernel" ? label_of(v[i]) : axis " " (axis == "n" ? size_name(v[i]) : v[i])
            colours[keys] = colour[i]
            marks[keys] = 7
        }
    }
    print "configs\tok" > "charts.txt"
    write_key("configs", keys + 0, names, colours, marks, canvas - 32)
    give("CONFIG_RACED = " raced_of(order, count), "run.gp")
    give("CONFIGS = " count "; CONFIG_VALUES = " values "; CONFIG_N = " quote(size_name(n)) "; CONFIG_AXIS = " quote(axis), "run.gp")
    give("CONFIG_Y0 = " low "; CONFIG_Y1 = " high "; CONFIG_SHARE = " 100 * explained(axis, n, 1), "run.gp")
    for (i = 1; i <= values; i++)
        v[i] = axis == "kernel" ? label_of(v[i]) : v[i]
    write_array("run.gp", "CONFIG_VALUE", v, values, 1)
    give("CONFIG_KERNEL = " quote(ENVIRON["WANT_KERNEL"]), "run.gp")
}

function raced_of(list, count,    i, raced) {
    for (i = 1; i <= count; i++)
        raced += RACED[list[i]]
    return raced + 0
}

function strongest_axis(n,    axes, count, i, list, share, most, best) {
    count = tuning_axes(axes)
    axes[++count] = "kernel"
    best = "kernel"
    for (i = 1; i <= count; i++)
        if (values_of(axes[i], n, "", list) > 1 && (share = explained(axes[i], n, 1)) > most) {
            most = share
            best = axes[i]
        }
    return best
}

# Numbers get a ramp, names colours of their own: the seven whose best is fastest, the others grey.
function colour_values(axis, order, count, v, values, place, colour,    i, given, numeric) {
    numeric = axis != "kernel"
    for (i = 1; i <= values; i++) {
        place[v[i]] = i
        colour[i] = rgb(0)
        numeric = numeric && v[i] ~ /^[0-9.]+$/
    }
    for (i = 1; numeric && i <= values; i++)
        colour[i] = ramp(i, values)
    for (i = 1; !numeric && i <= count && given < 7; i++)
        if (value(order[i], axis) in place && colour[place[value(order[i], axis)]] == rgb(0))
            colour[place[value(order[i], axis)]] = given == 6 ? (given++ ? 2236962 : 0) : rgb(++given)
}

# Rows by time, by halves (heaps of thousands).
function sort_rows(list, from, to,    i, j, middle, x) {
    while (from < to) {
        middle = T[list[int((from + to) / 2)]] + 0
        i = from; j = to
        while (i <= j) {
            while (T[list[i]] + 0 < middle) i++
            while (T[list[j]] + 0 > middle) j--
            if (i <= j) { x = list[i]; list[i] = list[j]; list[j] = x; i++; j-- }
        }
        sort_rows(list, from, j)
        from = i
    }
}

# The marginal effect of each tunable: times over the fastest of their kernel, by value, whatever the other
# tunables are. Kernels with one value of a tunable say nothing about it.
function write_tunables(    n, axes, count, i, j, k, v, values, list, varies, r, x, lines, panels, names, shares, first, last, labels, high) {
    if (!series)
        return left_out("tunables", why_no_times())
    n = busiest_size("")
    if (n == "")
        return left_out("tunables", "no timed row has the requested kernel and n")
    count = tuning_axes(axes)
    printf "" > "tunables.dat"
    for (i = 1; i <= count; i++) {
        for (k = 1; k <= kernels; k++)
            varies[KERNEL[k]] = values_of(axes[i], n, KERNEL[k], list) > 1
        values = values_of(axes[i], n, "", v)
        first = lines + 1
        for (k = 1; k <= values; k++) {
            x = 0
            for (j = 1; j <= ROW_COUNT[""]; j++) {
                r = ROWS_OF["", j]
                if (N[r] == n && varies[K[r]] && value(r, axes[i]) == v[k])
                    list[++x] = T[r] / kernel_best(K[r], n)
            }
            if (!x)
                continue
            lines++
            sort_numbers(list, x)
            labels[lines] = v[k]
            high = max(high, list[x])
            print lines, list[1], quantile(list, x, 0.25), quantile(list, x, 0.5), quantile(list, x, 0.75), list[x], x, axes[i] > "tunables.dat"
        }
        if (lines - first < 1) { # no values, or a single one
            if (lines >= first)
                lines = first - 1
            continue
        }
        names[++panels] = axes[i]
        shares[panels] = sprintf("%.0f %%", 100 * explained(axes[i], n, 0))
        TUNE_FIRST[panels] = first
        TUNE_LAST[panels] = lines
    }
    if (!panels)
        return left_out("tunables", "no kernel was timed with more than one value of a tunable")
    print "tunables\tok" > "charts.txt"
    give("TUNE_N = " quote(size_name(n)) "; TUNE_PANELS = " panels "; TUNE_HIGH = " high, "run.gp")
    give("TUNE_KERNEL = " quote(ENVIRON["WANT_KERNEL"]), "run.gp")
    write_array("run.gp", "TUNE_NAME", names, panels, 1)
    write_array("run.gp", "TUNE_SHARE", shares, panels, 1)
    write_array("run.gp", "TUNE_FIRST", TUNE_FIRST, panels, 0)
    write_array("run.gp", "TUNE_LAST", TUNE_LAST, panels, 0)
    write_array("run.gp", "TUNE_LABEL", labels, lines, 1)
}

# Between the two neighbors in a sorted list.
function quantile(list, count, share,    at) {
    at = 1 + share * (count - 1)
    return list[int(at)] + (at - int(at)) * (list[min(int(at) + 1, count)] - list[int(at)])
}
