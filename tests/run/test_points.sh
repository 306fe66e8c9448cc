#!/bin/sh
# `run --points` measures exactly the points in a file, whatever the config contains. It can also
# measure points that another program requests line by line, and answers each request with the
# point's row.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
reference=$root/results/reference/h200-fastest-search
config=$root/configs/fastest-pruned.json
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "test_points: FAILED: $*"
    failed=1
}

run() { # NAME OPTIONS...
    name=$1
    shift
    "$redsweep" run "$@" --device "replay:$reference" --metrics= --out "$work/$name" >"$work/$name.txt" 2>"$work/$name.log"
}

# The file may contain the rows of another run. In this case, no config is needed. Columns that do
# not describe a point are ignored.
head -n 60 "$reference/results.csv" >"$work/points.csv"
tail -n 20 "$reference/results.csv" >>"$work/points.csv"
run file --points "$work/points.csv" || fail "a file: exit code $?: $(cat "$work/file.log")"
cut -d, -f1 "$work/points.csv" | sort >"$work/a.txt"
"$redsweep" show "$work/file" --columns id --csv - | sort >"$work/b.txt"
cmp -s "$work/a.txt" "$work/b.txt" || fail "other points: $(diff "$work/a.txt" "$work/b.txt" | head -3)"

# With a config, axes that the file has no column for take the config's values.
printf 'kernel,n,block,t_loads\nonepass_packed,2097152,64,4\n' >"$work/few.csv"
run few "$config" --points "$work/few.csv" --sizes 2^14 --search.strategy race || true
"$redsweep" show "$work/few" --where 'kernel != onepass_packed or n != 2097152 or block != 64' --csv - | sed 1d | grep -q . &&
    fail "points besides those of the file"
grep -q '"points"' "$work/few/run.json" || fail "run.json does not hold the points"

# The plan contains only the file's points. Combinations that no line names are neither checked nor
# counted as excluded. Numbers may have leading zeros.
printf 'kernel,n,block,t_loads\nonepass_packed,02097152,064,4\nonepass_packed,16384,128,8\n' >"$work/two.csv"
run only "$config" --points "$work/two.csv" --dry-run || fail "two points: exit code $?: $(cat "$work/only.log")"
grep -q '^  excluded *0 ' "$work/only.txt" || fail "combinations that no line names: $(cat "$work/only.txt")"

# Kernels that only the config selects need not allow the file's values.
printf '{"kernels": "*", "metrics": []}' >"$work/all.json"
printf 'kernel,n,row_length,block,t_loads\nrows_limit,16384,64,256,16\n' >"$work/one.csv"
run one "$work/all.json" --kernel-folder "$root/kernels/support" --points "$work/one.csv" --dry-run ||
    fail "a kernel that the file does not name: exit code $?: $(cat "$work/one.log")"

# The message names the line that is not a point.
refused() { # TEXT LINES
    printf '%b' "$2" >"$work/bad.csv"
    run bad --points "$work/bad.csv" && fail "accepted: $2"
    grep -q "$1" "$work/bad.log" || fail "$1: $(cat "$work/bad.log")"
}
# shellcheck disable=SC2016 # prints the backquotes
refused 'bad.csv:1: the header has no column `kernel`' 'n,block\n1024,64\n'
refused 'bad.csv:3: there is no such point; the kernel onepass_packed' \
    'kernel,n,block,t_loads\nonepass_packed,1024,64,4\nonepass_packed,1024,64,5\n'
refused 'bad.csv:2: the column n contains "many"; write an integer' 'kernel,n\nunroll,many\n'
refused 'contains no points' 'kernel,n\n'
refused 'the last line does not end with a newline' 'kernel,n\nunroll,1024'

# If a kernel does not compile, its row reports the error, whether the group is compiled in advance
# or a point is compiled once another program requests it.
mkdir "$work/k"
sed 's/smem/broken/; s/{$/{ no_such_name();/' "$root/kernels/book/smem.cu" >"$work/k/broken.cu"
printf 'kernel,n\nbroken,1024\nsmem,1024\n' >"$work/two.csv"
"$redsweep" run --kernel-folder "$work/k" --points "$work/two.csv" --blocks 64 --types int32 --ops sum --device sim \
    --out "$work/two" >"$work/two.txt" 2>&1
said=$("$redsweep" show "$work/two" --columns kernel,status,reason --csv -)
case $said in *broken,compile_error,*no_such_name*) ;; *) fail "a kernel that does not compile: $said" ;; esac
case $said in *smem,ok,*) ;; *) fail "a kernel beside one that does not compile: $said" ;; esac
"$redsweep" run --kernel-folder "$work/k" --kernels broken,smem --sizes 2^10,2^11 --points - --blocks 64 --types int32 --ops sum --device sim \
    --out "$work/two-asked" <"$work/two.csv" >"$work/two.txt" 2>"$work/two.log"
said=$(cat "$work/two.txt")
case $said in *broken,*,compile_error,*no_such_name*) ;; *) fail "a kernel that does not compile, asked for: $said" ;; esac
case $said in *smem,*,ok,*) ;; *) fail "a kernel beside it, asked for: $said" ;; esac

