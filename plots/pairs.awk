# From `redsweep diff --csv` to the files of the charts that show two runs.
#
#   versus.dat  four blocks (same, faster, slower, unknown): time a, ratio, its interval
#   counts.dat  a block per metric that both runs have: count a, count b, whether they are equal
#   run.gp      what the charts need to know; charts.txt: "name<TAB>ok" or why one is left out
#
# A_NAME and B_NAME are the runs' names, A_DEVICE and B_DEVICE their devices.

NR == 1 { sub(/^\357\273\277/, "") }
csv_line($0) { if (CSV_LINES) csv_join(); if (header) take_pair(); else take_header() }
END {
    if (stopped)
        exit 1
    if (csv_damage() != "")
        stop(csv_damage())
    if (!header)
        stop("the file has no header")
    printf "" > "charts.txt"
    give("DEVICE = " quote("a: " ENVIRON["A_DEVICE"] "  ·  b: " ENVIRON["B_DEVICE"]), "run.gp")
    give("RUN = " quote(ENVIRON["A_NAME"] " and " ENVIRON["B_NAME"]), "run.gp")
    write_canvas()
    write_versus()
    write_counts()
}

function stop(why) {
    print why > "/dev/stderr"
    stopped = 1
    exit 1
}

function take_header(    i) {
    header = 1
    columns = CELLS
    for (i = 1; i <= CELLS; i++) {
        COLUMN[CELL[i]] = i
        NAME[i] = CELL[i]
        # Metrics are in pairs after this column.
        if (CELL[i] == "share_b_pct")
            first_metric = i + 1
    }
    if (!("verdict" in COLUMN) || !("ratio" in COLUMN) || !first_metric)
        stop("this is not what `redsweep diff --csv` writes")
}

function label_of(kernel) { return kernel } # for layout.awk
function cell(name) { return CELL[COLUMN[name]] }
function number(name) { return csv_number(cell(name), name) }

function take_pair(    j) {
    if (CELLS != columns)
        stop("line " NR ": " CELLS " cells, but the header has " columns)
    if (cell("verdict") ~ /^ONLY_/)
        return
    pairs++
    V[pairs] = cell("verdict")
    TA[pairs] = number("time_us_a")
    R[pairs] = number("ratio"); RLO[pairs] = number("ratio_lo"); RHI[pairs] = number("ratio_hi")
    what = cell("type") " " cell("op")
    if (!(what in WHAT)) {
        WHAT[what] = 1
        whats++
    }
    TYPE_OP[pairs] = what
    KERNEL_OF[pairs] = cell("kernel")
    POINT[pairs] = ", n = " size_name(number("n")) ", block " cell("block") \
                   (cell("unroll") == 1 ? "" : " × " cell("unroll"))
    # Axes that only some runs have follow scope; tunables begin with t_.
    for (j = COLUMN["scope"] + 1; j < COLUMN["verdict"]; j++)
        if (NAME[j] !~ /^t_/ && CELL[j] != "")
            POINT[pairs] = POINT[pairs] ", " NAME[j] " " CELL[j]
    right = cell("status_a") == "ok" && cell("status_b") == "ok"
    for (j = first_metric; right && j <= columns; j++)
        VALUE[pairs, j] = csv_number(CELL[j], NAME[j], 1)
}

function write_versus(    i, k, verdicts, counts, logs, timed, x0, x1, y0, y1, names, judged) {
    split(" FAST SLOW UNKNOWN", verdicts, " ")
    for (k = 0; k <= 3; k++) {
        printf "%s", (k ? "\n\n" : "") > "versus.dat"
        counts[k] = 0
        for (i = 1; i <= pairs; i++) {
            if (R[i] == "" || (k ? V[i] != verdicts[k] : V[i] != "SAME" && V[i] != ""))
                continue
            judged += V[i] != ""
            counts[k]++
            timed++
            logs += log(R[i])
            x0 = x0 == "" ? TA[i] + 0 : min(x0, TA[i] + 0); x1 = max(x1, TA[i] + 0)
            y0 = y0 == "" ? R[i] + 0 : min(y0, R[i] + 0); y1 = max(y1, R[i] + 0)
            print TA[i], R[i], or_nan(RLO[i]), or_nan(RHI[i]) > "versus.dat"
        }
        if (!counts[k])
            print "NaN NaN NaN NaN" > "versus.dat"
    }
    if (!timed)
        return left_out("versus", "no point has times in both runs")
    print "versus\tok" > "charts.txt"
    give("JUDGED = " (judged > 0) "; TIMED = " timed "; MEAN = " exp(logs / timed), "run.gp")
    for (k = 0; k <= 3; k++)
        names[k + 1] = counts[k]
    write_array("run.gp", "COUNT", names, 4, 0)
    # At least ± 5 %, so that noise does not fill the chart; and room beyond the outermost points.
    y0 = min(y0, 1 / 1.05); y1 = max(y1, 1.05)
    margin = exp(0.12 * log(y1 / y0))
    y0 /= margin; y1 *= margin
    give("X0 = " x0 / 1.2 "; X1 = " x1 * 1.2 "; Y0 = " y0 "; Y1 = " y1, "run.gp")
    layout_extremes(y0, y1)
}

