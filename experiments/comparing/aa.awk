# Prints an ordered pair of runs in an A/A test as a line of numbers for aa_pairs.awk. Reads the
# output of `redsweep diff --data` and needs tests/data.awk. The line has the numbers and names of
# the runs; how many points have a p-value, a p-value below 0.05, the verdict FAST and the verdict
# SLOW; and the exit code. The last two numbers are passed in: how many lines `diff` shows
# (`shown`), and how many of them say "unknown" (`unknown`).
#
# If the file `sizes` is empty, writes a table of the pair to it, with a row for each size and cache
# state: the median ratio of the two times, and the ratio farthest from 1. Ratios are first divided
# by the factor that all of them share.

function stop(why) { print "aa.awk: " why; broken = 1; exit 1 }

data_row($0) {
    if (cell("p") == "")
        next
    group = cell("n") " " cell("cache")
    if (!(group in points))
        groups[++group_count] = group
    take(group)
    take("all " cell("cache"))
    take("all")
}

function take(group,    ratio) {
    points[group]++
    below[group] += cell("p") + 0 < 0.05
    fast[group] += cell("verdict") == "FAST"
    slow[group] += cell("verdict") == "SLOW"
    ratio = cell("ratio") - 1
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
    printf "| %s | %s | %d | %d | %.1f %% | %d | %.2f %% | %.1f %% |\n", size, cache, points[group], \
        below[group], 100 * below[group] / points[group], fast[group] + slow[group], median(group), \
        largest[group] >>sizes
}

function print_sizes(    i, part, group, states, state_count) {
    print "| n | cache | points | p < 0.05 | share | called FAST or SLOW | median distance | largest |" >>sizes
    print "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |" >>sizes
    for (i = 1; i <= group_count; i++) {
        split(groups[i], part, " ")
        print_row(part[1], part[2], groups[i])
    }
    for (group in points)
        if (group ~ /^all ./)
            states[++state_count] = group
    # In table order, because the order of awk's arrays is undefined.
    if (state_count == 2 && states[1] > states[2]) {
        group = states[1]
        states[1] = states[2]
        states[2] = group
    }
    for (i = 1; i <= state_count; i++)
        print_row("all", substr(states[i], 5), states[i])
    print_row("all", "", "all")
    print "" >>sizes
}

END {
    if (broken)
        exit 1
    if (!points["all"])
        stop("no point was timed in both runs")
    if ((getline line <sizes) <= 0)
        print_sizes()
    printf "%d\t%d\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", i, j, a, b, points["all"], below["all"], \
        fast["all"], slow["all"], code, shown, unknown
}
