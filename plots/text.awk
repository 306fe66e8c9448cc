# Charts in characters, for a terminal: heatmap, metrics and speedup. Reads run.gp, where gnuplot's
# variables are text, and the chart's data.

BEGIN { FULL = "########################################" }

# `array NAME[3] = ['a', 'b', 'c']` and `A = 1; B = 'x'`
/^array / {
    name = substr($2, 1, index($2, "[") - 1)
    list = $0
    sub(/^[^=]*= \[/, "", list)
    sub(/\]$/, "", list)
    count = split(list, items, ", ")
    for (i = 1; i <= count; i++)
        LIST[name, i] = plain(items[i])
    next
}
{
    rest = $0
    while (match(rest, /^[A-Z0-9_]+ = ('([^']|'')*'|[^;]*)/)) {
        item = substr(rest, 1, RLENGTH)
        VALUE[substr(item, 1, index(item, " ") - 1)] = plain(substr(item, index(item, "=") + 2))
        rest = substr(rest, RLENGTH + 3)
    }
}
END {
    print ""
    if (chart == "heatmap")
        heatmap()
    else if (chart == "speedup")
        speedup()
    else
        metrics()
}

function plain(text) {
    gsub(/×/, "x", text) # one byte, so that columns are aligned
    if (text ~ /^'/) {
        text = substr(text, 2, length(text) - 2)
        gsub(/''/, "'", text)
    }
    return text
}

function heatmap(    line, parts, i, j, cell) {
    while ((getline line < "heat.dat") > 0) {
        split(line, parts, " ")
        cell[parts[1], parts[2]] = parts[4]
    }
    print "time, median (µs), by block and unroll: " VALUE["HEAT_KERNEL"] ", n = " VALUE["HEAT_N"] ";   " \
          VALUE["TIMED_DEVICE"] "   " VALUE["SLICE"] ";   * the fastest\n"
    for (j = VALUE["HEAT_ROWS"] + 0; j >= 1; j--) {
        line = sprintf("  unroll %4s |", LIST["HEAT_UNROLL", j])
        for (i = 1; i <= VALUE["HEAT_COLUMNS"] + 0; i++)
            line = line sprintf(" %8s%s", cell[i, j], i == VALUE["BEST_I"] && j == VALUE["BEST_J"] ? "*" : " ")
        print line
    }
    line = "        block  "
    for (i = 1; i <= VALUE["HEAT_COLUMNS"] + 0; i++)
        line = line sprintf(" %8s ", LIST["HEAT_BLOCK", i])
    print line
}

# Bars begin at the minimum, since a logarithmic axis has no zero.
function speedup(    line, parts, i, rungs, low, high) {
    print "times as fast as neighbored at n = " VALUE["SPEEDUP_N"] ";   " VALUE["TIMED_DEVICE"] "   " VALUE["SLICE"] "\n"
    while ((getline line < "speedup.dat") > 0) {
        split(line, parts, " ")
        RATIO[++rungs] = parts[2]
        high = parts[2] > high ? parts[2] + 0 : high
    }
    for (i = rungs; i >= 1; i--)
        printf "  %-44s %8.2f  %s\n", LIST["RUNG", i], RATIO[i], substr(FULL, 1, int(40 * RATIO[i] / high + 0.5))
}

function metrics(    line, parts, panel, title) {
    print "metrics at n = " VALUE["METRICS_N"] ";   " VALUE["DEVICE"] "   " VALUE["SLICE"]
    while ((getline line < "metrics.dat") > 0) {
        if (line == "")
            continue
        split(line, parts, " ")
        if (parts[1] == 1) {
            panel++
            title = LIST["PANEL", panel] (LIST["PANEL_UNIT", panel] == "" ? "" : " (" LIST["PANEL_UNIT", panel] ")")
            print "\n" title
        }
        printf "  %-44s %8s  %s\n", LIST["BAR_NAME", parts[1]], parts[5], \
               substr(FULL, 1, int(40 * parts[4] / LIST["PANEL_HIGH", panel] + 0.5))
    }
}
