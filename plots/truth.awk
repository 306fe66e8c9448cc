# The fastest time at each n of a run, for search.awk: the slice, then lines of n and time.
function take_end(    r, n, best) {
    read_workloads()
    choose_slice()
    print SLICE
    for (r = 1; r <= rows; r++)
        if (IN[r] && T[r] != "" && !RACED[r] && BACKEND[r] != "cpu" && (!(N[r] in best) || T[r] + 0 < best[N[r]]))
            best[N[r]] = T[r] + 0
    for (n in best)
        print n, best[n]
}
