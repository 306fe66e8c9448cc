# Charts in characters, for a terminal of 80 columns: `chart` is time, bandwidth, cache, sectors, roofline,
# configs, search, or bandwidth, share or history of several runs. Letters mark kernels, dots those that are
# grey elsewhere; their names are below.
load 'run.gp'
load 'numbers.gp'
set terminal dumb size 79,24 noenhanced
set encoding utf8
unset key
set border 3
set tics nomirror
set format x '%.0f'

TITLE = chart eq 'time' ? 'time, median (us)' : chart eq 'bandwidth' ? 'bandwidth (GB/s)' : \
        chart eq 'cache' ? 'time, cold / warm' : \
        chart eq 'sectors' ? 'time, median (us), n = '.SECTORS_N.", against\n  ".MOVED : \
        chart eq 'configs' ? sprintf('time (us) of %d configurations, from the fastest, n = ', CONFIGS).CONFIG_N.'; letters: '.CONFIG_AXIS : \
        chart eq 'search' ? (SEARCH_WHOLE ? 'loss at each n (%) by the second of its end, with its rows' : 'loss of the best so far (%) against seconds').(SEARCH_TRUTH eq '' ? '' : '; against '.SEARCH_TRUTH) : \
        chart eq 'share' ? 'percent of the measured limit' : \
        chart eq 'history' ? 'time over that of the first run, run by run: '.HISTORY_KERNEL : \
        "10^9 operations per second against operations per byte of DRAM,\n  n = ".ROOF_N
set print '-'
print "\n".TITLE
print '  '.TIMED_DEVICE.'; '.SLICE
keyed = chart eq 'configs' || chart eq 'search' || chart eq 'history'
if (keyed) { load chart.'.key' }
if (chart eq 'time' || chart eq 'bandwidth' || chart eq 'cache' || chart eq 'share') {
    set logscale x 2
    set format x '2^%L'
    set xrange [X0:X1]
}
file = chart eq 'bandwidth' || chart eq 'time' || chart eq 'share' ? 'series.dat' : chart.'.dat'
column = chart eq 'bandwidth' ? 5 : chart eq 'share' ? 6 : 2
first = 1
last = keyed ? KEYS : SERIES
if (chart eq 'configs') { first = 0; last = CONFIG_VALUES }
if (chart eq 'time') { set logscale y; set yrange [T0:T1]; set format y '%g' }
if (chart eq 'bandwidth') { set yrange [0:B1] }
if (chart eq 'share') { set yrange [0:105] }
if (chart eq 'cache') { set xrange [C_X0:C_X1]; set yrange [C0:C1] }
if (chart eq 'sectors') { set logscale xy; set xrange [S_X0:S_X1]; set yrange [S_Y0:S_Y1]; set format y '%g'; load 'decades.gp' }
if (chart eq 'configs') { set logscale y; set format y '%g'; set yrange [CONFIG_Y0:CONFIG_Y1]; set xrange [0:CONFIGS + 1] }
if (chart eq 'search') { set xrange [0:SEARCH_X1]; set yrange [SEARCH_Y0:SEARCH_Y1] }
if (chart eq 'history') { set xrange [0.5:HISTORY_RUNS + 0.5]; set yrange [HISTORY_Y0:HISTORY_Y1]; set xtics 1 }
letter(i) = chart eq 'configs' ? i : keyed ? i : COLOUR[i] ? i - GREYS : 0
if (chart eq 'roofline') {
    set logscale xy
    set xrange [F_X0:F_X1]
    set yrange [F_Y0:F_Y1]
    set format xy '%g'
    set samples 60
    roof(x) = ROOF > 0 && PEAK * x > ROOF ? ROOF : PEAK * x
    plot roof(x) with lines, \
         for [i = 1:SERIES] '+' using (F_LAST_X[i]):(F_LAST[i]) every ::0::0 with points pt letter(i)
    print sprintf('  line: peak %.0f GB/s', PEAK).(ROOF > 0 ? sprintf(', %.0f 10^9 additions/s', ROOF) : '')
} else {
    from = chart eq 'search' ? SEARCH_WHOLE : 0
    plot for [i = first:last] file index i - first every ::from using 1:column with points pt letter(i)
}
# Names of letters, as many to a line as fit.
line = '  '
array ALPHABET[1] = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ']
do for [i = 1:last] {
    name = chart eq 'configs' ? CONFIG_VALUE[i] : keyed ? KEY_NAME[i] : NAME[i]
    k = letter(i)
    if (k > 0 && name ne '') {
        item = ALPHABET[1][(k - 1) % 26 + 1:(k - 1) % 26 + 1].' '.name
        if (strlen(line) + strlen(item) + 2 > 79) { print line; line = '  ' }
        line = line.item.'  '
    }
}
print line
