#!/bin/sh
# `run --shard` begins or continues a shard. All shards together contain the points of the undivided
# run. If another process is writing the shard, the command exits with 4 or, on request, waits. A
# folder that is not this shard is refused.
set -u
. "$(dirname "$0")/../scratch.sh"
export REDSWEEP_CACHE="$work/cache"

cat >"$work/c.json" <<'J'
{"name": "c", "kernels": ["neighbored", "smem_unroll"], "sizes": {"log2": [12, 16]},
 "blocks": [64, 128], "unrolls": [2, 4], "types": ["int32", "float32"]}
J
shard() { "$redsweep" run "$work/c.json" --device sim --out "$work/s" --shard "$@" >"$work/out" 2>&1; }
rows() { tail -n +2 "$1" | cut -d, -f1 | sort; }

"$redsweep" run "$work/c.json" --device sim --out "$work/whole" >/dev/null 2>&1 || fail "whole"
for k in 0 1 2; do shard $k/3 || fail "shard $k: $(cat "$work/out")"; done
cat "$work"/s/shard-00?/results.csv | grep -v '^id,' | cut -d, -f1 | sort >"$work/ids"
rows "$work/whole/results.csv" | cmp -s - "$work/ids" && ok || fail "the shards are not the whole"

# If the shard is complete, the command succeeds at once. If rows are missing, it measures them.
before=$(cksum <"$work/s/shard-001/results.csv")
shard 1/3 && [ "$before" = "$(cksum <"$work/s/shard-001/results.csv")" ] && ok || fail "a complete shard"
ids=$(rows "$work/s/shard-001/results.csv")
sed -i '3,5d' "$work/s/shard-001/results.csv"
shard 1/3 && [ "$ids" = "$(rows "$work/s/shard-001/results.csv")" ] && ok || fail "continuing: $(cat "$work/out")"
"$redsweep" resume "$work/s/shard-001" >"$work/out" 2>&1 && ok || fail "resume: $(cat "$work/out")"

# If a shard was stopped, its run.json and `status` say so.
cp -r "$work/s" "$work/x"
sed -i '3,5d' "$work/x/shard-001/results.csv"
sed -i 's/"status":\( *\)"complete"/"status":\1"stopped"/' "$work/x/shard-001/run.json"
"$redsweep" status "$work/x" >"$work/out" 2>&1
grep -q "^ *1 .*stopped.*simulator (32-byte sectors)" "$work/out" && ok || fail "status: $(cat "$work/out")"

# A shard that was killed at the start has empty files and no run.json. It can be started again.
mkdir "$work/t" "$work/t/shard-000"
head -1 "$work/s/shard-000/results.csv" >"$work/t/shard-000/results.csv"
: >"$work/t/shard-000/samples.csv"
: >"$work/t/shard-000/.lock"
"$redsweep" run "$work/c.json" --device sim --out "$work/t" --shard 0/3 >"$work/out" 2>&1 && ok ||
    fail "killed at its beginning: $(cat "$work/out")"
# A folder with rows but no run.json is refused, and its rows stay as they are.
rm "$work/t/shard-000/run.json"
before=$(cksum <"$work/t/shard-000/results.csv")
"$redsweep" run "$work/c.json" --device sim --out "$work/t" --shard 0/3 >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "contains rows" "$work/out" &&
    [ "$before" = "$(cksum <"$work/t/shard-000/results.csv")" ] && ok || fail "rows without run.json"

# A run that cannot be divided leaves no folder behind.
"$redsweep" run "$work/c.json" --search.strategy transfer --device sim --out "$work/none" --shard 0/3 >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "cannot be divided" "$work/out" && ok || fail "a search in shards: $(cat "$work/out")"
[ ! -e "$work/none" ] && ok || fail "a search in shards left $(find "$work/none")"

# A different division and a different config are refused.
shard 1/4; [ $? -eq 2 ] && grep -q "contains shard 1/3, so shard 1/4 cannot be written" "$work/out" && ok || fail "1/4: $(cat "$work/out")"
sed -i 's/"blocks": \[64/"blocks": [32/' "$work/c.json"
shard 1/3; [ $? -eq 2 ] && grep -q "a different config" "$work/out" && ok || fail "other config: $(cat "$work/out")"
sed -i 's/"blocks": \[32/"blocks": [64/' "$work/c.json"

# With more shards than points, some shards are empty, and running them succeeds.
"$redsweep" run "$work/c.json" --device sim --out "$work/e" --shard 99/100 >"$work/out" 2>&1
[ $? -eq 0 ] && [ "$(wc -l <"$work/e/shard-099/results.csv")" -eq 1 ] && ok || fail "empty: $(cat "$work/out")"

# If another process is writing the shard, the command exits immediately with 4, or waits for that
# process. Here the writer is stopped with SIGSTOP once it has begun. If it finishes first, it is
# started again with more work.
for last in 22 23 24 25; do
    rm -rf "$work/l"
    cat >"$work/slow.json" <<J
{"name": "slow", "kernels": ["neighbored"], "sizes": {"log2": [18, $last]}, "blocks": [64, 128, 256, 512]}
J
    "$redsweep" run "$work/slow.json" --device sim --out "$work/l" --shard 0/1 >/dev/null 2>&1 &
    writer=$!
    while kill -0 $writer && [ ! -s "$work/l/shard-000/run.json" ]; do sleep 0.05; done
    kill -STOP $writer && grep -q '"status":.*"running"' "$work/l/shard-000/run.json" && break
    wait $writer
done
"$redsweep" run "$work/slow.json" --device sim --out "$work/l" --shard 0/1 >"$work/out" 2>&1
[ $? -eq 4 ] && grep -q "another run" "$work/out" && ok || fail "busy: $(cat "$work/out")"
"$redsweep" resume "$work/l/shard-000" >"$work/out" 2>&1
[ $? -eq 4 ] && ok || fail "busy resume: $(cat "$work/out")"
"$redsweep" run "$work/slow.json" --device sim --out "$work/l" --shard 0/1 --wait-lock 600 >"$work/out" 2>&1 &
waiter=$!
while kill -0 $waiter && ! grep -q "waits for it up to 600 s" "$work/out"; do sleep 0.05; done
kill -CONT $writer
kill -TERM $writer
wait $waiter && ok || fail "waiting: $(cat "$work/out")"
wait $writer
[ "$(wc -l <"$work/l/shard-000/results.csv")" -eq $((4 * (last - 17) + 1)) ] && ok || fail "rows after waiting"

[ $failed -eq 0 ] && echo "test_shards: $checks checks passed"
exit $failed
