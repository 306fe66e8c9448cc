#!/bin/sh
# The tree may be in a folder with spaces and quotes in its name. Runs the commands that make prints
# there in a shell. They must name the folder correctly.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "test_folder: FAILED: $*"; failed=1; }

tree="$work/it's a \"tree\""
mkdir "$tree" && cp -r "$root/Makefile" "$root/CHANGELOG.md" "$root/setup" "$tree" || exit 1
for folder in harness kernels plots tests experiments tuned docs configs results; do
    ln -s "$root/$folder" "$tree/$folder" || exit 1
done
cd "$tree" || exit 1

# commands GOAL…: writes make's commands into $work/commands. The make that runs this test exports
# the variables of its command line (CFLAGS, TESTS …), which must not affect the make under test.
commands() {
    env -i PATH="$PATH" HOME="$HOME" make -nB V=1 SETUP=no "$@" >"$work/commands" 2>"$work/err" || {
        fail "make -n $*"
        cat "$work/err"
    }
    sh -n "$work/commands" 2>"$work/err" || {
        fail "make $*: not the commands of a shell"
        cat "$work/err"
    }
}

# Every program linked with cmocka depends on cmocka's installation.
env -i PATH="$PATH" HOME="$HOME" make -pn SETUP=no stage 2>/dev/null >"$work/rules"
for program in experiments/bench/bench_compile tests/gpu/kernels tests/run/test_sweep; do
    grep -q "^build/$program\.o:.*|.* packages-test" "$work/rules" || fail "$program does not wait for cmocka"
done

commands all build-tests test plots report
commands sweep resume show diff best tuned gate CONFIG="a 'config'.json" OUT='o"ut' RUN="r'n" A="a'" B='b"' \
    BASELINE="x'y"
grep -q "redsweep run 'a '" "$work/commands" || fail "a config's name is not quoted"

# Whatever characters a name contains, the command gets it as one word.
mkdir -p build && printf '#!/bin/sh\n' >build/redsweep && chmod +x build/redsweep || exit 1
for goal in best plots show resume report tuned racecheck; do
    for name in "x; touch $work/ran" "x'; touch $work/ran; '" "\$(touch $work/ran)"; do
        commands $goal RUN="$name" KERNELS="$name"
        grep 'build/redsweep [a-z]' "$work/commands" >"$work/commands.sh" || fail "make $goal runs no redsweep"
        sh "$work/commands.sh" >/dev/null 2>&1
        [ ! -e "$work/ran" ] || fail "make $goal runs what a name says"
        rm -f "$work/ran"
    done
done

# A run folder's name may contain spaces. A single run is given as it is. In a list of runs, each
# space takes a backslash.
mkdir 'my run' || exit 1
printf '#!/bin/sh\nfor word; do printf "<%%s>" "$word"; done\necho\n' >build/redsweep
chmod +x build/redsweep || exit 1
given() { # RUN: prints redsweep's arguments
    for goal in plots best; do
        commands $goal RUN="$1"
        grep "^build/redsweep $goal " "$work/commands" >"$work/commands.sh"
        found=$(sh "$work/commands.sh" 2>&1)
        [ "$found" = "<$goal>$2" ] || fail "make $goal RUN='$1' gives redsweep $found"
    done
}
given 'my run' '<my run>'
given 'my other' '<my><other>'
given 'my\ run "a/b"' '<my run><"a/b">'
given '' '<results/latest>'

[ "$failed" -eq 0 ] && echo "test_folder: passed"
exit "$failed"
