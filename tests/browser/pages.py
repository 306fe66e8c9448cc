"""What the pages of redsweep do in a browser: called by pages.sh.

    pages.py PROFILE FOLDER AXE PAGE…

PROFILE is a folder for the browser. Of each PAGE (*.html; with a searchable table) the screenshots at
two widths and the printed PDF go to FOLDER. AXE is axe-core's script, or "" without it. Exit code: 1
when something is not as it must be.
"""
import base64
import json
import pathlib
import re
import sys
import time

import devtools

BEGAN = time.monotonic()
ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDE, PHONE = (1280, 1000), (390, 844)
TABLE = "document.getElementById('rows-table')"

failed = 0
checks = 0


def check(what, holds, found=""):
    global failed, checks
    checks += 1
    if not holds:
        failed += 1
        print(f"pages: FAILED: {what}{': ' if found != '' else ''}{found}")


def expressions(browser):
    """plots/expr.js by the cases that harness/base/expr.c is tested with."""
    cases = json.loads((ROOT / "tests/base/expr_cases.json").read_text())
    browser.open("about:blank")
    browser.run((ROOT / "plots/expr.js").read_text() + "; window.expr = [exprParse, exprNumber]; 0")
    wrong = browser.run("""(cases => {
        const [parse, number] = window.expr, wrong = [];
        const lookup = name => Object.hasOwn(cases.names, name) ? cases.names[name] ?? NaN : undefined;
        const message = run => { try { return `no error but ${run()}`; } catch (e) { return e.at >= 0 ? e.message : e.stack; } };
        for (const [source, value] of cases.values) {
            const found = message(() => { throw Object.assign(Error(number(parse(source), lookup)), {at: 0}); });
            if (found !== String(value ?? NaN))
                wrong.push([source, found]);
        }
        for (const [source, part] of cases.refused)
            if (!message(() => parse(source) && 'parsed').includes(part))
                wrong.push([source, message(() => parse(source))]);
        for (const [source, part] of cases.faults) {
            const x = parse(source);
            if (!message(() => number(x, lookup)).includes(part))
                wrong.push([source, message(() => number(x, lookup))]);
        }
        for (const [before, middle, after, part, fits, tooMuch] of cases.limits) {
            const nest = times => before.repeat(times) + middle + after.repeat(times);
            number(parse(nest(fits)), lookup);
            if (!message(() => parse(nest(tooMuch))).includes(part))
                wrong.push([before, middle, after, message(() => parse(nest(tooMuch)))]);
        }
        return wrong;
    })(%s)""" % json.dumps(cases))
    check("both evaluators agree on all cases", wrong == [], wrong)
    check("there are cases", len(cases["values"]) > 50 and len(cases["faults"]) > 10)


def save(path, data):
    path.write_bytes(base64.b64decode(data))
    return path.stat().st_size


def shown(browser):
    """The kernels of the rows in the document, from above."""
    return browser.run(f"[...{TABLE}.tBodies[0].rows].filter(r => r.className !== 'space').map(r => r.cells[0].textContent)")


def accessible(browser, axe, width):
    if not axe:
        return
    browser.run(pathlib.Path(axe).read_text() + "; 0")
    found = browser.run("axe.run({exclude: [['figure svg *']]}).then(r => r.violations.map(v => `${v.id}: ${v.nodes.length} times, ${v.nodes[0].html.slice(0, 120)}`))")
    check(f"axe finds nothing at {width} px", found == [], found)


def looks(browser, url, folder, name, size, axe):
    """Nothing is wider than the window, pictures have names, times are in the first columns."""
    width, height = size
    browser.open(url, width, height)
    picture = save(folder / f"{name}-{width}.png", browser.call("Page.captureScreenshot")["data"])
    check(f"{name} has a picture at {width} px", picture > 5000, picture)
    wide = browser.run("document.documentElement.scrollWidth")
    check(f"{name} is no wider than {width} px", wide <= width, wide)
    accessible(browser, axe, width)
    first = browser.run(f"[...{TABLE}.tHead.rows[0].cells].slice(0, 3).map(c => c.dataset.name)")
    check(f"{name}: the kernel and a time come first", first[0] == "kernel" and re.search("time|verdict", first[1]), first)
    pictures = browser.run("[...document.querySelectorAll('figure svg')].map(s => s.getAttribute('role') === 'img' && s.querySelector('title')?.textContent.length > 10)")
    check(f"{name}: each picture has a title", all(pictures), pictures)
    # The kernel's column and the headings stay where they are when the rest scrolls.
    browser.run(f"{TABLE}.parentElement.scrollTo(300, 1000)")
    moved = browser.run(f"""new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {{
        const box = {TABLE}.parentElement.getBoundingClientRect(), head = {TABLE}.tHead.rows[0].cells[0].getBoundingClientRect();
        const key = {TABLE}.tBodies[0].querySelector('th.key').getBoundingClientRect();
        done([head.top - box.top, head.left - box.left, key.left - box.left].map(Math.abs));
    }})))""")
    check(f"{name}: headings and kernels stay", max(moved) <= 1, moved)


