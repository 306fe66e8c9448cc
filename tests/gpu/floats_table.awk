# The table of float sums beside int32's at equal bytes, from the results.csv of configs/floats.json:
#
#   awk -f tests/gpu/floats_table.awk RUN/results.csv
#
# Times are medians in µs, the best configuration of each: of any kernel that gives the same sum in
# every run, and of onepass_vector, which does not. In parentheses what it takes more than int32.
BEGIN {
    FS = ","
    split("onepass_cluster_slots onepass_fixed onepass_poll onepass_slots onepass_packed", same, " ")
    for (k in same)
        repeats[same[k]] = 1
}

NR == 1 {
    for (k = 1; k <= NF; k++)
        column[$k] = k
    next
}

$column["status"] == "ok" && $column["time_us_median"] != "" {
    kernel = $column["kernel"]
    type = $column["type"]
    time = $column["time_us_median"] + 0
    bytes = $column["n"] * (type == "float64" ? 8 : 4)
    what = kernel in repeats ? "same" : ""
    if (kernel == "onepass_vector")
        what = "varies"
    if (kernel == "cub" || kernel == "sweep_read")
        what = kernel
    if (what == "")
        next
    key = bytes SUBSEP type SUBSEP what
    sizes[bytes] = 1
    if (!(key in best) || time < best[key]) {
        best[key] = time
        winner[key] = kernel
    }
    key = bytes SUBSEP type SUBSEP kernel # cub once more, which changes nothing
    if (!(key in best) || time < best[key])
        best[key] = time
}

function cell(bytes, type, what, more,    key, int32) {
    key = bytes SUBSEP type SUBSEP what
    int32 = bytes SUBSEP "int32" SUBSEP "same"
    if (!(key in best))
        return ""
    if (!more || !(int32 in best))
        return sprintf("%.2f", best[key])
    return sprintf("%.2f (%+.2f)", best[key], best[key] - best[int32])
}

function short(bytes, type,    key) {
    key = bytes SUBSEP type SUBSEP "same"
    return key in winner ? substr(winner[key], 9) : ""
}

END {
    print "| bytes | reading | int32 | float32 | by | varying | slots before | CUB | float64 | by | slots before | CUB |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (k = 10; k <= 30; k++) {
        bytes = 2 ^ k
        if (!(bytes in sizes))
            continue
        printf "| 2^%d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", k,
            cell(bytes, "int32", "sweep_read", 0), cell(bytes, "int32", "same", 0),
            cell(bytes, "float32", "same", 1), short(bytes, "float32"),
            cell(bytes, "float32", "varies", 1), cell(bytes, "float32", "onepass_slots", 1),
            cell(bytes, "float32", "cub", 0), cell(bytes, "float64", "same", 1),
            short(bytes, "float64"), cell(bytes, "float64", "onepass_slots", 1),
            cell(bytes, "float64", "cub", 0)
    }
}
