# Names of runs from their folders (a line each) and factsN.txt: the end of the path that makes them different,
# and in brackets of the device, the driver and the version of redsweep those that differ.
{ path[NR] = $0 }
END {
    split("name driver redsweep", facts, " ")
    for (i = 1; i <= NR; i++) {
        while ((getline line < ("facts" i ".txt")) > 0) {
            split(line, parts, "\t")
            fact[i, parts[1]] = parts[2]
        }
        sub(/^NVIDIA /, "", fact[i, "name"])
        sub(/ *\(.*/, "", fact[i, "redsweep"]) # the version without its commit
        for (k = 1; k <= 3; k++)
            if (fact[i, facts[k]] != fact[1, facts[k]])
                differs[k] = 1
    }
    for (depth = 1; depth <= 9 && !all_differ(depth); depth++)
        ;
    for (i = 1; i <= NR; i++) {
        note = ""
        for (k = 1; k <= 3; k++)
            if (differs[k] && fact[i, facts[k]] != "")
                note = note (note == "" ? "" : ", ") (k == 2 ? "driver " : k == 3 ? "version " : "") fact[i, facts[k]]
        # A folder that was given twice has its place.
        print path_end(path[i], depth) (depth > 9 ? " #" i : "") (note == "" ? "" : " (" note ")")
    }
}
function all_differ(depth,    i, seen) {
    for (i = 1; i <= NR; i++) {
        if (path_end(path[i], depth) in seen)
            return 0
        seen[path_end(path[i], depth)] = 1
    }
    return 1
}
function path_end(path, depth,    parts, count, i, text) {
    count = split(path, parts, "/")
    for (i = count > depth ? count - depth + 1 : 1; i <= count; i++)
        text = text (text == "" ? "" : "/") parts[i]
    return text
}
