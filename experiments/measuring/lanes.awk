# Reads the output of `redsweep diff --data` for an ordered pair of runs from lanes.sh, and prints a
# line per cache state: the card, the runs, the cache state; how many points have a p-value, a
# p-value below 0.05, and the verdict FAST or SLOW; the mean and largest deviation of the ratio from
# 1 in percent; and diff's exit code. Needs tests/data.awk.

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
