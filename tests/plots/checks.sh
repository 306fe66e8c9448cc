# The scripts of this folder and test_index.sh source this file. It makes a scratch folder, and
# defines a function that makes checks and counts them. `name` is the script's name.
# shellcheck shell=sh disable=SC2154 # name is set by the caller
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OUT
failed=0
cases=0

# check WHAT COMMAND…: COMMAND must succeed.
check() {
    what=$1
    shift
    cases=$((cases + 1))
    if ! "$@" >"$work/check.txt" 2>&1; then
        printf '%s: FAILED: %s\n' "$name" "$what"
        sed 's/^/    /' "$work/check.txt"
        failed=1
    fi
}
