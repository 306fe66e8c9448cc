#!/bin/sh
# redsweep merge accepts shards in any order, and the merged run has the undivided run's rows. If
# shards are missing, foreign, duplicate, truncated or unfinished, merge names them and writes
# nothing.
set -u
. "$(dirname "$0")/../scratch.sh"
export REDSWEEP_CACHE="$work/cache"
fail() { echo "test_merge: FAILED: $*"; cat "$work/out"; failed=1; }
merge() { "$redsweep" merge "$@" >"$work/out" 2>&1; }
# refused CODE WHAT: the last merge into "$work/no" must have exited with CODE and left no files.
# tests/texts/runs.txt has its messages.
refused() {
    [ "$code" -eq "$1" ] && [ -s "$work/out" ] && [ ! -e "$work/no" ] && [ ! -e "$work/no.part" ] && ok ||
        fail "$2: $code"
    rm -rf "$work/no"
}
copy() { rm -rf "$work/x"; cp -r "$work/s" "$work/x"; }

cat >"$work/c.json" <<'J'
{"name": "c", "kernels": ["neighbored", "smem_unroll"], "sizes": {"log2": [12, 15]},
 "blocks": [64, 128], "unrolls": [2, 4], "types": ["int32", "float32"]}
J
for k in 0 1 2; do
    "$redsweep" run "$work/c.json" --device sim --out "$work/s" --shard $k/3 >/dev/null 2>&1
done
"$redsweep" run "$work/c.json" --device sim --out "$work/whole" >/dev/null 2>&1

s=$work/s
merge "$s" --out "$work/a" && ok || fail "merging"
merge "$s/shard-002" "$s/shard-000" "$s/shard-001" --out "$work/b" && diff -r "$work/a" "$work/b" >/dev/null && ok ||
    fail "another order of folders"
"$root/tests/rows_of.sh" "$redsweep" "$work/whole" >"$work/1"
"$root/tests/rows_of.sh" "$redsweep" "$work/a" >"$work/2"
[ -s "$work/1" ] && cmp -s "$work/1" "$work/2" && ok || fail "merged rows are not those of the undivided run"
"$redsweep" diff "$work/whole" "$work/a" --strict >"$work/out" 2>&1 && ok || fail "diff"
"$redsweep" show "$work/a" >"$work/out" 2>&1 && ok || fail "show"

# If a card reads over 3 % more slowly than the others, the run is doubtful. A difference of 2 % is
# normal.
cards() { # CEILING OF THE LAST SHARD
    rm -rf "$work/cards" "$work/cards-merged"
    cp -r "$s" "$work/cards"
    for k in 0 1 2; do
        gbs=1000
        [ $k -lt 2 ] || gbs=$1
        sed -i "s/\"ceilings_start\":{\([^}]*\)\"read_gbs\":null/\"ceilings_start\":{\1\"read_gbs\":$gbs/" "$work/cards/shard-00$k/run.json"
    done
    merge "$work/cards" --out "$work/cards-merged"
}
cards 980 && ok || fail "2 % below: $(cat "$work/out")"
cards 960; [ $? -eq 1 ] && grep -q "shard 2 was measured on the doubtful card of shard 2 of .*: it reads 4.0 % more slowly than the median of all 3 cards" "$work/out" &&
    grep -q "rm -rf '$work/cards/shard-002' '$work/cards/merged'; redsweep submit .* --only 2 --exclude-nodes" "$work/out" && grep -q '"status": "doubtful"' "$work/cards-merged/run.json" && ok ||
    fail "4 % below: $(cat "$work/out")"
! grep -q -- "--partition" "$work/out" && ok || fail "options of a submission that was not"
sed -i 's/"uuid": *null/"uuid":"GPU-7"/' "$work/cards/shard-002/run.json"; rm -r "$work/cards-merged"
merge "$work/cards" --out "$work/cards-merged"; grep -q "shard 2 was measured on the doubtful card GPU-7 of " "$work/out" && ok ||
    fail "the name of a card: $(cat "$work/out")"
