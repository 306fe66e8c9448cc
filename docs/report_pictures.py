#!/usr/bin/env python3
"""A page of redsweep as pictures, by a headless Chromium: report.png (1280 pixels wide), report-phone.png (390) and
report.pdf, as it is printed on A4; without the tags of its structure, which are most of its bytes.

    report_pictures.py PAGE FOLDER

Exit code: 2 without a browser.
"""
import base64
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/browser"))
import devtools  # noqa: E402


def main():
    url, folder = pathlib.Path(sys.argv[1]).resolve().as_uri(), pathlib.Path(sys.argv[2])
    program = devtools.find()
    if not program:
        sys.exit(2)
    with tempfile.TemporaryDirectory() as profile, devtools.Browser(program, profile) as browser:
        for name, width, height in [("report.png", 1280, 800), ("report-phone.png", 390, 844)]:
            browser.open(url, width, height)
            (folder / name).write_bytes(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))
        printed = browser.call("Page.printToPDF", preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69,
                               generateTaggedPDF=False)
        (folder / "report.pdf").write_bytes(base64.b64decode(printed["data"]))


main()