def sorts(browser, name):
    """Headings are buttons; a second press turns the order round; empty cells come last."""
    browser.run(f"{TABLE}.tHead.querySelector('button').focus()")
    browser.press("Enter")
    state = browser.run(f"[...{TABLE}.tHead.rows[0].cells].map(c => c.ariaSort)")
    check(f"{name}: Enter sorts", state[0] == "ascending" and not any(state[1:]), state)
    kernels = shown(browser)
    check(f"{name}: kernels are in order", kernels == sorted(kernels) and len(kernels) > 5, kernels[:5])
    browser.press(" ")
    kernels = shown(browser)
    check(f"{name}: and the other way round", kernels == sorted(kernels, reverse=True), kernels[:5])
    browser.press("Tab")
    browser.press("Enter")
    state = browser.run(f"[...{TABLE}.tHead.rows[0].cells].map(c => c.ariaSort)")
    check(f"{name}: the next heading by Tab", state[:2] == [None, "ascending"], state)
    column = f"[...{TABLE}.tHead.rows[0].cells].findIndex(c => c.dataset.name.startsWith('time_us'))"
    times = browser.run(f"""(column => {{
        const table = {TABLE}, cells = () => [...table.tBodies[0].rows].filter(r => r.className !== 'space').map(r => r.cells[column]);
        const heading = table.tHead.rows[0].cells[column];
        do
            heading.querySelector('button').click();
        while (heading.ariaSort !== 'ascending');
        return cells().map(c => c.textContent && +(c.dataset.v ?? c.textContent));
    }})({column})""")
    values = [t for t in times if t != ""]
    check(f"{name}: times by value", values == sorted(values) and len(set(values)) > 1, values[:5])
    check(f"{name}: missing ones last", "" not in times[:len(values)], times)


def filters(browser, name, cases):
    """By expressions; each of `cases` is one with the number of rows that `redsweep show` gives."""
    says = lambda source: browser.run(f"(f => {{ f.value = {json.dumps(source)}; f.dispatchEvent(new Event('input')); return document.getElementById('filter-says').value; }})(document.getElementById('filter'))")
    for source, rows in cases:
        found = says(source)
        check(f"{name}: {source}", found.startswith(f"{rows} of "), found)
    # Columns that the page has not, and names that nobody has: with the names that it knows.
    names = ", ".join(browser.run(f"[...{TABLE}.tHead.rows[0].cells].map(c => c.dataset.name)"))
    left_out = browser.run("document.getElementById('filter-form').dataset.leftOut").split()
    check(f"{name}: columns are left out", left_out or name == "slower")
    for column in left_out:
        found = says(f"n > 1 and {column} = 1")
        check(f"{name}: {column} is not here", found.startswith(f"character 11: this page leaves out the column '{column}'"), found)
        check(f"{name}: and those that are", found.endswith(f"Names of this page: {names}") and names.startswith("kernel, "), found)
    found = says("nonsense > 1")
    check(f"{name}: an unknown name", found == f"character 1: unknown name 'nonsense'. Names of this page: {names}", found)
    found = says("block = ")
    check(f"{name}: an error is told", "unexpected end of the expression" in found, found)
    check(f"{name}: and marked", browser.run("document.getElementById('filter').ariaInvalid") == "true")
    check(f"{name}: no filter, all rows", says("") == "")
    links = browser.run("[...document.querySelectorAll('a[href^=\"#where=\"]')].map(a => a.getAttribute('href'))")
    for link in links:
        browser.run(f"document.querySelector('a[href=\"{link}\"]').click()")
        text = browser.run("new Promise(done => setTimeout(() => done(document.getElementById('filter-says').value), 50))")
        check(f"{name}: {link} leads to its rows", re.match(r"[1-9]\d* of \d+ rows", text), text)
    says("")
    return len(links)


