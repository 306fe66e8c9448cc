# Runs of one config on several cards: per cache state, size and card the ratio of its times to those of
# the first card, as a line "cache n card median smallest largest", cards from 2. With tests/csv.awk; the files
# are the cards' results.csv.

function stop(why) { print "lanes_cards.awk: " why; broken = 1; exit 1 }

FNR == 1 {
    file++
    csv_split($0)
    for (k = 1; k <= CELLS; k++)
        column[CELL[k]] = k
    next
}

{
    csv_split($0)
    time = CELL[column["time_us_median"]]
    if (time == "")
        next
    if (file == 1) {
        first[CELL[1]] = time
        next
    }
    if (!(CELL[1] in first))
        next
    key = CELL[column["cache"]] " " CELL[column["n"]] " " file
    ratio[key, ++count[key]] = time / first[CELL[1]]
}

END {
    if (broken)
        exit 1
    for (key in count) {
        n = count[key]
        for (i = 2; i <= n; i++) {
            value = ratio[key, i]
            for (j = i - 1; j >= 1 && ratio[key, j] > value; j--)
                ratio[key, j + 1] = ratio[key, j]
            ratio[key, j + 1] = value
        }
        median = n % 2 ? ratio[key, (n + 1) / 2] : (ratio[key, n / 2] + ratio[key, n / 2 + 1]) / 2
        print key, median, ratio[key, 1], ratio[key, n]
    }
}
