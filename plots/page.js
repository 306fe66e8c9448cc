// What a page does with scripts: headings sort their table, an expression filters the searchable one,
// and of a long table only the rows in sight are in the document. Without scripts all rows are there.

const LONG = 300;     // a table of more rows keeps only those in sight in the document (view.h)
const AROUND = 15;    // rows kept above and below these
const PRINTED = 100;  // rows of a table that are printed, as in page.css

// A table's column as an array of its rows' values, made when it is first wanted: numbers, NaN where
// missing; or texts.
function columnOf(table, index) {
    const isNumber = 'number' in table.headings[index].dataset;
    const value = cell => {
        if (!isNumber)
            return cell.textContent;
        return cell.dataset.v !== undefined ? +cell.dataset.v
            : cell.classList.contains('n') ? +cell.textContent : NaN;
    };
    return table.columns[index] ??= table.rows.map(row => value(row.cells[index]));
}

function space(height, columns) {
    const row = document.createElement('tr'), cell = row.insertCell();
    row.className = 'space';
    row.ariaHidden = 'true';
    cell.colSpan = columns;
    cell.style.height = `${height}px`;
    return row;
}

// Puts the rows in sight into the document. Rows are equally high: page.css lets no cell break.
function draw(table) {
    const {box, body, shown, height} = table;
    if (!table.long) {
        body.replaceChildren(...shown.map(i => table.rows[i]));
        return;
    }
    const first = Math.max(0, Math.min(Math.floor(box.scrollTop / height), shown.length) - AROUND);
    const count = Math.ceil((box.clientHeight || 800) / height) + 2 * AROUND;
    if (table.drawn === first)
        return;
    table.drawn = first;
    const rows = shown.slice(first, first + count).map(i => table.rows[i]);
    const above = first * height, below = (shown.length - first - rows.length) * height;
    const spaces = [above, below].map(h => (h > 0 ? [space(h, table.headings.length)] : []));
    body.replaceChildren(...spaces[0], ...rows, ...spaces[1]);
    rows.forEach((row, i) => row.ariaRowIndex = first + i + 2); // the heading is the first
}

function redraw(table) {
    table.drawn = -1;
    draw(table);
}

// Orders the rows: numbers by value, texts by their characters, missing ones last either way.
function sortBy(table, index, direction) {
    table.headings.forEach((heading, i) => {
        if (i === index)
            heading.ariaSort = direction > 0 ? 'ascending' : 'descending';
        else
            heading.removeAttribute('aria-sort');
    });
    const values = columnOf(table, index), missing = x => x === '' || x !== x;
    table.order.sort((i, j) => {
        const a = values[i], b = values[j];
        if (missing(a) || missing(b))
            return missing(a) - missing(b) || i - j;
        return (a < b ? -direction : a > b ? direction : 0) || i - j;
    });
    if (table.long)
        table.box.scrollTop = 0;
    show(table);
}

// Takes the rows that the filter keeps, in their order.
function show(table) {
    table.shown = table.kept ? table.order.filter(i => table.kept[i]) : table.order;
    if (table.long)
        table.element.ariaRowCount = table.shown.length + 1;
    redraw(table);
}

// Columns stay as wide as their longest cells make them, whichever rows are in sight.
function fixWidths(table) {
    const longest = new Set(table.headings.map((_, column) => {
        const lengths = table.rows.map(row => row.cells[column].textContent.length);
        return lengths.indexOf(lengths.reduce((a, b) => Math.max(a, b)));
    }));
    table.body.replaceChildren(...[...longest].map(i => table.rows[i]));
    const widths = table.headings.map(heading => heading.offsetWidth);
    table.headings.forEach((heading, i) => {
        heading.style.boxSizing = 'border-box';
        heading.style.minWidth = `${widths[i]}px`;
    });
    table.height = table.body.getBoundingClientRect().height / longest.size;
}

function prepare(element) {
    const rows = [...element.tBodies[0].rows], table = {
        element, rows, box: element.parentElement, body: element.tBodies[0],
        headings: [...element.tHead.rows[0].cells], columns: [], kept: null, drawn: -1,
        order: rows.map((_, i) => i), long: rows.length > LONG, // then in a box that scrolls
    };
    table.shown = table.order;
    table.headings.forEach((heading, index) => {
        const button = document.createElement('button');
        button.append(...heading.childNodes);
        heading.append(button);
        button.onclick = () => sortBy(table, index, heading.ariaSort === 'ascending' ? -1 : 1);
    });
    if (table.long) {
        fixWidths(table);
        table.box.onscroll = () => draw(table);
        addEventListener('resize', () => redraw(table));
        show(table);
    }
    return table;
}

// Keeps the rows for which the expression holds; says how many, or what is wrong with it.
function filter(table, source) {
    const input = document.getElementById('filter'), says = document.getElementById('filter-says');
    try {
        table.kept = source.trim() ? keep(table, exprParse(source)) : null;
        show(table);
        says.value = table.kept ? `${table.shown.length} of ${table.rows.length} rows` : '';
    } catch (error) {
        if (!(error instanceof ExprError))
            throw error;
        says.value = `character ${error.at + 1}: ${error.unknown ? unknownName(table, error.unknown) : error.message}`;
    }
    const wrong = says.value.startsWith('character');
    says.classList.toggle('error', wrong);
    input.ariaInvalid = wrong ? 'true' : 'false';
}

// Why a name is none of the page's, and which ones are.
function unknownName(table, name) {
    const leftOut = document.getElementById('filter-form').dataset.leftOut.split(' ');
    const why = leftOut.includes(name) || leftOut.includes(`t_${name}`)
        ? `this page leaves out the column '${name}', which is the same in all rows, or for programs; ` +
          'results.csv has it, and redsweep show --where filters by it'
        : `unknown name '${name}'`;
    return `${why}. Names of this page: ${table.headings.map(heading => heading.dataset.name).join(', ')}`;
}

// Of each row whether the expression holds; a tunable has its name with and without the prefix t_.
function keep(table, expression) {
    let row = 0;
    const numbers = new Map(table.headings.map((heading, i) => [heading.dataset.name, i]));
    const lookup = name => {
        const index = numbers.get(name) ?? numbers.get(`t_${name}`);
        return index === undefined ? undefined : columnOf(table, index)[row];
    };
    return table.rows.map((_, i) => {
        row = i;
        const value = exprNumber(expression, lookup);
        return value !== 0 && !isNaN(value);
    });
}

const tables = [...document.querySelectorAll('table')].map(prepare);
const searchable = tables.find(table => table.element.id === 'rows-table');

// #where=EXPRESSION in the address is the filter: a warning's link to its rows, or a bookmark.
function follow() {
    const where = location.hash.match(/^#where=(.*)$/);
    if (!where || !searchable)
        return;
    const input = document.getElementById('filter');
    input.value = decodeURIComponent(where[1]);
    filter(searchable, input.value);
    document.getElementById('filter-form').scrollIntoView();
    input.focus({preventScroll: true});
}
if (searchable) {
    const form = document.getElementById('filter-form');
    form.hidden = false;
    form.onsubmit = event => event.preventDefault();
    document.getElementById('filter').oninput = event => filter(searchable, event.target.value);
    addEventListener('hashchange', follow);
    follow();
}

// A long table is printed from its first row on, whatever is in sight.
addEventListener('beforeprint', () => tables.filter(table => table.long).forEach(table => {
    table.body.replaceChildren(...table.shown.slice(0, PRINTED).map(i => table.rows[i]));
    table.headings.forEach(heading => heading.style.minWidth = '');
}));
addEventListener('afterprint', () => tables.filter(table => table.long).forEach(redraw));
