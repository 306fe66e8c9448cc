#!/bin/sh
# best --across-cards names the configuration that is best on all cards together. The times are
# invented, so the answer is known. The command also says when the runs share no configuration.
set -u
. "$(dirname "$0")/../scratch.sh"

# run NAME KERNEL=TIME…: makes a run of one problem. A time of 0 means a wrong result.
run() {
    mkdir "$work/$1"
    folder=$1
    shift
    echo "id,backend,device,kernel,type,op,n,block,unroll,cache,scope,status,time_us_median" >"$work/$folder/results.csv"
    i=0
    for point in "$@"; do
        i=$((i + 1)) status=ok time=${point#*=}
        [ "$time" != 0 ] || status=wrong time=
        printf '%016x,cuda,card %s,%s,int32,sum,4096,128,1,cold,kernel,%s,%s\n' $i "$folder" "${point%=*}" $status "$time" \
            >>"$work/$folder/results.csv"
    done
}
# `even` is right on all cards, and its performance portability is 3 / (12/10 + 20/20 + 20/20) =
# 93.75 %. `fast` wins on two cards, but takes 2.5 times as long as `even` on the third. `half` is
# as fast as the winner on the first two cards, but wrong on the third.
run a fast=10 even=12 half=10
run b fast=20 even=20 half=20
run c fast=50 even=20 half=0
"$redsweep" best --across-cards "$work/a" "$work/b" "$work/c" --csv - >"$work/out" 2>&1
[ $? -eq 0 ] && grep -q '^int32,sum,4096,cold,kernel,"*even, block 128"*,93.75,1.2,1,1$' "$work/out" && ok || fail "$(cat "$work/out")"
[ "$(wc -l <"$work/out")" -eq 2 ] && ok || fail "more than one answer"
"$redsweep" best --across-cards "$work/a" "$work/b" "$work/c" >"$work/out" 2>&1
[ $? -eq 0 ] && grep -q "1 problem: performance portability 93.8 % on average" "$work/out" && grep -q "+20.0 %" "$work/out" && ok ||
    fail "$(cat "$work/out")"
grep -q 'cost on 1  cost on 2  cost on 3$' "$work/out" && ok || fail "headings: $(cat "$work/out")"

# For more than two runs, diff names the command that compares them.
"$redsweep" diff "$work/a" "$work/b" "$work/c" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "diff compares two runs, or several .*; use redsweep best --across-cards" "$work/out" && ok || fail "diff: $(cat "$work/out")"
"$redsweep" best --across-cards "$work/a" "$work/b" --csv - >"$work/out" 2>&1
grep -q '^int32,sum,4096,cold,kernel,"*fast, block 128"*,100,1,1$' "$work/out" && ok || fail "best of two: $(cat "$work/out")"
for wrong in "" "$work/b --metric registers" "$work/b --remeasure $work/again"; do
    # shellcheck disable=SC2086 # several words
    "$redsweep" best --across-cards "$work/a" $wrong >"$work/out" 2>&1
    [ $? -eq 2 ] && grep -q "across-cards compares" "$work/out" && ok || fail "best with $wrong: $(cat "$work/out")"
done

run d other=5
"$redsweep" best --across-cards "$work/a" "$work/b" "$work/d" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "no configuration has a time in all" "$work/out" && ok || fail "nothing in common: $(cat "$work/out")"
"$redsweep" best --across-cards "$work/a" "$work/b" "$work/none" >"$work/out" 2>&1
[ $? -eq 2 ] && ok || fail "no such run"

[ $failed -eq 0 ] && echo "test_portability: $checks checks passed"
exit $failed
