"""Checks the schema of configs in an editor. editor.sh calls this script.

    editor.py MONACO SCHEMA FOLDER [PICTURE]

MONACO is the unpacked wheel with Visual Studio Code's editor and its language server for JSON. SCHEMA is the output of
`redsweep list schema`. The page and the browser's profile are written to FOLDER. The script asks the editor for
completions and for mistakes, and compares the answers with the schema. A screenshot of one completion is written to
PICTURE. The exit code is 1 if something is wrong.
"""
import base64
import functools
import http.server
import json
import pathlib
import sys
import threading
import time

import devtools

CLIP = {"x": 0, "y": 0, "width": 720, "height": 170, "scale": 1}  # of the picture
PAGE = """<!doctype html><meta charset=utf-8><style>body{margin:0}#at{width:720px;height:330px}</style><div id=at></div>
<script src="monaco/monaco-editor/min/vs/loader.js"></script><script>
require.config({paths: {vs: 'monaco/monaco-editor/min/vs'}});
require(['vs/editor/editor.main'], () => {
  monaco.languages.json.jsonDefaults.setDiagnosticsOptions({validate: true,
    schemas: [{uri: 'redsweep.schema.json', fileMatch: ['*'], schema: SCHEMA}]});
  window.editor = monaco.editor.create(document.getElementById('at'), {language: 'json', minimap: {enabled: false}, fontSize: 14,
    quickSuggestions: false, lineNumbers: 'off', overviewRulerLanes: 0, scrollbar: {vertical: 'hidden'}, suggest: {showStatusBar: false}});
});
</script>"""


def wait_for(browser, script, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = browser.run(script)
        if found:
            return found
        time.sleep(0.2)
    raise TimeoutError(f"the editor: {script}")


def write(browser, text):
    """Writes a text into the editor. The character `|` in the text is not written, but marks the position of the cursor."""
    at = text.index("|")
    browser.run(f"editor.setValue({json.dumps(text.replace('|', ''))}); editor.focus();"
                f"editor.setPosition(editor.getModel().getPositionAt({at})); 0")


def completions(browser, text):
    """Returns the labels that the editor suggests at the cursor."""
    write(browser, text)
    browser.run("editor.trigger('', 'hideSuggestWidget', {}); editor.trigger('', 'editor.action.triggerSuggest', {}); 0")
    wait_for(browser, "document.querySelectorAll('.suggest-widget.visible .monaco-list-row').length")
    time.sleep(0.5)  # more labels follow
    return browser.run("[...document.querySelectorAll('.suggest-widget.visible .monaco-list-row .label-name')].map(e => e.textContent)")


MARKED = "monaco.editor.getModelMarkers({}).map(m => m.message)"


def mistakes(browser, text, some):
    """Returns what the editor reports about a text. A text with the opposite result is written first, so that an old
    report cannot be mistaken for a new one."""
    for value, wanted in (("{}" if some else "}", not some), (text, some)):
        browser.run(f"editor.setValue({json.dumps(value)}); 0")
        found = settle(browser, wanted)
    return found


def settle(browser, some):
    try:
        wait_for(browser, f"{MARKED}.length {'>' if some else '=='} 0", 20)
    except TimeoutError:
        pass
    return browser.run(MARKED)


def check(what, holds, found):
    if not holds:
        sys.exit(f"editor: FAILED: {what}: {found}")


def check_schema(browser, keys):
    found = completions(browser, '{\n    |\n}')
    check("keys are suggested", len(found) > 5 and set(found) <= keys, found)
    found = completions(browser, '{\n    "types": "|"\n}')
    check("types are suggested", {"float32", "bfloat16", "int32"} & {f.strip('"') for f in found} != set(), found)
    for text, word in (('{"kernel": "unroll"}', "kernel"), ('{"timing": {"min_samples": "x"}}', ""), ('{"ops": "summ"}', "")):
        found = mistakes(browser, text, True)
        check(f"a mistake is marked: {text}", found and any(word in f for f in found), found)
    found = mistakes(browser, '{"kernels": "unroll", "sizes": "2^20"}', False)
    check("a config without mistakes has none", found == [], found)
    print(f"editor: {len(keys)} keys; completions and mistakes are as the schema says")


def main():
    monaco, schema, folder = map(pathlib.Path, sys.argv[1:4])
    content = json.loads(schema.read_text())
    del content["$schema"]  # this version, of 2022, would only report that it does not support all of draft 2020-12
    text = json.dumps(content)
    (monaco / "page.html").write_text(PAGE.replace("SCHEMA", text))

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(monaco)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with devtools.Browser(devtools.find(), str(folder / "profile")) as browser:
        browser.open(f"http://127.0.0.1:{server.server_port}/page.html", 720, 330)
        wait_for(browser, "!!window.editor")
        check_schema(browser, set(content["properties"]))
        if len(sys.argv) > 4:
            completions(browser, '{\n    "kernels": ["interleaved", "unroll"],\n    "sizes": "2^14..2^20",\n    "ca|"\n}')
            browser.run("editor.trigger('', 'toggleSuggestionDetails', {}); 0")
            time.sleep(1)
            pathlib.Path(sys.argv[4]).write_bytes(base64.b64decode(browser.call("Page.captureScreenshot", clip=CLIP)["data"]))
    server.shutdown()


if __name__ == "__main__":
    main()
