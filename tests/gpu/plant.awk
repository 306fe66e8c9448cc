# For plant.sh and calibrate.sh: how many rounds of the planted loop make each kernel PERCENT slower,
# as lines "kernel n block count".
#
#   with `rounds`: its lines are "round kernel n block count us more", what was planted, what the
#   kernel takes without it, and by how much more it took. A round of the loop costs the same in
#   every kernel, so one slope is fitted to all (least squares, each kernel, n and block with its own
#   level), and the level is that of the last two rounds.
#   without: a first guess, of 10 cycles a round at the clock of the run, from a run's results.csv,
#   with plots/csv.awk.
#
# Both sides of `more` are medians; cache states and other tunables were averaged.

function stop(why) { print why >"/dev/stderr"; broken = 1; exit 1 }

function cell(name) { return CELL[column[name]] }

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
    note(key)
    m = ++made[key]
    count[key, m] = $5
    us[key] = $6
    more[key, m] = $7
    next
}

csv_line($0) {
    if (!have_columns) {
        for (k = 1; k <= CELLS; k++)
            column[CELL[k]] = k
        have_columns = 1
    } else
        take_row()
}

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

function count_of(key, slope,    m, level, used) {
    for (m = made[key]; m > 0 && m > made[key] - 2; m--) {
        level += more[key, m] - slope * count[key, m]
        used++
    }
    return (us[key] * percent / 100 - level / used) / slope
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
        printf "%s %d\n", key, (wanted > 0 ? wanted + 0.5 : 0)
    }
    if (rounds)
        printf "a round of the loop: %.5f us\n", slope >"/dev/stderr"
}
