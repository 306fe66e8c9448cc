# One ordered pair of runs of lanes.sh, from `redsweep diff --data`: a line per cache state with the
# card, the runs, the cache state, points with a p-value, points with one below 0.05, points called FAST
# or SLOW, the mean and largest distance of the ratio from 1 in percent, and diff's exit code. With
# tests/data.awk.

data_line($0) {
    if (!have_columns) {
        for (k = 1; k <= CELLS; k++)
            column[CELL[k]] = k
        have_columns = 1
        next
    }
    if (CELL[column["p"]] == "")
        next
    cache = CELL[column["cache"]]
    points[cache]++
    below[cache] += CELL[column["p"]] + 0 < 0.05
    called[cache] += CELL[column["verdict"]] ~ /^(FAST|SLOW)$/
    distance = (CELL[column["ratio"]] - 1) * 100
    if (distance < 0)
        distance = -distance
    sum[cache] += distance
    if (distance > largest[cache])
        largest[cache] = distance
}

END {
    if (!points["cold"] || !points["warm"]) {
        print "lanes.awk: there are no points to compare"
        exit 1
    }
    for (cache in points)
        print card, a, b, cache, points[cache], below[cache], called[cache], sum[cache] / points[cache], largest[cache] + 0, code
}
