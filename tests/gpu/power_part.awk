# The rows of a results.csv with n up to `max`. With tests/csv.awk.

function stop(why) { print "power_part.awk: " why >"/dev/stderr"; exit 2 }

csv_line($0) {
    if (!at) {
        for (at = 1; CELL[at] != "n"; at++)
            ;
        print
    } else if (CELL[at] + 0 <= max)
        print
}
