# Several runs laid over each other (read.awk has their rows): a series is a run, by the names in RUNS, a file of
# lines "name<TAB>when it began".
#
#   series.dat      a block per run: n, median, ci_lo, ci_hi, GB/s, percent of the run's ceiling
#   best.dat        n's place, run's place, colour, text: the winner of each run at each n
#   costs.dat       place of a, place of b, mean and largest loss of a's winners on b (percent)
#   history.dat     a block per n: run's place, time over the first run's, its interval
#
# What WANT_ asks for is as for one run; WANT_KERNEL is the kernel of history, and limits the others to it.

function take_end(    i) {
    read_runs()
    read_workloads()
    read_ladder()
    sort_names(KERNEL, kernels)
    sort_by_ladder(KERNEL, kernels)
    choose_slice()
    choose_scopes()
    printf "" > "charts.txt"
    give("DEVICE = " quote(all_devices()) "; TIMED_DEVICE = " quote(all_devices()) "; RUN = ''", "run.gp")
    give("CARD_CHANGES = ''", "run.gp") # within a run; here the runs are what differs
    give("SLICE = " quote(SLICE (scope != "" ? ", scope " scope : "")), "run.gp")
    write_canvas()
    find_winners()
    if (size_count)
        write_runs()
    else {
        why = SLICE == "" ? "no row has the requested type, operation, cache state and scope" : "the runs have no times"
        split("bandwidth share best costs history", charts, " ")
        for (i = 1; i <= 5; i++)
            left_out(charts[i], why)
    }
}

function read_runs(    line, parts) {
    while ((getline line < ENVIRON["RUNS"]) > 0) {
        split(line, parts, "\t")
        RUN_LABEL[++runs] = parts[1]
    }
}

function all_devices(    i, seen, text) {
    for (i = 1; i <= files; i++)
        if (!(DEVICE_OF[i] in seen)) {
            seen[DEVICE_OF[i]] = 1
            text = text (text == "" ? "" : "  ·  ") DEVICE_OF[i]
        }
    return text
}

# What is compared across runs: a point without its n.
function config_of(r) { return K[r] " " setting_of(r) " " SCOPE[r] }

# BEST[label, n]: the run's fastest row, as the charts of one run have it for a kernel; ROW_OF[config, n, file].
function find_winners(    r, key, sizes, i) {
    for (r = 1; r <= rows; r++) {
        if (!IN[r] || T[r] == "" || BACKEND[r] == "cpu")
            continue
        ROW_OF[config_of(r), N[r], FILE[r]] = r
        if (RACED[r])
            continue
        if (BW[r] + 0 > REACHED_BY[FILE[r]] + 0)
            REACHED_BY[FILE[r]] = BW[r] + 0
        if (!(N[r] in sizes)) {
            sizes[N[r]] = 1
            SIZE[++size_count] = N[r] + 0
        }
        if (!wanted(K[r], "WANT_KERNEL"))
            continue
        key = RUN_LABEL[FILE[r]] SUBSEP N[r]
        if (!(key in BEST) || T[r] + 0 < T[BEST[key]] + 0)
            BEST[key] = r
    }
    sort_numbers(SIZE, size_count)
    # The ceiling of a run is the most that any kernel reached in it, its own reading kernel included.
    for (i = 1; i <= files; i++)
        RUN_CEILING[i] = max(REACHED_BY[i], CEILING_OF[i])
}

