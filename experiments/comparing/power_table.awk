# Makes tables in CSV (`csv`) and Markdown (`md`) from the file tries.tsv of
# experiments/comparing/power.sh. For each kind of try, effect and class, a table has the share that was
# found, its 95 % confidence interval (Wilson, J. Am. Stat. Assoc. 22, 1927), the median over the tries of the
# measured effect, and the number of tries in which another kernel was named. `verdicts` is the path of
# verdicts.tsv. A verdict is confirmed if it occurs in two successive tries with the same planted loop.
# `effects` is the path of effects.csv, with the effects of the long gate. If it is given, there are two more
# tables: the effect by size, and the single points that were found, by true effect and size. The exit code is
# 1 if another kernel was named in two successive tries, or if an unchanged copy did not pass.

# Returns the lower (side −1) or upper end of the confidence interval for k successes out of m.
function wilson(k, m, side,    z, p) {
    if (side < 0 && k == 0 || side > 0 && k == m)
        return k / m # and not what rounding makes of it
    z = 1.959964
    p = k / m
    return (p + z * z / (2 * m) + side * z * sqrt(p * (1 - p) / m + z * z / (4 * m * m))) / (1 + z * z / m)
}

function share(k, m) {
    return m ? sprintf("%.1f %% (%.1f – %.1f)", 100 * k / m, 100 * wilson(k, m, -1), 100 * wilson(k, m, 1)) : ""
}

function median_effect(group,    i, j, value, m, list) {
    m = effects_of[group]
    for (i = 1; i <= m; i++) {
        value = effect[group, i]
        for (j = i - 1; j >= 1 && list[j] > value; j--)
            list[j + 1] = list[j]
        list[j + 1] = value
    }
    return m % 2 ? list[(m + 1) / 2] : (list[m / 2] + list[m / 2 + 1]) / 2
}

BEGIN {
    FS = "\t"
    while (verdicts != "" && (getline line <verdicts) > 0) {
        split(line, CELL, "\t")
        said[CELL[1], CELL[2], CELL[5], CELL[3], CELL[4], CELL[7]] = 1
        if (CELL[1] == "gate" && CELL[2] == 3 && CELL[6] == 1)
            slow[CELL[7]]++
        list_of[CELL[1], CELL[2], CELL[5], CELL[3], CELL[4]] = \
            list_of[CELL[1], CELL[2], CELL[5], CELL[3], CELL[4]] CELL[6] ":" CELL[7] "\n"
    }
    while (effects != "" && (getline line <effects) > 0) {
        split(line, CELL, ",")
        if (CELL[1] == "kernel")
            continue
        n = CELL[2]
        true_of[CELL[1] " " n " " CELL[3] " " CELL[4]] = CELL[6] " " CELL[5]
        if (!(n in true_points))
            true_sizes[++true_count] = n
        true_points[n]++
        true_sum[n] += CELL[6]
        if (true_points[n] == 1 || CELL[6] + 0 < true_low[n])
            true_low[n] = CELL[6] + 0
        if (true_points[n] == 1 || CELL[6] + 0 > true_high[n])
            true_high[n] = CELL[6] + 0
    }
}

function bin_of(percent,    i) {
    for (i = 1; i < bins && percent + 0 >= bin_end[i]; i++)
        ;
    return i
}

# Prints how often the points of the planted kernel were SLOW in gates with a planted slowdown of 3 %,
# grouped by the true cost of the planted loop.
function table_of_points(    key, part, effect_of, tries_of, b, k, m, i, text) {
    bins = split("1 2 2.5 3.5 1000", bin_end, " ")
    split("below 1 %|1 to 2 %|2 to 2.5 %|2.5 to 3.5 %|3.5 % and more", bin_name, "|")
    for (key in true_of) {
        split(key, part, " ")
        split(true_of[key], effect_of, " ")
        tries_of = tries["gate", 3, "exit code 1", part[1]]
        b = bin_of(effect_of[1])
        for (i = 1; i <= 2; i++) {
            text = i == 1 ? part[2] : effect_of[2] < 10 ? "short" : "long"
            point_found[b, text] += slow["SLOW " key]
            point_tries[b, text] += tries_of
        }
    }
    print "Single points of the planted kernel that were found, by their true effect:\n" >md
    printf "| true effect | points below 10 us | 10 us and more |" >md
    for (i = 1; i <= true_count; i++)
        printf " n = %d |", true_sizes[i] >md
    printf "\n| --- | ---: | ---: |" >md
    for (i = 1; i <= true_count; i++)
        printf " ---: |" >md
    print "" >md
    for (b = 1; b <= bins; b++) {
        printf "| %s |", bin_name[b] >md
        for (i = -1; i <= true_count; i++) {
            text = i < 0 ? "short" : i == 0 ? "long" : true_sizes[i]
            k = point_found[b, text] + 0
            m = point_tries[b, text] + 0
            printf " %s |", m == 0 ? "" : i <= 0 ? share(k, m) " of " m : sprintf("%.0f %%", 100 * k / m) >md
        }
        print "" >md
    }
    print "" >md
}

