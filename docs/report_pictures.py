#!/usr/bin/env python3
"""Takes pictures of a page of redsweep with a headless Chromium. NAME.png (1280 pixels wide) and NAME-phone.png (390) show
its beginning. NAME-charts.png and NAME-phone-charts.png show its charts, while the last mark of the first chart is read.

    report_pictures.py PAGE FOLDER NAME

Without a browser the exit code is 2.
"""
import base64
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/browser"))
import devtools  # noqa: E402

READ = """(() => {
    const figure = document.querySelector('#charts-live figure'), root = figure.querySelector('svg');
    figure.scrollIntoView({behavior: 'instant', block: 'start'});
    root.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}));
})()"""


def main():
    url, folder, name = pathlib.Path(sys.argv[1]).resolve().as_uri(), pathlib.Path(sys.argv[2]), sys.argv[3]
    program = devtools.find()
    if not program:
        sys.exit(2)

    def picture(part):
        (folder / f"{name}{part}.png").write_bytes(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))

    with tempfile.TemporaryDirectory() as profile, devtools.Browser(program, profile) as browser:
        for part, width, height in [("", 1280, 800), ("-phone", 390, 844)]:
            browser.open(url, width, height)
            picture(part)
            browser.run(READ)
            picture(f"{part}-charts")


main()
