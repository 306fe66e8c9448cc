# Computes how many iterations of the planted loop make each kernel PERCENT slower, for plant.sh and
# calibrate.sh. Prints lines of the form "kernel n block count".
#
# With `rounds`, it reads the results of calibrate.sh's rounds, in lines of the form "round kernel n
# block count us more": `count` is the number of planted iterations, `us` is how long the kernel
# takes without the loop, and `more` is how much the loop adds. An iteration takes the same time in
# every kernel, so one slope is fitted to all of them (by least squares; each combination of kernel,
# n and block has its own level).
#
# Without `rounds`, it reads `redsweep show RUN --data -`, with tests/data.awk, and makes a first
# guess of 10 cycles per iteration at the run's clock frequency.
#
# `more` is the difference of two medians, which were averaged over cache states and other tunables.

function stop(why) { print why >"/dev/stderr"; broken = 1; exit 1 }

function take_row(    key) {
    if (cell("status") != "ok" || cell("time_us_median") == "")
        return
    key = cell("kernel") " " cell("n") " " cell("block")
    note(key)
    sum_us[key] += cell("time_us_median")
    rows[key]++
    if (cell("sm_clock_mhz") != "") {
        mhz += cell("sm_clock_mhz")
        clocked++
    }
}

function note(key) {
    if (!(key in seen)) {
        seen[key] = 1
        keys[++key_count] = key
    }
}

rounds {
    key = $2 " " $3 " " $4
    kernel_of[key] = $2
    note(key)
    m = ++made[key]
    count[key, m] = $5
    us[key] = $6
    more[key, m] = $7
    next
}

data_row($0) { take_row() }

function fit_slope(    i, m, key, c, d, top, bottom) {
    for (i = 1; i <= key_count; i++) {
        key = keys[i]
        c = d = 0
        for (m = 1; m <= made[key]; m++) {
            c += count[key, m] / made[key]
            d += more[key, m] / made[key]
        }
        for (m = 1; m <= made[key]; m++) {
            top += (count[key, m] - c) * (more[key, m] - d)
            bottom += (count[key, m] - c) ^ 2
        }
    }
    return bottom > 0 && top > 0 ? top / bottom : 10 / 1755
}

# The planted code costs time even without iterations. This time is a mean over the last two rounds
# of all of the kernel's cases that take about as long (within 15 %). A single case's time is known
# only to a clock step, which is 0.7 % of a small kernel's time.
function count_of(key, slope,    i, other, m, level, used) {
    for (i = 1; i <= key_count; i++) {
        other = keys[i]
        if (kernel_of[other] != kernel_of[key] || us[other] > 1.15 * us[key] || us[key] > 1.15 * us[other])
            continue
        for (m = made[other]; m > 0 && m > made[other] - 2; m--) {
            level += more[other, m] - slope * count[other, m]
            used++
        }
    }
    return (us[key] * percent / 100 - level / used) / slope
}

# Rounds a count to a multiple of four iterations or, if it is large, by at most a 16th. Neighboring
# sizes and blocks with equal counts then become one case of the planted expression. With more
# cases, evaluating the expression would take up to 0.15 us (3 % of a small kernel's time).
function rounded(count,    unit) {
    for (unit = 4; count / unit > 16; unit *= 2)
        ;
    return count > 0 ? unit * int(count / unit + 0.5) : 0
}

END {
    if (broken)
        exit 1
    if (key_count == 0)
        stop("plant: there are no times to plant by")
    slope = rounds ? fit_slope() : 10 / (clocked ? mhz / clocked : 1755)
    for (i = 1; i <= key_count; i++) {
        key = keys[i]
        wanted = rounds ? count_of(key, slope) : sum_us[key] / rows[key] * percent / 100 / slope
        printf "%s %d\n", key, rounded(wanted)
    }
    if (rounds)
        printf "a round of the loop: %.5f us\n", slope >"/dev/stderr"
}