def prints(browser, folder, name):
    """All rows, whatever is in sight."""
    path = folder / f"{name}.pdf"
    save(path, browser.call("Page.printToPDF", preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))
    check(f"{name} prints on fewer than ten pages", 0 < pages < 10, pages)
    browser.call("Emulation.setEmulatedMedia", media="print")
    visible = browser.run(f"[...{TABLE}.tHead.rows[0].cells].filter(c => c.offsetWidth).map(c => c.dataset.name)")
    # A button in a heading would be drawn on the first page of a table only.
    boxes = browser.run("[...new Set([...document.querySelectorAll('th button')].map(b => getComputedStyle(b).display))]")
    check(f"{name}: headings are on each printed page", boxes == ["contents"], boxes)
    browser.call("Emulation.setEmulatedMedia", media="")
    check(f"{name} prints times", any(v.startswith("time_us") for v in visible), visible)
    return pages


def long_table(browser, url, folder):
    """10 000 rows: sorted in 0.3 s, only those in sight in the document, reached by the keyboard."""
    page = pathlib.Path(url.removeprefix("file://")).read_text()
    body = re.search(r'(<table id="rows-table">.*?<tbody>\n)(.*?)(</tbody>)', page, re.S)
    rows = body[2].strip().split("\n")
    many = "\n".join((rows * (10000 // len(rows) + 1))[:10000])
    path = folder / "long.html"
    path.write_text(page[:body.start(2)] + many + page[body.end(2):])
    browser.open(f"file://{path}")
    check("10 000 rows: few are in the document", 20 < len(shown(browser)) < 200, len(shown(browser)))
    # Processor time of the page's thread: what else the machine does is not the page's.
    browser.call("Performance.enable", timeDomain="threadTicks")
    busy = lambda: next(m["value"] for m in browser.call("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")
    took = []
    for column in ["kernel", "time_us_median", "bandwidth_gbs", "bandwidth_gbs"]:
        before = busy()
        browser.run(f"{TABLE}.tHead.querySelector('th[data-name={column}] button').click(), {TABLE}.offsetHeight")
        took.append(1000 * (busy() - before))
    check("10 000 rows sort in 0.3 s", 1 < min(took) and max(took) < 300, took)
    browser.run(f"{TABLE}.parentElement.focus()")
    for _ in range(20): # the box scrolls smoothly, which a busy machine draws slowly
        browser.press("End")
        last = browser.run(f"new Promise(done => setTimeout(() => done([...{TABLE}.tBodies[0].rows].at(-1).ariaRowIndex), 500))")
        if last == "10001":
            break
    check("10 000 rows: the last one by the keyboard", last == "10001", last)
    return max(took)


def main():
    profile, folder, axe, *pages = sys.argv[1:]
    folder = pathlib.Path(folder)
    try:
        started = devtools.Browser(devtools.find(), profile)
    except (OSError, EOFError, TimeoutError) as why:
        print(f"test-browser: skipped: the browser does not start here: {why}")
        return
    with started as browser:
        expressions(browser)
        for page in pages:
            path = pathlib.Path(page).resolve()
            url, name = f"file://{path}", path.stem
            looks(browser, url, folder, name, PHONE, axe if page == pages[0] else "")
            looks(browser, url, folder, name, WIDE, axe)
            sorts(browser, name)
            cases = json.loads(path.with_suffix(".json").read_text())
            links = filters(browser, name, cases["filters"])
            check(f"{name} has links to rows", links >= cases["links"], links)
            printed = prints(browser, folder, name)
            print(f"pages: {name}: {printed} printed pages")
        took = long_table(browser, f"file://{pathlib.Path(pages[0]).resolve()}", folder)
        print(f"pages: 10 000 rows sort in {took:.0f} ms")
        spent = browser.processor_time()
        check("nothing is logged to the console", browser.console == [], browser.console)
    print(f"pages: {checks} checks, {failed} failed, {time.monotonic() - BEGAN:.0f} s, of the browser {spent:.0f} s on processors")
    sys.exit(1 if failed else 0)


main()