function write_runs(    i, j, n, r, any) {
    for (i = 1; i <= files; i++) {
        any = 0
        for (j = 1; j <= size_count; j++)
            any = any || (RUN_LABEL[i], sprintf("%.0f", SIZE[j])) in BEST
        if (!any)
            continue
        SERIES[++series] = RUN_LABEL[i]
        FILE_OF[series] = i
        FOCUS[RUN_LABEL[i]] = 1
        COLOUR[RUN_LABEL[i]] = series
    }
    for (i = 1; i <= series; i++) {
        printf "%s", (i > 1 ? "\n\n" : "") > "series.dat"
        for (j = 1; j <= size_count; j++) {
            n = sprintf("%.0f", SIZE[j])
            if (!((SERIES[i], n) in BEST))
                continue
            r = BEST[SERIES[i], n]
            LAST[i] = r
            low_t = low_t == "" ? T[r] + 0 : min(low_t, T[r] + 0)
            high_t = max(high_t, T[r] + 0)
            fastest_bw = max(fastest_bw, BW[r] + 0)
            print N[r], T[r], or_nan(LO[r]), or_nan(HI[r]), or_nan(BW[r]), (BW[r] == "" ? "NaN" : 100 * BW[r] / RUN_CEILING[FILE[r]]) > "series.dat"
        }
    }
    if (series < 2)
        return no_runs("fewer than two runs have times in what is shown")
    common_peak()
    layout_series()
    give("SERIES_WHAT = " quote((ENVIRON["WANT_KERNEL"] == "" ? "the fastest kernel" : ENVIRON["WANT_KERNEL"]) " of each run and size"), "run.gp")
    if (size_count < 2) {
        left_out("bandwidth", "the runs have one n only")
        left_out("share", "the runs have one n only")
    } else if (fastest_bw <= 0) {
        left_out("bandwidth", "the runs have no bandwidths")
        left_out("share", "the runs have no bandwidths")
    } else {
        print "bandwidth\tok\nshare\tok" > "charts.txt"
        write_shares()
    }
    write_best()
    write_costs()
    write_history()
}

function no_runs(why,    i, charts) {
    split("bandwidth share best costs history", charts, " ")
    for (i = 1; i <= 5; i++)
        left_out(charts[i], why)
}

# A line for the datasheet's peak only where all runs have the same.
function common_peak(    i) {
    peak = PEAK_OF[FILE_OF[1]]
    for (i = 2; i <= series; i++)
        if (PEAK_OF[FILE_OF[i]] < peak * 0.999 || PEAK_OF[FILE_OF[i]] > peak * 1.001)
            peak = 0
}

function write_shares(    i, shares) {
    for (i = 1; i <= series; i++) {
        shares[i] = BW[LAST[i]] == "" ? "NaN" : 100 * BW[LAST[i]] / RUN_CEILING[FILE[LAST[i]]]
        WISH[i] = shares[i] == "NaN" ? 0 : shares[i] / 105
    }
    place_names("SHARE_PLACE", plot_height())
    write_array("run.gp", "SHARE_LAST", shares, series, 0)
}

# Winner by run: a row per run, a column per n; the colour is the kernel, the text its block and unroll.
function write_best(    i, j, n, r, colour, given, names, colours, marks, keys, widest, sizes, every, shown, labels) {
    for (i = 1; i <= series; i++)
        widest = max(widest, length(SERIES[i]))
    every = int(54 * size_count / max(canvas - 7.4 * widest - 36, 60)) + 1
    for (i = 1; i <= series; i++) {
        labels[i] = SERIES[i]
        shown = 0
        for (j = (size_count - 1) % every + 1; j <= size_count; j += every) {
            n = sprintf("%.0f", SIZE[j])
            sizes[++shown] = size_name(n)
            if (!((SERIES[i], n) in BEST))
                continue
            r = BEST[SERIES[i], n]
            if (!(K[r] in colour)) {
                colour[K[r]] = given < 7 ? rgb(++given) : rgb(0)
                names[++keys] = label_of(K[r])
                colours[keys] = colour[K[r]]
                marks[keys] = 5
            }
            print shown, i, colour[K[r]], B[r] (U[r] + 0 > 1 ? "×" U[r] : "") > "best.dat"
        }
    }
    print "best\tok" > "charts.txt"
    write_key("best", keys, names, colours, marks, canvas - 32)
    give("BEST_ROWS = " series "; BEST_COLUMNS = " shown "; BEST_LABELS = " 7.4 * widest + 20 "; BEST_EVERY = " every, "run.gp")
    write_array("run.gp", "BEST_RUN", labels, series, 1)
    write_array("run.gp", "BEST_N", sizes, shown, 1)
}

