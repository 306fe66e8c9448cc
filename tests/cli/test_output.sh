#!/bin/sh
# Every command reports an error if its output is lost, control characters from files do not reach
# the terminal, and no output overwrites a run's file.
set -u
build=$(realpath "${BUILD:-build}")
redsweep=$build/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_CACHE="$work/cache" REDSWEEP_HOME="$PWD"
failed=0 tried=0
fail() { echo "test_output: FAILED: $*"; failed=1; }

cd "$work" || exit 1
cat >c.json <<'J'
{"kernels": ["interleaved", "cpu_loop"], "sizes": [1000, 2000],
 "timing": {"min_samples": 3, "max_samples": 3, "budget_s": 0.01}}
J
"$redsweep" run c.json --device sim --out run >said 2>&1 || { cat said; fail "the run"; exit 1; }
cp -r run before

# Writes the output of each command, and of each command's help, to a full device and to a pipe that
# nobody reads.
"$redsweep" --help | sed -n 's/^  redsweep \([a-z]*\) .*/\1/p' >commands
[ "$(wc -l <commands)" -ge 11 ] || fail "the table of commands: $(cat commands)"
cat >lines <<'L'
show run
show run --info
show run --csv -
best run --metric time_us_median
best run --metric gld_transactions --json -
diff run run
report run
list kernels
list metrics
list devices
list axes
racecheck interleaved
run c.json --device sim --dry-run
run c.json --device sim --out full
resume run
--help
--version
L
sed 's/$/ --help/' commands >>lines
while read -r name; do
    "$redsweep" "$name" --help | grep -q '^  *--[a-z]' || fail "$name --help names no option"
done <commands
mkfifo pipe
exec 3<>pipe 4>pipe 3<&-
while read -r line; do
    tried=$((tried + 1))
    rm -rf full
    eval "timeout 300 \"\$redsweep\" $line" >/dev/full 2>said </dev/null
    code=$?
    [ $code -eq 2 ] && grep -q 'cannot write to .*: No space left' said || fail "$line >/dev/full: $code, $(tail -1 said)"
    rm -rf full
    # SIGPIPE kills a command that writes to a pipe that nobody reads. If SIGPIPE is ignored, the
    # write must fail.
    eval "timeout 300 \"\$redsweep\" $line" >&4 2>said </dev/null
    code=$?
    [ $code -eq 141 ] || fail "$line to a closed pipe: $code, $(tail -1 said)"
    rm -rf full
    (trap '' PIPE && eval "exec timeout 300 \"\$redsweep\" $line" >&4 2>said </dev/null)
    code=$?
    [ $code -eq 2 ] || fail "$line to a closed pipe, SIGPIPE ignored: $code, $(tail -1 said)"
done <lines
exec 4>&-
cmp -s run/results.csv before/results.csv || fail "a command changed the rows"
rm -rf before
cp -r run before # resume has added a session

# Control characters may come from files and arguments: from a config, a kernel's file, a cell, or a
# message about charts.
esc=$(printf '\033') c1=$(printf '\302\233')
clean() { # WHAT COMMAND…
    what=$1
    shift
    tried=$((tried + 1))
    timeout 300 "$@" >said 2>&1 </dev/null
    LC_ALL=C grep -q "[$(printf '\001-\010\013-\037\177')]\|$(printf '\302[\200-\237]')" said &&
        fail "$what: $(cat -v said | head -3)"
    grep -q 'x1b\|u009b' said || fail "$what: not even escaped: $(head -3 said)"
}
for key in kernels types ops blocks exclude metrics name; do
    printf '{"%s": "\\u001b[2J\\u009b"}' "$key" >e.json
    clean "a config's $key" "$redsweep" run e.json --device sim
done
clean 'a device' "$redsweep" run c.json --device "sim$esc[2J"
clean 'a file' "$redsweep" show "no$esc[2J$c1"
mkdir kernels
printf '// kernel:   %s[2J\n' "$esc" >kernels/k.cu
clean 'a fact of a kernel' "$redsweep" list kernels --kernel-folder kernels
cp -r run cells
sed "s/interleaved,/inter$esc[2J${c1}leaved,/" run/results.csv >cells/results.csv
clean 'a cell, shown' "$redsweep" show cells
clean 'a cell as CSV' "$redsweep" show cells --csv -
clean 'a cell, compared' "$redsweep" diff cells cells --table points
clean 'a cell, ranked' "$redsweep" best cells --metric gld_transactions
sed "s/\"simulator/\"simu\\\\u001b[2Jlator/" run/run.json >cells/run.json
clean 'a member of run.json' "$redsweep" show cells --info
"$redsweep" show cells --csv raw.csv >said && grep -q "inter$esc\[2J" raw.csv || fail "a file gets the bytes as they are"
printf '%s' 'kernel = "é€😀"' >text
"$redsweep" show run --where "$(cat text) and" 2>&1 | grep -q 'é€😀' || fail "letters beyond ASCII"

# No command overwrites a run's file.
refused() {
    tried=$((tried + 1))
    timeout 300 "$redsweep" "$@" >said 2>&1
    code=$?
    [ $code -eq 2 ] && grep -q 'reserves for the files of a run; choose' said || fail "$*: $code, $(tail -1 said)"
}
ln -s run/results.csv link.csv
mkdir other && cp run/results.csv other/
for file in run/results.csv run/samples.csv run/run.json run/results.json run/.lock link.csv \
    other/results.csv other/samples.csv; do
    refused show run --csv $file
    refused show run --json $file
    refused show run --html $file
    refused diff run before --csv $file
    refused diff run before --markdown $file
    refused diff run before --junit $file
    refused best run --metric gld_transactions --csv $file
    refused report run --out $file
    refused report run --out page.html --csv $file
done
for file in results.csv samples.csv run.json results.json; do
    cmp -s run/$file before/$file || fail "$file has changed"
done
mkdir free
for file in out.csv free/results.csv run/rows.csv; do
    "$redsweep" show run --csv $file >said 2>&1 && [ -s $file ] || fail "--csv $file: $(cat said)"
done
"$redsweep" show run --csv out.csv >said 2>&1 || fail "--csv into a file that is there: $(cat said)"

[ "$failed" -eq 0 ] && echo "test_output: $tried commands tried"
exit "$failed"
