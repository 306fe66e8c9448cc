#!/bin/sh
# Runs the steps of action.yml as GitHub does (bash -e -o pipefail, a runner's variables), in a
# repository with a folder of one kernel. An unchanged kernel must pass, a kernel that loads more
# must fail, and the gate's table must become a comment on the pull request. Whether GitHub accepts
# the file, its expressions, the checkout and the permissions can be tested only on GitHub.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test \
    GIT_COMMITTER_EMAIL=test@localhost REDSWEEP_HOME="$root"
failed=0
fail() { echo "test_action: FAILED: $*"; cat "$work/log"; failed=1; }
command -v bash >/dev/null || { echo 'test_action: skipped: there is no bash'; exit 0; }

# Prints a step's run block without its indentation.
step() { # NAME
    awk -v name="$1" '
        /^    - name: / { current = $3; on = 0 }
        on && !/^        / && !/^$/ { on = 0 }
        on { sub(/^        /, ""); print }
        current == name && /^      run: \|$/ { on = 1; seen++ }
        END { exit seen != 1 }' "$root/action.yml" >"$work/$1.sh" || fail "action.yml has no step $1"
}
for name in build gate comment; do step $name; done
declared=$(awk '/^inputs:/ { on = 1; next } /^[a-z]/ { on = 0 } on && /^  [a-z-]+:$/ { sub(/:/, ""); print $1 }' "$root/action.yml")
for input in $(grep -o '{ inputs\.[a-z-]*' "$root/action.yml" | sed 's/.*\.//' | sort -u); do
    echo "$declared" | grep -qx -- "$input" || fail "the input $input is used, not declared"
done
: >"$work/log"
grep -h '{{' "$work"/*.sh && fail 'an expression stands in the text of a script'

# The action's folder contains a built program, so `make` does nothing.
mkdir -p "$work/action/build" "$work/bin" "$work/repository/our kernels" || exit 1
printf 'all:\n' >"$work/action/Makefile"
ln -s "$build/redsweep" "$work/action/build/redsweep"
mkdir "$work/action/configs" && sed 's/"sizes": .*/"sizes": [1000],/' "$root/configs/gate-folder.json" >"$work/action/configs/gate-folder.json"
cat >"$work/bin/gh" <<'GH'
#!/bin/sh
case "$*" in *--edit-last*) exit 1 ;; esac
printf '%s\n' "$*" >>"$RUNNER_TEMP/gh.txt"
while [ "$1" != --body-file ]; do shift; done
cp "$2" "$RUNNER_TEMP/commented.md"
GH
chmod +x "$work/bin/gh"
cp "$root/examples/reductions/two_pass.cu" "$work/repository/our kernels/" || exit 1
(cd "$work/repository" && git init -q . && git add . && git commit -qm base) || exit 1

run_steps() { # RUNNER-TEMP FOLDER: sets $code, the exit code of the gate
    mkdir -p "$1"
    (
        cd "$work/repository" || exit 9
        GITHUB_ACTION_PATH=$work/action RUNNER_TEMP=$1 GITHUB_OUTPUT=$1/output GITHUB_STEP_SUMMARY=$1/summary
        KERNELS=$2 CONFIG='' FAIL_ON=wrong,missing,counts BASE=HEAD^ PATH=$work/bin:$PATH
        export GITHUB_ACTION_PATH RUNNER_TEMP GITHUB_OUTPUT GITHUB_STEP_SUMMARY KERNELS CONFIG FAIL_ON BASE PATH
        bash -e -o pipefail "$work/build.sh" || exit 8
        bash -e -o pipefail "$work/gate.sh"
        code=$?
        TABLE=$(sed -n 's/^table=//p' "$GITHUB_OUTPUT") COMMENT=true NUMBER=7
        export TABLE COMMENT NUMBER
        bash -e -o pipefail "$work/comment.sh" || exit 7
        exit $code
    ) >"$work/log" 2>&1
    code=$?
}
commit() { (cd "$work/repository" && git commit -qam "$1"); }

echo 'a page' >"$work/repository/README.md"
(cd "$work/repository" && git add . && git commit -qm page)
run_steps "$work/same" 'our kernels'
[ $code -eq 0 ] || fail "an unchanged kernel ends with $code"
grep -q '^pr comment 7 ' "$work/same/gh.txt" || fail 'nothing was commented'
cmp -s "$work/same/commented.md" "$work/same/summary" || fail 'the comment is not the summary'
grep -q PASS "$work/same/summary" || fail 'the table does not say PASS'

PLANT=loads "$root/tests/gpu/plant.sh" "$work/repository/our kernels" two_pass 1 "$work/planted" >"$work/log" 2>&1 || fail 'plant.sh'
cp "$work/planted"/*.cu "$work/repository/our kernels/"
commit 'Load more'
run_steps "$work/more" 'our kernels'
[ $code -eq 1 ] || fail "a kernel that loads more ends with $code"
grep -q 'FAIL.*two\\*_pass' "$work/more/commented.md" || fail 'the comment does not name the kernel'

run_steps "$work/none" 'no such folder'
[ $code -eq 2 ] || fail "a folder that is missing ends with $code"
grep -q 'no such folder' "$work/none/commented.md" || fail 'the comment does not say what is missing'
[ $failed -eq 0 ] && echo 'test_action: ok'
exit $failed
