# Prints the table of single points for power_again.sh. For each config, reads list.tsv (the tries),
# effects.csv (the true effect at each point), and verdicts.tsv of one or two builds (in the folders
# `this` and `other`).

function read_effects(file,    line, c) {
    delete points_of
    delete effect
    all = 0
    while ((getline line <file) > 0) {
        split(line, c, ",")
        if (c[1] == "kernel")
            continue
        effect[c[1] " " c[2] " " c[3] " " c[4]] = c[6] " " c[5]
        points_of[c[1]]++
        all++
    }
    close(file)
}

function bin_of(key,    part) {
    split(effect[key], part, " ")
    return (part[1] < 1 ? 1 : part[1] < 2.5 ? 2 : part[1] < 3.5 ? 3 : 4) SUBSEP (part[2] < 10 ? "short" : "long")
}

# Reads the verdicts on points. For tries without a slowdown (0 %), tries.tsv has the numbers of
# points.
function read_verdicts(folder, side,    line, c, part, key) {
    while ((getline line <(folder "/verdicts.tsv")) > 0) {
        split(line, c, "\t")
        if (c[5] !~ /^point/)
            continue
        split(c[7], part, " ")
        key = part[2] " " part[3] " " part[4] " " part[5]
        if (c[2] != 0 && part[2] == c[3])
            found[config, bin_of(key), side] += part[1] == "SLOW"
        else {
            named[config, side]++
            wrong_try[config, side, c[2], c[4]] = 1
        }
    }
    close(folder "/verdicts.tsv")
    while (side == "this" && (getline line <(folder "/tries.tsv")) > 0) {
        split(line, c, "\t")
        if (c[2] == 0 && c[5] ~ /^point/)
            others[config] += c[7]
    }
}

BEGIN { FS = "\t" }
FNR == 1 {
    config = FILENAME
    sub(/\/list.tsv$/, "", config)
    sub(/.*\//, "", config)
    configs[++config_count] = config
    read_effects(runs "/" config "/effects.csv")
    read_verdicts(this "/" config, "this")
    if (other != "")
        read_verdicts(other "/" config, "other")
}
{
    tries[config]++
    all_tries++
    if ($2 == 0)
        next
    others[config] += all - points_of[$3]
    for (key in effect) {
        split(key, part, " ")
        if (part[1] == $3)
            of[config, bin_of(key)]++
    }
}

function cell(config, bin, side) {
    return of[config, bin] ? found[config, bin, side] + 0 " of " of[config, bin] : ""
}

END {
    if (!all_tries)
        exit 2
    split("below 1 %|1 to 2.5 %|2.5 to 3.5 %|3.5 % and more", name, "|")
    if (other != "")
        print "| config | true effect | found below 10 µs: before | now | found at 10 µs and more: before | now |\n| --- | --- | ---: | ---: | ---: | ---: |"
    else
        print "| config | true effect | found below 10 µs | found at 10 µs and more |\n| --- | --- | ---: | ---: |"
    for (i = 1; i <= config_count; i++) {
        config = configs[i]
        for (b = 1; b <= 4; b++) {
            if (!of[config, b, "short"] && !of[config, b, "long"])
                continue
            printf "| `%s` | %s |", config, name[b]
            for (k = 1; k <= 2; k++) {
                bin = b SUBSEP (k == 1 ? "short" : "long")
                if (other != "")
                    printf " %s |", cell(config, bin, "other")
                printf " %s |", cell(config, bin, "this")
            }
            print ""
        }
    }
    print other != "" ? "\n| config | tries | unchanged points named: before | now |\n| --- | ---: | ---: | ---: |" \
        : "\n| config | tries | unchanged points named |\n| --- | ---: | ---: |"
    for (i = 1; i <= config_count; i++) {
        config = configs[i]
        printf "| `%s` | %d |", config, tries[config]
        if (other != "")
            printf " %d of %d |", named[config, "other"], others[config]
        printf " %d of %d |\n", named[config, "this"], others[config]
        sum += named[config, "this"]
        total += others[config]
    }
    for (key in wrong_try) {
        split(key, part, SUBSEP)
        wrong += part[2] == "this"
    }
    printf "\n%d of %d points of unchanged kernels are named, in %d of %d tries\n", sum, total, wrong, all_tries
    exit wrong > 0.05 * all_tries
}
