# Times in relation: to another kernel's, to sectors moved, to the cache state, to the roofline.
#
#   sectors.dat   a block per kernel: sectors moved, time, of each of its settings at one n
#   cache.dat     a block per kernel: n, time with a cold cache over time with a warm one
#   roofline.dat  a point per kernel: operations per byte, G operations per second, colour
#
# FACTS names a file "name<TAB>value" of what the manifest says of the device.

function square(x) { return x * x }

# The interval of slow / fast, from those of both medians, on logarithms (as `redsweep diff` does).
function ratio_end(slow, fast, side,    a, b) {
    if (LO[slow] + 0 <= 0 || LO[fast] + 0 <= 0)
        return ""
    a = side > 0 ? HI[slow] / T[slow] : T[slow] / LO[slow]
    b = side > 0 ? T[fast] / LO[fast] : HI[fast] / T[fast]
    return T[slow] / T[fast] * exp(side * sqrt(square(log(a)) + square(log(b))))
}

# What a row moved: what its loads and stores touched, which differs between kernels; else what
# reached the memory.
function choose_moved(    r) {
    for (r = 1; r <= rows; r++) {
        if (!IN[r])
            continue
        if (metric(r, "gld_transactions") != "")
            return metric(r, "gst_transactions") != "" ? "gld_transactions gst_transactions" : "gld_transactions"
        if (metric(r, "dram_read_transactions") != "")
            return "dram_read_transactions dram_write_transactions"
        if (metric(r, "dram_read_bytes") != "")
            return "dram_read_bytes dram_write_bytes"
    }
    return ""
}

function moved(r, names,    parts, i, count, sum) {
    count = split(names, parts, " ")
    if (metric(r, parts[1]) == "")
        return ""
    for (i = 1; i <= count; i++)
        sum += metric(r, parts[i])
    return sum
}

# The n at which most settings have a time and a count; of these the largest.
function write_sectors(    r, names, count, n, most, i, x, lowest, x0, x1, y0, y1, bulk, copies) {
    if (!series)
        return left_out("sectors", why_no_times())
    names = choose_moved()
    if (names == "")
        return left_out("sectors", "the run counts no sectors (gld_transactions, dram_read_transactions)")
    for (r = 1; r <= rows; r++)
        if (IN[r] && T[r] != "" && moved(r, names) + 0 > 0 && wanted(N[r], "WANT_N"))
            count[N[r]]++
    for (n in count)
        if (most == "" || n + 0 > most + 0)
            most = n
    if (most == "")
        return left_out("sectors", "no row has both a time and a count of sectors")
    for (i = 1; i <= series; i++) {
        printf "%s", (i > 1 ? "\n\n" : "") > "sectors.dat"
        lowest = ""
        for (r = 1; r <= rows; r++) {
            if (!IN[r] || T[r] == "" || N[r] != most || K[r] != SERIES[i])
                continue
            x = moved(r, names)
            if (x + 0 <= 0)
                continue
            # Fewer sectors than a hundredth of the input's: most of it came as bulk copies, which
            # are no loads.
            if (names ~ /^gld/ && x < N[r] * element_bytes(TYPE[r]) / 32 / 100) {
                bulk[SERIES[i]] = 1
                continue
            }
            print x, T[r] > "sectors.dat"
            x0 = x0 == "" ? x : min(x0, x); x1 = max(x1, x)
            y0 = y0 == "" ? T[r] + 0 : min(y0, T[r] + 0); y1 = max(y1, T[r] + 0)
            if (lowest == "" || T[r] + 0 < T[lowest] + 0)
                lowest = r
        }
        if (lowest == "")
            print "NaN NaN" > "sectors.dat"
        SX[i] = lowest == "" ? "NaN" : moved(lowest, names)
        SY[i] = lowest == "" ? "NaN" : T[lowest]
    }
    if (x0 == "")
        return left_out("sectors", "the inputs are read by bulk copies, which are not loads")
    for (i = 1; i <= series; i++)
        if (SERIES[i] in bulk)
            copies = copies (copies == "" ? "not shown, as bulk copies are not loads: " : ", ") SERIES[i]
    give("COPIES = " quote(copies), "run.gp")
    print "sectors\tok" > "charts.txt"
    layout_sectors(most, names, x0, x1, y0, y1)
}

