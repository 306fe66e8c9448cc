# From results.csv to the small tidy files that the charts of one run draw (read.awk has the rows).
#
# Written into the current folder:
#   run.gp       what every chart needs to know, as gnuplot variables
#   metrics.dat  a block per metric: a line per kernel
#   NAME.bars, NAME.dat   a chart of bars or dots, for bars.gp
#   NAME.key     names of colours, for key.gp
#   speedup, ladder, sectors, cache, roofline: see relations.awk and ladder.awk; configs, tunables,
#   heatmap, search, winners: see tuning.awk; shapes: shapes.awk
#   charts.txt   a line per chart: "name<TAB>ok" or "name<TAB>why it is left out"
#   groups.txt   `others` where the run has kernels that are no reductions
#
# A run may have several types, operations and cache states: a chart shows one slice of them, by
# default the one with most points. UNITS names a file "column<TAB>unit".

function take_end(    i) {
    read_workloads()
    read_ladder()
    read_units()
    read_facts()
    sort_names(KERNEL, kernels)
    sort_by_ladder(KERNEL, kernels)
    if (backend == "sim" && timed_backend == "cpu")
        forget_times()
    choose_slice()
    choose_scopes()
    printf "" > "charts.txt"
    write_run()
    write_series()
    write_ladder()
    write_metrics()
    write_roofline()
    write_heat()
    write_shapes()
    write_configs()
    write_tunables()
    write_search()
    if (unresolved)
        print unresolved > "unresolved.txt"
}

function write_run() {
    SLICE_NAME = SLICE (scope != "" ? ", scope " scope : "")
    give("DEVICE = " quote(named(device, backend)), "run.gp")
    give("TIMED_DEVICE = " quote((timed_device == "" ? named(device, backend) : named(timed_device, timed_backend)) \
                                  (cards > 1 ? ", " cards " cards" : "")), "run.gp")
    give("SLICE = " quote(SLICE_NAME), "run.gp")
    give("RUN = " quote(ENVIRON["RUN_NAME"]), "run.gp")
    give("SERIES_WHAT = " quote("the fastest setting per kernel and size"), "run.gp")
    write_canvas()
}

# The fastest configuration of every kernel at every n.
function write_series(    r, sizes, key) {
    for (r = 1; r <= rows; r++) {
        if (!IN[r] || T[r] == "" || RACED[r])
            continue
        key = K[r] SUBSEP N[r]
        if (!(key in BEST) || T[r] + 0 < T[BEST[key]] + 0)
            BEST[key] = r
        ANY_SHOWN = r
        if (!(N[r] in sizes)) {
            sizes[N[r]] = 1
            SIZE[++size_count] = N[r] + 0
        }
    }
    sort_numbers(SIZE, size_count)
    order_series()
    if (!series)
        return
    write_names()
    give("LINES_H = " plot_height() "; PEAK = " peak + 0, "run.gp")
    write_limits()
}

# What limits a kernel at n is what the fastest reader of the same bytes reached: the best of all kernels
# that read the whole input in the slice's cache state, those that only read (workload `read`) with them.
# So no kernel is above it.
function write_limits(    r) {
    if (group != "reduce")
        return
    for (r = 1; r <= rows; r++) {
        if (BW[r] == "" || RACED[r] || BACKEND[r] == "cpu" || TYPE[r] != TYPE[ANY_SHOWN] || CACHE[r] != CACHE[ANY_SHOWN] ||
            FURTHER[r] != SLICE_FURTHER || (group_of(K[r]) != "reduce" && WORKLOAD[K[r]] != "read"))
            continue
        if (!(N[r] in LIMIT) || BW[r] + 0 > BW[LIMIT[N[r]]] + 0)
            LIMIT[N[r]] = r
    }
}

function read_units(    line, parts) {
    while ((getline line < ENVIRON["UNITS"]) > 0) {
        split(line, parts, "\t")
        UNIT[parts[1]] = parts[2]
    }
}

# With more kernels than a reader can distinguish the fastest are shown in colour with their names,
# beside those that others are measured by; the rest is grey, and drawn first so that it is below.
function order_series(    i, j, k, at, score, ranked, count, x) {
    for (i = 1; i <= kernels; i++) {
        for (j = size_count; j >= 1; j--) {
            at = KERNEL[i] SUBSEP sprintf("%.0f", SIZE[j])
            if (at in BEST) {
                # By its rank at its largest size; of a kernel that ends early no more is known.
                score[KERNEL[i]] = T[BEST[at]] * 2 ^ (size_count - j)
                ranked[++count] = KERNEL[i]
                break
            }
        }
    }
    for (i = 2; i <= count; i++) {
        x = ranked[i]
        for (j = i; j > 1 && score[ranked[j - 1]] > score[x]; j--)
            ranked[j] = ranked[j - 1]
        ranked[j] = x
    }
    for (i = 1; i <= count; i++)
        FOCUS[ranked[i]] = count <= 14 || i <= 10 || rung_of(ranked[i]) == 1 || is_peer(ranked[i])
    for (k = 0; k <= 1; k++)
        for (i = 1; i <= kernels; i++)
            if (KERNEL[i] in FOCUS && FOCUS[KERNEL[i]] == k) {
                SERIES[++series] = KERNEL[i]
                greys += 1 - k
            }
    choose_colours()
}

