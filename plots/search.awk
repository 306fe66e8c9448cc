# A search's progress: how far the best so far is from the best known, against seconds since the run began.
#
#   search.dat   a block per n: seconds, best so far over the best known - 1 (%)
#
# Rows say when they were recorded. A strategy that records an n as a whole, such as transfer, has one moment per n
# (or two seconds next to each other): then a block is a line from where the n before ended on the same card to
# where it was recorded, with its name, and the chart says so. The best known is what the run of TRUTH_TIMES found
# (truth.awk wrote it: the slice, then n and time), else the best of this run at its end.

function write_search(    r, i, n, since, seconds, first_at, last_at, whole, truth, count, order, key, j, at, known, high, low, best, names, colours, marks, points, measured) {
    if (!series)
        return left_out("search", why_no_times())
    since = epoch(FACT["started"])
    truth = read_truth(known)
    for (r = 1; r <= rows; r++) {
        if (!IN[r] || T[r] == "" || BACKEND[r] == "cpu" || !wanted(N[r], "WANT_N"))
            continue
        if ((at = epoch(RECORDED[r])) == "")
            return left_out("search", "the rows do not say when they were recorded (measured_at)")
        if (since == "" || at < since)
            since = at
        measured++
        SEARCH_COUNT[N[r]]++
        if (RACED[r])
            continue
        order[++count] = r
        key[r] = at
        if (!(N[r] in first_at)) {
            first_at[N[r]] = last_at[N[r]] = at
        }
        first_at[N[r]] = min(first_at[N[r]], at)
        last_at[N[r]] = max(last_at[N[r]], at)
        SEARCH_CARD[N[r]] = CARD[r]
        if (!truth && (!(N[r] in known) || T[r] + 0 < known[N[r]] + 0))
            known[N[r]] = T[r] + 0
    }
    if (truth == -1)
        return left_out("search", "TRUTH has other types, operations or cache states: " truth_slice)
    if (!count)
        return left_out("search", "no timed row has the requested n")
    whole = 1
    for (n in first_at)
        whole = whole && last_at[n] - first_at[n] <= 1
    if (!truth && whole)
        return left_out("search", "each n was recorded at one moment, and no TRUTH=RUN says how far that is from the best")
    sort_by_score(order, count, key)
    for (i = 1; i <= size_count; i++) {
        n = sprintf("%.0f", SIZE[i])
        printf "%s", (points ? "\n\n" : "") > "search.dat"
        best = ""
        for (j = 1; j <= count; j++) {
            r = order[j]
            if (N[r] != n || !(n in known) || (best != "" && T[r] + 0 >= best))
                continue
            best = T[r] + 0
            # The last of a second is what counts for it.
            if (!whole && j < count && key[order[j + 1]] == key[r] && later_is_better(order, key, j, count, n, best))
                continue
            if (!whole)
                print key[r] - since, 100 * (best / known[n] - 1) > "search.dat"
            high = max(high, 100 * (best / known[n] - 1)); low = min(low, 100 * (best / known[n] - 1))
            seconds = max(seconds, key[r] - since)
        }
        if (best == "")
            continue
        if (whole)
            print began(n, last_at, since) - since, 100 * (best / known[n] - 1) > "search.dat"
        # The line goes on to the end of the run.
        print (whole ? last_at[n] : key[order[count]]) - since, 100 * (best / known[n] - 1) (whole ? " " size_name(n) : "") > "search.dat"
        points++
        names[points] = (narrow ? "" : "n = ") size_name(n) (whole ? ": " SEARCH_COUNT[n] : "")
        colours[points] = ramp(i, size_count)
        marks[points] = 7
    }
    seconds = max(seconds, key[order[count]] - since)
    if (!points)
        return left_out("search", "TRUTH has none of the run's sizes")
    print "search\tok" > "charts.txt"
    write_key("search", points, names, colours, marks, canvas - 32)
    print "SEARCHES = " points "; SEARCH_X1 = " max(seconds, 1) * 1.04 "; SEARCH_Y0 = " min(low * 1.1, 0) "; SEARCH_Y1 = " max(high * 1.1, 1) > "run.gp"
    print "SEARCH_WHOLE = " whole > "run.gp"
    print "SEARCH_ROWS = " measured "; SEARCH_TRUTH = " quote(truth ? ENVIRON["TRUTH_NAME"] : "") > "run.gp"
}

# When the n before ended on the card of n, or the run began.
function began(n, last_at, since,    m, at) {
    at = since
    for (m in last_at)
        if (SEARCH_CARD[m] == SEARCH_CARD[n] && last_at[m] < last_at[n])
            at = max(at, last_at[m])
    return at
}

function later_is_better(order, key, j, count, n, best,    k) {
    for (k = j + 1; k <= count && key[order[k]] == key[order[j]]; k++)
        if (N[order[k]] == n && T[order[k]] + 0 < best)
            return 1
    return 0
}

# Seconds of 2026-11-22T17:24:49Z, which may have a fraction, since 1970; "" for anything else.
function epoch(text,    y, m, d) {
    if (text !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9.]+Z$/)
        return ""
    y = substr(text, 1, 4) + 0; m = substr(text, 6, 2) + 0; d = substr(text, 9, 2) + 0
    # Days by the civil calendar, with years that begin in March.
    if (m <= 2) { y--; m += 12 }
    return 86400 * (365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + d - 719469) \
           + 3600 * substr(text, 12, 2) + 60 * substr(text, 15, 2) + substr(text, 18)
}

# 1: read; 0: none was given; -1: of another slice.
function read_truth(known,    line, parts) {
    if (ENVIRON["TRUTH_TIMES"] == "")
        return 0
    getline truth_slice < ENVIRON["TRUTH_TIMES"]
    while ((getline line < ENVIRON["TRUTH_TIMES"]) > 0) {
        split(line, parts, " ")
        known[parts[1]] = parts[2]
    }
    return truth_slice == SLICE ? 1 : -1
}