( mv "$work/cards" "$work/it's" && merge "$work/it's" --out "$work/its-merged"
    eval "set -- $(sed -n "s/^ *to measure it again elsewhere: rm -rf \(.*\); redsweep .*/\1/p" "$work/out")"
    mv "$work/it's" "$work/cards"
    [ $# -eq 2 ] && [ "$1" = "$work/it's/shard-002" ] && [ "$2" = "$work/it's/merged" ] ) && ok || fail "a quote in the folder's name: $(cat "$work/out")"
touch "$work/cards/submit.sh"; rm -r "$work/cards-merged"; merge "$work/cards" --out "$work/cards-merged"
grep -q -- "add --partition.* as in '$work/cards/submit.sh'" "$work/out" && ok || fail "options of the submission: $(cat "$work/out")"

# status says where merge has written the run or would write it, and which command comes next.
status() { "$redsweep" status "$@" >"$work/out" 2>&1; }
status "$s" && grep -qx "3 of 3 shards are complete" "$work/out" && grep -q "redsweep merge '$s'" "$work/out" &&
    ok || fail "status of complete shards"
copy; merge "$work/x" --out "$work/x/merged" && status "$work/x" && grep -q "already been merged: redsweep show '$work/x/merged'" "$work/out" &&
    ! grep -q "to merge:" "$work/out" && ok || fail "status after the merge"
copy; rm -r "$work/x/shard-002"
sed -i 's/"device_option": *"[^"]*"/"device_option": "sim; touch planted"/; s/"config_path": *"[^"]*"/"config_path": "c'"'"'.json"/' "$work/x/shard-000/run.json"
status "$work/x"; grep -q "to resume: redsweep run 'c'.''.json' --device 'sim; touch planted' --shard 2/3" "$work/out" && ok || fail "what to type, from a manifest: $(cat "$work/out")"
copy; rm -r "$work/x/shard-002"; sed -i '$d' "$work/x/shard-000/results.csv"
status "$work/x"; [ $? -eq 3 ] && grep -q "1 of 3 shards are complete" "$work/out" &&
    grep -q "0  incomplete" "$work/out" && grep -q "2  not started" "$work/out" && ok || fail "status"
sed -n 's/^to resume: redsweep/"$redsweep"/p' "$work/out" | redsweep=$redsweep sh >"$work/log" 2>&1
status "$work/x" && ok || fail "after the commands that status prints"
status "$work/x" --csv - && [ "$(wc -l <"$work/out")" -eq 4 ] && ok || fail "status as CSV"
touch -d 2001-02-03T04:05:06Z "$work/x/shard-001/results.csv" "$work/x/shard-002/run.json"
touch -d 2002-03-04T05:06:07Z "$work/x/shard-001/run.json" "$work/x/shard-002/results.csv"
status "$work/x" --csv - && [ "$(grep -c 2002-03-04T05:06:07Z "$work/out")" -eq 2 ] && ok || fail "last change: $(cat "$work/out")"
status "$work/whole" && grep -q "whole  *complete" "$work/out" && ok || fail "status of a whole run: $(cat "$work/out")"

merge "$s/shard-000" "$s/shard-002" --out "$work/no"; code=$?
refused 3 "a shard that is not given"
copy; sed -i '$d' "$work/x/shard-001/results.csv"
merge "$work/x" --out "$work/no"; code=$?
refused 3 "a missing row"
copy; printf 'abc' >>"$work/x/shard-001/results.csv"
merge "$work/x" --out "$work/no"; code=$?
refused 3 "a truncated line"
merge "$s" "$s/shard-001" --out "$work/no"; code=$?
refused 2 "twice"
copy; sed -n 2p "$work/x/shard-000/results.csv" >"$work/row"
sed -i '$d' "$work/x/shard-001/results.csv"; cat "$work/row" >>"$work/x/shard-001/results.csv"
merge "$work/x" --out "$work/no"; code=$?
refused 2 "a point in two shards"
merge "$work/whole" --out "$work/no"; code=$?
refused 2 "a whole run"
copy; rm -rf "$work/x/shard-001"
sed 's/"blocks": \[64/"blocks": [32/' "$work/c.json" >"$work/d.json"
"$redsweep" run "$work/d.json" --device sim --out "$work/x" --shard 1/3 >/dev/null 2>&1
merge "$work/x" --out "$work/no"; code=$?
refused 2 "another config"
copy; rm -rf "$work/x/shard-001"
"$redsweep" run "$work/c.json" --device sim:kepler --out "$work/x" --shard 1/3 >/dev/null 2>&1
merge "$work/x" --out "$work/no"; code=$?
refused 2 "another device"
mkdir "$work/empty"
merge "$work/empty" --out "$work/no"; code=$?
refused 2 "an empty folder"
merge "$s" --out "$work/a"; code=$?
refused 2 "an --out that holds a run"

# What a killed merge leaves behind does not block the next one.
mkdir "$work/again.part"
touch "$work/again.part/.merge" "$work/again.part/.lock" "$work/again.part/samples.csv.part"
head -3 "$work/a/results.csv" >"$work/again.part/results.csv"
merge "$s" --out "$work/again" && diff -r "$work/a" "$work/again" >/dev/null && [ ! -e "$work/again.part" ] && ok ||
    fail "a killed merge is in the way"

# Samples stay with their rows. (Uses CPU functions because every machine can time them.)
cat >"$work/t.json" <<'J'
{"name": "t", "kernels": ["cpu_*"], "sizes": {"log2": [10, 13]}, "timing": {"max_samples": 5, "min_samples": 3}}
J
for k in 0 1; do
    "$redsweep" run "$work/t.json" --device cpu --out "$work/t" --shard $k/2 >"$work/out" 2>&1
done
merge "$work/t" --out "$work/m"
[ -s "$work/m/samples.csv" ] && [ "$(wc -l <"$work/m/samples.csv")" -eq \
    $(($(cat "$work"/t/shard-*/samples.csv | wc -l) - 1)) ] && ok || fail "samples"
sed 1d "$work/m/samples.csv" >"$work/m.samples"
cat "$work"/t/shard-00?/samples.csv | grep -v '^id,' | cmp -s - "$work/m.samples" && ok || fail "samples are not those of the shards, byte by byte"
cp "$work/t/shard-001/samples.csv" "$work/samples"
for edit in '3s/[^,]*$/abc/' '3s/[^,]*$/-1/' '3s/[^,]*$/inf/' '3s/[^,]*$//' '3s/,[0-9]*,/,x,/' '3s/$/,1/' '3s/,[^,]*$//' '3s/^./g/' \
    '1s/.*/time_us,id,sample/' '1s/.*/id,time_us,sample/' '1d' '$d' '$p'; do
    sed "$edit" "$work/samples" >"$work/t/shard-001/samples.csv"
    merge "$work/t" --out "$work/no"; code=$?
    refused 2 "samples.csv with $edit"
done

# This shard is being written by a sweep that would take many minutes. The test kills the sweep
# later.
cat >"$work/l.json" <<'J'
{"name": "slow", "kernels": ["neighbored"], "sizes": {"log2": [18, 28]}, "blocks": [64, 128, 256, 512]}
J
"$redsweep" run "$work/l.json" --device sim --out "$work/l" --shard 0/1 >/dev/null 2>&1 &
writer=$!
while kill -0 $writer && [ ! -s "$work/l/shard-000/run.json" ]; do sleep 0.05; done
kill -STOP $writer
merge "$work/l" --out "$work/no"; code=$?
refused 4 "a shard at work"
kill -KILL $writer

[ $failed -eq 0 ] && echo "test_merge: $checks checks passed"
exit $failed
