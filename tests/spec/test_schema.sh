#!/bin/sh
# The config schema (redsweep list schema) accepts and refuses the same configs as redsweep.
set -u
cd "$(dirname "$0")/../.." || exit 1
for python in python3 /usr/bin/python3; do # only Debian's python3 sees Debian's packages
    "$python" -c 'from jsonschema import Draft202012Validator' 2>/dev/null || continue
    exec "$python" tests/spec/schema.py "${BUILD:-build}/redsweep"
done
echo 'test_schema: skipped: no python3 here has jsonschema 4 (package python3-jsonschema)'
