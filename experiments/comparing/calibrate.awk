# Prints the points of a gate (`redsweep gate --data`) for calibrate.sh. It needs tests/data.awk.
#
#   effects=1          a line "kernel,n,block,cache,time_us,effect_pct,error_pct" for each point; the error
#                      is the standard error, computed from the two confidence intervals
#   round=R counts=F   a line "R kernel n block count us more" for each kernel, n and block: `count` is from
#                      the file F, `us` is the mean time over the cache states, and `more` is the mean
#                      time that the planted loop adds

function stop(why) { print "calibrate.awk: " why >"/dev/stderr"; broken = 1; exit 2 }

function error_of(side) {
    return (cell("time_us_" side "_hi") - cell("time_us_" side "_lo")) / 2 / 1.96
}

BEGIN {
    if (effects)
        print "kernel,n,block,cache,time_us,effect_pct,error_pct"
    while (counts != "" && (getline line <counts) > 0) {
        split(line, part, " ")
        planted[part[1] " " part[2] " " part[3]] = part[4]
    }
}

data_row($0) {
    if (cell("time_us_a") == "" || cell("time_us_b") == "")
        next
    points++
    us = cell("time_us_a")
    more = cell("time_us_b") - us
    if (effects) {
        a = error_of("a")
        b = error_of("b")
        printf "%s,%s,%s,%s,%.3f,%.3f,%.3f\n", cell("kernel"), cell("n"), cell("block"), cell("cache"), us, \
            100 * more / us, 100 * sqrt(a * a + b * b) / us
        next
    }
    key = cell("kernel") " " cell("n") " " cell("block")
    if (!(key in made))
        keys[++key_count] = key
    made[key]++
    us_of[key] += us
    more_of[key] += more
}

END {
    if (broken)
        exit 2
    if (!points)
        stop("no point has times on both sides")
    for (i = 1; i <= key_count; i++) {
        key = keys[i]
        if (!(key in planted))
            stop("nothing was planted into " key)
        printf "%d %s %d %.4f %.4f\n", round, key, planted[key], us_of[key] / made[key], more_of[key] / made[key]
    }
}
