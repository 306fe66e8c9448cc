# For plant.sh, with plots/csv.awk: A and B of A + B * n cycles, which are `percent` of what the
# kernel takes, from the medians of a run's rows (all blocks and cache states) by least squares of
# relative errors: weights 1 / time^2.

function stop(why) { print why; broken = 1; exit 1 }

function cell(name) { return CELL[column[name]] }

csv_line($0) {
    if (!have_columns) {
        for (k = 1; k <= CELLS; k++)
            column[CELL[k]] = k
        have_columns = 1
        next
    }
    if (cell("kernel") != kernel || cell("status") != "ok" || cell("time_us_median") == "")
        next
    take(cell("n"), cell("time_us_median"))
    if (cell("sm_clock_mhz") != "") {
        mhz += cell("sm_clock_mhz")
        clocked++
    }
}

function take(n, t,    w) {
    w = 1 / (t * t)
    rows++
    sw += w; swn += w * n; swnn += w * n * n; swt += w * t; swnt += w * n * t
}

END {
    if (broken)
        exit 1
    if (!have_columns) { # an H100's times: 2^12 to 2^26 elements, 3 us and 3 TB/s
        for (n = 4096; n <= 67108864; n *= 4)
            take(n, 3 + n * 4 / 3e6)
    }
    if (rows == 0)
        stop("the run has no times of " kernel)
    d = sw * swnn - swn * swn
    # one size alone, or nearly so: no slope
    b = d > 1e-9 * sw * swnn ? (sw * swnt - swn * swt) / d : 0
    a = b > 0 ? (swt - b * swn) / sw : swt / sw
    if (b <= 0)
        b = 0
    if (a < 0) {
        a = 0
        b = swnt / swnn
    }
    cycles = (clocked ? mhz / clocked : 1980) * percent / 100
    printf "%.3f %.9f\n", a * cycles, b * cycles
}
