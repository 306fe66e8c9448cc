#!/bin/sh
# This script fills a page with what its commands print. After each ```sh block, it writes the
# standard output of the block's last command between <!-- output --> and <!-- end of output -->.
#
#   docs/commands.sh PAGE [REDSWEEP] >NEW
#
# Run it in the repository's root. The commands use a temporary folder as `build/`, and REDSWEEP
# (build/redsweep by default) as `build/redsweep`. If a command fails, the exit code is 1 and the
# script names the command.
set -u
page=$1
redsweep=${2:-build/redsweep}
case $redsweep in /*) ;; *) redsweep=$PWD/$redsweep ;; esac
export REDSWEEP="$redsweep"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

mkdir "$work/blocks"
awk -v work="$work/blocks" '
    /^```sh$/ { on = 1; count++; next }
    /^```$/ { on = 0 }
    on { print > sprintf("%s/%02d", work, count) }' "$page"
for block in "$work"/blocks/*; do
    sed "s|build/redsweep|\"\$REDSWEEP\"|; s|build/course|'$work/course'|g" "$block" >"$work/commands"
    while read -r line; do
        sh -c "$line" >"$block.out" 2>"$work/error" </dev/null || {
            printf '%s: %s\n' "$page" "$line" >&2
            cat "$work/error" >&2
            exit 1
        }
    done <"$work/commands"
done
awk -v work="$work/blocks" '
    /^```sh$/ { count++ }
    /^<!-- end of output -->$/ { skip = 0 }
    !skip { print }
    /^<!-- output -->$/ {
        print "\n```text"
        while ((getline line < sprintf("%s/%02d.out", work, count)) > 0) print line
        print "```\n"
        skip = 1
    }' "$page"