# Lines from standard input are answered in order, even if a line repeats a point, is invalid, or
# matches several points.
columns=kernel,n,block,t_loads,t_min_blocks,t_blocks_per_sm,t_order,t_policy,t_prefetch,t_guard,t_group
{
    echo "$columns"
    echo onepass_packed,65536,64,4,1,0,0,1,0,0,
    sleep 0.3
    echo onepass_packed,16384,32,4,1,0,0,1,1,0,
    echo onepass_packed,65536,64,4,1,0,0,1,0,0,
    echo unknown,65536,64,4,1,0,0,1,0,0,
} | run asked "$config" --points - || fail "asked: exit code $?: $(cat "$work/asked.log")"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["n"], $at["status"], ($at["time_us_median"] > 0), $at["reason"] }' "$work/asked.txt" >"$work/a.txt"
cat >"$work/b.txt" <<'TXT'
65536 ok 1 the samples were drawn from a recorded median and its interval
16384 ok 1 the samples were drawn from a recorded median and its interval
65536 ok 1 the samples were drawn from a recorded median and its interval
 skipped 0 the config contains no such point
TXT
cmp -s "$work/a.txt" "$work/b.txt" || fail "answers: $(diff "$work/a.txt" "$work/b.txt")"
[ "$(wc -l <"$work/asked/results.csv")" -eq 3 ] || fail "a row for each of two points"
echo "$columns" | cut -d, -f1-3 >"$work/in.txt"
echo onepass_packed,65536,64 >>"$work/in.txt"
run several "$config" --points - <"$work/in.txt"
grep -q '[0-9]* points of the config have these values; add columns that distinguish them' "$work/several.txt" ||
    fail "several: $(tail -1 "$work/several.txt")"
"$redsweep" resume "$work/asked" >"$work/resume.txt" 2>&1 && fail "resumed what was asked"
grep -q 'because another program asked for its points' "$work/resume.txt" || fail "resume: $(cat "$work/resume.txt")"
# Such a run cannot be resumed, so no message suggests that.
mkfifo "$work/in"
"$redsweep" run "$config" --points - --device "replay:$reference" --metrics= --out "$work/early" <"$work/in" >/dev/null 2>"$work/early.log" &
exec 3>"$work/in"
echo "$columns" >&3
tries=0
while ! [ -e "$work/early/run.json" ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -TERM $! || fail "early: it was over"
wait $!
code=$?
exec 3>&-
[ $code -eq 3 ] && ! grep -q 'redsweep resume' "$work/early.log" && grep -q 'cannot be resumed, because another program chooses its points; start that program again' "$work/early.log" ||
    fail "early: exit code $code: $(cat "$work/early.log")"
"$redsweep" status "$work/early" >"$work/status.txt" 2>&1
grep -q stopped "$work/status.txt" && ! grep -q 'to resume' "$work/status.txt" || fail "status of early: $(cat "$work/status.txt")"
run nothing "$config" --points - </dev/null
[ -s "$work/nothing.txt" ] && fail "an answer to nothing: $(cat "$work/nothing.txt")"
run both "$config" --points - --search.strategy transfer </dev/null && fail "asked, and a search"
grep -q 'another program chooses them' "$work/both.log" || fail "both: $(cat "$work/both.log")"

# If run.json has no room for that many points, the message names the option, the file and how many
# points fit.
awk 'BEGIN { print "kernel,type,op,n,block,unroll,cache,scope"
             for (n = 1; n <= 14000; n++)
                 for (block = 32; block <= 1024; block += 32)
                     print "interleaved,int32,sum," n "," block ",1,cold,kernel" }' >"$work/many.csv"
"$redsweep" run --points "$work/many.csv" --device sim --dry-run >"$work/many.log" 2>&1
[ $? -eq 2 ] && grep -q -- "--points $work/many.csv: the ids of 448000 points .*longer than 8 MiB, but only about [0-9]* points fit" "$work/many.log" ||
    fail "too many points: $(tail -2 "$work/many.log")"
{ echo kernel,type,op,n,block,unroll,cache,scope; seq -f 'interleaved,int32,sum,%.0f,64,1,cold,kernel' 70000; } >"$work/sizes.csv"
"$redsweep" run --points "$work/sizes.csv" --device sim --dry-run >"$work/sizes.log" 2>&1
[ $? -eq 2 ] && grep -q -- "--points $work/sizes.csv: .*more than 65536 values" "$work/sizes.log" ||
    fail "too many sizes: $(tail -2 "$work/sizes.log")"

# If Optuna is installed, it proposes points. The best of these points must come close to 5.248 us,
# the time of the fastest recorded point at 2^20.
if python3 -c 'import optuna' 2>/dev/null; then
    python3 "$root/examples/optuna/optuna_search.py" "$config" 1048576 320 --device "replay:$reference" \
        --quiet --out "$work/optuna" >"$work/optuna.txt" 2>"$work/optuna.log" || fail "optuna: $(tail -3 "$work/optuna.log")"
    awk '/fastest: / { sub(/.*fastest: /, ""); ok = $1 > 5 && $1 < 5.6 } END { exit !ok }' "$work/optuna.txt" ||
        fail "optuna found $(cat "$work/optuna.txt")"
else
    echo "test_points: Optuna is not installed: its example is not tested"
fi

[ "$failed" -eq 0 ] && echo "test_points: passed"
exit "$failed"
