// A click on a heading sorts its table: numbers by value, missing ones last; a second click turns
// the order round.
function value(row, column) {
    const cell = row.cells[column];
    return cell.dataset.v !== undefined ? +cell.dataset.v : cell.textContent;
}
function compare(x, y, direction) {
    if (x === '' || y === '')
        return (x === '') - (y === '');
    const numbers = typeof x === 'number' && typeof y === 'number';
    return direction * (numbers ? x - y : ('' + x).localeCompare('' + y));
}
document.querySelectorAll('table').forEach(table => {
    const headings = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    headings.forEach((heading, column) => heading.onclick = () => {
        const direction = heading.classList.contains('up') ? -1 : 1;
        headings.forEach(other => other.classList.remove('up', 'down'));
        heading.classList.add(direction > 0 ? 'up' : 'down');
        [...body.rows].sort((p, q) => compare(value(p, column), value(q, column), direction))
            .forEach(row => body.append(row));
    });
});

// Rows that do not hold every word of the filter are hidden.
const f = document.getElementById('filter');
if (f)
    f.oninput = () => {
        const words = f.value.toLowerCase().split(/\s+/);
        document.querySelectorAll('#rows-table tbody tr').forEach(row => {
            const text = row.textContent.toLowerCase();
            row.hidden = !words.every(word => text.includes(word));
        });
    };
