# Layout of a chart, computed before gnuplot draws: ranges, sizes, and labels that do not
# overlap. Lengths are pixels of a canvas CANVAS wide, whatever a pixel is in the end (canvas.gp); a
# character is about 7.3 wide and a line 17.

function min(a, b) { return a < b ? a : b }
function max(a, b) { return a > b ? a : b }
function or_nan(x) { return x == "" ? "NaN" : x }

function quote(text) {
    gsub(/'/, "''", text)
    gsub(/[\001-\037\177]|\302[\200-\237]/, " ", text)
    return "'" text "'"
}

# Everything that gnuplot loads is written here, and is data: names that are set to numbers and to texts in
# quotes, and arrays of either. Anything else would be evaluated, and is refused.
function give(line, file) {
    if (line !~ /^([A-Z][A-Z0-9_]* = (-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?|NaN|'([^']|'')*')(; |$))+$/ &&
        line !~ /^array [A-Z][A-Z0-9_]*\[[0-9]+\] = \[((-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?|NaN|'([^']|'')*')(, |\]$))+$/)
        stop("not drawn, since this holds more than numbers and texts: " substr(line, 1, 200))
    print line > file
}

function sort_names(list, count,    i, j, x) {
    for (i = 2; i <= count; i++) {
        x = list[i]
        for (j = i; j > 1 && list[j - 1] > x; j--)
            list[j] = list[j - 1]
        list[j] = x
    }
}

function sort_numbers(list, count,    i) {
    for (i = 1; i <= count; i++)
        list[i] += 0
    sort_part(list, 1, count)
}

# Sorts numbers by halves, as there may be tens of thousands.
function sort_part(list, from, to,    i, j, middle, x) {
    while (from < to) {
        middle = list[int((from + to) / 2)]
        i = from; j = to
        while (i <= j) {
            while (list[i] < middle) i++
            while (list[j] > middle) j--
            if (i <= j) { x = list[i]; list[i] = list[j]; list[j] = x; i++; j-- }
        }
        sort_part(list, from, j)
        from = i
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
    give("array " name "[" count "] = [" line "]", file)
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

# How wide a chart of lines is, and how high its plot: WIDTH in the environment is `page` for one that
# fills the text of a paper, `column` for half of one.
function write_canvas() {
    narrow = ENVIRON["WIDTH"] == "column"
    canvas = narrow ? 413 : ENVIRON["WIDTH"] == "page" ? 756 : 960
    canvas_plot = narrow ? 250 : ENVIRON["WIDTH"] == "page" ? 330 : 390
    give("CANVAS = " canvas "; NARROW = " narrow + 0 "; TITLED = " (ENVIRON["TITLE"] != "no"), "run.gp")
}

# Beside the lines there is room for the names of those in colour; in a column they are below.
function plot_height() {
    return narrow ? canvas_plot : max(canvas_plot, 17 * (series - greys))
}

# Names of colours, for key.gp: rows of samples with names, within `width`. Marks: as gnuplot's.
function write_key(chart, count, names, colours, marks, width,    i, x, row, xs, row_of) {
    x = row = 0
    for (i = 1; i <= count; i++) {
        if (x > 0 && x + 7.3 * length(names[i]) + 20 > width) {
            x = 0
            row++
        }
        xs[i] = x
        row_of[i] = row
        x += 7.3 * length(names[i]) + 34
    }
    give("KEYS = " count "; KEY_ROWS = " (count ? row + 1 : 0), (chart ".key"))
    if (!count)
        return
    write_array(chart ".key", "KEY_NAME", names, count, 1)
    write_array(chart ".key", "KEY_RGB", colours, count, 0)
    write_array(chart ".key", "KEY_MARK", marks, count, 0)
    write_array(chart ".key", "KEY_X", xs, count, 0)
    write_array(chart ".key", "KEY_ROW", row_of, count, 0)
}

# Okabe & Ito's colours, as style.gp has them.
function rgb(i) {
    split("29362 13983232 40563 13400487 3120091 8207375 0", hues, " ")
    return i < 1 ? 9145227 : hues[(i - 1) % 7 + 1]
}

# Light to dark for numbers that grow: of palette.gp what has a contrast of 3 with white.
function ramp(i, count,    share, k, from, to, red, green, blue) {
    split("85 153 160 47 114 149 35 76 120 20 30 64", shades, " ")
    share = count > 1 ? 3 * (i - 1) / (count - 1) : 0
    k = min(int(share), 2)
    share -= k
    red = shades[3 * k + 1] + share * (shades[3 * k + 4] - shades[3 * k + 1])
    green = shades[3 * k + 2] + share * (shades[3 * k + 5] - shades[3 * k + 2])
    blue = shades[3 * k + 3] + share * (shades[3 * k + 6] - shades[3 * k + 3])
    return int(red) * 65536 + int(green) * 256 + int(blue)
}

# Names and colours of the series; a grey one has the colour 0 and no name.
function write_names(    i, names, colours, widest, keys, key_names, key_colours, key_marks) {
    for (i = 1; i <= series; i++) {
        names[i] = FOCUS[SERIES[i]] ? label_of(SERIES[i]) : ""
        colours[i] = FOCUS[SERIES[i]] ? COLOUR[SERIES[i]] : 0
        widest = max(widest, length(names[i]))
    }
    give("SERIES = " series "; GREYS = " greys + 0, "run.gp")
    write_array("run.gp", "NAME", names, series, 1)
    write_array("run.gp", "COLOUR", colours, series, 0)
    give("LABELS = " (narrow ? 16 : max(90, 7.6 * widest + 45)), "run.gp")
    split("7 5 9 13 11", shapes, " ")
    for (i = 1; i <= series; i++)
        if (names[i] != "") {
            key_names[++keys] = names[i]
            key_colours[keys] = rgb(colours[i])
            key_marks[keys] = shapes[(colours[i] - 1) % 5 + 1]
        }
    write_key("lines", narrow ? keys : 0, key_names, key_colours, key_marks, canvas - 32)
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
    give("ABOVE = " quote(names == "" ? "" : "above the chart: " names (more ? " and " more " more" : "")), "run.gp")
    return all
}

function layout_series(    i, x0, x1, plot, low, high) {
    for (i = 1; i <= series; i++)
        last_x[i] = N[LAST[i]]
    write_names()
    plot = plot_height()
    x0 = 2 ^ int(log2(SIZE[1]) + 1e-9)
    x1 = SIZE[size_count]
    if (x1 <= x0) { # one size: a column of points in the middle
        x0 = x0 / 2
        x1 = x0 * 4
    }
    write_array("run.gp", "LAST_X", last_x, series, 0)
    give("LINES_H = " plot, "run.gp")
    give("X0 = " x0 "; X1 = " x1, "run.gp")
    low = low_t / 1.15; high = highest_shown() * 1.15
    if (high < 3 * low) { # less than half a decade says little: show some more
        low = low / 1.4
        high = high * 1.4
    }
    give("T0 = " low "; T1 = " high, "run.gp")
    for (i = 1; i <= series; i++) {
        last_y[i] = T[LAST[i]]
        WISH[i] = (log(last_y[i]) - log(low)) / (log(high) - log(low))
    }
    place_names("T_PLACE", plot)
    write_array("run.gp", "T_LAST", last_y, series, 0)
    layout_bandwidth(plot)
}

# The datasheet's peak is drawn unless it would press everything else into the lowest tenth.
function layout_bandwidth(plot,    i, top, shown) {
    shown = peak > 0 && fastest_bw > peak / 10
    top = 1.08 * max(max(fastest_bw, highest_limit), shown ? peak : 0)
    if (top == 0)
        top = 1
    for (i = 1; i <= series; i++) {
        last_y[i] = or_nan(BW[LAST[i]])
        WISH[i] = last_y[i] == "NaN" ? 0 : last_y[i] / top
    }
    give("PEAK = " peak + 0 "; PEAK_SHOWN = " shown + 0 "; B1 = " top, "run.gp")
    give("LIMITS = " limits + 0, "run.gp")
    place_names("B_PLACE", plot)
    write_array("run.gp", "B_LAST", last_y, series, 0)
}
