# The rows of a results.csv with int32 sums, cold, at n in `sizes`. With tests/csv.awk.

function stop(why) { print "energy_part.awk: " why >"/dev/stderr"; exit 2 }

csv_line($0) {
    if (!heading) {
        for (i = 1; i <= CELLS; i++)
            at[CELL[i]] = i
        heading = 1
        print
    } else if (CELL[at["type"]] == "int32" && CELL[at["op"]] == "sum" && CELL[at["cache"]] == "cold" &&
               index(" " sizes " ", " " CELL[at["n"]] " "))
        print
}