# What the winners of run a cost on run b: their time there over that of b's own winner, over all n that
# both have; of configurations that were measured in both.
function write_costs(    a, b, j, n, r, other, x, sum, most, count, any, widest, missing) {
    for (a = 1; a <= series; a++) {
        widest = max(widest, length(SERIES[a]))
        for (b = 1; b <= series; b++) {
            sum = most = count = 0
            for (j = 1; j <= size_count; j++) {
                n = sprintf("%.0f", SIZE[j])
                if (!((SERIES[a], n) in BEST) || !((SERIES[b], n) in BEST))
                    continue
                r = BEST[SERIES[a], n]
                if (!((config_of(r), n, FILE_OF[b]) in ROW_OF)) {
                    missing++
                    continue
                }
                other = ROW_OF[config_of(r), n, FILE_OF[b]]
                x = T[other] / T[BEST[SERIES[b], n]]
                sum += log(x)
                most = max(most, x - 1)
                count++
            }
            if (!count)
                continue
            any += a != b
            x = 100 * (exp(sum / count) - 1)
            print b, a, x, 100 * most, sprintf("%+.1f", x), sprintf("%+.0f", 100 * most) > "costs.dat"
            COSTS_HIGH = max(COSTS_HIGH, x)
        }
    }
    if (!any)
        return left_out("costs", "no winner of one run was measured in another")
    print "costs\tok" > "charts.txt"
    give("COSTS = " series "; COSTS_LABELS = " 7.4 * widest + 20 "; COSTS_HIGH = " COSTS_HIGH "; COSTS_MISSING = " missing + 0, "run.gp")
    write_array("run.gp", "COSTS_RUN", SERIES, series, 1)
}

# One kernel over the runs, in the order in which they were given: the setting that was fastest in the
# first run that has it, at up to six sizes.
function write_history(    kernel, i, j, n, r, base, first, lines, at, names, colours, marks, low, high, wide, points, step, widest, k) {
    kernel = ENVIRON["WANT_KERNEL"]
    for (j = size_count; j >= 1 && kernel == ""; j--)
        if ((SERIES[1], sprintf("%.0f", SIZE[j])) in BEST)
            kernel = K[BEST[SERIES[1], sprintf("%.0f", SIZE[j])]]
    step = size_count > 6 ? (size_count - 1) / 5 : 1
    low = high = 1
    for (k = 0; k < min(size_count, 6); k++) {
        j = int(1 + k * step + 0.5)
        n = sprintf("%.0f", SIZE[j])
        base = fastest_setting(kernel, n)
        if (base == "")
            continue
        printf "%s", (lines ? "\n\n" : "") > "history.dat"
        points = 0
        for (i = 1; i <= series; i++) {
            if (!((config_of(base), n, FILE_OF[i]) in ROW_OF))
                continue
            r = ROW_OF[config_of(base), n, FILE_OF[i]]
            print i, T[r] / T[base], (LO[r] + 0 > 0 ? LO[r] / T[base] : T[r] / T[base]), (HI[r] + 0 > 0 ? HI[r] / T[base] : T[r] / T[base]) > "history.dat"
            low = min(low, (LO[r] + 0 > 0 ? LO[r] : T[r]) / T[base])
            high = max(high, (HI[r] + 0 > 0 ? HI[r] : T[r]) / T[base])
            points++
        }
        wide = max(wide, points)
        lines++
        names[lines] = "n = " size_name(n) ", " setting_of(base)
        colours[lines] = ramp(k + 1, min(size_count, 6))
        marks[lines] = 7
    }
    if (wide < 2)
        return left_out("history", "fewer than two runs have the same setting of " kernel)
    print "history\tok" > "charts.txt"
    for (i = 1; i <= series; i++)
        widest = max(widest, length(SERIES[i]))
    write_key("history", lines, names, colours, marks, canvas - 32)
    low = min(low, 0.98); high = max(high, 1.02)
    give("HISTORY_RUNS = " series "; HISTORY_KERNEL = " quote(kernel) "; HISTORY_Y0 = " low - 0.08 * (high - low) "; HISTORY_Y1 = " high + 0.08 * (high - low) "; HISTORY_NAMES = " 7.4 * widest, "run.gp")
    write_array("run.gp", "HISTORY_RUN", SERIES, series, 1)
}

# The kernel's fastest row at n in the first run that has one.
function fastest_setting(kernel, n,    i, r, best) {
    for (i = 1; i <= series; i++) {
        best = ""
        for (r = 1; r <= rows; r++)
            if (IN[r] && FILE[r] == FILE_OF[i] && K[r] == kernel && N[r] == n && T[r] != "" && (best == "" || T[r] + 0 < T[best] + 0))
                best = r
        if (best != "")
            return best
    }
    return ""
}
