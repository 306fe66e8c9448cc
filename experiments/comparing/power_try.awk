# Reads one table of one try (kernels, problems or points of `redsweep diff --table …
# --data`) and prints lines of tries.tsv. For each class, a line contains four numbers: how many
# verdicts on the planted kernel are SLOW, how many verdicts on it there are, the mean of the
# measured effect, and how many verdicts on other kernels are SLOW or FAST. For an unchanged copy
# (percent 0), every SLOW or FAST verdict is counted as found, although it is wrong. The script
# also writes each of these verdicts as a line to the file `verdicts`. The line says whether the
# verdict is SLOW and on the planted kernel, and what the verdict is about. The script needs
# tests/data.awk.

function optional(name) { return name in COLUMN ? cell(name) : "-" }

function class_of_row() {
    if (table == "kernels")
        return class
    if (table == "problems")
        return "kernel at n = " cell("n")
    return cell("time_us_a") < 10 ? "point, < 10 us" : "point, >= 10 us"
}

data_row($0) {
    if (cell("verdict") == "" || table == "points" && cell("time_us_b") == "")
        next
    c = class_of_row()
    if (!(c in of)) {
        of[c] = 0
        classes[++class_count] = c
    }
    changed = cell("verdict") == "SLOW" || cell("verdict") == "FAST"
    if (changed)
        printf "%s\t%s\t%s\t%d\t%s\t%d\t%s %s %s %s %s\n", kind, percent, kernel, number, c, \
            percent != 0 && cell("kernel") == kernel && cell("verdict") == "SLOW", cell("verdict"), \
            cell("kernel"), optional("n"), optional("block"), optional("cache") >>verdicts
    if (percent == 0) {
        of[c]++
        found[c] += changed
        wrong[c] += changed
    } else if (cell("kernel") == kernel) {
        of[c]++
        found[c] += cell("verdict") == "SLOW"
        wrong[c] += cell("verdict") == "FAST"
    } else
        wrong[c] += changed
    if (percent == 0 ? cell("kernel") != "all" : cell("kernel") == kernel) {
        effect[c] += log(table == "kernels" ? cell("geometric_mean") \
            : table == "problems" ? cell("ratio") : cell("time_us_b") / cell("time_us_a"))
        effects[c]++
    }
}

END {
    for (i = 1; i <= class_count; i++) {
        c = classes[i]
        printf "%s\t%s\t%s\t%d\t%s\t%d\t%d\t%s\t%d\n", kind, percent, kernel, number, c, found[c], of[c], \
            effects[c] ? sprintf("%.3f", 100 * (exp(effect[c] / effects[c]) - 1)) : "", wrong[c]
    }
}
