// Makes a page's tables interactive. Headings sort their table; words and column values filter the
// searchable one. Long tables keep only visible rows in the document. Without scripts, all rows are
// there.

const LONG = 300;  // rows above which a table keeps only visible ones in the document (view.h)
const AROUND = 15;  // rows kept above and below the visible ones
const PRINTED = 100;  // rows of a table that are printed, as in page.css
const CHOICES = 100;  // columns with more values get no list

// Returns a table's column as an array of its rows' values: strings, or numbers with NaN for
// missing ones. Made on first use.
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

// Puts the visible rows into the document. All rows have the same height, because page.css disables
// line breaks in cells.
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
    rows.forEach((row, i) => row.ariaRowIndex = first + i + 2);  // the heading is the first row
}

function redraw(table) {
    table.drawn = -1;
    draw(table);
}

// Sorts the rows, numbers by value and strings by character. Missing values come last in both
// directions.
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

// Shows the rows that pass the filter, in order.
function show(table) {
    table.shown = table.kept ? table.order.filter(i => table.kept[i]) : table.order;
    if (table.long)
        table.element.ariaRowCount = table.shown.length + 1;
    redraw(table);
}

// Fixes each column at the width of its longest cell, whichever rows are visible.
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
        headings: [...element.tHead.rows[0].cells], columns: [], texts: [], kept: null, drawn: -1,
        order: rows.map((_, i) => i), long: rows.length > LONG,  // long tables are in a box that scrolls
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

// Returns the text of each row's cell in a column.
function textsOf(table, index) {
    return table.texts[index] ??= table.rows.map(row => row.cells[index].textContent);
}

// Returns the options in a column's list: '' for all rows, '*' for those with a value, and '=…' for
// those with this value.
function optionsOf(table, index) {
    const texts = textsOf(table, index), values = columnOf(table, index), first = new Map();
    texts.forEach((text, i) => first.has(text) || first.set(text, i));
    const order = (a, b) => (values[first.get(a)] < values[first.get(b)] ? -1 : 1);
    const options = [...first.keys()].filter(text => text !== '').sort(order).map(text => new Option(text, `=${text}`));
    if (first.has(''))
        options.unshift(new Option('(any)', '*'), new Option('(none)', '='));
    return options;
}

// Adds a list to the form for each column that has several values, but not too many.
function addChoices(table, form) {
    return table.headings.flatMap((heading, index) => {
        const options = 'choice' in heading.dataset ? optionsOf(table, index) : [];
        if (options.length < 2 || options.length > CHOICES)
            return [];
        const label = document.createElement('label'), select = document.createElement('select');
        select.dataset.column = heading.dataset.name;
        select.append(new Option('all', ''), ...options);
        select.onchange = () => filter(table);
        label.append(`${heading.dataset.name} `, select);
        form.insertBefore(label, form.lastElementChild);
        return [{select, index}];
    });
}

// Keeps the rows with the chosen values and all words, and shows how many there are.
function filter(table) {
    const words = document.getElementById('filter').value.toLowerCase().split(/\s+/).filter(word => word);
    const chosen = table.choices.filter(({select}) => select.value);
    table.said ??= words.length ? table.rows.map((_, i) =>
        table.headings.map((_, index) => textsOf(table, index)[i]).join(' ').toLowerCase()) : null;
    const has = ({select, index}, i) => {
        const text = textsOf(table, index)[i];
        return select.value === '*' ? text !== '' : `=${text}` === select.value;
    };
    table.kept = chosen.length || words.length ? table.rows.map((_, i) =>
        chosen.every(choice => has(choice, i)) && words.every(word => table.said[i].includes(word))) : null;
    show(table);
    document.getElementById('filter-says').value = table.kept ? `${table.shown.length} of ${table.rows.length} rows` : '';
}

const tables = [...document.querySelectorAll('table')].map(prepare);
const searchable = tables.find(table => table.element.id === 'rows-table');

// Chooses the values in an address such as #rows&status=%3Dwrong. Warnings link to their rows this
// way, and such links can be bookmarked.
function follow() {
    if (!location.hash.startsWith('#rows&'))
        return;
    const wanted = new URLSearchParams(location.hash.slice('#rows&'.length));
    document.getElementById('filter').value = '';
    searchable.choices.forEach(({select}) => { select.value = wanted.get(select.dataset.column) ?? ''; });
    filter(searchable);
    const form = document.getElementById('filter-form');
    form.scrollIntoView();
    form.querySelector('input').focus({preventScroll: true});
}
if (searchable) {
    const form = document.getElementById('filter-form');
    searchable.choices = addChoices(searchable, form);
    form.hidden = false;
    form.onsubmit = event => event.preventDefault();
    document.getElementById('filter').oninput = () => filter(searchable);
    addEventListener('hashchange', follow);
    follow();
}

// Long tables are printed from the first row on, whichever rows are visible.
addEventListener('beforeprint', () => tables.filter(table => table.long).forEach(table => {
    table.body.replaceChildren(...table.shown.slice(0, PRINTED).map(i => table.rows[i]));
    table.headings.forEach(heading => heading.style.minWidth = '');
}));
addEventListener('afterprint', () => tables.filter(table => table.long).forEach(redraw));
