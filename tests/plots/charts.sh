# shellcheck shell=sh disable=SC2154 # the script that sources this sets $here and $work
# The tests of charts source this file. Its functions make runs with invented numbers, and check
# data, scripts and pictures.

says() { grep -q -- "$1" "$2" || { echo "'$1' is not in:"; head -c 3000 "$2"; return 1; }; }
says_not() { ! says "$@"; }
holds() { # FILE TEXT: the file has exactly these lines
    [ "$(cat "$1")" = "$2" ] || { echo "$1 is:"; cat "$1"; return 1; }
}
exits() { # CODE FILE COMMAND…
    want=$1 file=$2
    shift 2
    "$@" >"$file" 2>&1
    got=$?
    [ "$got" -eq "$want" ] || { echo "exit code $got, not $want"; cat "$file"; return 1; }
}
out=$work/out.txt
plots_command() { "${BUILD:-$here/../../build}/redsweep" plots "$@"; }

header=id,backend,device,kernel,type,op,n,block,unroll,t_loads,grid,registers,cache,scope,status,reason,time_us_median,time_us_ci95_lo,time_us_ci95_hi,bandwidth_gbs,peak_pct,ceiling_pct,sampled_share,gld_transactions,inst_per_warp,gld_efficiency,result,rel_error,measured_at
points=0
# point KERNEL N BLOCK UNROLL LOADS TIME [GLD INST EFFICIENCY [SECOND [GRID]]]: prints a row with an
# interval of 10 % on either side and the bandwidth of four bytes per element. SECOND counts the
# seconds after 10:00.
point() {
    points=$((points + 1))
    awk -v OFS=, -v id=$points -v k="$1" -v n="$2" -v b="$3" -v u="$4" -v l="$5" -v t="$6" -v gld="${7-}" -v inst="${8-}" \
        -v eff="${9-}" -v s="${10-0}" -v grid="${11-}" -v device="${DEVICE-D}" 'BEGIN {
        gbs = 4 * n / t / 1e3
        print id, "cuda", device, k, "int32", "sum", n, b, u, l, grid, 16, "cold", "kernel", "ok", "", t, 0.9 * t, 1.1 * t, gbs, gbs / 10, gbs / 8,
              "", gld, inst, eff, 1, 0, sprintf("2026-01-31T10:%02d:%02dZ", s / 60, s % 60)
    }'
}
make_run() { # FOLDER, rows on stdin
    mkdir -p "$1"
    { echo "$header" && cat; } >"$1/results.csv"
}
contrasts() { # every text and mark has enough contrast, and there are more than LEAST of each
    least=$1
    shift
    awk -f "$here/contrast.awk" "$@" >"$out" 2>&1
    [ "$(wc -l <"$out")" -eq 1 ] || { head -20 "$out"; return 1; }
    [ "$(cut -d ' ' -f 1 "$out")" -gt "$least" ] && [ "$(cut -d ' ' -f 3 "$out")" -gt "$least" ] || { cat "$out"; return 1; }
}
