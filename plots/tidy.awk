# From results.csv to the small tidy files that the charts of one run draw (read.awk has the rows).
#
# Written into the current folder:
#   run.gp       what every chart needs to know, as gnuplot variables
#   NAME.bars, NAME.dat   a chart of bars or dots, for bars.gp
#   NAME.key     names of colours, for key.gp
#   search: search.awk;
#   shapes: shapes.awk
#   charts.txt   a line per chart: "name<TAB>ok" or "name<TAB>why it is left out"
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
    write_shapes()
    write_search()
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
