#!/bin/sh
# Tests a library's Python module. tuned/wheel.py compiles and packs the module from an invented
# table and a runtime without a GPU, and the test calls it with every kind of array.
# experiments/library/tuned_python.py does the same on a GPU.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() { echo "test_wheel: FAILED: $*"; tail -20 "$work/said"; exit 1; }
case ${BUILD:-build} in /*) build=$BUILD ;; *) build=$PWD/${BUILD:-build} ;; esac
python=${PYTHON:-python3}
command -v "$python" >/dev/null || { echo 'test_wheel: skipped: there is no Python'; exit 0; }
"$python" -c 'import os, sys, sysconfig
sys.exit(sys.version_info < (3, 10) or not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
    { echo 'test_wheel: skipped: it needs Python 3.10 and its headers (python3-dev)'; exit 0; }
cuda=$(sed -n 's/^CUDA := //p' "$build/toolkit.mk")

mkdir "$work/lib" "$work/site"
cp tests/tuned/invented/*.h "$work/lib"
{ ${CC:-gcc} -Wall -Wextra -Werror -O1 -fPIC -isystem "$cuda/include" -c -o "$work/runtime.o" tests/tuned/python_runtime.c &&
    ar rcs "$work/runtime.a" "$work/runtime.o"; } >"$work/said" 2>&1 || fail 'the runtime'
# The linker option --exclude-libs hides archives' symbols. The runtime is linked as a separate
# object to keep noted() visible.
"$python" tuned/wheel.py "$work/lib" redsweep 0.3.0 "$cuda/include" "$work/runtime.o" >"$work/said" 2>&1 || fail wheel.py
! grep -q warning "$work/said" || fail 'a warning'
wheel=$(ls "$work"/lib/redsweep_tuned-0.3.0-cp310-abi3-linux_*.whl) || fail 'no wheel'
sha256sum "$wheel" >"$work/first"
"$python" tuned/wheel.py "$work/lib" redsweep 0.3.0 "$cuda/include" "$work/runtime.o" >"$work/said" 2>&1 || fail wheel.py
sha256sum -c "$work/first" >"$work/said" 2>&1 || fail 'the same library gives another wheel'
[ "$(find "$work/lib" -type f | wc -l)" = 3 ] || fail 'files are left over beside the wheel'
"$python" -m zipfile -e "$wheel" "$work/site" >"$work/said" 2>&1 || fail 'it is no zip'
"$python" - "$work/site" <<'END' >"$work/said" 2>&1 || fail RECORD
import base64, csv, hashlib, pathlib, sys
site = pathlib.Path(sys.argv[1])
rows = list(csv.reader(next(site.glob("*.dist-info/RECORD")).open()))
assert {name for name, _, _ in rows} == {str(p.relative_to(site)) for p in site.rglob("*") if p.is_file()}, rows
for name, digest, size in rows:
    content = (site / name).read_bytes()
    found = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    assert name.endswith("RECORD") or (digest, int(size)) == (found, len(content)), name
END
awk '/^```python$/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/use-the-winner.md >"$work/page.py"
[ "$(wc -l <"$work/page.py")" -gt 4 ] || fail 'no program in Python on the page'
"$python" tests/tuned/python_check.py "$work/site" "$work/page.py" >"$work/said" 2>&1 || fail 'the module'
checks=$(cat "$work/said")

CC=no-such-compiler "$python" tuned/wheel.py "$work/lib" redsweep 0.3.0 "$cuda/include" "$work/runtime.o" >"$work/said" 2>&1 &&
    fail 'a compiler that is not there'
grep -q 'no-such-compiler: .*name a C compiler in' "$work/said" || fail 'what is said of it'
echo "test_wheel: $checks"
