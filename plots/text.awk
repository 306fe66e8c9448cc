# Charts in characters, for a terminal of 80 columns: bars, matrices, metrics and tunables. Reads run.gp and
# CHART.bars, where gnuplot's variables are text, and the chart's data. `script` is what draws it elsewhere.

BEGIN { FULL = "##############################" }

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
        rest = substr(rest, RLENGTH + 3)
        VALUE[substr(item, 1, index(item, " ") - 1)] = plain(substr(item, index(item, "=") + 2))
    }
}
END {
    print ""
    if (script == "bars.gp")
        bars()
    else if (script == "metrics.gp")
        metrics()
    else if (script == "tunables.gp")
        tunables()
    else if (script == "heatmap.gp")
        heatmap()
    else if (script == "shapes.gp")
        shapes()
    else
        matrix()
}

function plain(text) {
    gsub(/×/, "x", text) # one byte, so that columns are aligned
    gsub(/÷/, "/", text)
    gsub(/→/, "->", text)
    gsub(/²/, "^2", text)
    if (text ~ /^'/) {
        text = substr(text, 2, length(text) - 2)
        gsub(/''/, "'", text)
    }
    return powers(text)
}

# 2 to a power in plain digits, so that columns are aligned: 2^24.
function powers(text,    digits, i) {
    split("⁰ ¹ ^2 ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", digits, " ")
    while (match(text, /2(⁰|¹|\^2|³|⁴|⁵|⁶|⁷|⁸|⁹)+/)) {
        raised = substr(text, RSTART + 1, RLENGTH - 1)
        for (i = 1; i <= 10; i++)
            gsub(i == 3 ? "\\^2" : digits[i], i - 1, raised)
        text = substr(text, 1, RSTART) "~" raised substr(text, RSTART + RLENGTH)
    }
    gsub(/~/, "^", text)
    return text
}

# In lines of at most 79 characters, the further ones indented.
function wrapped(text,    words, count, i, line) {
    count = split(text, words, " ")
    for (i = 1; i <= count; i++)
        if (line != "" && length(line) + 1 + length(words[i]) > 79) {
            print line
            line = "  " words[i]
        } else
            line = line (line == "" ? "" : " ") words[i]
    print line
}

function bar(share) { return substr(FULL, 1, int(30 * share + 0.5)) }

