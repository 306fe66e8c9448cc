# One ordered pair of runs of lanes.sh, from `redsweep diff --data`: a line per cache state with the
# card, the runs, the cache state, points with a p-value, points with one below 0.05, points called FAST
# or SLOW, the mean and largest distance of the ratio from 1 in percent, and diff's exit code. With
# tests/data.awk.

data_row($0) {
    if (cell("p") == "")
        next
    cache = cell("cache")
    points[cache]++
    below[cache] += cell("p") + 0 < 0.05
    called[cache] += cell("verdict") ~ /^(FAST|SLOW)$/
    distance = (cell("ratio") - 1) * 100
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
