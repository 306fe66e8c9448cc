# Reads the output of `redsweep show RUN --data`, checks it for cold_warm.sh and prints the table.
# Needs tests/data.awk and the variable l2=BYTES.
#
# A row is judged if its kernel reads each sector once: 32 bytes × gld_sectors
# (or gld_transactions, which is the same except on the chip kepler) = n ×
# size. The two cache states of a kernel at one size are printed in one line.

function stop(why) { print "cold_warm.awk: " why; broken = 1; exit 1 }

data_row($0) {
    sectors = cell("gld_sectors") != "" ? cell("gld_sectors") : cell("gld_transactions")
    bytes = cell("n") * (cell("type") ~ /64/ ? 8 : 4)
    if (cell("status") != "ok" || cell("dram_read_bytes") == "" || sectors * 32 != bytes)
        next
    judge(cell("cache"), bytes, cell("dram_read_bytes") + 0)
    if (cell("cache") == "cold" && cell("dram_write_bytes") != "")
        judge_writes(bytes, cell("dram_write_bytes") + 0)
}

function judge_writes(bytes, dram,    ok) {
    ok = dram < bytes * 0.01 + 16384
    judged++
    wrong += !ok
    written[key_of_row()] = sprintf("%.2f %%%s", 100 * dram / bytes, ok ? "" : " WRONG")
}

function key_of_row() {
    return cell("kernel") " " cell("type") " " cell("n") " " cell("block") " " cell("unroll")
}

function judge(cache, bytes, dram,    ok, key) {
    if (cache == "cold")
        ok = dram >= bytes * 0.998 - 16384 && dram <= bytes * 1.002 + 16384
    else if (cache == "warm" && bytes * 4 <= l2)
        ok = dram < bytes * 0.01 + 16384
    else
        ok = -1 # the input does not fit, so nothing is expected
    judged += ok >= 0
    wrong += ok == 0
    key = key_of_row()
    if (!(key in seen)) {
        seen[key] = 1
        keys[++key_count] = key
    }
    size[key] = bytes
    share[key, cache] = sprintf("%.2f %%%s", 100 * dram / bytes, ok == 0 ? " WRONG" : "")
    time[key, cache] = cell("time_us_median")
}

function rounded(us) { return us == "" ? "" : sprintf("%.2f", us) }

END {
    if (broken)
        exit 1
    if (!judged)
        stop("no row that reads each sector once, with its bytes from DRAM")
    print "| kernel | type | n | block | unroll | MB | from DRAM, cold | to DRAM, cold | from DRAM, warm | µs, cold | µs, warm |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= key_count; i++) {
        split(keys[i], part, " ")
        printf "| %s | %s | %s | %s | %s | %.3f | %s | %s | %s | %s | %s |\n", part[1], part[2], part[3], \
            part[4], part[5], size[keys[i]] / 1e6, share[keys[i], "cold"], written[keys[i]], share[keys[i], "warm"], \
            rounded(time[keys[i], "cold"]), rounded(time[keys[i], "warm"])
    }
    printf "%s: of %d counts %d are not what the cache state says (L2: %d bytes)\n", \
        wrong ? "FAILED" : "passed", judged, wrong, l2
}
