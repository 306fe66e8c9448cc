# Makes a table of run pairs from the output of lanes.awk. For each cache state, compares two runs
# on a card whose neighbors were idle, such a run with a run beside busy cards, and two runs beside
# busy cards. Also prints a verdict: on average over pairs of the second kind, at most 5 % of the
# points may have p < 0.05.

function kind_of(a, b,    busy) {
    busy = (a ~ /busy/) + (b ~ /busy/)
    return busy == 0 ? "alone, alone" : busy == 1 ? "alone, busy" : "busy, busy"
}

{
    key = $4 "|" kind_of($2, $3)
    pairs[key]++
    points[key] += $5
    below[key] += $6
    called[key] += $7
    distance[key] += $8
    if ($9 > largest[key])
        largest[key] = $9
    bad[key] += $10 != 0
    share = 100 * $6 / $5
    if (share > worst[key])
        worst[key] = share
}

END {
    split("cold warm", caches, " ")
    split("alone, alone|alone, busy|busy, busy", kinds, "|")
    print "| cache | runs | pairs | points apart | at most | called FAST or SLOW | mean distance | largest | diff exits with 1 |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (c = 1; c <= 2; c++)
        for (k = 1; k <= 3; k++) {
            key = caches[c] "|" kinds[k]
            if (!pairs[key])
                continue
            share = 100 * below[key] / points[key]
            printf "| %s | %s | %d | %.2f %% | %.2f %% | %d | %.2f %% | %.1f %% | %d |\n", caches[c], kinds[k], \
                pairs[key], share, worst[key], called[key], distance[key] / pairs[key], largest[key], bad[key]
            if (kinds[k] == "alone, busy") {
                judged++
                if (share > 5)
                    failed = failed " " caches[c]
            }
        }
    print judged < 2 ? "FAILED: nothing was compared" : failed ? "FAILED: more than 5 % apart while the other card works:" failed : "passed"
}
