// Describes the charts of marks between two axes. For each script in plots/, this file defines the axes of
// its chart on a page, and the columns of the data that are drawn. `v` contains the variables of the script, and `blocks` its data. In a chart with
// `parts`, `part` is the number of the chosen part. page_charts.js draws a chart from these members:
//   x, y      an axis: column, low, high, label, and either log, or names of the places from 1 on
//   series    block; hue, or the column rgb; second: open marks; name, if it is not that of the kernel or run
//   lines     true: lines from mark to mark; 'steps': lines that go along and then up
//   level     a dashed line at a value of y or, with `across`, of x
//   band, shade, diagonal, slope: what is drawn behind the marks
//   open      a column, and the value at which marks are open
//   switches  true: the reader can make y logarithmic, from `lowest` on
//   ticks     columns of a block that are drawn as lines across
//   beside    texts at the right of each name of y
const pageFrames = (hues, rgbText) => {
    const hueOf = number => hues[number ? (number - 1) % 7 + 1 : 0];
    const coloured = (v, block, number) => ({block, hue: hueOf(v.COLOUR[number]), second: v.COLOUR[number] > 7});
    // Returns a block for each kernel that has values. DRAWN lists their numbers.
    const drawnOf = (v, blocks) => v.DRAWN.split(' ').map((drawn, i) => coloured(v, blocks[i], drawn - 1));
    // Returns a block for each line that plots/key.gp names. Marks with even numbers are open.
    const keyedOf = (v, blocks) => blocks.map((block, i) =>
        ({block, hue: rgbText(v.KEY_RGB[i]), second: v.KEY_MARK[i] % 2 === 0, name: v.KEY_NAME[i]}));
    const sizes = v => ({column: 'n', log: 1, low: v.X0, high: v.X1, label: 'n (elements)'});
    return {
        lines: (v, blocks) => ({
            x: {column: v.X, log: v.X_LOG, low: v.X0, high: v.X1, label: v.ALONG}, lines: true, heading: v.HEADING,
            y: {column: 'y', log: v.Y_LOG, low: v.Y0, high: v.Y1, label: v.UPWARDS}, shown: v.SHOWN, switches: !v.Y_LOG && v.Y_LOW > 0, lowest: v.Y_LOW,
            series: blocks.slice(0, v.SERIES).map((block, i) => coloured(v, block, i)),
            level: v.PEAK_SHOWN ? {at: v.PEAK, text: v.PEAK_TEXT} : null,
            band: v.LIMITS_SHOWN ? blocks[v.SERIES] : null,
        }),
        cache: (v, blocks) => ({
            x: sizes(v), y: {column: 'ratio', low: v.C0, high: v.C1, label: 'time, cold / warm'}, lines: true,
            heading: 'Cold vs. warm cache', shown: `${v.CACHE_SLICE}; the fastest setting per kernel, size and state`,
            series: drawnOf(v, blocks), level: {at: 1, text: ''},
        }),
        spread: (v, blocks) => ({
            x: sizes(v), y: {column: 'spread_pct', log: 1, low: v.Y0, high: v.Y1, label: 'standard deviation / median (%)'},
            heading: 'Spread of the samples', shown: `${v.SLICE}; every setting`, series: [{block: blocks[0]}],
        }),
        configs: (v, blocks) => ({
            x: {column: 'rank', low: 0, high: v.CONFIGS + 1, label: 'configurations, from the fastest'}, heading: v.HEADING,
            y: {column: 'time_us_median', log: 1, low: v.CONFIG_Y0, high: v.CONFIG_Y1, label: 'time, median (µs)'}, shown: v.SHOWN,
            series: blocks.map(block => ({block})),
        }),
        search: (v, blocks) => ({
            x: {column: 'seconds', low: v.SEARCH_X0, high: v.SEARCH_X1, label: 'seconds since the run began'}, heading: v.HEADING,
            y: {column: 'loss_pct', low: v.SEARCH_Y0, high: v.SEARCH_Y1, label: v.UPWARDS}, lines: 'steps', shown: v.SHOWN,
            series: keyedOf(v, blocks), level: {at: 0, text: ''},
        }),
        sectors: (v, blocks) => ({
            x: {column: 'moved', log: 1, low: v.S_X0, high: v.S_X1, label: v.MOVED}, heading: `Time vs. sectors moved at n = ${v.SECTORS_N}`,
            y: {column: 'time_us_median', log: 1, low: v.S_Y0, high: v.S_Y1, label: 'time, median (µs)'}, shown: v.SLICE,
            series: drawnOf(v, blocks),
        }),
        roofline: (v, blocks) => ({
            x: {column: 'operations_per_byte', log: 1, low: v.F_X0, high: v.F_X1, label: 'operations per byte of DRAM'},
            y: {column: 'giga_operations_per_second', log: 1, low: v.F_Y0, high: v.F_Y1, label: '10⁹ operations per second'},
            heading: `Roofline at n = ${v.ROOF_N}`, shown: `${v.SLICE}; the slope: the peak of DRAM, ${Math.round(v.PEAK)} GB/s`,
            series: drawnOf(v, blocks), slope: v.PEAK > 0 ? v.PEAK : null, roof: v.ROOF,
        }),
        samples: (v, blocks) => ({
            x: {column: 'percent', low: v.SAMPLES_X0, high: v.SAMPLES_X1, label: v.ALONG_X}, heading: v.HEADING, shown: v.SHOWN,
            y: {column: 'at', low: v.SAMPLED + 0.6, high: 0.4, label: '', names: v.DOWN_NAME}, small: true,
            series: [{block: blocks[0]}], left: v.BAR_LABELS, room: 30 * v.SAMPLED + 80,
            ticks: {block: blocks[1], columns: ['quarter', 'three_quarters']}, level: {across: 100},
        }),
        bits: (v, blocks) => ({
            x: {column: 'time_us_median', log: v.BITS_X1 > 4 * v.BITS_X0, low: v.BITS_X0 / 1.02, high: v.BITS_X1 * 1.02, label: 'time, median (µs)'},
            y: {column: 'down', low: v.BITS_CLASSES + 0.6, high: 0.4, label: '', names: v.BITS_NAME}, heading: v.HEADING, shown: v.SHOWN,
            series: [{block: blocks[0]}], left: v.BITS_WIDEST + 16, room: 24 * v.BITS_CLASSES + 80,
            open: {column: 'down', value: v.BITS_VARIES}, beside: [{title: 'error', texts: v.BITS_ERROR}, {title: 'cost', texts: v.BITS_COST}],
        }),
        versus: (v, blocks) => ({
            x: sizes(v), y: {column: 'ratio', log: 1, low: v.Y0, high: v.Y1, label: v.UPWARDS}, heading: v.HEADING, shown: v.SHOWN,
            series: blocks.map(block => ({block})), level: {at: 1, text: ''},
        }),
        history: (v, blocks) => ({
            x: {column: 'place', low: 0.5, high: v.HISTORY_RUNS + 0.5, label: 'run', names: v.HISTORY_RUN}, lines: true, heading: v.HEADING,
            y: {column: 'ratio', low: v.HISTORY_Y0, high: v.HISTORY_Y1, label: 'time / time in the first run'}, shown: v.SHOWN,
            series: keyedOf(v, blocks), level: {at: 1, text: ''}, shade: {low: v.NOISE_LOW, high: v.NOISE_HIGH},
        }),
        counts: (v, blocks, part) => ({
            x: {column: 'a', log: 1, low: v.LOW[part], high: v.HIGH[part], label: `${v.TITLE[part]} of ${v.NAME_A}`},
            y: {column: 'b', log: 1, low: v.LOW[part], high: v.HIGH[part], label: `${v.TITLE[part]} of ${v.NAME_B}`},
            heading: 'Counts of two runs', shown: `${v.FOUND[part]}; ${v.SHOWN}`, series: [{block: blocks[part]}],
            diagonal: true, parts: v.TITLE,
        }),
    };
};
