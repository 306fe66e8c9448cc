# Charts in characters, for a terminal: `chart` is time, bandwidth, cache, sectors or roofline. Letters
# mark kernels, dots those that are grey elsewhere.
load 'run.gp'
set terminal dumb size 118,34 noenhanced
set encoding utf8
set key outside right top Left reverse noenhanced samplen 1 spacing 1
set border 3
set tics nomirror
set format x '%.0f'

TITLE = chart eq 'time' ? 'time, median (us)' : chart eq 'bandwidth' ? 'bandwidth (GB/s)' : \
        chart eq 'cache' ? 'time, cold / warm' : \
        chart eq 'sectors' ? 'time, median (us), against '.MOVED.', n = '.SECTORS_N : \
        '10^9 operations per second against operations per byte of DRAM, n = '.ROOF_N
set print '-'
print "\n".TITLE.';   '.TIMED_DEVICE.'   '.SLICE
lines = chart eq 'time' || chart eq 'bandwidth' || chart eq 'cache'
if (lines) {
    set logscale x 2
    set format x '2^%L'
    set xrange [X0:X1]
}
file = chart eq 'bandwidth' || chart eq 'time' ? 'series.dat' : chart.'.dat'
column = chart eq 'bandwidth' ? 5 : 2
if (chart eq 'time') { set logscale y; set yrange [T0:T1]; set format y '%g' }
if (chart eq 'bandwidth') { set yrange [0:B1] }
if (chart eq 'cache') { set xrange [C_X0:C_X1]; set yrange [C0:C1] }
if (chart eq 'sectors') { set logscale xy; set xrange [S_X0:S_X1]; set yrange [S_Y0:S_Y1]; set format xy '%.0s%c' }
if (chart eq 'roofline') {
    set logscale xy
    set xrange [F_X0:F_X1]
    set yrange [F_Y0:F_Y1]
    set format xy '%g'
    set samples 60
    roof(x) = ROOF > 0 && PEAK * x > ROOF ? ROOF : PEAK * x
    plot roof(x) with lines title sprintf('peak %.0f GB/s', PEAK), \
         for [i = 1:SERIES] '+' using (F_LAST_X[i]):(F_LAST[i]) every ::0::0 with points pt (COLOUR[i] ? i - GREYS : 0) title NAME[i]
} else {
    plot for [i = 1:SERIES] file index i - 1 using 1:column with points pt (COLOUR[i] ? i - GREYS : 0) title NAME[i]
}
