# shellcheck shell=sh
# This file is sourced by the scripts that test redsweep. It sets `redsweep` (the program), `root` (the root
# of the repository) and `work` (a scratch folder, which is removed when the script ends). It also
# defines functions that count checks. The variable BUILD may name the folder in which the program
# was built.
root=$(cd "$(dirname "$0")" && until [ -e tests/run.sh ] || [ "$PWD" = / ]; do cd ..; done && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
checks=0 failed=0

ok() { checks=$((checks + 1)); }
fail() { echo "$(basename "$0" .sh): FAILED: $*"; failed=1; }
