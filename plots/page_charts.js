// Draws a page's charts from the same data as gnuplot (harness/charts/page.c), for the chosen slice
// and size, and shows the values of the mark under the pointer. Computes nothing but screen
// positions. Everything from a run is text, set through textContent and attributes, never as
// markup.
(() => {
    const source = document.getElementById('charts-data');
    if (!source)
        return;
    // The colors of style.gp.
    const HUES = ['#929292', '#00508C', '#D55E00', '#009E73', '#CC79A7', '#2F9BDB', '#7D3C0F', '#000000'];
    const INK = '#222222', FAINT = '#D8D8D8', NEAR = 28, ROW = 20;
    // Columns that determine where and how a mark is drawn; left out of its tooltip.
    const SILENT = ['rgb', 'place', 'across', 'down', 'end', 'rank', 'wins', 'text', 'low', 'high', 'name', 'up', 'at', 'shade', 'same', 'panel', 'fastest'];

    // Pages contain no addresses of other sites.
    const SPACE = document.querySelector('#charts-live svg').namespaceURI;
    const {charts, left_out} = JSON.parse(source.textContent);
    const place = document.getElementById('charts-live');
    const chosen = {}, hidden = new Set(), figures = [];

    function element(name, attributes = {}, text = '') {
        const e = document.createElement(name);
        Object.entries(attributes).forEach(([key, value]) => e.setAttribute(key, value));
        e.textContent = text;
        return e;
    }

    function svg(parent, name, attributes, text) {
        const e = document.createElementNS(SPACE, name);
        Object.entries(attributes).forEach(([key, value]) => e.setAttribute(key, value));
        if (text !== undefined)
            e.textContent = text;
        parent.append(e);
        return e;
    }

    // ---- Numbers as text

    const raised = k => [...String(k)].map(d => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(d)]).join('');
    function sizeText(n) {
        const k = Math.log2(n);
        return n >= 1024 && Number.isInteger(k) ? `2${raised(k)}` : String(n);
    }
    function shortText(x) {
        const size = Math.abs(x);
        for (const [unit, letter] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M']])
            if (size >= unit)
                return `${+(x / unit).toPrecision(3)}${letter}`;
        return String(+x.toPrecision(4));
    }
    const exactText = (name, x) => (name === 'n' ? sizeText(x) : String(+x.toPrecision(6)));
    const rgbText = rgb => `#${rgb.toString(16).padStart(6, '0')}`;
    // Same color as in best.gp.
    const paleText = rgb => `rgb(${[16, 8, 0].map(shift => 255 - Math.floor((255 - (rgb >> shift & 255)) / 2)).join(', ')})`;

    // ---- The data of a chart as marks

    const cell = (block, row, name) => row[block.columns.indexOf(name)];

    // Returns a mark's tooltip: its kernel and setting, then the measured value with its interval.
    function wordsOf(block, row, axes) {
        const get = name => cell(block, row, name), words = [];
        const low = get('low'), high = get('high');
        // a count that varies from launch to launch
        const about = String(get('text') ?? '').startsWith('≈') ? '≈' : '';
        block.columns.forEach((name, i) => {
            if (SILENT.includes(name) || row[i] === null || row[i] === '')
                return;
            const value = typeof row[i] === 'number' ? exactText(name, row[i]) : row[i];
            const label = name === 'y' || name === 'value' ? axes.upwards : name;
            words.push(name === 'kernel' ? value : `${label}: ${name === 'value' || name === 'moved' ? about : ''}${value}`);
            if ((name === 'y' || name === 'value' || name === 'ratio') && low < high)
                words.push(`95 % interval: ${exactText('', low)} … ${exactText('', high)}`);
        });
        return words.join('; ');
    }

    const nameOf = (block, row) => cell(block, row, 'run') ?? cell(block, row, 'kernel') ?? '';

    const FRAMES = pageFrames(HUES, rgbText);

    // Returns the number of the chosen part of a chart, such as a metric in a chart of metrics.
    function partOf(figure, parts) {
        if (!parts.includes(figure.panel))
            figure.panel = parts[0];
        return parts.indexOf(figure.panel);
    }

    // ---- A frame with axes

    // If the names along the bottom are too wide, numbers replace them and the subtitle explains
    // these.
    const tooWide = (axis, room) => Math.max(...axis.names.map(name => name.length)) * 7.2 > room / axis.names.length;
    const numbered = names => names.map((name, i) => `${i + 1}: ${name}`).join(', ');

    function ticksOf(axis, room) {
        if (axis.names)
            return axis.names.map((name, i) => [i + 1, axis.column === 'place' && tooWide(axis, room) ? String(i + 1) : name]);
        const ticks = [], most = Math.max(2, Math.floor(room / 56));
        if (!axis.log) {
            const raw = (axis.high - axis.low) / most, power = 10 ** Math.floor(Math.log10(raw));
            const step = power * [1, 2, 5, 10].find(k => k * power >= raw);
            for (let at = Math.ceil(axis.low / step) * step; at <= axis.high; at += step)
                ticks.push([at, shortText(+at.toPrecision(12))]);
        } else if (axis.column === 'n') {
            const first = Math.ceil(Math.log2(axis.low) - 1e-9), last = Math.floor(Math.log2(axis.high) + 1e-9);
            for (let k = first, step = Math.ceil((last - first + 1) / most); k <= last; k += step)
                ticks.push([2 ** k, `2${raised(k)}`]);
        } else {
            const decades = Math.log10(axis.high / axis.low), parts = decades < 1 ? [1, 1.5, 2, 3, 5, 7] : decades < 3 ? [1, 2, 5] : [1];
            for (let k = Math.floor(Math.log10(axis.low)); k <= Math.log10(axis.high); k++)
                parts.map(part => part * 10 ** k).filter(at => at >= axis.low && at <= axis.high)
                    .forEach(at => ticks.push([at, shortText(at)]));
        }
        return ticks;
    }

    const scaleOf = (axis, from, to) => value => {
        const share = axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low)
            : (value - axis.low) / (axis.high - axis.low);
        return from + share * (to - from);
    };

    function drawAxes(root, frame, box, x, y) {
        ticksOf(frame.x, box.right - box.left).forEach(([at, text]) => {
            svg(root, 'line', {x1: x(at), x2: x(at), y1: box.top, y2: box.bottom, stroke: FAINT});
            svg(root, 'text', {x: x(at), y: box.bottom + 16, 'text-anchor': 'middle'}, text);
        });
        ticksOf(frame.y, box.bottom - box.top).forEach(([at, text]) => {
            svg(root, 'line', {x1: box.left, x2: box.right, y1: y(at), y2: y(at), stroke: FAINT});
            svg(root, 'text', {x: box.left - 6, y: y(at) + 4, 'text-anchor': 'end'}, text.length * 7.2 > box.left && frame.y.names ? `${text.slice(0, Math.floor(box.left / 7.2) - 2)}…` : text);
        });
        (frame.beside ?? []).forEach(({title, texts}, i) => {
            svg(root, 'text', {x: box.right + 64 * (i + 1), y: 13, 'text-anchor': 'end'}, title);
            texts.forEach((text, k) => svg(root, 'text', {x: box.right + 64 * (i + 1), y: y(k + 1) + 4, 'text-anchor': 'end'}, text));
        });
        svg(root, 'path', {d: `M${box.left} ${box.top}V${box.bottom}H${box.right}`, fill: 'none', stroke: INK});
        svg(root, 'text', {x: (box.left + box.right) / 2, y: box.bottom + 36, 'text-anchor': 'middle'}, frame.x.label);
        svg(root, 'text', {x: 4, y: 13}, frame.y.label);
        if (frame.level?.across) {
            svg(root, 'line', {x1: x(frame.level.across), x2: x(frame.level.across), y1: box.top, y2: box.bottom, stroke: INK});
        } else if (frame.level) {
            svg(root, 'line', {x1: box.left, x2: box.right, y1: y(frame.level.at), y2: y(frame.level.at), stroke: INK, 'stroke-dasharray': '5 4'});
            svg(root, 'text', {x: box.left + 6, y: y(frame.level.at) - 5}, frame.level.text);
        }
    }

    function drawBand(root, frame, x, y) {
        const {band} = frame, at = (row, name) => `${x(cell(band, row, frame.x.column))} ${y(cell(band, row, name))}`;
        const d = [...band.rows.map(row => at(row, 'high')), ...band.rows.toReversed().map(row => at(row, 'low'))].join('L');
        svg(root, 'path', {d: `M${d}Z`, fill: '#E2E2E2', stroke: '#C4C4C4', 'stroke-width': 4, 'stroke-linejoin': 'round'});
    }

    function drawFrame(figure, root, width) {
        const {values, blocks, draws} = figure.shown.chart, frame = FRAMES[draws](values, blocks, values.TITLE ? partOf(figure, values.TITLE) : 0);
        if (frame.switches && figure.log)
            Object.assign(frame.y, {log: 1, low: frame.lowest, high: frame.y.high * 1.15});
        const height = frame.room ?? Math.min(440, Math.max(280, width * 0.6));
        if (width < 600) // the tooltip has it instead
            frame.beside = null;
        const box = {left: Math.min(frame.left ?? 58, width * 0.36), right: width - 14 - 64 * (frame.beside?.length ?? 0), top: 24, bottom: height - 46};
        const x = scaleOf(frame.x, box.left, box.right), y = scaleOf(frame.y, box.bottom, box.top);
        root.setAttribute('viewBox', `0 0 ${width} ${height}`);
        if (frame.shade)
            svg(root, 'rect', {x: box.left, width: box.right - box.left, y: y(frame.shade.high), height: y(frame.shade.low) - y(frame.shade.high), fill: '#E2E2E2'});
        drawAxes(root, frame, box, x, y);
        if (frame.diagonal)
            svg(root, 'line', {x1: box.left, x2: box.right, y1: box.bottom, y2: box.top, stroke: INK});
        if (frame.band)
            drawBand(root, frame, x, y);
        const clip = `clip-${figures.indexOf(figure)}`;
        svg(svg(root, 'clipPath', {id: clip}), 'rect', {x: box.left - 4, y: 0, width: box.right - box.left + 10, height: box.bottom});
        const inside = svg(root, 'g', {'clip-path': `url(#${clip})`}), marks = [], names = [];
        if (frame.slope) { // up to the roof, then along it
            const edge = frame.roof > 0 ? Math.min(frame.roof / frame.slope, frame.x.high) : frame.x.high;
            const top = edge * frame.slope, end = `L${x(frame.x.high)} ${y(top)}`;
            svg(inside, 'path', {d: `M${x(frame.x.low)} ${y(frame.x.low * frame.slope)}L${x(edge)} ${y(top)}${end}`, fill: 'none', stroke: INK});
        }
        // The second seven have dashed lines and open marks (style.gp).
        frame.series.forEach(({block, hue, second, name}) => {
            if (!block || !block.rows.length)
                return;
            if (hue && hue !== HUES[0])
                names.push([name ?? nameOf(block, block.rows[0]), hue, second]);
            const rows = block.rows.filter(row => !hidden.has(name) && !hidden.has(nameOf(block, row)) && cell(block, row, frame.y.column) !== null);
            const points = rows.map(row => [x(cell(block, row, frame.x.column)), y(cell(block, row, frame.y.column))]);
            const group = svg(inside, 'g', {}), isOpen = row => second || (frame.open && cell(block, row, frame.open.column) === frame.open.value);
            if (frame.lines && points.length)
                svg(group, 'path', {d: frame.lines === 'steps' ? `M${points.map((p, i) => (i ? `H${p[0]}V${p[1]}` : p.join(' '))).join('')}` : `M${points.map(p => p.join(' ')).join('L')}`, fill: 'none', stroke: hue, 'stroke-width': hue === HUES[0] ? 1 : 1.8, 'stroke-dasharray': second ? '6 4' : 'none'});
            points.forEach(([px, py], i) => {
                const colour = hue ?? rgbText(cell(block, rows[i], 'rgb'));
                const low = cell(block, rows[i], 'low'), high = cell(block, rows[i], 'high');
                if (low < high && low > 0)
                    svg(group, 'line', {x1: px, x2: px, y1: y(low), y2: y(high), stroke: colour});
                svg(group, 'circle', {cx: px, cy: py, r: frame.small ? 1.4 : colour === HUES[0] ? 2 : 3.2, fill: isOpen(rows[i]) ? '#FFFFFF' : colour, stroke: isOpen(rows[i]) ? colour : 'none', 'stroke-width': 1.5});
                marks.push({x: px, y: Math.max(py, 0), group, words: wordsOf(block, rows[i], {upwards: frame.y.label})});
            });
        });
        frame.ticks?.block.rows.forEach(row => frame.ticks.columns.forEach(name => {
            const at = x(cell(frame.ticks.block, row, name)), middle = cell(frame.ticks.block, row, 'place');
            if (!hidden.has(nameOf(frame.ticks.block, row)))
                svg(root, 'line', {x1: at, x2: at, y1: y(middle - 0.3), y2: y(middle + 0.3), stroke: INK, 'stroke-width': 1.4});
        }));
        const subtitle = frame.x.names && tooWide(frame.x, box.right - box.left) ? `${frame.shown}; ${numbered(frame.x.names)}` : frame.shown;
        return {heading: frame.heading, subtitle, marks, names, panels: frame.parts, switches: frame.switches};
    }

    // ---- Bars, one per line

    function drawBars(figure, root, width) {
        const {values: v, blocks: [block]} = figure.shown.chart, get = (row, name) => cell(block, row, name);
        const rows = block.rows.filter(row => !hidden.has(nameOf(block, row)));
        const labels = Math.min(v.BAR_LABELS, width * 0.42), wide = width >= 800 && v.BAR_GAINS > 0;
        const right = width - (wide ? v.BAR_GAINS + v.BAR_WHYS : 0) - v.BAR_TEXTS - 12, top = 22, marks = [];
        const axis = v.BAR_DOTS ? {log: 1, low: v.BAR_LOW / 1.3, high: v.BAR_HIGH} : {low: 0, high: v.BAR_HIGH};
        const x = scaleOf(axis, labels, Math.max(right, labels + 60));
        root.setAttribute('viewBox', `0 0 ${width} ${top + ROW * rows.length + 12}`);
        svg(root, 'text', {x: labels, y: 14}, v.BAR_AXIS);
        if (wide) {
            svg(root, 'text', {x: width - v.BAR_WHYS - 16, y: 14, 'text-anchor': 'end'}, v.GAINS);
            svg(root, 'text', {x: width - v.BAR_WHYS, y: 14}, v.WHYS);
        }
        if (v.BAR_LINE > 0)
            svg(root, 'line', {x1: x(v.BAR_LINE), x2: x(v.BAR_LINE), y1: top, y2: top + ROW * rows.length, stroke: INK, 'stroke-dasharray': '5 4'});
        rows.forEach((row, i) => {
            const middle = top + ROW * i + ROW / 2, group = svg(root, 'g', {}), place = get(row, 'place') - 1, colour = rgbText(get(row, 'rgb'));
            const end = x(get(row, 'value')), name = get(row, 'name'), gain = v.BAR_GAIN?.[place], why = v.BAR_WHY?.[place];
            const clipped = name.length * 7.4 > labels - 10 ? `${name.slice(0, Math.floor((labels - 20) / 7.4))}…` : name;
            svg(group, 'text', {x: labels - 6, y: middle + 4, 'text-anchor': 'end'}, clipped);
            if (v.BAR_DOTS)
                svg(group, 'circle', {cx: end, cy: middle, r: 5, fill: colour});
            else
                svg(group, 'rect', {x: labels, y: middle - 7, width: Math.max(end - labels, 1), height: 14, fill: colour});
            svg(group, 'text', {x: end + 8, y: middle + 4}, get(row, 'text'));
            if (wide && gain !== undefined) {
                svg(group, 'text', {x: width - v.BAR_WHYS - 16, y: middle + 4, 'text-anchor': 'end'}, gain);
                svg(group, 'text', {x: width - v.BAR_WHYS, y: middle + 4}, why);
            }
            const about = [wordsOf(block, row, {upwards: v.BAR_AXIS})];
            if (gain)
                about.push(`${v.GAINS}: ${gain}`);
            if (why)
                about.push(`${v.WHYS}: ${why}`);
            marks.push({x: end, y: middle, line: true, group, words: `${name}: ${about.join('; ')}`});
        });
        return {heading: v.HEADING, subtitle: v.BAR_NOTE ? `${v.SHOWN}; ${v.BAR_NOTE}` : v.SHOWN, marks, names: []};
    }

    // Draws a panel of the metrics chart as bars.
    function drawPanel(figure, root, width) {
        const {values: v, blocks} = figure.shown.chart;
        const k = partOf(figure, v.PANEL), high = v.PANEL_HIGH[k];
        const columns = [...blocks[k].columns, 'name'];
        const rows = blocks[k].rows.map((row, i) => [...row, v.BAR_NAME[i]]).filter(row => row[blocks[k].columns.indexOf('value')] !== null);
        const values = {BAR_LABELS: v.BAR_LABELS, BAR_TEXTS: 70, BAR_GAINS: 0, BAR_DOTS: 0, BAR_HIGH: high,
            BAR_AXIS: `${v.PANEL[k]}${v.PANEL_UNIT[k] ? ` (${v.PANEL_UNIT[k]})` : ''}`};
        const drawn = drawBars({...figure, shown: {chart: {values, blocks: [{columns, rows}]}}}, root, width);
        return {...drawn, heading: `Counts at n = ${v.METRICS_N}`, subtitle: `${v.SLICE}; ${v.METRICS_OF}${v.METRICS_MORE}`, panels: v.PANEL};
    }

    // ---- Cells of a table, with one row per kernel or other name

    const shade = ratio => (ratio >= 2 ? 1 : Math.sqrt(Math.max(ratio - 1, 0))); // the same as in winners.gp

    // `dark` ranges from 0 (white) to 1.
    function drawCell(root, row, block, box, paint, marks, upwards) {
        const get = name => cell(block, row, name), {x, y, width, height} = box, {dark, fill, wins, white} = paint, text = get('text');
        const group = svg(root, 'g', {}), light = Math.round(255 - 190 * dark);
        svg(group, 'rect', {x: x + 1, y: y + 1, width: Math.max(width - 2, 1), height: height - 2, stroke: wins === 2 ? '#D55E00' : 'none', 'stroke-width': 2.5,
            fill: fill ?? `rgb(${Math.round(255 - 225 * dark)}, ${light}, ${Math.round(255 - 130 * dark)})`});
        if (width >= 8 * [...text].length + 4)
            svg(group, 'text', {x: x + width / 2, y: y + 17, 'text-anchor': 'middle', fill: dark > 0.6 || white ? '#FFFFFF' : INK, 'font-weight': wins ? 'bold' : 'normal'}, text);
        marks.push({x: x + width / 2, y: y + height / 2, group, words: wordsOf(block, row, {upwards})});
    }

    const clippedTo = (name, room) => (name.length * 7.2 > room - 8 ? `${name.slice(0, Math.floor((room - 18) / 7.2))}…` : name);

    function drawCells(figure, root, width) {
        const {values: v, blocks: [block]} = figure.shown.chart, get = (row, name) => cell(block, row, name), runs = v.COSTS_RUN;
        const names_across = v.ACROSS_NAME ?? v.WINNER_N ?? runs, names_down = v.DOWN_NAME ?? v.WINNER ?? runs;
        const down = (v.HEAT_ROWS ? names_down.toReversed() : names_down).map((name, i) => ({name, i: i + 1})).filter(d => !hidden.has(d.name));
        const labels = Math.min(v.WINNER_LABELS ?? v.CELL_LABELS ?? (runs ? v.COSTS_WIDEST + 20 : 60), width * 0.36), room = (width - labels - 6) / names_across.length;
        const across = runs && tooWide({names: runs}, width - labels) ? runs.map((name, i) => String(i + 1)) : names_across;
        const top = 4, high = 26, marks = [], bottom = top + high * down.length, pale = figure.shown.chart.draws === 'best';
        root.setAttribute('viewBox', `0 0 ${width} ${bottom + 40}`);
        down.forEach((d, i) => svg(root, 'text', {x: labels - 6, y: top + high * i + 17, 'text-anchor': 'end'}, clippedTo(d.name, labels)));
        const every = Math.ceil(44 / room);
        across.forEach((name, i) => i % every || svg(root, 'text', {x: labels + room * (i + 0.5), y: bottom + 16, 'text-anchor': 'middle'}, name));
        svg(root, 'text', {x: labels + room * across.length / 2, y: bottom + 34, 'text-anchor': 'middle'}, v.ACROSS ?? v.WINNER_ALONG ?? v.HEAT_X ?? (runs ? 'where they run' : 'n (elements)'));
        if (v.HEAT_Y)
            svg(root, 'text', {x: 4, y: bottom + 16}, `${v.HEAT_Y} ↑`);
        block.rows.forEach(row => {
            const line = down.findIndex(d => d.i === get(row, 'down')), rgb = get(row, 'rgb');
            if (line < 0 || hidden.has(nameOf(block, row)))
                return;
            drawCell(root, row, block, {x: labels + room * (get(row, 'across') - 1), y: top + high * line, width: room, height: high},
                {dark: get(row, 'shade') ?? shade(get(row, 'ratio')), wins: get(row, 'wins'), white: rgb != null && !pale, fill: pale ? paleText(rgb) : rgb != null ? rgbText(rgb) : null}, marks, '');
        });
        const names = (v.KEY_NAME ?? []).map((name, i) => [name, rgbText(v.KEY_RGB[i])]);
        const subtitle = across === names_across ? v.CELLS_SHOWN ?? v.SHOWN : `${v.SHOWN}; ${numbered(runs)}`;
        return {heading: v.HEADING, marks, names, subtitle};
    }

    // Draws a panel of cells for each type, operation and library. Light cells are fast.
    function drawShapes(figure, root, width) {
        const {values: v, blocks} = figure.shown.chart, marks = [], high = 24, labels = 46;
        const beside = Math.max(1, Math.min(v.SHAPE_LIBRARIES, Math.floor(width / Math.max(300, labels + 24 * v.SHAPE_COLUMNS))));
        const wide = width / beside, room = (wide - labels - 12) / v.SHAPE_COLUMNS, tall = high * v.SHAPE_ROWS + 76;
        // A row per type and operation, and a column per library; if they do not fit, panels follow
        // one another.
        const placeOf = i => (beside === v.SHAPE_LIBRARIES ? [v.SHAPE_LIBRARY[i], v.SHAPE_LINE[i]] : [i % beside, Math.floor(i / beside)]);
        root.setAttribute('viewBox', `0 0 ${width} ${tall * (placeOf(blocks.length - 1)[1] + 1)}`);
        blocks.forEach((block, i) => {
            const left = placeOf(i)[0] * wide + labels, top = placeOf(i)[1] * tall + 24, bottom = top + high * v.SHAPE_ROWS;
            svg(root, 'text', {x: left, y: top - 8, 'font-weight': 'bold'}, clippedTo(v.SHAPE_TITLE[i], wide - labels + 18));
            v.SHAPE_UP.forEach((name, k) => svg(root, 'text', {x: left - 6, y: bottom - high * k - 7, 'text-anchor': 'end'}, name));
            const every = Math.ceil(30 / room);
            v.SHAPE_ACROSS.forEach((name, k) => k % every || svg(root, 'text', {x: left + room * (k + 0.5), y: bottom + 16, 'text-anchor': 'middle'}, name));
            svg(root, 'text', {x: left + room * v.SHAPE_COLUMNS / 2, y: bottom + 34, 'text-anchor': 'middle'}, `columns (elements per row); upwards: ${v.SHAPE_Y}`);
            block.rows.filter(row => !hidden.has(nameOf(block, row))).forEach(row => drawCell(root, row, block,
                {x: left + room * (cell(block, row, 'across') - 1), y: bottom - high * cell(block, row, 'up'), width: room, height: high},
                {dark: 1 - cell(block, row, 'value') / v.SHAPE_HIGH}, marks, v.SHAPE_VALUE));
        });
        return {heading: v.HEADING, subtitle: v.SHOWN, marks, names: []};
    }

    // ---- Spreads: for each value of each tunable, a line from best to worst, and a box for the middle half

    function drawSpreads(figure, root, width) {
        const {values: v, blocks} = figure.shown.chart, labels = Math.min(120, width * 0.3), marks = [];
        const x = scaleOf({log: 1, low: 0.97, high: Math.max(1.3, v.TUNE_HIGH * 1.08)}, labels, width - 10);
        const lines = blocks.reduce((sum, block) => sum + block.rows.length + 1, 0), bottom = 8 + ROW * lines;
        root.setAttribute('viewBox', `0 0 ${width} ${bottom + 40}`);
        ticksOf({log: 1, low: 0.97, high: Math.max(1.3, v.TUNE_HIGH * 1.08)}, width).forEach(([at, text]) => {
            svg(root, 'line', {x1: x(at), x2: x(at), y1: 8, y2: bottom, stroke: FAINT});
            svg(root, 'text', {x: x(at), y: bottom + 16, 'text-anchor': 'middle'}, text);
        });
        svg(root, 'text', {x: labels, y: bottom + 34}, 'time / fastest of the kernel');
        let line = 0;
        blocks.forEach((block, k) => {
            svg(root, 'text', {x: 4, y: 22 + ROW * line++, 'font-weight': 'bold'}, `${v.TUNE_NAME[k]}: explains ${v.TUNE_SHARE[k]}`);
            block.rows.forEach(row => {
                const y = 18 + ROW * line++, at = name => x(cell(block, row, name)), group = svg(root, 'g', {});
                svg(group, 'text', {x: labels - 8, y: y + 4, 'text-anchor': 'end'}, cell(block, row, 'value'));
                svg(group, 'line', {x1: at('best'), x2: at('worst'), y1: y, y2: y, stroke: HUES[1]});
                svg(group, 'rect', {x: at('quarter'), y: y - 6, width: Math.max(at('three_quarters') - at('quarter'), 1), height: 12, fill: '#BFD3E2', stroke: HUES[1]});
                svg(group, 'line', {x1: at('median'), x2: at('median'), y1: y - 6, y2: y + 6, stroke: INK, 'stroke-width': 2});
                svg(group, 'circle', {cx: at('best'), cy: y, r: 3, fill: HUES[2]});
                const words = block.columns.map((name, i) => [name, row[i]]).filter(([name]) => !['tunable', 'value', 'place'].includes(name))
                    .map(([name, value]) => `${name}: ${exactText('', value)}`);
                marks.push({x: at('median'), y, line: true, group, words: `${v.TUNE_NAME[k]} ${cell(block, row, 'value')}; ${words.join('; ')}`});
            });
        });
        return {heading: v.HEADING, subtitle: v.SHOWN, marks, names: []};
    }

    const DRAWS = {bars: drawBars, metrics: drawPanel, winners: drawCells, choice: drawCells, heatmap: drawCells, best: drawCells, costs: drawCells, shapes: drawShapes, tunables: drawSpreads};

    // ---- The text about a mark

    function read(figure, mark) {
        figure.root.querySelectorAll('.at, .ring').forEach(e => (e.classList.contains('ring') ? e.remove() : e.classList.remove('at')));
        figure.root.classList.toggle('reading', !!mark);
        figure.at = mark;
        figure.says.textContent = mark ? mark.words : figure.hint;
        if (!mark)
            return;
        mark.group.classList.add('at');
        svg(figure.root, 'circle', {class: 'ring', cx: mark.x, cy: mark.y, r: 7, fill: 'none', stroke: INK, 'stroke-width': 1.5});
    }

    function pointed(figure, event) {
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(figure.root.getScreenCTM().inverse());
        let nearest = null, best = NEAR;
        figure.marks.forEach(mark => {
            const distance = mark.line ? Math.abs(mark.y - at.y) : Math.hypot(mark.x - at.x, mark.y - at.y);
            if (distance < best)
                [nearest, best] = [mark, distance];
        });
        read(figure, nearest);
    }

    function stepped(figure, event) {
        const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
        if (!step || !figure.marks.length)
            return;
        event.preventDefault();
        const at = figure.marks.indexOf(figure.at) + step, count = figure.marks.length;
        read(figure, figure.marks[(at + count) % count]);
    }

    // ---- Figures, and the choices of the reader

    const fits = entry => Object.entries(entry.choices).every(([name, value]) => !(name in chosen) || chosen[name] === value);

    function drawNames(figure, names) {
        figure.names.replaceChildren(...names.map(([name, hue, second]) => {
            const item = element('li'), button = element('button', {type: 'button', 'aria-pressed': String(!hidden.has(name))});
            const swatch = document.createElementNS(SPACE, 'svg');
            Object.entries({width: 12, height: 12, 'aria-hidden': 'true'}).forEach(([k, value]) => swatch.setAttribute(k, value));
            svg(swatch, 'circle', {cx: 6, cy: 6, r: 4.5, fill: second ? '#FFFFFF' : hue, stroke: hue, 'stroke-width': 1.5});
            button.append(swatch, ` ${name}`);
            button.onclick = () => choose(() => (hidden.has(name) ? hidden.delete(name) : hidden.add(name)));
            item.append(button);
            return item;
        }));
    }

    function drawPanels(figure, panels) {
        if (!panels || figure.picker)
            return;
        const label = element('label', {}, 'metric '), select = element('select');
        select.append(...panels.map(name => new Option(name, name)));
        select.onchange = () => { figure.panel = select.value; drawFigure(figure); };
        label.append(select);
        figure.element.insertBefore(label, figure.box);
        figure.picker = select;
    }

    function drawSwitch(figure, switches) {
        if (!switches || figure.switch) {
            if (figure.switch)
                figure.switch.hidden = !switches;
            return;
        }
        const label = element('label', {class: 'log'}), box = element('input', {type: 'checkbox'});
        box.onchange = () => { figure.log = box.checked; drawFigure(figure); };
        label.append(box, ' logarithmic, for small n');
        figure.element.insertBefore(label, figure.box);
        figure.switch = label;
    }

    function drawFigure(figure) {
        figure.shown = figure.entries.find(fits);
        figure.element.hidden = !figure.shown;
        if (!figure.shown)
            return;
        const draw = DRAWS[figure.shown.chart.draws] ?? drawFrame, width = Math.max(300, figure.box.clientWidth);
        figure.root.replaceChildren();
        const drawn = draw(figure, figure.root, width);
        figure.heading.textContent = drawn.heading;
        figure.subtitle.textContent = drawn.subtitle;
        figure.root.setAttribute('aria-label', `chart: ${drawn.heading}`);
        figure.marks = drawn.marks;
        drawNames(figure, drawn.names);
        drawPanels(figure, drawn.panels);
        drawSwitch(figure, drawn.switches);
        read(figure, null);
    }

    function makeFigure(name) {
        const figure = {name, entries: charts.filter(entry => entry.chart.name === name), marks: [],
            hint: 'Point at a mark, or move with the arrow keys, to read it.',
            element: element('figure', {class: 'live', 'data-chart': name}), heading: element('h3'), subtitle: element('p'),
            box: element('div', {class: 'chart'}), names: element('ul', {class: 'names'}), says: element('p', {class: 'says', 'aria-live': 'polite'})};
        figure.root = svg(figure.box, 'svg', {tabindex: 0, role: 'img'});
        figure.root.onpointermove = event => pointed(figure, event);
        figure.root.onpointerdown = event => pointed(figure, event);
        figure.root.onkeydown = event => stepped(figure, event);
        figure.element.append(figure.heading, figure.subtitle, figure.box, figure.says, figure.names,
            element('figcaption', {}, figure.entries[0].sentence));
        return figure;
    }

    // Adds lists of choices. Charts of a single size start with the largest.
    function addLists(form) {
        const lists = new Map();
        charts.forEach(entry => Object.entries(entry.choices).forEach(([name, value]) =>
            lists.set(name, (lists.get(name) ?? new Set()).add(value))));
        lists.forEach((values, name) => {
            chosen[name] = [...values][0];
            if (values.size < 2)
                return;
            const label = element('label', {}, `${name === 'n' ? 'n of charts of one size' : name} `), select = element('select', {'data-choice': name});
            select.append(...[...values].map(value => new Option(value || '(none)', value)));
            select.onchange = () => choose(() => { chosen[name] = select.value; });
            label.append(select);
            form.append(label);
        });
    }

    function addKernels(form) {
        const names = [...new Set(charts.flatMap(entry => entry.chart.blocks.flatMap(block =>
            (block.columns.includes('kernel') ? block.rows.map(row => cell(block, row, 'kernel')) : []))))];
        if (names.length < 2)
            return;
        const details = element('details', {class: 'kernels'}), summary = element('summary', {}, 'Kernels');
        const all = element('button', {type: 'button'}, 'all'), none = element('button', {type: 'button'}, 'none');
        all.onclick = () => choose(() => hidden.clear());
        none.onclick = () => choose(() => names.forEach(name => hidden.add(name)));
        details.append(summary, all, ' ', none, ' ');
        const boxes = names.map(name => {
            const label = element('label'), box = element('input', {type: 'checkbox'});
            box.onchange = () => choose(() => (box.checked ? hidden.delete(name) : hidden.add(name)));
            label.append(box, ` ${name}`);
            details.append(label, ' ');
            return [box, name];
        });
        update.push(() => {
            const shown = boxes.filter(([box, name]) => (box.checked = !hidden.has(name))).length;
            summary.textContent = shown < names.length ? `Kernels: ${shown} of ${names.length}` : `Kernels: all ${names.length}`;
        });
        form.append(details);
    }

    // Choices survive refreshes for as long as the tab is open.
    const update = [], key = `redsweep ${location.pathname}`;
    function choose(change) {
        change();
        update.forEach(f => f());
        figures.forEach(drawFigure);
        try {
            sessionStorage.setItem(key, JSON.stringify({chosen, hidden: [...hidden]}));
        } catch { /* browsers may not store anything for files */ }
    }
    function recall(form) {
        try {
            const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}');
            form.querySelectorAll('select').forEach(select => {
                const value = kept.chosen?.[select.dataset.choice];
                if ([...select.options].some(option => option.value === value))
                    chosen[select.dataset.choice] = select.value = value;
            });
            (kept.hidden ?? []).forEach(name => hidden.add(name));
        } catch { /* browsers may not store anything for files */ }
    }

    const form = element('form', {id: 'charts-form'});
    place.replaceChildren();
    form.onsubmit = event => event.preventDefault();
    addLists(form);
    addKernels(form);
    recall(form);
    place.append(form);
    new Set(charts.map(entry => entry.chart.name)).forEach(name => figures.push(makeFigure(name)));
    figures.forEach(figure => place.append(figure.element));
    if (left_out)
        place.append(element('p', {}, `About ${left_out} more charts, of smaller sizes or other slices, are not on this page: redsweep plots --where draws them.`));
    choose(() => {});
    let width = innerWidth;
    addEventListener('resize', () => innerWidth !== width && (width = innerWidth, figures.forEach(drawFigure)));
})();