# Compares this try with the previous one with the same planted loop.
function confirm(group, plant, number,    list, parts, i, m, earlier, wrong_here) {
    if (!((group, plant) in latest))
        return
    earlier = latest[group, plant]
    twice_of[group] += $7
    twice_tries[group]++
    m = split(list_of[group, plant, number], list, "\n")
    for (i = 1; i < m; i++) {
        split(list[i], parts, ":")
        if (!((group, plant, earlier, parts[2]) in said))
            continue
        if (parts[1] == 1)
            twice[group]++
        else
            wrong_here = 1
    }
    twice_wrong[group] += wrong_here
}

$1 != "kind" {
    group = $1 SUBSEP $2 SUBSEP $5
    if (!(group in tries))
        groups[++group_count] = group
    tries[group]++
    tries[$1, $2, $5, $3]++
    found[group] += $6
    of[group] += $7
    if ($8 != "")
        effect[group, ++effects_of[group]] = $8 + 0
    wrong[group] += $9 > 0
    confirm(group, $3, $4)
    latest[group, $3] = $4
}

END {
    print "kind,percent,class,tries,found,of,share,share_lo,share_hi,effect_pct,tries_with_wrong,confirmed,confirmed_of,confirmed_wrong" >csv
    if (true_count) {
        print "What the plant of 3 % really costs, by a long gate (all kernels, blocks and cache states):\n" >md
        print "| n | mean | from | to | points |\n| ---: | ---: | ---: | ---: | ---: |" >md
        for (i = 1; i <= true_count; i++)
            printf "| %d | %.2f %% | %.2f %% | %.2f %% | %d |\n", true_sizes[i], \
                true_sum[true_sizes[i]] / true_points[true_sizes[i]], true_low[true_sizes[i]], \
                true_high[true_sizes[i]], true_points[true_sizes[i]] >md
        print "" >md
        table_of_points()
    }
    print "| compared by | planted | what | measured (median) | found | share (95 %) | found twice | tries | wrong kernel named in | … and twice |" >md
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |" >md
    for (i = 1; i <= group_count; i++) {
        group = groups[i]
        split(group, part, SUBSEP)
        k = found[group]
        m = of[group]
        if (m == 0)
            continue
        e = effects_of[group] ? sprintf("%.2f", median_effect(group)) : ""
        exits = part[3] == "exit code 1" # has no verdict of its own
        t = exits ? "" : twice_of[group] + 0
        printf "%s,%s,\"%s\",%d,%d,%d,%.4f,%.4f,%.4f,%s,%d,%s,%s,%d\n", part[1], part[2], part[3], tries[group], \
            k, m, k / m, wilson(k, m, -1), wilson(k, m, 1), e, wrong[group], exits ? "" : twice[group] + 0, t, \
            twice_wrong[group] >csv
        printf "| %s | %s %% | %s | %s | %d of %d | %s | %s | %d | %d | %d |\n", \
            part[1] == "pair" ? "two runs" : part[1], part[2], part[3], e == "" ? "" : e " %", k, m, share(k, m), \
            t ? (twice[group] + 0) " of " t : "", tries[group], wrong[group], twice_wrong[group] >md
        bad += twice_wrong[group] > 0 || part[2] == 0 && part[1] == "gate" && k > 0
        passed++
    }
    exit passed ? bad > 0 : 2
}
