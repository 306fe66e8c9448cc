# The order of kernels and the families: LADDER names the file.

function read_ladder(    line) {
    while ((getline line < ENVIRON["LADDER"]) > 0) {
        if (line ~ /^(#|folder |step )/ || line == "")
            continue
        if (line ~ /^family [0-8]: /) {
            FAMILY_NAME[++families] = substr(line, 11)
            FAMILY_COLOR[families] = substr(line, 8, 1)
        } else if (FAMILY_COLOR[families] != "0") { # those of color 0 stay behind the ladder
            RUNG_OF[line] = ++ladder_length
            FAMILY[line] = families
        }
    }
}

function rung_of(kernel) { return kernel in RUNG_OF ? RUNG_OF[kernel] : 1e6 }
function family_of(kernel) { return kernel in FAMILY ? FAMILY_NAME[FAMILY[kernel]] : "other kernels" }

# Colors of families: 1 to 6 as rgb() has them, then purple, and black for what others are measured by.
function family_rgb(kernel,    i) {
    i = kernel in FAMILY ? FAMILY_COLOR[FAMILY[kernel]] : 0
    return i == 7 ? 5911220 : i == 8 ? 0 : rgb(i)
}

# The names of the families of `list`, for a chart whose colours are families.
function write_family_key(chart, list, count, width,    i, names, colours, marks, seen, keys) {
    for (i = 1; i <= count; i++)
        if (family_of(list[i]) != "" && !(family_of(list[i]) in seen)) {
            seen[family_of(list[i])] = 1
            names[++keys] = family_of(list[i])
            colours[keys] = family_rgb(list[i])
            marks[keys] = 5
        }
    write_key(chart, keys + 0, names, colours, marks, width)
}

# Names that are in order already are moved to the ladder's; those outside it stay behind.
function sort_by_ladder(list, count,    i, j, x) {
    for (i = 2; i <= count; i++) {
        x = list[i]
        for (j = i; j > 1 && rung_of(list[j - 1]) > rung_of(x); j--)
            list[j] = list[j - 1]
        list[j] = x
    }
}
