# Layout of a chart, computed before gnuplot draws: ranges, sizes, and labels that do not
# overlap. Lengths are pixels of a canvas WIDTH wide; a character is about 7.3 wide and a line 17.

function min(a, b) { return a < b ? a : b }
function max(a, b) { return a > b ? a : b }
function or_nan(x) { return x == "" ? "NaN" : x }

function quote(text) {
    gsub(/'/, "''", text)
    gsub(/[\n\r]/, " ", text)
    return "'" text "'"
}

function sort_names(list, count,    i, j, x) {
    for (i = 2; i <= count; i++) {
        x = list[i]
        for (j = i; j > 1 && list[j - 1] > x; j--)
            list[j] = list[j - 1]
        list[j] = x
    }
}

function sort_numbers(list, count,    i, j, x) {
    for (i = 2; i <= count; i++) {
        x = list[i] + 0
        for (j = i; j > 1 && list[j - 1] + 0 > x; j--)
            list[j] = list[j - 1]
        list[j] = x
    }
}

function log2(x) { return log(x) / log(2) }
function power_of_two(n,    k) {
    k = int(log2(n) + 0.5)
    return 2 ^ k == n ? k : -1
}

# 16777216 as 2²⁴; other numbers unchanged.
function size_name(n,    k, i, digits, text) {
    k = power_of_two(n)
    if (k < 10)
        return sprintf("%.0f", n)
    split("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", digits, " ")
    for (i = 1; i <= length(k ""); i++)
        text = text digits[substr(k "", i, 1) + 1]
    return "2" text
}

# Four digits; whole up to 99999, then with k, M, G, T for thousands and so on.
function short_number(x) {
    x += 0
    if (x >= 1e12)
        return sprintf("%.4gT", x / 1e12)
    if (x >= 1e9)
        return sprintf("%.4gG", x / 1e9)
    if (x >= 1e6)
        return sprintf("%.4gM", x / 1e6)
    if (x >= 1e5)
        return sprintf("%.4gk", x / 1e3)
    return x >= 1000 ? sprintf("%.0f", x) : sprintf("%.4g", x)
}

function write_array(file, name, list, count, as_text,    i, line) {
    for (i = 1; i <= count; i++)
        line = line (i > 1 ? ", " : "") (as_text ? quote(list[i]) : list[i])
    print "array " name "[" count "] = [" line "]" > file
}

# Moves the places WANTED[1..count] (0…1) apart by at least `gap`, as little as possible: places
# that collide become one pile around their mean. Leaves them in PLACE.
function spread(count, gap,    i, j, order, piles, first, size, mean, from) {
    for (i = 1; i <= count; i++) {
        for (j = i; j > 1 && WANTED[order[j - 1]] > WANTED[i]; j--)
            order[j] = order[j - 1]
        order[j] = i
    }
    if (gap * (count - 1) > 1)
        gap = 1 / (count - 1)
    for (i = 1; i <= count; i++) {
        piles++
        first[piles] = i; size[piles] = 1; mean[piles] = inside(WANTED[order[i]], 1, gap)
        while (piles > 1 && mean[piles] - mean[piles - 1] < gap * (size[piles] + size[piles - 1]) / 2) {
            mean[piles - 1] = (mean[piles - 1] * size[piles - 1] + mean[piles] * size[piles]) / \
                              (size[piles - 1] + size[piles])
            size[piles - 1] += size[piles]
            piles--
            mean[piles] = inside(mean[piles], size[piles], gap)
        }
    }
    for (i = 1; i <= piles; i++) {
        from = mean[i] - gap * (size[i] - 1) / 2
        for (j = 0; j < size[i]; j++)
            PLACE[order[first[i] + j]] = from + gap * j
    }
}

# A pile of `size` places stays within 0…1.
function inside(mean, size, gap,    half) {
    half = gap * (size - 1) / 2
    return min(max(mean, half), 1 - half)
}

# Names and colours of the series; a grey one has the colour 0 and no name.
function write_names(    i, names, colours, widest) {
    for (i = 1; i <= series; i++) {
        names[i] = FOCUS[SERIES[i]] ? label_of(SERIES[i]) : ""
        colours[i] = FOCUS[SERIES[i]] ? COLOUR[SERIES[i]] : 0
        widest = max(widest, length(names[i]))
    }
    print "SERIES = " series "; GREYS = " greys + 0 > "run.gp"
    write_array("run.gp", "NAME", names, series, 1)
    write_array("run.gp", "COLOUR", colours, series, 0)
    print "LABELS = " max(90, 7.6 * widest + 45) > "run.gp"
}

# Positions of names: those with a name are spread over the height `plot`, from WISH[1..series].
function place_names(array, plot,    i, count, places) {
    for (i = 1; i <= series; i++)
        if (FOCUS[SERIES[i]])
            WANTED[++count] = WISH[i]
    spread(count, 17 / plot)
    count = 0
    for (i = 1; i <= series; i++)
        places[i] = FOCUS[SERIES[i]] ? PLACE[++count] : 0
    write_array("run.gp", array, places, series, 0)
}

# Grey kernels that are four times slower than all others would press those together: their lines leave
# the chart at its top, and the chart says whose they are.
function highest_shown(    i, j, at, high, all, above, names, more) {
    for (i = 1; i <= series; i++) {
        all = 0
        for (j = 1; j <= size_count; j++) {
            at = SERIES[i] SUBSEP sprintf("%.0f", SIZE[j])
            if (at in BEST)
                all = max(all, max(T[BEST[at]] + 0, HI[BEST[at]] + 0))
        }
        if (FOCUS[SERIES[i]])
            high = max(high, all)
        above[i] = all
    }
    all = high
    for (i = 1; i <= series; i++)
        if (above[i] <= 4 * high)
            all = max(all, above[i])
        else if (length(names SERIES[i]) > 70)
            more++
        else
            names = names (names == "" ? "" : ", ") SERIES[i]
    print "ABOVE = " quote(names == "" ? "" : "above the chart: " names (more ? " and " more " more" : "")) > "run.gp"
    return all
}

function layout_series(    i, x0, x1, height, plot, low, high) {
    for (i = 1; i <= series; i++)
        last_x[i] = N[LAST[i]]
    write_names()
    height = max(520, 130 + 17 * (series - greys))
    plot = height - 130
    x0 = 2 ^ int(log2(SIZE[1]) + 1e-9)
    x1 = SIZE[size_count]
    if (x1 <= x0) { # one size: a column of points in the middle
        x0 = x0 / 2
        x1 = x0 * 4
    }
    write_array("run.gp", "LAST_X", last_x, series, 0)
    print "WIDTH = 960; HEIGHT = " height > "run.gp"
    print "X0 = " x0 "; X1 = " x1 > "run.gp"
    low = low_t / 1.15; high = highest_shown() * 1.15
    if (high < 3 * low) { # less than half a decade says little: show some more
        low = low / 1.4
        high = high * 1.4
    }
    print "T0 = " low "; T1 = " high > "run.gp"
    for (i = 1; i <= series; i++) {
        last_y[i] = T[LAST[i]]
        WISH[i] = (log(last_y[i]) - log(low)) / (log(high) - log(low))
    }
    place_names("T_PLACE", plot)
    write_array("run.gp", "T_LAST", last_y, series, 0)
    layout_bandwidth(plot)
}

# Peak and ceiling are drawn unless they would press everything else into the lowest tenth.
function layout_bandwidth(plot,    i, top, shown) {
    shown = peak > 0 && fastest_bw > peak / 10
    top = 1.08 * max(fastest_bw, shown ? max(peak, ceiling) : 0)
    if (top == 0)
        top = 1
    for (i = 1; i <= series; i++) {
        last_y[i] = or_nan(BW[LAST[i]])
        WISH[i] = last_y[i] == "NaN" ? 0 : last_y[i] / top
    }
    print "PEAK = " peak + 0 "; CEILING = " ceiling + 0 "; PEAK_SHOWN = " shown + 0 "; B1 = " top > "run.gp"
    place_names("B_PLACE", plot)
    write_array("run.gp", "B_LAST", last_y, series, 0)
}

function layout_heat(key, seen,    at, parts, blocks, unrolls, bc, uc, i, j, r, low, high, best, has) {
    for (at in seen) {
        split(at, parts, SUBSEP)
        if (parts[1] SUBSEP parts[2] != key)
            continue
        if (!(("b", parts[3]) in has)) { has["b", parts[3]] = 1; blocks[++bc] = parts[3] }
        if (!(("u", parts[4]) in has)) { has["u", parts[4]] = 1; unrolls[++uc] = parts[4] }
    }
    sort_numbers(blocks, bc)
    sort_numbers(unrolls, uc)
    for (i = 1; i <= bc; i++)
        for (j = 1; j <= uc; j++) {
            at = key SUBSEP blocks[i] SUBSEP unrolls[j]
            if (!(at in seen))
                continue
            r = seen[at]
            print i, j, T[r], short_number(T[r]) > "heat.dat"
            if (low == "" || T[r] + 0 < low) { low = T[r] + 0; best = "BEST_I = " i "; BEST_J = " j }
            high = max(high, T[r] + 0)
        }
    split(key, parts, SUBSEP)
    print "HEAT_KERNEL = " quote(label_of(parts[1])) "; HEAT_N = " quote(size_name(parts[2])) > "run.gp"
    print "HEAT_LOW = " low "; HEAT_HIGH = " high "; " best > "run.gp"
    print "HEAT_COLUMNS = " bc "; HEAT_ROWS = " uc > "run.gp"
    write_array("run.gp", "HEAT_BLOCK", blocks, bc, 0)
    write_array("run.gp", "HEAT_UNROLL", unrolls, uc, 0)
}

# Bars lie, so that kernels' names can be read; the fullest panel decides how high all are.
# A picture has a largest height: where the panels of all metrics would pass it, the first ones are
# drawn (the CSV's order is the config's), and the heading says how many are not.
function layout_metrics(chosen, n,    i, j, r, shown, names, unit, metrics, most, more, panel, colours, line, high) {
    while ((getline line < ENVIRON["UNITS"]) > 0) {
        split(line, unit_parts, "\t")
        UNIT[unit_parts[1]] = unit_parts[2]
    }
    for (i = 1; i <= kernels; i++)
        if ((KERNEL[i], n) in chosen) {
            bar[++shown] = chosen[KERNEL[i], n]
            names[shown] = label_of(KERNEL[i]) "  " B[bar[shown]] " × " U[bar[shown]]
            colours[shown] = COLOUR[KERNEL[i]]
            widest_bar = max(widest_bar, length(names[shown]))
        }
    for (j = COLUMN["sampled_share"] + 1; j < COLUMN["result"]; j++) {
        high = 0
        panel = 0
        for (i = 1; i <= shown; i++)
            if (M[bar[i], j] != "") {
                high = max(high, M[bar[i], j] + 0)
                panel = 1
            }
        if (!panel)
            continue
        most = 3 * int(2500 / (20 * shown + 84))
        if (metrics >= most && metrics > 0) {
            more++
            continue
        }
        metrics++
        PANEL[metrics] = NAME[j]
        PANEL_UNIT[metrics] = NAME[j] in UNIT ? UNIT[NAME[j]] : ""
        PANEL_HIGH[metrics] = high > 0 ? high : 1
        widest_panel = max(widest_panel, length(PANEL[metrics] " ()" PANEL_UNIT[metrics]))
        printf "%s", (metrics > 1 ? "\n\n" : "") > "metrics.dat"
        for (i = 1; i <= shown; i++)
            print i, or_nan(M[bar[i], j]), colours[i], \
                  M[bar[i], j] + 0, M[bar[i], j] == "" ? "none" : short_number(M[bar[i], j]) \
                  > "metrics.dat"
    }
    print "PANELS = " metrics "; BARS = " shown "; METRICS_N = " quote(size_name(n)) > "run.gp"
    print "METRICS_MORE = " quote(more ? "; " more " more in the CSV" : "") > "run.gp"
    print "BAR_LABELS = " 7.6 * widest_bar + 20 "; PANEL_LABELS = " 7.6 * widest_panel + 20 > "run.gp"
    write_array("run.gp", "BAR_NAME", names, shown, 1)
    write_array("run.gp", "PANEL", PANEL, metrics, 1)
    write_array("run.gp", "PANEL_UNIT", PANEL_UNIT, metrics, 1)
    write_array("run.gp", "PANEL_HIGH", PANEL_HIGH, metrics, 0)
}
