#!/bin/sh
# setup/check_commits.sh must refuse commit subjects that are too long or lack an area or a verb. It
# must ignore commits that are older than itself, and must pass in a clone that lacks the commit
# which added it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
script=$here/../../setup/check_commits.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost \
    GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
failed=0
commit() { git commit -q --allow-empty -m "$1"; }
expect() { # CODE WHAT: the script must exit with CODE here
    setup/check_commits.sh >"$work/said" 2>&1
    code=$?
    [ $code -eq "$1" ] && return
    echo "test_commits: FAILED: $2: exit $code"
    sed 's/^/    /' "$work/said"
    failed=1
}

git init -q "$work/tree" && cd "$work/tree" || exit 1
commit "A subject from before the check"
mkdir setup && cp "$script" setup && git add setup
commit "setup: check the subjects of commits"
expect 0 "earlier subjects do not count"
for subject in "analyze: read numeric columns strictly" "sim, measure: count kernels that read" \
    "devices/sim: say who waits" "base: feed lines" "docs: say ≈ in place of about for ≈ counts, ≈ times, ≈ widths, ≈ µs xx"; do
    commit "$subject"
    expect 0 "$subject"
done
git clone -q --depth 2 "file://$work/tree" "$work/shallow" 2>/dev/null
long="docs: say in more characters than a line of git log --oneline shows it all"
for subject in "Read numeric columns" "docs: 520 signals" "docs: the ladder once more" "run: waiting for workers" \
    "run: fixed a race" "run:wait" "$long"; do
    commit "$subject"
    expect 1 "$subject"
    git reset -q --hard HEAD~1
done
cd "$work/shallow" || exit 1
commit "A subject that nobody can judge"
expect 0 "a shallow clone"
mkdir -p "$work/bare/setup" && cp "$script" "$work/bare/setup" && cd "$work/bare" || exit 1
GIT_CEILING_DIRECTORIES=$work
export GIT_CEILING_DIRECTORIES
expect 0 "a tree without history"
[ $failed -eq 0 ] && echo "test_commits: passed"
exit $failed
