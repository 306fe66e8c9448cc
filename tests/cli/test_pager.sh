#!/bin/sh
# On a terminal, `redsweep show` uses $PAGER and prints a default number of rows. Otherwise it does
# neither.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=$(cd "${BUILD:-$root/build}" && pwd)/redsweep || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    printf 'test_pager: FAILED: %s\n' "$*"
    failed=1
}
command -v script >/dev/null || { echo 'test_pager: skipped: there is no script(1) to make a terminal'; exit 0; }

{
    echo 'kernel,type,op,n,block,unroll,grid,cache,scope,status,time_us_median'
    awk 'BEGIN { for (i = 1; i <= 150; i++) print "k,int32,sum," i ",64,1,1,cold,kernel,ok," i }'
} >run.csv

# on_terminal SETTING ARGUMENT…: runs redsweep on a terminal, and stores what the terminal shows in
# `said`
on_terminal() {
    setting=$1
    shift
    PROGRAM=$redsweep env ${setting:+"$setting"} script -qec "\"\$PROGRAM\" show run.csv $*" /dev/null </dev/null 2>&1 | tr -d '\r' >said
}
has() { grep -q -e "$1" said || { fail "no '$1' in:"; tail -n 5 said; }; }
lacks() { ! grep -q -e "$1" said || { fail "'$1' in:"; tail -n 5 said; }; }

# The pager gets the output, and the user sees what the pager prints.
on_terminal "PAGER=sed 's/^/| /'"
has '^| .*kernel'
has '^| the first 100 of 150 rows; --head 150 shows all'
on_terminal "PAGER=sed 's/^/| /'" --no-pager
lacks '^| '
has '^the first 100 of 150 rows'
for none in PAGER= PAGER=cat; do
    on_terminal "$none" --head 3
    has '^3 of 150 rows'
done
# Quitting the pager early is not an error, but a pager that cannot be run is.
on_terminal "PAGER=head -n 2" --head 150
has 'cache cold'
lacks 'redsweep:'
on_terminal "PAGER=/no/such/pager"
has 'redsweep: PAGER=/no/such/pager cannot be run; use --no-pager to print without a pager'
# less exits by itself if all rows fit on the screen.
if command -v less >/dev/null; then
    on_terminal '' --head 2
    has '2 of 150 rows'
fi

# Without a terminal, there is no pager, and files get all rows.
PAGER="sed s/^/|/" "$redsweep" show run.csv >said 2>&1 || fail "into a file: exit code $?"
lacks '^|'
has '^the first 100 of 150 rows; --head 150 shows all'
[ "$("$redsweep" show run.csv --csv - | wc -l)" -eq 151 ] || fail "--csv - has not all rows"
"$redsweep" show run.csv --csv all.csv >said && [ "$(wc -l <all.csv)" -eq 151 ] || fail "--csv all.csv has not all rows"
[ "$("$redsweep" show run.csv --head 5 --csv - | wc -l)" -eq 6 ] || fail "--head 5 --csv - has not 5 rows"

"$redsweep" show run.csv --where 'n > 1000' >said || fail "no match: exit code $?"
has '^none of the 150 rows matches n > 1000$'

[ "$failed" -eq 0 ] && echo 'test_pager: passed'
exit "$failed"
