#!/bin/sh
# Tests how commands use the column `bits`. diff says which points have equal bits, and with --bits
# it fails if any point's bits differ. best --same-bits-as names the fastest kernel with the same
# bits as a given point, and says how much slower it is than the fastest kernel overall.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=$(cd "${BUILD:-$root/build}" && pwd)/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root"
failed=0

fail() {
    echo "test_bits: FAILED: $*"
    cat "$work/out"
    failed=1
}

# run FOLDER ROW…: makes a run from rows of the form "id kernel n us bits".
run() {
    mkdir -p "$work/$1"
    {
        echo id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,time_us_median,time_us_ci95_lo,time_us_ci95_hi,bits
        shift
        for row; do
            echo "$row" | awk '{ print $1 ",cuda,D," $2 ",float32,sum," $3 ",128,1,8,cold,complete,ok," $4 "," $4 * .999 "," $4 * 1.001 "," $5 }'
        done
    } >"$work/$folder/results.csv"
}
folder=a run a '1a unroll 1024 10 00000000000000aa' '1b smem 1024 12 00000000000000bb' '2a unroll 4096 20 varies' \
    '2b smem 4096 20 varies' '2c gmem 4096 20 00000000000000cc' '2d shuffle 4096 20'
folder=b run b '1a unroll 1024 10 00000000000000aa' '1b smem 1024 12 00000000000000bc' '2a unroll 4096 20 varies' \
    '2b smem 4096 20 00000000000000dd' '2c gmem 4096 20 varies' '2d shuffle 4096 20 00000000000000ee'

# says CODE WORDS COMMAND…: the command must exit with CODE and print WORDS within one line.
says() {
    code=$1 words=$2 got=0
    shift 2
    "$redsweep" "$@" >"$work/out" 2>&1 || got=$?
    [ "$got" -eq "$code" ] || fail "$*: exit code $got instead of $code"
    grep -qF -- "$words" "$work/out" || fail "$*: '$words' is not in"
}
says 0 'bits: 1 equal, 3 differ, 1 vary from launch to launch in both runs; differ: smem (2), gmem (1)' diff "$work/a" "$work/b" --across-cards
says 0 'different bits: 3 points' diff "$work/a" "$work/b" --across-cards
says 1 'Exit code 1: different bits: 3 points.' diff "$work/a" "$work/b" --across-cards --bits
says 0 'nothing fails' diff "$work/a" "$work/a" --bits --across-cards
"$redsweep" diff "$work/a" "$work/b" --across-cards --csv - 2>/dev/null >"$work/points.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bits") at = i; next } { printf "%s ", $at }' "$work/points.csv" >"$work/out"
[ "$(cat "$work/out")" = "equal differ vary differ differ  " ] || fail "the points' bits"
# Runs of older versions lack the column `bits`, so there is nothing to compare.
for run in a b; do
    mkdir "$work/old-$run"
    sed 's/,[^,]*$//' "$work/$run/results.csv" >"$work/old-$run/results.csv"
done
says 2 'nothing was compared: no point has bits in both runs' diff "$work/old-a" "$work/old-b" --bits --across-cards

# unroll is the fastest kernel, but its bits differ from those of smem. The fastest kernel with
# smem's bits is gmem, which takes 20 % longer than unroll.
folder=c run c '1a unroll 1024 10 00000000000000aa' '1b smem 1024 15 00000000000000bb' '1c gmem 1024 12 00000000000000bb' \
    '3a unroll 4096 5 00000000000000bb' '4a shuffle 1024 11 varies' '4b vector 1024 30'
says 0 'Only configurations with the same bits as smem, block 128' best "$work/c" --same-bits-as 1b
"$redsweep" best "$work/c" --same-bits-as 1b --table winners --csv - >"$work/out" 2>&1
grep -q '1024.*gmem, block 128.*"unroll, block 128",1.2$' "$work/out" || fail 'the fastest that agrees, and what it costs'
grep -q 4096 "$work/out" && fail 'another problem has a winner'
says 0 'unroll, block 128' best "$work/c" --same-bits-as 1a
says 2 "different bits" best "$work/c" --same-bits-as 4a
says 2 'the column bits of the point 4b (ok) is empty' best "$work/c" --same-bits-as 4b
says 2 'several ids, such as ' best "$work/c" --same-bits-as 1
says 2 'no point of' best "$work/c" --same-bits-as 9
says 0 unroll best "$work/c"
grep -q bits "$work/out" && fail 'bits are shown where nobody asked for them'
# An invalid cell is an error rather than just a different hash.
mkdir "$work/d"
sed 's/00000000000000bb/00000000000000BB/' "$work/c/results.csv" >"$work/d/results.csv"
for command in "diff $work/c $work/d --across-cards" "best $work/d" "show $work/d"; do
    says 2 "column bits: redsweep did not write '00000000000000BB'; restore the file, or write 16 lowercase hexadecimal digits" $command
done
exit $failed
