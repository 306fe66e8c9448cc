# Sets the ticks of logarithmic axes: at all nine digits if the axis has about one decade, at 1, 2
# and 5 of each decade if it has a few, and at powers of ten if it has many. The horizontal axis
# shows counts. S_X0 … S_Y1 are the axis ranges.
if (S_Y1 < 200 * S_Y0) {
    set ytics ()
    do for [k = floor(log10(S_Y0)):ceil(log10(S_Y1))] {
        do for [m in (S_Y1 < 4 * S_Y0 ? "1 2 3 4 5 6 7 8 9" : "1 2 5")] {
            v = real(m) * 10.0 ** k
            set ytics add (sprintf('%g', v) v)
        }
    }
}
set xtics ()
do for [k = floor(log10(S_X0)):ceil(log10(S_X1))] {
    do for [m in (S_X1 < 4 * S_X0 ? "1 2 3 4 5 6 7 8 9" : S_X1 < 200 * S_X0 ? "1 2 5" : "1")] {
        v = real(m) * 10.0 ** k
        set xtics add (number(v) v)
    }
}
