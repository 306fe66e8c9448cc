# Prints a Markdown table of placements.csv (results/reference/h100-power): how many planted points
# are SLOW, by number of placements, time and true effect. The last column of each group counts the
# points that the rank test alone would find.

function bin_of(effect) { return effect < 1 ? 1 : effect < 2.5 ? 2 : effect < 3.5 ? 3 : 4 }

BEGIN {
    FS = ","
    split("below 1 %|1 to 2.5 %|2.5 to 3.5 %|3.5 % and more", name, "|")
}
NR > 1 {
    at = bin_of($7) SUBSEP ($6 < 10 ? "short" : "long") SUBSEP $1
    gates[at] += $8
    slow[at] += $9
    ranks[at] += $10
}

END {
    print "| true effect | points | 8 placements | 1 placement | 8, by ranks alone | 1, by ranks alone |"
    print "| --- | --- | ---: | ---: | ---: | ---: |"
    for (length_of = 1; length_of <= 2; length_of++)
        for (b = 1; b <= 4; b++) {
            at = b SUBSEP (length_of == 1 ? "short" : "long") SUBSEP
            if (gates[at 8] == 0)
                continue
            printf "| %s | %s | %d of %d | %d of %d | %d of %d | %d of %d |\n", name[b], \
                length_of == 1 ? "below 10 µs" : "10 µs and more", slow[at 8], gates[at 8], slow[at 1], gates[at 1], \
                ranks[at 8], gates[at 8], ranks[at 1], gates[at 1]
        }
}
