#!/bin/sh
# This script draws docs/screens/notebook.png, which shows a part of the course's notebook after its
# cells have run. It needs pngquant, Chromium, nbconvert (python3-nbconvert), and what
# tests/docs/test_notebook.sh needs.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HTML=$work/course.html tests/docs/test_notebook.sh
[ -s "$work/course.html" ] || { echo 'notebook_picture.sh: the notebook did not run' >&2; exit 2; }
python3 - "$work" docs/screens/notebook.png <<'END_OF_PYTHON'
import base64
import os
import pathlib
import sys

sys.path.insert(0, "tests/browser")
import devtools

work, picture = map(pathlib.Path, sys.argv[1:])
page = work / "course.html"
text = page.read_text(encoding="utf-8")  # its pictures are beside the notebook
page.write_text(text.replace("<head>", f'<head><base href="{pathlib.Path("docs").resolve().as_uri()}/">', 1), encoding="utf-8")
with devtools.Browser(devtools.find() or sys.exit("no Chromium"), work / "profile") as browser:
    browser.open(page.as_uri(), 1000, 800)
    top, bottom = (browser.run(f"document.getElementById({part!r}).getBoundingClientRect().top") for part in (
        "3.-Same-loads,-half-the-time:-how?", "4.-A-quarter-of-the-sectors,-but-only-an-eighth-of-the-time:-why?"))
    clip = {"x": 0, "y": top - 10, "width": 1000, "height": bottom - top, "scale": 1}
    shot = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
picture.write_bytes(base64.b64decode(shot["data"]))
END_OF_PYTHON
pngquant --force --strip --ext .png 32 docs/screens/notebook.png
echo docs/screens/notebook.png
