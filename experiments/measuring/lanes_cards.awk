# Compares runs of one config on several cards. For each cache state, size and card (from card 2
# on), prints a line "cache n card median smallest largest" with the ratios of the card's times to
# the first card's. Needs tests/data.awk and a file per card, made by `redsweep show CARD --columns
# id,cache,n,time_us_median --data FILE`.

FNR == 1 {
    file++
    next
}

data_line($0) {
    time = CELL[4]
    if (time == "")
        next
    if (file == 1) {
        first[CELL[1]] = time
        next
    }
    if (!(CELL[1] in first))
        next
    key = CELL[2] " " CELL[3] " " file
    ratio[key, ++count[key]] = time / first[CELL[1]]
}

END {
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
