#!/bin/sh
# plots/ratio.sh compares with CUB at each problem: a value of an axis that only some runs have is
# a problem of its own.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
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
# A folder's name is nowhere a part of a script.
hostile='o`touch RAN`"; system("touch RAN"); x="'
mkdir "$work/$hostile"
awk -v OFS=, 'BEGIN {
    print "kernel", "type", "op", "n", "block", "unroll", "cache", "scope", "status", "time_us_median", "bandwidth_gbs", "reason"
    split("cub unroll sweep_read", kernels, " "); split("int32 float32 float64", types, " "); split("cold warm", caches, " ")
    for (k in kernels) for (t in types) for (c in caches) for (n = 1024; n <= 4096; n *= 2)
        print kernels[k], types[t], "sum", n, 256, 1, caches[c], "complete", "ok", n / 100 + k, 10, ""
}' >"$work/$hostile/results.csv"
(cd "$work" && BUILD=${BUILD:-$root/build} "$root/plots/ratio.sh" "$hostile" "$hostile" >/dev/null)
[ -s "$work/$hostile/ratio.svg" ] || { echo 'test_ratio: FAILED: nothing was drawn into a folder with quotes in its name'; exit 1; }
[ ! -e "$work/RAN" ] || { echo "test_ratio: FAILED: a folder's name was executed"; exit 1; }
sed 's/,8,1,$/,"8+0*system(1)",1,/' "$work/results.csv" >"$work/odd.csv" && mkdir "$work/odd" && mv "$work/odd.csv" "$work/odd/results.csv"
! plots/ratio.sh "$work/odd" >/dev/null 2>"$work/odd.txt" || { echo 'test_ratio: FAILED: a time that is no number'; exit 1; }
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
expect odd.txt "results.csv: line 3, column time_us_median: '8+0*system(1)'"
[ "$failed" -eq 0 ] && echo "test_ratio: ok"
exit "$failed"
