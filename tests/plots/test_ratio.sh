#!/bin/sh
# plots/ratio.sh compares with CUB at each problem: a value of an axis that only some runs have is
# a problem of its own.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat >"$work/results.csv" <<'ROWS'
kernel,type,op,n,block,unroll,cache,scope,offset,status,time_us_median,bandwidth_gbs,reason
cub,float32,sum,1024,256,1,cold,complete,0,ok,10,1,
unroll,float32,sum,1024,256,8,cold,complete,0,ok,8,1,
cub,float32,sum,1024,256,1,cold,complete,1,ok,20,1,
unroll,float32,sum,1024,256,8,cold,complete,1,ok,25,1,
ROWS
plots/ratio.sh "$work" >"$work/with" || exit 1
cut -d, -f1-8,10- "$work/results.csv" | head -3 >"$work/some" && mv "$work/some" "$work/results.csv"
plots/ratio.sh "$work" >"$work/without" || exit 1

failed=0
expect() {
    grep -qF -e "$2" "$work/$1" || {
        echo "test_ratio: FAILED: no \"$2\" in:"
        cat "$work/$1"
        failed=1
    }
}
expect with '| float32 sum cold,offset=0 | 2^10 | 10'
expect with '| float32 sum cold,offset=1 | 2^10 | 20'
expect without '| float32 sum cold | 2^10 | 10'
[ "$failed" -eq 0 ] && echo "test_ratio: ok"
exit "$failed"
