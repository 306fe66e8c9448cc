#!/bin/sh
# Searches for the fastest points, using a recorded run's times. A race measures every point but
# takes a fraction of the samples; a transfer measures few points. A search's result depends only on
# its seed, even if it is interrupted. best and diff do not judge points that lost a race.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
reference=$root/results/reference/h200-fastest-search
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
python=$(command -v python3) || { echo "test_search: python3 is missing"; exit 1; }

fail() {
    echo "test_search: FAILED: $*"
    failed=1
}

run() { # NAME OPTIONS...: three sizes of fastest-pruned.json
    name=$1
    shift
    "$redsweep" run "$root/configs/fastest-pruned.json" --sizes 2^16,2^20,2^26 --out "$work/$name" \
        --device "replay:$reference" --timing.warmup 1 "$@" >"$work/$name.txt" 2>&1 ||
        fail "$name: exit code $?: $(cat "$work/$name.txt")"
}

# Prints, for each row, the values that are the same if a search is repeated: "id n samples
# stopped_by median".
rows() {
    "$redsweep" show "$work/$1" --columns id,n,samples,stopped_by,time_us_median --csv - | sed 1d | tr , ' ' | sort
}

# Prints each n for which the recorded time of the run's winner is more than `limit` times the
# shortest recorded time.
losses() {
    for run in "$reference" "$work/all" "$work/$1"; do
        echo run # no row has this id
        "$redsweep" show "$run" --columns id,n,status,stopped_by,time_us_median --csv - | sed 1d
    done | awk -F, -v limit="${2:-1.03}" '$1 == "run" { file++; next }
        file == 1 { if ($3 == "ok") truth[$1] = $5 + 0; next }
        { n = $2; id = $1; us = $5 + 0
          if (!(id in truth)) next
          if (!(n in least) || truth[id] < least[n]) least[n] = truth[id]
          if (file == 3 && $4 != "raced" && (!(n in best) || us < best[n])) {
              best[n] = us; choice[n] = id } }
        END { for (n in choice) { count++
                  if (truth[choice[n]] > limit * least[n]) print n, truth[choice[n]], least[n] }
              if (count != 3) print count " sizes" }'
}

samples() { # NAME: the total number of samples
    expr "$(wc -l <"$work/$1/samples.csv")" - 1
}

run all --timing.min_samples 40 --timing.max_samples 40
run race --search.strategy race
run transfer --search.strategy transfer
run other --search.strategy transfer --search.seed 2

# A race measures every point that can run, and takes far fewer samples.
points=$(rows race | wc -l)
[ "$points" -eq "$(grep -c ',complete,ok,' "$work/all/results.csv")" ] || fail "a race has $points points"
[ "$(samples race)" -lt "$(expr "$(samples all)" / 4)" ] || fail "a race took $(samples race) samples"
rows race | awk '$4 == "raced" { count[$3]++; next } $3 >= 15 { stayed++ }
    END { for (n in count) if (n != 3 && n != 7 && n != 15 && n != 31) print n
          if (count[3] < 1000 || stayed < 24 || stayed > 60) print count[3], stayed }' >"$work/x.txt"
[ -s "$work/x.txt" ] && fail "samples of a race: $(cat "$work/x.txt")"
found=$(losses race)
[ -z "$found" ] || fail "what a race found is slow: $found"

# A transfer measures few points and finds equally fast ones.
points=$(rows transfer | wc -l)
[ "$points" -gt 150 ] && [ "$points" -lt 700 ] || fail "a transfer has $points points"
found=$(losses transfer)
[ -z "$found" ] || fail "what a transfer found is slow: $found"
[ "$(rows transfer | awk '$4 == "samples" && $3 == 320 || $4 == "width" && $3 >= 80' | wc -l)" -eq 12 ] ||
    fail "4 of each n with 80 to 320 samples: $(rows transfer | grep -v raced)"
