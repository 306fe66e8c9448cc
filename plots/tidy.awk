# From results.csv to the small tidy files that the charts draw.
#
# Written into the current folder:
#   run.gp       what every chart needs to know, as gnuplot variables
#   series.dat   a block per kernel: n, median, ci_lo, ci_hi, GB/s, of its fastest configuration per n
#   heat.dat     block, unroll, time of one kernel at one n
#   metrics.dat  a block per metric: a line per kernel
#   speedup.dat, sectors.dat, cache.dat, roofline.dat: see relations.awk
#   charts.txt   a line per chart: "name<TAB>ok" or "name<TAB>why it is left out"
#
# A run may have several types, operations and cache states: a chart shows one slice of them, by
# default the one with most points. The request comes as WANT_TYPE, WANT_OP, WANT_CACHE,
# WANT_SCOPE, WANT_KERNEL and WANT_N in the environment, and for an axis that only some runs have
# as WANT_ and its name in capitals; UNITS names a file "column<TAB>unit".

NR == 1 { sub(/^\357\273\277/, "") }
csv_line($0) { if (header) take_row(); else take_header() }
END {
    if (stopped)
        exit 1
    if (csv_damage() != "")
        stop(csv_damage())
    if (!header)
        stop("the file has no header")
    need("kernel type op n block unroll cache scope status time_us_median bandwidth_gbs peak_pct")
    sort_names(KERNEL, kernels)
    for (i = 1; i <= kernels; i++)
        COLOUR[KERNEL[i]] = i
    if (backend == "sim" && timed_backend == "cpu")
        forget_times()
    choose_slice()
    choose_scopes()
    printf "" > "charts.txt"
    write_run()
    write_series()
    write_heat()
    write_metrics()
    write_speedup()
    write_sectors()
    write_cache()
    write_roofline()
    if (unresolved)
        print unresolved > "unresolved.txt"
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
    }
}

# Columns may be missing in other people's files: then their cells are empty.
function need(list,    names, i, count, missing) {
    count = split(list, names, " ")
    for (i = 1; i <= count; i++)
        if (!(names[i] in COLUMN))
            missing = missing " " names[i]
    if (missing != "")
        stop("the file lacks the columns" missing)
}

function cell(name) {
    return name in COLUMN ? CELL[COLUMN[name]] : ""
}

# Only right results are shown. The last row may be torn: its writer was killed.
function take_row(    j) {
    if (odd_line)
        stop("line " odd_line ": this row has not the header's " columns " cells")
    if (CELLS != columns) {
        odd_line = NR
        return
    }
    if (cell("id") != "" && cell("id") in SEEN)
        stop("line " NR ": point " cell("id") " has two rows")
    SEEN[cell("id")]
    all_rows++
    if (!(cell("kernel") in COLOUR)) {
        KERNEL[++kernels] = cell("kernel")
        COLOUR[cell("kernel")] = 0
    }
    if (cell("status") != "ok" && cell("status") != "sampled")
        return
    rows++
    K[rows] = cell("kernel"); N[rows] = cell("n"); B[rows] = cell("block"); U[rows] = cell("unroll")
    TYPE[rows] = cell("type"); OP[rows] = cell("op")
    CACHE[rows] = cell("cache"); SCOPE[rows] = cell("scope")
    # Axes that only some runs have are between these two columns.
    for (j = COLUMN["scope"] + 1; j < COLUMN["status"]; j++) {
        FURTHER[rows] = FURTHER[rows] ", " NAME[j] " " CELL[j]
        if (!wanted(CELL[j], "WANT_" toupper(NAME[j])))
            UNWANTED[rows] = 1
    }
    T[rows] = cell("time_us_median")
    LO[rows] = cell("time_us_ci95_lo"); HI[rows] = cell("time_us_ci95_hi")
    BW[rows] = cell("bandwidth_gbs")
    # The row says that the clock hardly resolves its time (harness/record/record.h): its counts stay.
    if (T[rows] != "" && index(cell("reason"), "below the clock's resolution")) {
        unresolved++
        T[rows] = LO[rows] = HI[rows] = BW[rows] = ""
    }
    if (BW[rows] + 0 > 0 && cell("peak_pct") + 0 > 0)
        peak = BW[rows] / cell("peak_pct") * 100
    if (BW[rows] + 0 > 0 && cell("ceiling_pct") + 0 > 0)
        ceiling = BW[rows] / cell("ceiling_pct") * 100
    # The CPU's rows are in the same file as those of the run's device.
    if (backend == "" || backend == "cpu" || cell("backend") != "cpu") {
        device = cell("device")
        backend = cell("backend")
    }
    # Whose times they are: beside a simulator's counts they are the CPU's.
    if (T[rows] != "" && (timed_backend == "" || timed_backend == "cpu")) {
        timed_device = cell("device")
        timed_backend = cell("backend")
    }
    # Metrics are between these two columns.
    for (j = COLUMN["sampled_share"] + 1; j < COLUMN["result"]; j++)
        M[rows, j] = CELL[j]
}

