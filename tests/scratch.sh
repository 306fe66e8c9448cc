# shellcheck shell=sh
# Tests of the program source this file. It sets `redsweep`, the repository's root and a scratch
# folder, which is removed at the end. It also defines functions that count checks. It needs no
# variable of the test; BUILD is where the program was built.
root=$(cd "$(dirname "$0")" && until [ -e tests/run.sh ] || [ "$PWD" = / ]; do cd ..; done && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
checks=0 failed=0

ok() { checks=$((checks + 1)); }
fail() { echo "$(basename "$0" .sh): FAILED: $*"; failed=1; }
