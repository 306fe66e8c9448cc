# A search's progress: how far the best so far is from the best known, against seconds since the run began.
#
#   search.dat   a block per n: seconds, best so far over the best known - 1 (%)
#
# Rows say when they were recorded. A strategy that records an n as a whole, such as transfer, has one moment per n
# (or two seconds next to each other). Its run.json says when another configuration became the best so far, and which
# (FACT["progress"]). The time is that of this one's row, for which later batches may have taken more samples; one
# that was dropped has few. Where run.json is older a block is a line from where the n before ended on the same card
# to where it was recorded, with its name, and the chart says so. The best known is what the run of TRUTH_TIMES found
# (truth.awk wrote it: the slice, then n and time), else the best of this run at its end.

function write_search(    r, i, n, since, last_at, whole, followed, truth, count, order, key, at, known, names, colours, marks, points, measured, row_of) {
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
        row_of[ID[r]] = r
        if (RACED[r])
            continue
        order[++count] = r
        key[r] = at
        if (!(N[r] in SEARCH_FIRST))
            SEARCH_FIRST[N[r]] = last_at[N[r]] = at
        SEARCH_FIRST[N[r]] = min(SEARCH_FIRST[N[r]], at)
        last_at[N[r]] = max(last_at[N[r]], at)
        SEARCH_CARD[N[r]] = CARD[r]
        if (!truth && (!(N[r] in known) || T[r] + 0 < known[N[r]] + 0))
            known[N[r]] = T[r] + 0
    }
    if (truth == -1)
        return left_out("search", "TRUTH has other types, operations or cache states: " truth_slice)
    if (!count)
        return left_out("search", "no timed row has the requested n")
    followed = read_moments(row_of)
    whole = !followed
    for (n in SEARCH_FIRST)
        whole = whole && last_at[n] - SEARCH_FIRST[n] <= 1
    if (!truth && whole)
        return left_out("search", "each n was recorded at one moment, and no TRUTH=RUN says how far that is from the best")
    sort_by_score(order, count, key)
    SEARCH_END = key[order[count]] - since
    for (i = 1; i <= size_count; i++) {
        n = sprintf("%.0f", SIZE[i])
        if (!(n in SEARCH_FIRST) || !(n in known))
            continue
        printf "%s", (points ? "\n\n" : "") > "search.dat"
        if (followed)
            follow_moments(n, since, last_at[n], known[n])
        else
            follow_rows(order, key, count, n, since, known[n], whole, last_at)
        points++
        names[points] = (narrow ? "" : "n = ") size_name(n) (whole ? ": " SEARCH_COUNT[n] : "")
        colours[points] = ramp(i, size_count)
        marks[points] = 7
    }
    if (!points)
        return left_out("search", "TRUTH has none of the run's sizes")
    print "search\tok" > "charts.txt"
    write_key("search", points, names, colours, marks, canvas - 32)
    give("SEARCHES = " points "; SEARCH_X1 = " max(SEARCH_END, 1) * 1.04 "; SEARCH_Y0 = " min(SEARCH_LOW * 1.1, 0) "; SEARCH_Y1 = " max(SEARCH_HIGH * 1.1, 1), "run.gp")
    give("SEARCH_WHOLE = " whole "; SEARCH_FOLLOWED = " followed, "run.gp")
    give("SEARCH_ROWS = " measured "; SEARCH_TRUTH = " quote(truth ? ENVIRON["TRUTH_NAME"] : ""), "run.gp")
}

function search_point(seconds, loss, text) {
    SEARCH_HIGH = max(SEARCH_HIGH, loss)
    SEARCH_LOW = min(SEARCH_LOW, loss)
    SEARCH_END = max(SEARCH_END, seconds)
    print seconds, loss (text == "" ? "" : " " text) > "search.dat"
}

# MOMENT and CHOICE of each n: when a configuration became the best, and its row. Whether all n have them.
function read_moments(row_of,    parts, count, i, n, r) {
    count = split(FACT["progress"], parts, " ")
    for (i = 1; i < count; i += 2)
        if (parts[i + 1] in row_of && epoch(parts[i]) != "") {
            r = row_of[parts[i + 1]]
            n = N[r]
            MOMENT[n, ++MOMENTS[n]] = epoch(parts[i])
            CHOICE[n, MOMENTS[n]] = r
        }
    for (n in SEARCH_FIRST)
        if (!(n in MOMENTS))
            return 0
    return 1
}

function follow_moments(n, since, end, known,    k, loss) {
    for (k = 1; k <= MOMENTS[n]; k++) {
        loss = 100 * (T[CHOICE[n, k]] / known - 1)
        search_point(MOMENT[n, k] - since, loss)
    }
    # Rows say whole seconds.
    search_point(max(end, MOMENT[n, MOMENTS[n]]) - since, loss)
}

# By the rows, in the order of time.
function follow_rows(order, key, count, n, since, known, whole, last_at,    j, r, best) {
    for (j = 1; j <= count; j++) {
        r = order[j]
        if (N[r] != n || (best != "" && T[r] + 0 >= best))
            continue
        best = T[r] + 0
        # The last of a second is what counts for it.
        if (!whole && !(j < count && key[order[j + 1]] == key[r] && later_is_better(order, key, j, count, n, best)))
            search_point(key[r] - since, 100 * (best / known - 1))
    }
    if (whole)
        search_point(began(n, last_at, since) - since, 100 * (best / known - 1))
    # The line goes on to the end of the run.
    search_point((whole ? last_at[n] : key[order[count]]) - since, 100 * (best / known - 1), whole ? size_name(n) : "")
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

function sort_by_score(list, count, score,    i, j, x) {
    for (i = 2; i <= count; i++) {
        x = list[i]
        for (j = i; j > 1 && score[list[j - 1]] > score[x]; j--)
            list[j] = list[j - 1]
        list[j] = x
    }
}

# FACTS names a file "name<TAB>value" of what the manifest says of the device and the run.
function read_facts(    line, parts) {
    while ((getline line < ENVIRON["FACTS"]) > 0) {
        split(line, parts, "\t")
        FACT[parts[1]] = parts[2]
    }
}