function wanted(value, name) {
    return ENVIRON[name] == "" || ENVIRON[name] == value
}

function slice_of(r) {
    return TYPE[r] " " OP[r] (CACHE[r] == "" ? "" : ", " CACHE[r]) FURTHER[r]
}

# A simulator has no clock: the times in its run are the CPU's, which are no chart of its kernels.
function forget_times(    r) {
    for (r = 1; r <= rows; r++)
        T[r] = LO[r] = HI[r] = BW[r] = ""
    timed_backend = timed_device = ""
}

function choose_slice(    r, slice, count, weight, most) {
    for (r = 1; r <= rows; r++) {
        slice = slice_of(r)
        if (r in UNWANTED || !wanted(TYPE[r], "WANT_TYPE") || !wanted(OP[r], "WANT_OP") ||
            !wanted(CACHE[r], "WANT_CACHE") || !wanted(SCOPE[r], "WANT_SCOPE"))
            continue
        # A timed point weighs more than any number of points without a time.
        weight[slice] += T[r] != "" ? 1000000 : 1
        if (weight[slice] > most) {
            most = weight[slice]
            SLICE = slice
            SLICE_FURTHER = FURTHER[r]
        }
    }
    for (r = 1; r <= rows; r++) {
        slice = slice_of(r)
        IN[r] = slice == SLICE && wanted(SCOPE[r], "WANT_SCOPE")
        if (slice != SLICE && !(slice in OTHER)) {
            OTHER[slice] = 1
            others = others (others == "" ? "" : "; ") slice
        }
    }
    if (others != "")
        print others > "others.txt"
}

# A kernel that leaves one scalar has only the scope `complete`; it is shown beside kernels of the
# scope that most kernels have, and its label says so.
function choose_scopes(    r, key, seen, count) {
    for (r = 1; r <= rows; r++)
        if (IN[r] && !((K[r], SCOPE[r]) in seen)) {
            seen[K[r], SCOPE[r]] = 1
            count[SCOPE[r]]++
        }
    scope = count["complete"] > count["kernel"] ? "complete" : "kernel"
    for (r = 1; r <= rows; r++)
        if (IN[r] && SCOPE[r] != scope) {
            if ((K[r], scope) in seen)
                IN[r] = 0
            else {
                LABEL[K[r]] = K[r] " (" SCOPE[r] ")"
                OTHER_SCOPE[K[r]] = SCOPE[r]
            }
        }
}

function label_of(kernel) {
    return kernel in LABEL ? LABEL[kernel] : kernel
}

function left_out(chart, why) {
    print chart "\t" why >> "charts.txt"
}

function named(name, kind) {
    return name (kind != "" ? " (" kind ")" : "")
}

function write_run(    title) {
    title = SLICE
    if (scope != "")
        title = title ", scope " scope
    print "DEVICE = " quote(named(device, backend)) > "run.gp"
    print "TIMED_DEVICE = " quote(timed_device == "" ? named(device, backend) : named(timed_device, timed_backend)) > "run.gp"
    print "SLICE = " quote(title) > "run.gp"
    print "RUN = " quote(ENVIRON["RUN_NAME"]) > "run.gp"
}

