# Finds the links from the given pages to other pages and files. All paths are relative to the root
# of the tree. Prints:
#
#   file PAGE LINE PATH       a link to a file or folder
#   lost PAGE LINE PATH#NAME  a link to a heading that the page does not have
#
# As on GitHub, the name of a heading is its text in lower case, without punctuation, and with a
# hyphen for each blank.

function resolve(page, path,    parts, kept, count, n, i, joined) {
    if (path == "")
        return page
    joined = page
    sub(/[^\/]*$/, "", joined)
    count = split(joined path, parts, "/")
    n = 0
    for (i = 1; i <= count; i++)
        if (parts[i] == ".." && n > 0)
            n--
        else if (parts[i] != "." && parts[i] != "")
            kept[++n] = parts[i]
    joined = ""
    for (i = 1; i <= n; i++)
        joined = joined (i > 1 ? "/" : "") kept[i]
    return joined
}

FNR == 1 { code = 0; page = FILENAME; sub(/^\.\//, "", page) }
/^```/ { code = !code; next }
code { next }
/^#+ / {
    name = $0
    sub(/^#+ /, "", name)
    while (match(name, /\]\([^)]*\)/))
        name = substr(name, 1, RSTART - 1) substr(name, RSTART + RLENGTH)
    name = tolower(name)
    gsub(/[!-,.\/:-@[-^`{-~]/, "", name)
    gsub(/ /, "-", name)
    HEADING[page "#" name] = 1
}
{
    rest = $0
    while (match(rest, /\]\([^) ]+\)/)) {
        link = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, RSTART + RLENGTH)
        if (link ~ /^[a-z]+:/)
            continue
        at = index(link, "#")
        path = resolve(page, at ? substr(link, 1, at - 1) : link)
        print "file", page, FNR, path
        if (at && path ~ /\.md$/)
            WANTED[++wanted] = page " " FNR " " path substr(link, at)
    }
}
END {
    for (i = 1; i <= wanted; i++) {
        split(WANTED[i], part, " ")
        if (!(part[3] in HEADING))
            print "lost", WANTED[i]
    }
}
