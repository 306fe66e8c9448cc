# Times in relation to the roofline.
#
#   roofline.dat  a point per kernel: operations per byte, G operations per second, colour
#
# FACTS names a file "name<TAB>value" of what the manifest says of the device.

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