[ "$(rows transfer | awk '$4 == "raced" && $3 == 80' | wc -l)" -eq 12 ] || fail "4 with 80 samples"
rows transfer | awk '{ print $1 }' >"$work/a.txt"
rows other | awk '{ print $1 }' >"$work/b.txt"
cmp -s "$work/a.txt" "$work/b.txt" && fail "two seeds chose the same points"
grep -q "^The search measured $points of [0-9]* points. Of these, [0-9]* were chosen at random, .* at most 1[0-9] % of" \
    "$work/transfer.txt" || fail "how sure it is: $(cat "$work/transfer.txt")"
"$redsweep" show "$work/transfer" --info >"$work/info.txt" 2>&1
grep -q 'sessions.0.search.2.n[^0-9]*67108864' "$work/info.txt" &&
    grep -q 'sessions.0.search.2.tops[^0-9a-f]*[0-9a-f]' "$work/info.txt" || fail "no finding of 2^26"
# For each n, run.json lists the points that were the best so far, with the time of day of each
# change. The last point in the list must be the winner. For some n, the list must have several
# points.
awk -F '\t' '$1 ~ /search.*tops$/ { winner = substr($2, 1, 16) }
    $1 ~ /search.*progress$/ {
        count = split($2, parts, " ")
        for (i = 1; i < count; i += 2) {
            if (parts[i] !~ /^....-..-..T..:..:..[.]...Z$/ || parts[i] < last || length(parts[i + 1]) != 16) print
            last = parts[i]
            changed += i > 1 && parts[i + 1] != parts[i - 1]
        }
        if (count % 2 || parts[count] != winner) print "ends", parts[count], "but the winner is", winner
        groups++
    }
    END { if (groups != 3 || !changed) print groups " groups, " changed + 0 " changes" }' "$work/info.txt" >"$work/x.txt"
[ -s "$work/x.txt" ] && fail "progress: $(cat "$work/x.txt")"

# Checks how often a transfer is right, and how much it measures, with 36 sizes and four seeds
# (results/reference/h200-search-truth/README.md). A seed gives the same results on every machine,
# so the limits are tight.
"$python" "$root/experiments/search/search_seeds.py" "$reference" 4 --search.strategy transfer \
    --timing.warmup 1 >"$work/seeds.txt" 2>&1 || fail "search_seeds: $(cat "$work/seeds.txt")"
tail -n 1 "$work/seeds.txt" | sed 's/.*right at \([0-9.]*\) .*; \([0-9.]*\) s, of .*points, \([0-9]*\) variants/\1 \2 \3/' |
    awk '{ if (NF != 3 || $1 < 94 || $2 > 7.8 || $3 > 300) print }' | grep -q . &&
    fail "right, seconds, variants: $(cat "$work/seeds.txt")"

# The finalists are the points that are left at the end of a search. If times barely scatter, a few
# samples of each finalist are enough. If no interval can get narrow enough, all samples are taken.
large() { # NAME OPTIONS...: prints the finalists' samples
    name=$1
    shift
    "$redsweep" run "$root/configs/fastest-pruned.json" --sizes 2^30 --out "$work/$name" --quiet \
        --device "replay:$reference" --search.strategy transfer "$@" >"$work/$name.txt" 2>&1 ||
        fail "$name: exit code $?: $(cat "$work/$name.txt")"
    rows "$name" | awk '$4 != "raced" { print $3, $4 }' | sort -u
}
large narrow >"$work/a.txt"
awk '$1 < 7 || $1 >= 40 || $2 != "width"' "$work/a.txt" | grep -q . && fail "2^30: $(cat "$work/a.txt")"
[ "$(large wide --timing.relative_width 0)" = "320 samples" ] || fail "2^30 without a width"