# The five points furthest from 1 on either side have names at the right.
function layout_extremes(y0, y1,    i, k, side, count, used, best, x, y, names, places, widest) {
    for (side = -1; side <= 1; side += 2)
        for (k = 1; k <= 5; k++) {
            best = ""
            for (i = 1; i <= pairs; i++)
                if (R[i] != "" && !(i in used) && side * log(R[i]) > 0.01 && V[i] != "SAME" && V[i] != "UNKNOWN" &&
                    (best == "" || side * log(R[i]) > side * log(R[best])))
                    best = i
            if (best == "")
                break
            used[best] = 1
            count++
            names[count] = KERNEL_OF[best] (whats > 1 ? ", " TYPE_OP[best] : "") POINT[best]
            x[count] = TA[best]; y[count] = R[best]
            WANTED[count] = (log(R[best]) - log(y0)) / (log(y1) - log(y0))
            widest = max(widest, length(names[count]))
        }
    if (!count) {
        count = 1; names[1] = ""; x[1] = y[1] = "NaN"; WANTED[1] = 0
    }
    spread(count, 17 / 390)
    for (i = 1; i <= count; i++)
        places[i] = PLACE[i]
    give("EXTREMES = " count "; LABELS = " 7.2 * widest + 50, "run.gp")
    write_array("run.gp", "NAME", names, count, 1)
    write_array("run.gp", "LAST_X", x, count, 0)
    write_array("run.gp", "LAST", y, count, 0)
    write_array("run.gp", "PLACE", places, count, 0)
}

function left_out(chart, why) {
    print chart "\t" why >> "charts.txt"
}

function decimals(text) {
    return match(text, /\.[0-9]+$/) ? RLENGTH - 1 : 0
}

# Equal as far as both were printed (as `redsweep diff` has it): published tables are rounded.
function equal_as_printed(a, b,    places, d) {
    places = min(decimals(a), decimals(b))
    d = a - b
    return a + 0 == b + 0 || (places > 0 && (d < 0 ? -d : d) <= 0.5000001 / 10 ^ places)
}

# Points that fall on each other are drawn once: of many alike a picture gets only larger.
function print_once(a, b, same,    at) {
    at = sprintf("%.2f %.2f %d", 100 * log(a) / log(10), 100 * log(b) / log(10), same)
    if (at in DRAWN)
        return
    DRAWN[at] = 1
    print a, b, same > "counts.dat"
}

# Values of 0 have no place on logarithmic axes: they are counted only.
function write_counts(    j, i, a, b, both, equal, zero, metrics, titles, notes, empty, name, found, lows, highs, low, high) {
    for (j = first_metric; j < columns; j += 2) {
        name = substr(NAME[j], 1, length(NAME[j]) - 2)
        if (ENVIRON["METRICS"] != "" && !index("," ENVIRON["METRICS"] ",", "," name ","))
            continue
        both = equal = zero = 0
        delete DRAWN
        low = high = ""
        for (i = 1; i <= pairs; i++) {
            a = VALUE[i, j]; b = VALUE[i, j + 1]
            if (a == "" || b == "")
                continue
            both++
            equal += equal_as_printed(a, b)
            if (a + 0 <= 0 || b + 0 <= 0) {
                zero++
                continue
            }
            if (low == "")
                printf "%s", (metrics ? "\n\n" : "") > "counts.dat"
            print_once(a, b, equal_as_printed(a, b))
            low = low == "" ? min(a + 0, b + 0) : min(low, min(a + 0, b + 0))
            high = max(high, max(a + 0, b + 0))
        }
        if (!both)
            continue
        found = equal == both ? "all " both " equal" : equal " of " both " equal"
        if (low == "") { # no point has two values that a logarithmic axis could hold
            empty = empty (empty == "" ? "; 0 in at least one run: " : ", ") name " (" found ")"
            continue
        }
        metrics++
        titles[metrics] = length(name) <= 40 ? name : substr(name, 1, 18) "…" substr(name, length(name) - 20)
        notes[metrics] = found (zero ? ", " zero " with a 0" : "")
        lows[metrics] = low / 1.5; highs[metrics] = high * 1.5
    }
    if (!metrics)
        return left_out("counts", (ENVIRON["METRICS"] == "" ? "no metric has" : "none of the requested metrics has") " values in both runs" empty)
    print "counts\tok" > "charts.txt"
    give("METRICS = " metrics, "run.gp")
    give("EMPTY = " quote(empty), "run.gp")
    write_array("run.gp", "TITLE", titles, metrics, 1)
    write_array("run.gp", "FOUND", notes, metrics, 1)
    write_array("run.gp", "LOW", lows, metrics, 0)
    write_array("run.gp", "HIGH", highs, metrics, 0)
}