function layout_sectors(n, names, x0, x1, y0, y1,    i, about) {
    about = names ~ /^dram/ ? (names ~ /bytes/ ? "bytes read from and written to DRAM" : "32-byte sectors read from and written to DRAM") \
            : "32-byte sectors that global " (names ~ /gst/ ? "loads and stores" : "loads") " touch"
    x0 /= 1.3; x1 *= 1.3; y0 /= 1.2; y1 *= 1.2
    give("SECTORS_N = " quote(size_name(n)) "; MOVED = " quote(about), "run.gp")
    give("S_X0 = " x0 "; S_X1 = " x1 "; S_Y0 = " y0 "; S_Y1 = " y1, "run.gp")
    for (i = 1; i <= series; i++)
        WISH[i] = SY[i] == "NaN" ? 0 : (log(SY[i]) - log(y0)) / (log(y1) - log(y0))
    place_names("S_PLACE", plot_height())
    write_array("run.gp", "S_LAST_X", SX, series, 0)
    write_array("run.gp", "S_LAST", SY, series, 0)
}

# The fastest setting of each kernel and n in each state of the cache, whatever the slice's state.
function write_cache(    r, slice, parts, fastest, states, i, j, n, cold, warm, ratio, low, high, any, first, last) {
    if (!series)
        return left_out("cache", why_no_times())
    split(SLICE, parts, ",")
    for (r = 1; r <= rows; r++) {
        if (T[r] == "" || TYPE[r] " " OP[r] != parts[1] || FURTHER[r] != SLICE_FURTHER || !wanted(SCOPE[r], "WANT_SCOPE"))
            continue
        states[CACHE[r]] = 1
        # A kernel of several scopes is compared within one.
        slice = K[r] SUBSEP N[r] SUBSEP CACHE[r]
        if (SCOPE[r] != (K[r] in LABEL ? OTHER_SCOPE[K[r]] : scope))
            continue
        if (!(slice in fastest) || T[r] + 0 < T[fastest[slice]] + 0)
            fastest[slice] = r
    }
    if (!("cold" in states) || !("warm" in states))
        return left_out("cache", "the run has times of one state of the cache only")
    low = high = 1
    for (i = 1; i <= series; i++) {
        printf "%s", (i > 1 ? "\n\n" : "") > "cache.dat"
        CX[i] = CY[i] = "NaN"
        for (j = 1; j <= size_count; j++) {
            n = sprintf("%.0f", SIZE[j])
            cold = fastest[SERIES[i], n, "cold"]; warm = fastest[SERIES[i], n, "warm"]
            if (cold == "" || warm == "")
                continue
            ratio = T[cold] / T[warm]
            if (!any++)
                first = SIZE[j]
            first = min(first, SIZE[j]); last = max(last, SIZE[j])
            low = min(low, ratio); high = max(high, ratio)
            CX[i] = n; CY[i] = ratio
            print n, ratio, or_nan(ratio_end(cold, warm, -1)), or_nan(ratio_end(cold, warm, 1)) > "cache.dat"
        }
        if (CX[i] == "NaN")
            print "NaN NaN NaN NaN" > "cache.dat"
    }
    if (!any)
        return left_out("cache", "no kernel has times of both states of the cache at one n")
    if (first == last)
        return cache_of_one_size(fastest, sprintf("%.0f", first))
    print "cache\tok" > "charts.txt"
    high = 1 + 1.15 * (high - 1) + 0.05
    low = low < 1 ? 1 - 1.15 * (1 - low) : 0.9
    give("C0 = " low "; C1 = " high, "run.gp")
    first = 2 ^ int(log2(first) + 1e-9)
    give("C_X0 = " (last > first ? first : first / 2) "; C_X1 = " (last > first ? last : first * 2), "run.gp")
    for (i = 1; i <= series; i++)
        WISH[i] = CY[i] == "NaN" ? 0 : (CY[i] - low) / (high - low)
    place_names("C_PLACE", plot_height())
    write_array("run.gp", "C_LAST_X", CX, series, 0)
    write_array("run.gp", "C_LAST", CY, series, 0)
}

function cache_of_one_size(fastest, n,    i, bars, cold, warm, names) {
    for (i = 1; i <= kernels; i++) {
        cold = fastest[KERNEL[i], n, "cold"]; warm = fastest[KERNEL[i], n, "warm"]
        if (cold == "" || warm == "")
            continue
        names[++bars] = KERNEL[i]
        BAR_NAME[bars] = label_of(KERNEL[i])
        BAR_VALUE[bars] = T[cold] / T[warm]
        BAR_FROM[bars] = ratio_end(cold, warm, -1); BAR_TO[bars] = ratio_end(cold, warm, 1)
        BAR_RGB[bars] = family_rgb(KERNEL[i])
        BAR_TEXT[bars] = sprintf("%.3g", BAR_VALUE[bars])
    }
    write_bars("cache", "Cold vs. warm cache at n = " size_name(n), substr(SLICE, 1, index(SLICE ",", ",") - 1) \
               "; the fastest setting of each kernel and state", "time, cold / warm", bars, 1)
    write_family_key("cache", names, bars, canvas - 32)
}

