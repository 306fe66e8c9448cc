# The ladder: kernels in the order in which one idea follows another, at one block size, with what each
# step gained and the counter that changed most. LADDER names the file of the order and the families.
#
#   ladder.bars, ladder.dat, ladder.key   for bars.gp

function read_ladder(    line) {
    while ((getline line < ENVIRON["LADDER"]) > 0) {
        if (line ~ /^(#|folder )/ || line == "")
            continue
        if (line ~ /^family [0-8]: /) {
            FAMILY_NAME[++families] = substr(line, 11)
            FAMILY_COLOR[families] = substr(line, 8, 1)
        } else if (FAMILY_COLOR[families] != "0") { # those of color 0 stay behind the ladder
            RUNG_OF[line] = ++ladder_length
            FAMILY[line] = families
        }
    }
}

function rung_of(kernel) { return kernel in RUNG_OF ? RUNG_OF[kernel] : 1e6 }
function family_of(kernel) { return kernel in FAMILY ? FAMILY_NAME[FAMILY[kernel]] : "other kernels" }

# Colors of families: 1 to 6 as rgb() has them, then purple, and black for what others are measured by.
function family_rgb(kernel,    i) {
    i = kernel in FAMILY ? FAMILY_COLOR[FAMILY[kernel]] : 0
    return i == 7 ? 5911220 : i == 8 ? 0 : rgb(i)
}

# The names of the families of `list`, for a chart whose colours are families.
function write_family_key(chart, list, count, width,    i, names, colours, marks, seen, keys) {
    for (i = 1; i <= count; i++)
        if (family_of(list[i]) != "" && !(family_of(list[i]) in seen)) {
            seen[family_of(list[i])] = 1
            names[++keys] = family_of(list[i])
            colours[keys] = family_rgb(list[i])
            marks[keys] = 5
        }
    write_key(chart, keys + 0, names, colours, marks, width)
}

# Names that are in order already are moved to the ladder's; those outside it stay behind.
function sort_by_ladder(list, count,    i, j, x) {
    for (i = 2; i <= count; i++) {
        x = list[i]
        for (j = i; j > 1 && rung_of(list[j - 1]) > rung_of(x); j--)
            list[j] = list[j - 1]
        list[j] = x
    }
}

# What the ladder shows: the first of WANT_METRIC, else times, else the first count.
function ladder_value(r) { return measure == "time_us_median" ? T[r] : metric(r, measure) }

function on_ladder(r) {
    return IN[r] && BACKEND[r] != "cpu" && ladder_value(r) != "" && wanted(N[r], "WANT_N")
}

# The value of `axis` that most kernels have among the rows of the ladder; of these the largest.
function most_common(axis,    r, v, count, seen, most) {
    most = ""
    for (r = 1; r <= rows; r++) {
        v = value(r, axis)
        if (!on_ladder(r) || (axis != "n" && ladder_n != "" && N[r] != ladder_n) ||
            (axis != "n" && !((K[r], axis) in HAS_AXIS)) || (v, K[r]) in seen)
            continue
        seen[v, K[r]] = 1
        count[v]++
    }
    for (v in count)
        if (most == "" || count[v] > count[most] || (count[v] == count[most] && v + 0 > most + 0))
            most = v
    return most
}

function write_ladder(    i, r, block, unroll, key, best, rungs, list, factor, what, step) {
    measure = ENVIRON["WANT_METRIC"]
    sub(/,.*/, "", measure)
    if (measure == "")
        measure = series ? "time_us_median" : known_metrics ? METRIC[1] : "time_us_median"
    if (measure != "time_us_median" && !(measure in IS_METRIC))
        return left_out("ladder", "the run has no metric " measure)
    ladder_n = most_common("n")
    if (ladder_n == "")
        return left_out("ladder", series || measure != "time_us_median" ? "no row has the requested n" : why_no_times())
    block = most_common("block")
    unroll = ENVIRON["WANT_UNROLL"] == "all" ? "" : most_common("unroll")
    for (r = 1; r <= rows; r++) {
        if (!on_ladder(r) || N[r] != ladder_n || ((K[r], "block") in HAS_AXIS && B[r] != block) ||
            (unroll != "" && (K[r], "unroll") in HAS_AXIS && U[r] != unroll))
            continue
        key = K[r] SUBSEP U[r]
        if (!(key in best) || ladder_value(r) + 0 < ladder_value(best[key]) + 0)
            best[key] = r
        factor[U[r]] = 1
    }
    for (i = 1; i <= kernels; i++)
        rungs = add_rungs(KERNEL[i], best, factor, list, rungs)
    if (rungs < 2)
        return left_out("ladder", "fewer than two kernels have a value at one block size")
    draw_ladder(list, rungs)
    what = measure == "time_us_median" ? "time, median (µs)" : measure (UNIT[measure] != "" ? " (" UNIT[measure] ")" : "")
    step = measure == "time_us_median" ? "speedup" : "ratio"
    write_bars("ladder", "The ladder at n = " size_name(ladder_n), SLICE_NAME ", " block " threads per block" \
               (unroll != "" ? ", unroll " unroll " where a kernel has it" : "") \
               "; " step " and what changed: against the line above" (all_timed ? "; line ends: 95 % interval" : ""), \
               what, rungs, "", step, "changed most")
}

# The rows of a kernel on the ladder, by unroll factor.
function add_rungs(kernel, best, factor, list, rungs,    u, sorted, count, i) {
    for (u in factor)
        sorted[++count] = u
    sort_numbers(sorted, count)
    for (i = 1; i <= count; i++)
        if ((kernel, sorted[i]) in best)
            list[++rungs] = best[kernel, sorted[i]]
    return rungs
}

function draw_ladder(list, rungs,    i, r, names, gain) {
    all_timed = measure == "time_us_median"
    for (i = 1; i <= rungs; i++) {
        r = list[i]
        names[i] = K[r]
        BAR_NAME[i] = label_of(K[r]) (U[r] + 0 > 1 ? "  unroll " U[r] : "")
        BAR_VALUE[i] = ladder_value(r) + 0
        BAR_RGB[i] = family_rgb(K[r])
        BAR_TEXT[i] = short_number(BAR_VALUE[i])
        if (measure == "time_us_median" && LO[r] + 0 > 0) {
            BAR_FROM[i] = LO[r]
            BAR_TO[i] = HI[r]
        } else
            all_timed = 0
        if (i == 1)
            continue
        gain = BAR_VALUE[i] > 0 ? BAR_VALUE[i - 1] / BAR_VALUE[i] : 0
        BAR_GAIN[i] = gain > 0 ? sprintf(measure == "time_us_median" ? "%.2f ×" : "%.2f", measure == "time_us_median" ? gain : 1 / gain) : ""
        BAR_WHY[i] = changed_most(list[i - 1], r, gain)
    }
    write_family_key("ladder", names, rungs, canvas - 32)
}

# The counter that changed most between two rungs; of times, in the direction in which they did: fewer of what
# costs, more of what is a share. What is derived from time explains nothing and is left out. Where no counter
# changed by 5 %, or half as much as the value (on logarithms), the instructions of all warps (per warp times
# warps) are asked, then the grid's blocks.
function changed_most(a, b, gain,    j, found, best, change, side, enough) {
    side = measure != "time_us_median" ? 0 : gain >= 1 ? 1 : -1
    best = log(1.05)
    enough = max(best, gain > 0 ? abs(log(gain)) / 2 : 0)
    for (j = 1; j <= known_metrics; j++) {
        if (METRIC[j] == measure || UNIT[METRIC[j]] ~ /\/s$|^us$|^W$|^MHz$/ || METRIC[j] ~ /throughput|_us$/)
            continue
        change = toward(side, improvement(METRIC[j], metric(a, METRIC[j]), metric(b, METRIC[j])))
        if (change > best) {
            best = change
            found = change_text(METRIC[j], metric(a, METRIC[j]), metric(b, METRIC[j]))
        }
    }
    if (best < enough || found == "") {
        change = toward(side, improvement("instructions", instructions(a), instructions(b)))
        if (change > best && measure != "inst_per_warp") {
            best = change
            found = change_text("instructions of all warps", instructions(a), instructions(b))
        }
        if (best < enough && toward(side, improvement("grid", GRID[a], GRID[b])) > best)
            found = change_text("blocks of the grid", GRID[a], GRID[b])
    }
    return found == "" ? "no counter by 5 %" : found
}

function abs(x) { return x < 0 ? -x : x }

# How far a change goes up (side 1), down (-1), or either way (0).
function toward(side, change) { return side == 0 ? abs(change) : side * change }

function instructions(r) {
    return metric(r, "inst_per_warp") == "" || GRID[r] == "" ? "" : metric(r, "inst_per_warp") * GRID[r] * int((B[r] + 31) / 32)
}

# The logarithm of how many times better b is than a; 0 where that is not known.
function improvement(name, a, b,    change) {
    if (a == "" || b == "" || a + 0 < 0 || b + 0 < 0 || a + b == 0)
        return 0
    change = a + 0 == 0 ? -20 : b + 0 == 0 ? 20 : log(a / b)
    return UNIT[name] == "%" || name ~ /efficiency|occupancy|hit_rate/ ? -change : change
}

function change_text(name, a, b) {
    if (a + 0 == 0 || b + 0 == 0)
        return name " " short_number(a) " → " short_number(b)
    return name (a / b >= 1 ? " ÷ " factor_text(a / b) : " × " factor_text(b / a))
}

function factor_text(x) { return x < 10 ? sprintf("%.2f", x) : short_number(sprintf("%.3g", x)) }
