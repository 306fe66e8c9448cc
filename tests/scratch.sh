# shellcheck shell=sh
# The scripts that test redsweep source this file. It sets `redsweep` (the program), `root` (the
# repository's root) and `work` (a scratch folder, which is removed at exit), and defines functions
# that count checks. BUILD may name the folder that the program was built in.
root=$(cd "$(dirname "$0")" && until [ -e tests/run.sh ] || [ "$PWD" = / ]; do cd ..; done && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
checks=0 failed=0

ok() { checks=$((checks + 1)); }
fail() { echo "$(basename "$0" .sh): FAILED: $*"; failed=1; }