function why_no_times() {
    if (!all_rows)
        return "the run has no rows"
    if (!rows)
        return "no row has the status ok"
    if (SLICE == "")
        return "no row has the requested type, operation, cache state and scope"
    if (unresolved)
        return "the run has no times above the clock's resolution"
    return "the run has no times" (backend == "sim" ? " (the simulator counts, it does not time)" : "")
}

# The fastest configuration of every kernel at every n.
function write_series(    r, i, j, at, sizes, key) {
    for (r = 1; r <= rows; r++) {
        if (!IN[r] || T[r] == "")
            continue
        key = K[r] SUBSEP N[r]
        if (!(key in BEST) || T[r] + 0 < T[BEST[key]] + 0)
            BEST[key] = r
        if (!(N[r] in sizes)) {
            sizes[N[r]] = 1
            SIZE[++size_count] = N[r] + 0
        }
    }
    sort_numbers(SIZE, size_count)
    order_series()
    for (i = 1; i <= series; i++) {
        printf "%s", (i > 1 ? "\n\n" : "") > "series.dat"
        for (j = 1; j <= size_count; j++) {
            at = SERIES[i] SUBSEP sprintf("%.0f", SIZE[j])
            if (!(at in BEST))
                continue
            r = BEST[at]
            LAST[i] = r
            note_range(r)
            print N[r], T[r], or_nan(LO[r]), or_nan(HI[r]), or_nan(BW[r]) > "series.dat"
        }
    }
    if (!series) {
        left_out("time", why_no_times())
        left_out("bandwidth", why_no_times())
        return
    }
    print "time\tok" > "charts.txt"
    if (fastest_bw > 0)
        print "bandwidth\tok" > "charts.txt"
    else
        left_out("bandwidth", "the run has no bandwidths")
    layout_series()
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
        FOCUS[ranked[i]] = count <= 14 || i <= 10 || ranked[i] == "neighbored" || ranked[i] ~ /^cub/
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

function note_range(r) {
    low_t = low_t == "" ? T[r] + 0 : min(min(low_t, T[r] + 0), LO[r] == "" ? T[r] + 0 : LO[r] + 0)
    high_t = max(max(high_t, T[r] + 0), HI[r] + 0)
    fastest_bw = max(fastest_bw, BW[r] + 0)
}

# The kernel (and n) with most combinations of block and unroll; of these the largest n.
function write_heat(    r, key, cells, seen, best, most, parts, at, count) {
    for (r = 1; r <= rows; r++) {
        if (!IN[r] || T[r] == "" || !wanted(K[r], "WANT_KERNEL") || !wanted(N[r], "WANT_N"))
            continue
        key = K[r] SUBSEP N[r]
        at = key SUBSEP B[r] SUBSEP U[r]
        if (!(at in seen)) {
            seen[at] = r
            cells[key]++
        } else if (T[r] + 0 < T[seen[at]] + 0)
            seen[at] = r
    }
    for (key in cells) {
        split(key, parts, SUBSEP)
        # Ties are broken by n, then by time, then by name: awk's own order is arbitrary.
        count = sprintf("%09d %020.0f %020.6f %s", cells[key], parts[2], 1e12 - T[BEST[key]], parts[1])
        if (count > most) {
            most = count
            best = key
        }
    }
    if (best == "")
        return left_out("heatmap", ENVIRON["WANT_KERNEL"] ENVIRON["WANT_N"] == "" ? why_no_times() \
                        : "no timed row has the requested kernel and n")
    if (cells[best] < 2)
        return left_out("heatmap", "no kernel was timed with more than one block and unroll")
    print "heatmap\tok" > "charts.txt"
    layout_heat(best, seen)
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
    for (j = COLUMN["sampled_share"] + 1; j < COLUMN["result"]; j++)
        if (M[r, j] != "")
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
    print "metrics\tok" > "charts.txt"
    layout_metrics(chosen, most)
}
