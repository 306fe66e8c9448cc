# The table of an A/A test from `redsweep diff --csv`. With plots/csv.awk.
#
# Counted per size and cache state: points with a p-value, those below 0.05, those that still differ
# at a false-discovery rate of 5 % (q), those that `redsweep diff` calls FAST or SLOW, and the median and largest distance of the ratio from 1.

function stop(why) { print "aa.awk: " why; broken = 1; exit 1 }

function number(name) { return CELL[column[name]] }

csv_line($0) {
    if (!CELLS)
        stop("line " NR " is no CSV")
    if (!have_columns) {
        for (i = 1; i <= CELLS; i++)
            column[CELL[i]] = i
        have_columns = 1
        next
    }
    if (number("p") == "")
        next
    group = number("n") " " number("cache")
    if (!(group in points))
        groups[++group_count] = group
    take(group)
    take("all " number("cache"))
    take("all")
}

function take(group,    ratio) {
    points[group]++
    below[group] += number("p") + 0 < 0.05
    judged[group] += number("verdict") == "FAST" || number("verdict") == "SLOW"
    discovered[group] += number("q") != "" && number("q") + 0 < 0.05
    ratio = number("ratio") - 1
    ratio = (ratio < 0 ? -ratio : ratio) * 100
    distance[group, points[group]] = ratio
    if (ratio > largest[group])
        largest[group] = ratio
}

function median(group,    i, j, count, value) {
    count = points[group]
    for (i = 2; i <= count; i++) {
        value = distance[group, i]
        for (j = i - 1; j >= 1 && distance[group, j] > value; j--)
            distance[group, j + 1] = distance[group, j]
        distance[group, j + 1] = value
    }
    return count % 2 ? distance[group, (count + 1) / 2] \
        : (distance[group, count / 2] + distance[group, count / 2 + 1]) / 2
}

function print_row(size, cache, group) {
    printf "| %s | %s | %d | %d | %.1f %% | %d | %d | %.2f %% | %.1f %% |\n", size, cache, points[group], \
        below[group], 100 * below[group] / points[group], discovered[group], judged[group], median(group), \
        largest[group]
}

END {
    if (broken)
        exit 1
    if (!points["all"])
        stop("no point was timed in both runs")
    print "| n | cache | points | p < 0.05 | share | at a false-discovery rate of 5 % | called FAST or SLOW | median distance | largest |"
    print "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= group_count; i++) {
        split(groups[i], part, " ")
        print_row(part[1], part[2], groups[i])
    }
    for (group in points)
        if (group ~ /^all ./)
            states[++state_count] = group
    # In the order of the table, whatever order awk keeps its arrays in.
    if (state_count == 2 && states[1] > states[2]) {
        group = states[1]
        states[1] = states[2]
        states[2] = group
    }
    for (i = 1; i <= state_count; i++)
        print_row("all", substr(states[i], 5), states[i])
    print_row("all", "", "all")
    share = 100 * below["all"] / points["all"]
    printf "%s: %.2f %% of %d points differ at the 5 %% level; at most 5 %% may\n", \
        share <= 5 ? "passed" : "FAILED", share, points["all"]
}