# Bars, the last column of data is a text in quotes.
function bars(    line, parts, i, count, text, high) {
    wrapped(VALUE["HEADING"] " (" VALUE["BAR_AXIS"] "); " VALUE["SHOWN"])
    print "  " VALUE["TIMED_DEVICE"] "\n"
    while ((getline line < (chart ".dat")) > 0) {
        split(line, parts, " ")
        RATIO[++count] = parts[2]
        text = line
        sub(/^[^"]*"/, "", text)
        sub(/"$/, "", text)
        TEXT[count] = plain(text)
        sub(/  +\(.*/, "", TEXT[count])
        high = parts[2] + 0 > high ? parts[2] + 0 : high
    }
    for (i = 1; i <= count; i++) {
        line = sprintf("  %-34s %9s  %s", substr(LIST["BAR_NAME", i], 1, 34), TEXT[i], bar(RATIO[i] / high))
        print line
        if (LIST["BAR_WHY", i] != "" && VALUE["BAR_GAINS"] + 0 > 0)
            printf "      %s  %s\n", LIST["BAR_GAIN", i], LIST["BAR_WHY", i]
    }
}

# Values of a matrix, of at most 80 columns.
function cells(file, columns, rows, width, mark,    line, parts, i, j, cell, per, from, to, widest) {
    while ((getline line < file) > 0) {
        split(line, parts, " ")
        cell[parts[1], parts[2]] = parts[4 + (mark != "")] (mark != "" && parts[4] == 2 ? "*" : mark != "" && parts[4] == 1 ? "=" : "")
    }
    for (j = 1; j <= rows; j++)
        widest = length(LIST["DOWN", j]) > widest ? length(LIST["DOWN", j]) : widest
    widest = widest > 30 ? 30 : widest
    per = int((79 - widest - 4) / (width + 1))
    for (from = 1; from <= columns; from = to + 1) {
        to = from + per - 1 < columns ? from + per - 1 : columns
        for (j = 1; j <= rows; j++) {
            line = sprintf("  %-" widest "s |", substr(LIST["DOWN", j], 1, widest))
            for (i = from; i <= to; i++)
                line = line sprintf(" %" width "s", plain(cell[i, j]) (mark == "" && i == VALUE["BEST_I"] && j == VALUE["BEST_J"] ? "*" : ""))
            print line
        }
        line = sprintf("  %-" widest "s  ", "")
        for (i = from; i <= to; i++)
            line = line sprintf(" %" width "s", LIST["ACROSS", i])
        print line "\n"
    }
}

function heatmap(    i, j, rows) {
    wrapped("time, median (µs). " VALUE["HEAT_TITLE"] "; down: " VALUE["HEAT_Y"] ", across: " VALUE["HEAT_X"] "; " VALUE["SLICE"] "; * the fastest" VALUE["HEAT_REST"])
    print "  " VALUE["TIMED_DEVICE"] "\n"
    for (i = 1; i <= VALUE["HEAT_COLUMNS"] + 0; i++) LIST["ACROSS", i] = LIST["HEAT_ACROSS", i]
    for (j = 1; j <= VALUE["HEAT_ROWS"] + 0; j++) LIST["DOWN", j] = LIST["HEAT_DOWN", j]
    cells("heat.dat", VALUE["HEAT_COLUMNS"] + 0, VALUE["HEAT_ROWS"] + 0, 7, "")
}

# A block of lines per panel: n (or rows) down, columns across.
function shapes(    line, parts, panel, value, i, j, p) {
    wrapped("Speed by shape: " (VALUE["SHAPE_SHARE"] + 0 ? "percent of the speed of a kernel that only reads the input and writes the results" : "GB/s") \
            "; down: " VALUE["SHAPE_Y"] ", across: columns" (VALUE["SHAPE_Y"] == "n" ? " (rows: n / columns)" : "") "; " VALUE["SHAPE_SLICE"] VALUE["SHAPE_MORE"])
    print "  " VALUE["TIMED_DEVICE"]
    panel = 1
    blank = 0
    while ((getline line < "shapes.dat") > 0) {
        if (line == "") {
            panel += ++blank % 2
            continue
        }
        split(line, parts, " ")
        value[panel, parts[1], parts[2]] = parts[4]
    }
    for (p = 1; p <= VALUE["SHAPES"] + 0; p++) {
        print "\n" LIST["SHAPE_TITLE", p]
        line = "      "
        for (i = 1; i <= VALUE["SHAPE_COLUMNS"] + 0; i++)
            line = line sprintf(" %5s", LIST["SHAPE_ACROSS", i])
        print line
        for (j = VALUE["SHAPE_ROWS"] + 0; j >= 1; j--) {
            line = sprintf("  %-4s", LIST["SHAPE_UP", j])
            for (i = 1; i <= VALUE["SHAPE_COLUMNS"] + 0; i++)
                line = line sprintf(" %5s", value[p, i, j])
            sub(/ +$/, "", line)
            print line
        }
    }
}

function matrix(    i, j, name) {
    name = chart == "winners" ? "WINNER" : "MATRIX"
    wrapped(VALUE["MATRIX_HEADING"] == "" ? "Winners by n, percent slower than the fastest; " VALUE["SLICE"] "; * the winner, = its interval overlaps the winner's" : VALUE["MATRIX_HEADING"] "; " VALUE["SLICE"])
    print "  " VALUE["TIMED_DEVICE"] "\n"
    for (i = 1; i <= VALUE["WINNER_SIZES"] + 0; i++) LIST["ACROSS", i] = LIST["WINNER_N", i]
    for (j = 1; j <= VALUE["WINNERS"] + 0; j++) LIST["DOWN", j] = LIST["WINNER", j]
    cells("winners.dat", VALUE["WINNER_SIZES"] + 0, VALUE["WINNERS"] + 0, 5, "*")
}

function tunables(    line, parts, count, i) {
    wrapped("What each tunable costs at n = " VALUE["TUNE_N"] ": time over the fastest of the kernel, of all configurations with a value; " VALUE["SLICE"])
    print "  " VALUE["TIMED_DEVICE"]
    while ((getline line < "tunables.dat") > 0) {
        count = split(line, parts, " ")
        if (parts[8] != shown) {
            shown = parts[8]
            for (i = 1; LIST["TUNE_NAME", i] != shown && i <= VALUE["TUNE_PANELS"] + 0; i++)
                ;
            if (i <= VALUE["TUNE_PANELS"] + 0)
                printf "\n%-18s %8s %8s %8s %8s %8s   explains %s\n", shown, "best", "quarter", "median", "quarter", "worst", LIST["TUNE_SHARE", i]
        }
        if (i <= VALUE["TUNE_PANELS"] + 0)
            printf "  %-16s %8.3f %8.3f %8.3f %8.3f %8.3f\n", LIST["TUNE_LABEL", parts[1]], parts[2], parts[3], parts[4], parts[5], parts[6]
    }
}

function metrics(    line, parts, panel, title) {
    wrapped("metrics at n = " VALUE["METRICS_N"] "; " VALUE["SLICE"])
    print "  " VALUE["DEVICE"]
    while ((getline line < "metrics.dat") > 0) {
        if (line == "")
            continue
        split(line, parts, " ")
        if (parts[1] == 1) {
            panel++
            title = LIST["PANEL", panel] (LIST["PANEL_UNIT", panel] == "" ? "" : " (" LIST["PANEL_UNIT", panel] ")")
            print "\n" title
        }
        printf "  %-36s %8s  %s\n", substr(LIST["BAR_NAME", parts[1]], 1, 36), parts[5], bar(parts[4] / LIST["PANEL_HIGH", panel])
    }
}
