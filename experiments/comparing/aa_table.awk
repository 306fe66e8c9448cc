# Prints the table for experiments/comparing/aa_table.sh. Reads a line per config and card: the
# config, the card's model, the number of runs, the file with aa.awk's lines, and what the config is
# about.


# Returns whether at least `percent` % of the pairs are good, or there are none.
function enough(good, all, percent) { return all == 0 || 100 * good >= percent * all }

function pairs_of(config, model) {
    return all[config, model] ? zero[config, model] " of " all[config, model] : "–"
}

{
    model = $2
    sub(/^NVIDIA /, "", model)
    sub(/ .*/, "", model)
    if (!(model in seen_model)) {
        seen_model[model]
        models[++model_count] = model
    }
    if (!($1 in about)) {
        about[$1] = $5
        configs[++config_count] = $1
    }
    runs[$1, model] = runs[$1, model] (runs[$1, model] == "" ? "" : " + ") $3
    file = $4
    while ((getline line <file) > 0) {
        split(line, pair, "\t")
        all[$1, model]++
        all["", model]++
        compared = 1
        shown += pair[10]
        unknown += pair[11]
        if (pair[9] == 0) {
            zero[$1, model]++
            zero["", model]++
        }
    }
    close(file)
}

END {
    head = "| config | contents |"
    rule = "| --- | --- |"
    for (m = 1; m <= model_count; m++) {
        head = head " " models[m] ": runs per card | pairs with exit code 0 |"
        rule = rule " ---: | ---: |"
    }
    print head
    print rule
    failed = ""
    for (c = 1; c <= config_count; c++) {
        line = "| `" configs[c] "` | " about[configs[c]] " |"
        for (m = 1; m <= model_count; m++) {
            line = line " " runs[configs[c], models[m]] " | " pairs_of(configs[c], models[m]) " |"
            if (!enough(zero[configs[c], models[m]], all[configs[c], models[m]], 80))
                failed = failed " " configs[c] " on an " models[m] ";"
        }
        print line
    }
    line = "| all | |"
    for (m = 1; m <= model_count; m++) {
        line = line " | " pairs_of("", models[m]) " |"
        if (!enough(zero["", models[m]], all["", models[m]], 95))
            failed = failed " all on an " models[m] ";"
    }
    print line
    print ""
    if (shown)
        printf "%d of %d lines about kernels and sizes say \"unknown\" (%.1f %%)\n\n", unknown, shown, \
            100 * unknown / shown
    if (!compared)
        print "nothing was compared: no config has two runs of one card"
    else if (failed == "")
        print "passed: at least 95 % of the pairs of each model end with 0, and at least 80 % of those of each config"
    else
        print "FAILED: fewer than 95 % of a model's pairs, or 80 % of a config's:" failed
}
