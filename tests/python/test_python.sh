#!/bin/sh
# Runs the Python module (python/redsweep) with this build's program.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
REDSWEEP=$(realpath "${BUILD:-build}")/redsweep PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1
export REDSWEEP PYTHONPATH PYTHONDONTWRITEBYTECODE
for python in ${PYTHON:-python3 /usr/bin/python3}; do # the user's own python3 does not see Debian's packages
    "$python" -c 'import pandas' 2>/dev/null || continue
    "$python" tests/python/check.py "$work"
    exit
done
echo 'test_python: skipped: no python3 here has pandas (package python3-pandas)'
