#!/bin/sh
# Tests the JSON schema of configs in Visual Studio Code's editor, which runs in a headless Chromium
# (make test-browser):
#
#   tests/browser/editor.sh [PICTURE]
#
# The editor is Monaco 0.33 with its language server for JSON. It is downloaded with the wheel
# monaco-qt from PyPI and is not part of redsweep. With SETUP=no nothing is downloaded. If PICTURE
# names a file, the screenshot for configs/README.md is written to it.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/browser/editor
skip() { echo "editor: skipped: $1"; exit 0; }
command -v python3 >/dev/null || skip 'there is no python3'
python3 -c 'import sys; sys.path.insert(0, "tests/browser"); import devtools; sys.exit(not devtools.find())' ||
    skip 'there is no chromium (on Debian: apt-get install chromium-headless-shell)'
mkdir -p "$out" || exit 1
if [ ! -d "$out/monaco" ] && [ "${SETUP:-yes}" != no ]; then
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$out" \
        monaco-qt==0.2.0 2>"$out/pip.txt" && python3 -m zipfile -e "$out"/monaco_qt-*.whl "$out"
fi
[ -d "$out/monaco" ] || skip 'the editor cannot be fetched from PyPI (SETUP=no, or no network)'
rm -rf "$out/profile"
"${BUILD:-build}/redsweep" list schema >"$out/schema.json" || exit 1
exec python3 tests/browser/editor.py "$out" "$out/schema.json" "$out" "$@"