# An interrupted search continues as if nothing had happened. To do so, it removes the rows of an
# unfinished n.
cp -r "$work/transfer" "$work/cut"
"$python" - "$work/cut" <<'PY'
import json, sys
path = sys.argv[1] + "/run.json"
run = json.load(open(path))
run["status"] = "stopped"
run["sessions"][0]["search"] = run["sessions"][0]["search"][:1]
json.dump(run, open(path, "w"))
PY
head -n 300 "$work/cut/results.csv" >"$work/cut/short.csv" && mv "$work/cut/short.csv" "$work/cut/results.csv"
"$redsweep" resume "$work/cut" >"$work/cut.txt" 2>&1 || fail "resume: $(cat "$work/cut.txt")"
rows transfer >"$work/a.txt"
rows cut >"$work/b.txt"
cmp -s "$work/a.txt" "$work/b.txt" || fail "resumed, other rows: $(diff "$work/a.txt" "$work/b.txt" | head -3)"

# With a time limit, the search tries fewer points but skips no size.
run short --search.strategy transfer --search.time_limit_s 0.001
[ "$(rows short | awk '{ print $2 }' | sort -u | wc -l)" -eq 3 ] || fail "a size is missing"
[ "$(rows short | wc -l)" -lt "$points" ] || fail "the time limit changed nothing"

# A point that lost a race never wins and gets no verdict.
"$redsweep" best "$work/race" >"$work/best.txt" 2>&1 || fail "best: $(cat "$work/best.txt")"
grep -q 'Excluded: [0-9]* rows that a search dropped' "$work/best.txt" || fail "best: $(tail -2 "$work/best.txt")"
"$redsweep" diff "$work/all" "$work/race" >"$work/diff.txt" 2>&1
grep -q 'unknown: [0-9]* points' "$work/diff.txt" || fail "diff: $(tail -1 "$work/diff.txt")"
unknown=$(sed -n 's/.*unknown: \([0-9]*\) points.*/\1/p' "$work/diff.txt")
[ "$unknown" -ge "$(rows race | grep -c ' raced ')" ] || fail "diff judges raced points: $unknown unknown"

# On a terminal, the progress line shows how many points are done and the remaining time, although
# nobody knows the total. It first appears after 0.1 s, when the searches above are already over, so
# this search has enough points and samples to take seconds.
"$python" -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$redsweep" run "$root/configs/fastest-pruned.json" \
    --device "replay:$reference" --search.strategy transfer --search.start 300 --search.probes 300 \
    --search.batch 1 --search.finalist_samples 10000 --out "$work/shown" </dev/null >"$work/out.txt" 2>&1
grep -aq 'measuring [0-9]*  [0-9.]* [a-z]* left after [0-9]* s  ' "$work/out.txt" || fail "no time left: $(cat "$work/out.txt")"
! grep -aq 'measuring [0-9]*  [0-9.]* h left' "$work/out.txt" || fail "hours left of seconds: $(cat "$work/out.txt")"

# Searches that make no sense are refused.
refused() { # TEXT OPTIONS...
    text=$1
    shift
    "$redsweep" "$@" >"$work/out.txt" 2>&1
    [ $? -eq 2 ] && grep -q "$text" "$work/out.txt" || fail "$text: $(cat "$work/out.txt")"
}
refused 'times of two scopes are not comparable' run --kernels unroll --search.strategy race \
    --scope kernel,complete
refused 'needs times, but nothing is timed (simulator' run --kernels unroll --device sim \
    --search.strategy race
refused 'cannot be divided into shards' run --kernels unroll --search.strategy transfer --shard 0/2 \
    --out "$work/shards"
refused 'a gate compares all points' gate --kernels unroll --search.strategy race \
    --baseline "$root/kernels" --candidate "$root/kernels"
refused "unknown value \"rase\"; write one of exhaustive, race, transfer; did you mean 'race'" run \
    --kernels unroll --search.strategy rase
refused 'the list has 9 numbers; write at most 8' run --kernels unroll --search.rungs 1,2,3,4,5,6,7,8,9

[ "$failed" -eq 0 ] && echo "test_search: passed"
exit "$failed"
