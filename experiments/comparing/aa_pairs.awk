# Prints an A/A test's table, with a row per pair of runs, and whether the test passed (see aa.sh).
# Reads the lines from aa.awk for both orders of each pair.

BEGIN { FS = "\t" }

function name(path) { sub(/.*\//, "", path); return path }

{
    ordered++
    zero += $9 == 0
    FAST[$1, $2] = $7
    SLOW[$1, $2] = $8
    CODE[$1, $2] = $9
    if ($1 > $2)
        next
    FIRST[++pairs] = $1
    SECOND[pairs] = $2
    NAMES[pairs] = name($3) " | " name($4)
    POINTS[pairs] = $5
    SHARE[pairs] = 100 * $6 / $5
    points += $5
    below += $6
    sum += SHARE[pairs]
    if (SHARE[pairs] > largest)
        largest = SHARE[pairs]
}

END {
    print "| a | b | points | p < 0.05 | FAST, SLOW | exit code | of b and a |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= pairs; i++) {
        x = FIRST[i]; y = SECOND[i]
        printf "| %s | %d | %.1f %% | %d, %d | %d | %d |\n", NAMES[i], POINTS[i], SHARE[i], FAST[x, y], \
            SLOW[x, y], CODE[x, y], CODE[y, x]
        disagree += FAST[x, y] != SLOW[y, x] || SLOW[x, y] != FAST[y, x]
    }
    passed = sum <= 5 * pairs && largest <= 8 && zero >= 0.95 * ordered && !disagree
    printf "%s: %.2f %% of %d points differ at the 5 %% level (at most 5 %% may), %.2f %% in the worst " \
        "pair (8 %%);\n%d of %d ordered pairs end with exit code 0 (95 %% must), %d pairs disagree with " \
        "their other order\n", passed ? "passed" : "FAILED", 100 * below / points, points, largest, zero, \
        ordered, disagree
}