# Additions that a multiprocessor starts each clock, by compute capability: CUDA C++ Programming Guide,
# "Throughput of Native Arithmetic Instructions". An addition of 64-bit integers is two of 32 bits. Other
# types have roofs of their own, which are not drawn.
function lanes(type, capability,    cc) {
    cc = capability + 0
    if (cc <= 0)
        return ""
    if (type == "float32")
        return cc < 5 ? 192 : cc < 6 ? 128 : cc < 6.05 ? 64 : cc < 7 ? 128 : cc < 8.55 ? 64 : 128
    if (type ~ /^u?int(32|64)$/)
        return (cc < 5 ? 160 : cc < 6 ? 128 : cc < 6.05 ? 64 : cc < 7 ? 128 : cc < 12 ? 64 : 128) / (type ~ /64$/ ? 2 : 1)
    if (type == "float64")
        return cc < 3.45 ? 8 : cc < 5 ? 64 : cc < 6 ? 4 : cc < 6.05 ? 32 : cc < 7 ? 4 : cc < 7.45 ? 32 : cc < 8 ? 2 : cc < 8.55 ? 32 : cc < 9 ? 2 : cc < 12 ? 64 : 2
    return ""
}

# From the type's name: its bits are its end, as in float16.
function element_bytes(type,    bits) {
    bits = match(type, /[0-9]+$/) ? substr(type, RSTART) : 32
    return bits / 8
}

function read_facts(    line, parts) {
    while ((getline line < ENVIRON["FACTS"]) > 0) {
        split(line, parts, "\t")
        FACT[parts[1]] = parts[2]
    }
}

# The fastest setting of each kernel at one n. Without a count of DRAM's bytes each kernel is taken to
# move as little as possible, so that none overlap.
function write_roofline(    n, i, r, bytes, counted, x, y, x0, x1, y0, y1, type, roof, j, reached) {
    if (!series)
        return left_out("roofline", why_no_times())
    if (peak + 0 <= 0)
        return left_out("roofline", "the device's peak bandwidth is not known")
    for (j = size_count; j >= 1 && n == ""; j--)
        if (wanted(sprintf("%.0f", SIZE[j]), "WANT_N"))
            n = sprintf("%.0f", SIZE[j])
    for (i = 1; i <= series; i++) {
        RX[i] = RY[i] = "NaN"
        if (!((SERIES[i], n) in BEST))
            continue
        r = BEST[SERIES[i], n]
        type = TYPE[r]
        bytes = n * element_bytes(type)
        if (metric(r, "dram_read_bytes") + 0 > 0) {
            bytes = metric(r, "dram_read_bytes") + metric(r, "dram_write_bytes"); counted = 1
        } else if (metric(r, "dram_read_transactions") + 0 > 0) {
            bytes = 32 * (metric(r, "dram_read_transactions") + metric(r, "dram_write_transactions")); counted = 1
        }
        x = (n - 1) / bytes
        y = (n - 1) / T[r] / 1e3
        RX[i] = x; RY[i] = y
        x0 = x0 == "" ? x : min(x0, x); x1 = max(x1, x)
        y0 = y0 == "" ? y : min(y0, y); y1 = max(y1, y)
        if (K[r] !~ /^cpu/)
            reached = max(reached, y / x)
    }
    # The fastest that any kernel moved bytes: by its count, or the limit of reading at this n.
    if (n in LIMIT && !counted)
        reached = max(reached, BW[LIMIT[n]])
    if (n == "" || y0 == "")
        return left_out("roofline", "no kernel has a time at the requested n")
    roof = lanes(type, FACT["compute_capability"]) * FACT["multiprocessors"] * FACT["sm_clock_khz"] / 1e6
    print "roofline\tok" > "charts.txt"
    give("ROOF_N = " quote(size_name(n)) "; ROOF = " roof "; ROOF_COUNTED = " counted + 0 "; REACHED = " reached + 0, "run.gp")
    give("ROOF_OF = " quote(type), "run.gp")
    x0 = min(x0 / 2, 0.02); x1 = max(x1 * 2, roof > 0 ? 4 * roof / peak : 2)
    y1 = max(y1, roof > 0 ? roof : peak * x1) * 1.5
    y0 /= 2
    give("F_X0 = " x0 "; F_X1 = " x1 "; F_Y0 = " y0 "; F_Y1 = " y1, "run.gp")
    for (i = 1; i <= series; i++)
        WISH[i] = RY[i] == "NaN" ? 0 : (log(RY[i]) - log(y0)) / (log(y1) - log(y0))
    place_names("F_PLACE", plot_height())
    write_array("run.gp", "F_LAST_X", RX, series, 0)
    write_array("run.gp", "F_LAST", RY, series, 0)
}
