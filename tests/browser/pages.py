"""Checks what the pages of redsweep do in a browser. pages.sh calls this script.

    pages.py PROFILE FOLDER AXE LIVE PAGE…

PROFILE is a folder for the browser's profile. Each PAGE is an HTML file with a searchable table. Screenshots of it at
two widths and a printed PDF are written to FOLDER. AXE is the path of axe-core's script, or "" if it is missing. LIVE
is the page of a run in progress. The exit code is 1 if something is wrong.
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


def save(path, data):
    path.write_bytes(base64.b64decode(data))
    return path.stat().st_size


def shown(browser):
    """Returns the kernels of the rows in the document, from top to bottom."""
    return browser.run(f"[...{TABLE}.tBodies[0].rows].filter(r => r.className !== 'space').map(r => r.cells[0].textContent)")


def accessible(browser, axe, width):
    if not axe:
        return
    browser.run(pathlib.Path(axe).read_text() + "; 0")
    found = browser.run("axe.run(document).then(r => r.violations.map(v => `${v.id}: ${v.nodes.length} times, ${v.nodes[0].html.slice(0, 120)}`))")
    check(f"axe finds nothing at {width} px", found == [], found)


def looks(browser, url, folder, name, size, axe):
    """Checks that no element is wider than the window, that pictures have names, and that times are in the first columns."""
    width, height = size
    browser.open(url, width, height)
    picture = save(folder / f"{name}-{width}.png", browser.call("Page.captureScreenshot")["data"])
    check(f"{name} has a picture at {width} px", picture > 5000, picture)
    wide = browser.run("document.documentElement.scrollWidth")
    check(f"{name} is no wider than {width} px", wide <= width, wide)
    accessible(browser, axe, width)
    first = browser.run(f"[...{TABLE}.tHead.rows[0].cells].slice(0, 3).map(c => c.dataset.name)")
    wanted = "gld_transactions" if name == "simulator" else "time|verdict"  # the simulator has no clock
    check(f"{name}: the kernel and a time, or a count, come first", first[0] == "kernel" and re.search(wanted, first[1]), first)
    pictures = browser.run("[...document.querySelectorAll('figure img')].map(i => i.alt.length > 10 && i.complete && i.naturalWidth > 0)")
    check(f"{name}: each picture has a title", all(pictures), pictures)
    # The kernel column and the headings must stay in place when the table scrolls.
    browser.run(f"{TABLE}.parentElement.scrollTo(300, 1000)")
    moved = browser.run(f"""new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {{
        const box = {TABLE}.parentElement.getBoundingClientRect(), head = {TABLE}.tHead.rows[0].cells[0].getBoundingClientRect();
        const key = {TABLE}.tBodies[0].querySelector('th.key').getBoundingClientRect();
        done([head.top - box.top, head.left - box.left, key.left - box.left].map(Math.abs));
    }})))""")
    check(f"{name}: headings and kernels stay", max(moved) <= 1, moved)


def sorts(browser, name):
    """Checks that headings are buttons, that a second press reverses the order, and that empty cells come last."""
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
    """Filters by column values and by words. Each case has both, and the number of rows that `show` finds with them."""
    def says(choices, text=""):
        return browser.run("""((choices, text) => {
            for (const select of document.querySelectorAll('#filter-form select')) {
                select.value = choices[select.dataset.column] ?? '';
                if (select.selectedIndex < 0)
                    return `no option ${choices[select.dataset.column]} of ${select.dataset.column}`;
                select.dispatchEvent(new Event('change'));
            }
            const input = document.getElementById('filter');
            input.value = text;
            input.dispatchEvent(new Event('input'));
            return document.getElementById('filter-says').value;
        })(%s, %s)""" % (json.dumps(choices), json.dumps(text)))
    for choices, text, rows in cases:
        found = says(choices, text)
        check(f"{name}: {choices} {text}", found.startswith(f"{rows} of "), found)
    lists = browser.run("[...document.querySelectorAll('#filter-form select')].map(s => [s.dataset.column, s.options.length])")
    names = [column for column, _ in lists]
    check(f"{name}: axes have lists", "kernel" in names and "n" in names, names)
    check(f"{name}: measured columns have none", not any(re.search("time_us|bandwidth|gld|ratio", c) for c in names), names)
    check(f"{name}: no list of one value or of hundreds", all(2 < count <= 103 for _, count in lists), lists)
    check(f"{name}: words that no row has", says({}, "nonsense").startswith("0 of "))
    check(f"{name}: nothing chosen, all rows", says({}) == "")
    links = browser.run("[...document.querySelectorAll('a[href^=\"#rows&\"]')].map(a => a.getAttribute('href'))")
    for link in links:
        browser.run(f"document.querySelector('a[href=\"{link}\"]').click()")
        text = browser.run("new Promise(done => setTimeout(() => done(document.getElementById('filter-says').value), 50))")
        check(f"{name}: {link} leads to its rows", re.match(r"[1-9]\d* of \d+ rows", text), text)
    says({})
    return len(links)


MARK = """(figure, wanted) => {
    const svg = document.querySelector(`figure[data-chart=${figure}] svg`), says = svg.closest('figure').querySelector('.says');
    for (const mark of svg.querySelectorAll('g circle, g rect')) {
        const box = mark.getBoundingClientRect(), at = {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true};
        svg.dispatchEvent(new PointerEvent('pointermove', at));
        if (wanted.every(word => says.textContent.split('; ').includes(word)))
            return says.textContent;
    }
    return `none of ${svg.querySelectorAll('g circle, g rect').length}, the last: ${says.textContent}`;
}"""


def charts(browser, name, cases):
    """Each case has choices, a chart, and the text of one of its marks, which comes from `redsweep show`."""
    choose = lambda choices: browser.run("""(choices => Object.entries(choices).map(([name, value]) => {
        const select = document.querySelector(`#charts-form select[data-choice=${name}]`);
        select.value = value;
        select.dispatchEvent(new Event('change'));
        return select.selectedIndex >= 0;
    }).every(found => found))(%s)""" % json.dumps(choices))
    for choices, chart, words in cases:
        check(f"{name}: {choices} can be chosen", choose(choices))
        found = browser.run(f"({MARK})({json.dumps(chart)}, {json.dumps(words)})")
        check(f"{name}: a mark of {chart} says {words}", all(word in found.split("; ") for word in words), found)
        svg = f"document.querySelector('figure[data-chart={chart}] svg')"
        marks = browser.run(f"{svg}.querySelectorAll('g circle, g rect').length")
        kernel = words[0]
        browser.run("""(kernel => [...document.querySelectorAll('.kernels label')].find(l => l.textContent.trim() === kernel)
            .querySelector('input').click())(%s)""" % json.dumps(kernel))
        found = browser.run(f"({MARK})({json.dumps(chart)}, {json.dumps([kernel])})")
        fewer = browser.run(f"{svg}.querySelectorAll('g circle, g rect').length")
        check(f"{name}: {chart} without {kernel} has fewer marks", found.startswith("none of") and fewer < marks, found)
        browser.run("[...document.querySelectorAll('.kernels button')].find(b => b.textContent === 'all').click()")
        browser.run(f"{svg}.focus()")
        browser.press("ArrowRight")
        read = browser.run(f"{svg}.closest('figure').querySelector('.says').textContent")
        check(f"{name}: an arrow key reads a mark of {chart}", ": " in read, read)
    markup = browser.run("document.querySelectorAll('#charts-live script, #charts-live img, #charts-live iframe').length")
    check(f"{name}: charts hold no markup of others", markup == 0, markup)


def switches(browser, url):
    """Checks that bandwidths for small n, which are close together on a linear axis, are further apart on a logarithmic axis."""
    browser.open(url)
    svg = "document.querySelector('figure[data-chart=bandwidth] svg')"
    heights = lambda: browser.run(f"[...{svg}.querySelectorAll('g circle')].map(c => +c.getAttribute('cy'))")
    ticks = lambda: browser.run(f"[...{svg}.querySelectorAll('text')].map(t => t.textContent)")
    linear, before = heights(), ticks()
    browser.run("document.querySelector('figure[data-chart=bandwidth] .log input').click()")
    log = heights()
    check("the linear axis begins at 0", "0" in before, before)
    check("the logarithmic one at the lowest line", "0" not in ticks() and "20" in ticks(), ticks())
    check("and the marks are spread", len(log) == len(linear) and sum(y > 0.9 * max(linear) for y in linear) > 2 * sum(y > 0.9 * max(linear) for y in log), log[:5])
    browser.run("document.querySelector('figure[data-chart=bandwidth] .log input').click()")
    check("it can be switched back", heights() == linear)
    check("a time is logarithmic without a switch", browser.run("document.querySelector('figure[data-chart=time] .log')") is None)


def marks(browser, url, name, cases):
    """Checks that the page draws every chart that `plots` draws. Each case has a chart and the text of one of its marks."""
    for width, height in (WIDE, PHONE):
        browser.open(url, width, height)
        for chart, words in cases:
            found = browser.run(f"document.querySelector('figure[data-chart={chart}] svg') ? ({MARK})({json.dumps(chart)}, {json.dumps(words)}) : 'no chart'")
            check(f"{name} at {width} px: a mark of {chart} says {words}", all(word in found.split("; ") for word in words), found)
            read = browser.run(f"getComputedStyle(document.querySelector('figure[data-chart={chart}] .says')).display")
            check(f"{name}: what a mark of {chart} says is shown", read != "none", read)
        wide = browser.run("document.documentElement.scrollWidth")
        check(f"{name} is no wider than {width} px", wide <= width, wide)
        texts = browser.run("""[...document.querySelectorAll('#charts-live figure:not([hidden]) svg text')].filter(t => /NaN|undefined|null/.test(t.textContent) ||
            [...t.attributes].some(a => /NaN|undefined/.test(a.value))).map(t => t.closest('figure').dataset.chart + ' ' + t.textContent)""")
        check(f"{name}: charts show no text that is not there", texts == [], texts[:5])


def refreshes(browser, url):
    """Checks that a running sweep's page shows more points after a while, and keeps the user's choices."""
    browser.open(url)
    box = "[...document.querySelectorAll('.kernels label')].find(l => l.textContent.trim() === 'unroll').querySelector('input')"
    points = lambda: int(re.search(r"(\d+) points", browser.run("document.querySelector('main > p').textContent"))[1])
    before = points()
    browser.run(f"{box}.click()")
    check("a kernel can be taken out of a live page", browser.run(f"{box}.checked") is False)
    for _ in range(60):
        time.sleep(1)
        try:
            if points() > before:
                break
        except (RuntimeError, TypeError):  # the document is empty between two pages
            pass
    for _ in range(60):  # the new page's script draws the kernels only after the text has appeared
        time.sleep(0.5)
        if browser.run("document.querySelectorAll('.kernels label').length"):
            break
    check("a live page refreshes itself", points() > before, before)
    check("and keeps what was chosen", browser.run(f"{box}.checked") is False)


def prints(browser, folder, name):
    """Checks that all rows are printed, not just those visible on the screen."""
    path = folder / f"{name}.pdf"
    save(path, browser.call("Page.printToPDF", preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))
    check(f"{name} prints on fewer than ten pages", 0 < pages < 10, pages)
    browser.call("Emulation.setEmulatedMedia", media="print")
    visible = browser.run(f"[...{TABLE}.tHead.rows[0].cells].filter(c => c.offsetWidth).map(c => c.dataset.name)")
    # On paper, a button in a heading would appear only on the table's first page.
    boxes = browser.run("[...new Set([...document.querySelectorAll('th button')].map(b => getComputedStyle(b).display))]")
    check(f"{name}: headings are on each printed page", boxes == ["contents"], boxes)
    browser.call("Emulation.setEmulatedMedia", media="")
    wanted = "gld_transactions" if name == "simulator" else "time_us"
    check(f"{name} prints what was measured", any(v.startswith(wanted) for v in visible), visible)
    return pages


def long_table(browser, url, folder):
    """Checks that 10 000 rows are sorted in 0.3 s, that only visible rows are in the document, and that keys reach all."""
    page = pathlib.Path(url.removeprefix("file://")).read_text()
    body = re.search(r'(<table id="rows-table">.*?<tbody>\n)(.*?)(</tbody>)', page, re.S)
    rows = body[2].strip().split("\n")
    many = "\n".join((rows * (10000 // len(rows) + 1))[:10000])
    path = folder / "long.html"
    path.write_text(page[:body.start(2)] + many + page[body.end(2):])
    browser.open(path.resolve().as_uri())  # the folder may be given relative to the tree
    check("10 000 rows: few are in the document", 20 < len(shown(browser)) < 200, len(shown(browser)))
    # The CPU time of the page's thread depends little on what else the machine does. If other work
    # nevertheless makes a sort slow (caches, a shared core), the page is opened and measured once
    # more.
    browser.call("Performance.enable", timeDomain="threadTicks")
    busy = lambda: next(m["value"] for m in browser.call("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")
    for _ in range(2):
        took = []
        for column in ["kernel", "time_us_median", "bandwidth_gbs", "bandwidth_gbs"]:
            before = busy()
            browser.run(f"{TABLE}.tHead.querySelector('th[data-name={column}] button').click(), {TABLE}.offsetHeight")
            took.append(1000 * (busy() - before))
        if max(took) < 300:
            break
        browser.open(path.resolve().as_uri())
    check("10 000 rows sort in 0.3 s", 1 < min(took) and max(took) < 300, took)
    browser.run(f"{TABLE}.parentElement.focus()")
    for _ in range(20): # the box scrolls smoothly, and a busy machine draws that slowly
        browser.press("End")
        last = browser.run(f"new Promise(done => setTimeout(() => done([...{TABLE}.tBodies[0].rows].at(-1).ariaRowIndex), 500))")
        if last == "10001":
            break
    check("10 000 rows: the last one by the keyboard", last == "10001", last)
    return max(took)


def main():
    profile, folder, axe, live, *pages = sys.argv[1:]
    folder = pathlib.Path(folder)
    try:
        started = devtools.Browser(devtools.find(), profile)
    except (OSError, EOFError, TimeoutError) as why:
        print(f"test-browser: skipped: the browser does not start here: {why}")
        return
    with started as browser:
        switches(browser, pathlib.Path(pages[0]).resolve().as_uri())
        refreshes(browser, f"file://{pathlib.Path(live).resolve()}")
        for page in pages:
            path = pathlib.Path(page).resolve()
            url, name = f"file://{path}", path.stem
            cases = json.loads(path.with_suffix(".json").read_text())
            marks(browser, url, name, cases.get("marks", []))
            if "filters" not in cases:
                continue
            looks(browser, url, folder, name, PHONE, axe if page == pages[0] else "")
            looks(browser, url, folder, name, WIDE, axe)
            sorts(browser, name)
            links = filters(browser, name, cases["filters"])
            charts(browser, name, cases.get("charts", []))
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
