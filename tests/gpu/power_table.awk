# tries.csv of tests/gpu/power.sh as a table, in CSV (`csv`) and Markdown (`md`): for each kind of
# try, effect and class, the share that was found with its exact 95 % interval (Clopper and Pearson,
# Biometrika 26, 1934), the median over tries of the effect that was measured, and the tries in which
# another kernel was named. Ends with 1 when that is so anywhere, or an unchanged copy did not pass. With plots/csv.awk.

function stop(why) { print "power_table.awk: " why >"/dev/stderr"; exit 2 }

# P(X <= k) of a binomial(m, p)
function binomial(k, m, p,    i, term, sum) {
    if (p <= 0 || p >= 1)
        return p <= 0 || k >= m
    for (i = 0; i <= k; i++) {
        term = factorial[m] - factorial[i] - factorial[m - i] + i * log(p) + (m - i) * log(1 - p)
        sum += exp(term)
    }
    return sum
}

# The p at which P(X <= k) is `level`: it falls with p.
function bound(k, m, level,    low, high, middle, step) {
    low = 0
    high = 1
    for (step = 0; step < 60; step++) {
        middle = (low + high) / 2
        if (binomial(k, m, middle) > level)
            low = middle
        else
            high = middle
    }
    return (low + high) / 2
}

function median_effect(group,    i, j, value, m, list) {
    m = effects[group]
    for (i = 1; i <= m; i++) {
        value = effect[group, i]
        for (j = i - 1; j >= 1 && list[j] > value; j--)
            list[j + 1] = list[j]
        list[j + 1] = value
    }
    return m % 2 ? list[(m + 1) / 2] : (list[m / 2] + list[m / 2 + 1]) / 2
}

csv_line($0) && NR > 1 {
    group = CELL[1] SUBSEP CELL[2] SUBSEP CELL[5]
    if (!(group in tries))
        groups[++group_count] = group
    tries[group]++
    found[group] += CELL[6]
    of[group] += CELL[7]
    if (CELL[8] != "")
        effect[group, ++effects[group]] = CELL[8] + 0
    wrong[group] += CELL[9] > 0
}

END {
    print "kind,percent,class,tries,found,of,share,share_lo,share_hi,effect_pct,tries_with_wrong" >csv
    print "| compared by | planted | what | measured (median) | found | share | 95 % interval | tries | wrong kernel named in |" >md
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |" >md
    for (i = 1; i <= group_count; i++) {
        group = groups[i]
        split(group, part, SUBSEP)
        k = found[group]
        m = of[group]
        if (m == 0)
            continue
        for (; have < m; have++)
            factorial[have + 1] = factorial[have] + log(have + 1)
        low = k > 0 ? bound(k - 1, m, 0.975) : 0
        high = k < m ? bound(k, m, 0.025) : 1
        e = effects[group] ? sprintf("%.2f", median_effect(group)) : ""
        printf "%s,%s,\"%s\",%d,%d,%d,%.4f,%.4f,%.4f,%s,%d\n", part[1], part[2], part[3], tries[group], \
            k, m, k / m, low, high, e, wrong[group] >csv
        printf "| %s | %s %% | %s | %s | %d of %d | %.1f %% | %.1f – %.1f %% | %d | %d |\n", \
            part[1] == "pair" ? "two runs" : part[1], part[2], part[3], e == "" ? "" : e " %", k, m, \
            100 * k / m, 100 * low, 100 * high, tries[group], wrong[group] >md
        bad += wrong[group] > 0 || part[2] == 0 && part[1] == "gate" && k > 0
        passed++
    }
    exit passed ? bad > 0 : 2
}