# Those with names get the first colours, so that few of them share one; the rest follows.
function choose_colours(    k, i, colour) {
    for (k = 1; k >= 0; k--)
        for (i = 1; i <= kernels; i++)
            if ((KERNEL[i] in FOCUS ? FOCUS[KERNEL[i]] : 0) == k)
                COLOUR[KERNEL[i]] = ++colour
}

# WANT_METRIC lists those that are drawn, with commas between them.
function metric_wanted(name) {
    return ENVIRON["WANT_METRIC"] == "" || index("," ENVIRON["WANT_METRIC"] ",", "," name ",")
}

# One configuration per kernel: the fastest, or without times the largest block and smallest unroll.
function better_to_show(r, old) {
    if (T[r] != "" && T[old] != "")
        return T[r] + 0 < T[old] + 0
    if (T[r] != "" || T[old] != "")
        return T[r] != ""
    return B[r] + 0 > B[old] + 0 || (B[r] == B[old] && U[r] + 0 < U[old] + 0)
}

function has_metric(r,    j) {
    for (j = 1; j <= known_metrics; j++)
        if (metric(r, METRIC[j]) != "")
            return 1
    return 0
}

function write_metrics(    r, key, count, n, most, i, chosen) {
    for (r = 1; r <= rows; r++) {
        if (!IN[r] || !has_metric(r) || !wanted(N[r], "WANT_N"))
            continue
        key = K[r] SUBSEP N[r]
        if (!(key in chosen)) {
            chosen[key] = r
            count[N[r]]++
        } else if (better_to_show(r, chosen[key]))
            chosen[key] = r
    }
    for (n in count)
        if (count[n] > count[most] || (count[n] == count[most] && n + 0 > most + 0))
            most = n
    if (most == "")
        return left_out("metrics", rows ? "the run has no metrics" : why_no_times())
    layout_metrics(chosen, most)
}

# Bars lie, so that kernels' names can be read; the fullest panel decides how high all are.
# A picture has a largest height: where the panels of all metrics would pass it, the first ones are
# drawn (the CSV's order is the config's), and the heading says how many are not.
function layout_metrics(chosen, n,    i, j, shown, names, metrics, most, more, panel, line, high) {
    for (i = 1; i <= kernels; i++)
        if ((KERNEL[i], n) in chosen) {
            bar[++shown] = chosen[KERNEL[i], n]
            names[shown] = label_of(KERNEL[i]) "  " B[bar[shown]] (U[bar[shown]] + 0 > 1 ? " × " U[bar[shown]] : "")
            kernel_of[shown] = KERNEL[i]
            widest_bar = max(widest_bar, length(names[shown]))
        }
    for (j = 1; j <= known_metrics; j++) {
        high = 0
        panel = 0
        for (i = 1; i <= shown; i++)
            if (metric(bar[i], METRIC[j]) != "") {
                high = max(high, metric(bar[i], METRIC[j]) + 0)
                panel = 1
            }
        if (!panel || !metric_wanted(METRIC[j]))
            continue
        most = 3 * int(2500 / (20 * shown + 84))
        if (metrics >= most && metrics > 0) {
            more++
            continue
        }
        metrics++
        PANEL[metrics] = METRIC[j]
        PANEL_UNIT[metrics] = METRIC[j] in UNIT ? UNIT[METRIC[j]] : ""
        PANEL_HIGH[metrics] = high > 0 ? high : 1
        widest_panel = max(widest_panel, length(PANEL[metrics] " ()" PANEL_UNIT[metrics]))
        printf "%s", (metrics > 1 ? "\n\n" : "") > "metrics.dat"
        for (i = 1; i <= shown; i++)
            print i, or_nan(metric(bar[i], METRIC[j])), family_rgb(kernel_of[i]), metric(bar[i], METRIC[j]) + 0, \
                  metric(bar[i], METRIC[j]) == "" ? "none" : short_number(metric(bar[i], METRIC[j])) > "metrics.dat"
    }
    if (!metrics)
        return left_out("metrics", "the run has no metric " ENVIRON["WANT_METRIC"])
    print "metrics\tok" > "charts.txt"
    write_family_key("metrics", kernel_of, shown, canvas - 32)
    give("PANELS = " metrics "; BARS = " shown "; METRICS_N = " quote(size_name(n)), "run.gp")
    give("METRICS_MORE = " quote(more ? "; " more " more in the CSV" : ""), "run.gp")
    give("BAR_LABELS = " 7.6 * widest_bar + 20 "; PANEL_LABELS = " 7.6 * widest_panel + 20, "run.gp")
    write_array("run.gp", "BAR_NAME", names, shown, 1)
    write_array("run.gp", "PANEL", PANEL, metrics, 1)
    write_array("run.gp", "PANEL_UNIT", PANEL_UNIT, metrics, 1)
    write_array("run.gp", "PANEL_HIGH", PANEL_HIGH, metrics, 0)
}
