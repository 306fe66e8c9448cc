#!/bin/sh
# Runs tests/gpu/plant.sh, calibrate.sh and power.sh without a GPU. They call a substitute for
# redsweep that invents times: a kernel takes 4 us plus 1.25 us per 2^20 elements, and an iteration
# of the planted loop takes 0.006 us, except that the first five take no time. Samples scatter by
# 0.05 us. Commands that read runs go to the real program.
set -eu
cd "$(dirname "$0")/../.."
real=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }

mkdir "$work/build"
cat >"$work/times.awk" <<'END'
# A run has all points of power.json. The file `counts` has the planted numbers of iterations, and
# WRONG names a kernel that is 10 % slower.
function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185 * rand()) }
BEGIN {
    srand(seed)
    while (counts != "" && (getline line <counts) > 0) {
        split(line, part, " ")
        planted[part[1] " " part[2] " " part[3]] = part[4]
    }
    print "id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,reason,samples,time_us_median,time_us_ci95_lo,time_us_ci95_hi,sm_clock_mhz" >(out "/results.csv")
    print "id,sample,time_us" >(out "/samples.csv")
    kernels = split("neighbored_less interleaved unroll smem_unroll", kernel, " ")
    sizes = split("8192 16384 32768 65536 131072 4194304 16777216", size, " ")
    blocks = split("128 256 512", block, " ")
    for (k = 1; k <= kernels; k++) for (s = 1; s <= sizes; s++) for (b = 1; b <= blocks; b++)
        for (warm = 0; warm < 2; warm++) {
            us = 4 + size[s] * 1.25 / 1048576 + 0.1 * k + 0.05 * b
            more = 0.006 * (planted[kernel[k] " " size[s] " " block[b]] - 5)
            us += more > 0 ? more : 0
            if (kernel[k] == wrong)
                us *= 1.1
            id = sprintf("%016x", ((k * 10 + s) * 10 + b) * 10 + warm)
            for (i = 1; i <= samples; i++) {
                x = int((us + 0.05 * normal()) / 0.001) * 0.001
                for (j = i; j > 1 && v[j - 1] > x; j--)
                    v[j] = v[j - 1]
                v[j] = x
            }
            for (i = 1; i <= samples; i++)
                printf "%s,%d,%.3f\n", id, i - 1, v[i] >(out "/samples.csv")
            low = int(samples / 2 - sqrt(samples)); high = samples + 1 - low
            printf "%s,cuda,Fake,%s,int32,sum,%s,%s,4,1,%s,kernel,ok,,%d,%.4f,%.4f,%.4f,1980\n", id, kernel[k], \
                size[s], block[b], warm ? "warm" : "cold", samples, (v[samples / 2] + v[samples / 2 + 1]) / 2, \
                v[low], v[high] >(out "/results.csv")
        }
}
END
REAL_REDSWEEP=$real/redsweep
export REAL_REDSWEEP
cat >"$work/build/redsweep" <<END
#!/bin/sh
# run CONFIG --device D --out OUT | gate CONFIG --baseline A --candidate B --device D --out OUT [--data F]
command=\$1 config=\$2
case \$command in diff | show) exec "\$REAL_REDSWEEP" "\$@" ;; esac
samples=\$(sed -n 's/.*"max_samples": \([0-9]*\).*/\1/p' "\$config")
shift 2
while [ \$# -gt 0 ]; do
    case \$1 in --out) out=\$2 ;; --candidate) candidate=\$2 ;; --data) data=\$2 ;; esac
    shift 2
done
make() { # FOLDER COUNTS
    mkdir -p "\$1"
    seed=\$((\$(cat "$work/seed" 2>/dev/null || echo 0) + 1))
    echo \$seed >"$work/seed"
    awk -v seed=\$seed -v out="\$1" -v counts="\$2" -v samples=\$samples -v wrong="\${3:-}" -f "$work/times.awk"
    echo '{"schema":2,"provenance":{"process":"'\$process'"},"sessions":[{"launch":{"contexts":1,"step_us":0.001,"min_us":4}}]}' >"\$1/run.json"
}
if [ "\$command" = run ]; then
    process=\$\$
    make "\$out" "\${REDSWEEP_HOME:+\$REDSWEEP_HOME/kernels/planted.txt}"
    exit 0
fi
process=\$\$
make "\$out/baseline" ""
planted=\$candidate/planted.txt
[ -f "\$planted" ] || planted=""
make "\$out/candidate" "\$planted" "\${WRONG:-}"
"\$REAL_REDSWEEP" diff "\$out/baseline" "\$out/candidate" \${data:+--data "\$data"}
END
chmod +x "$work/build/redsweep"
BUILD=$work/build
export BUILD

# The planted loop compiles, and results stay right. At 0 %, no loop is planted.
printf 'interleaved 4096 128 3\ninterleaved 4096 256 4\ninterleaved 65536 128 5\ninterleaved 65536 256 6\n' >"$work/counts"
tests/gpu/plant.sh kernels interleaved 3 "$work/planted" "$work/counts" || fail "nothing planted"
grep -q 'rounds = blockDim.x <= 128u ? (n <= 4096u ? 3u : 5u) : (n <= 4096u ? 4u : 6u);' "$work/planted/book/interleaved.cu" ||
    fail "another expression: $(grep planted "$work/planted/book/interleaved.cu")"
cat >"$work/c.json" <<'END'
{"name": "c", "kernels": ["interleaved"], "sizes": [1000, 100000], "blocks": [128, 512], "metrics": ["inst_per_warp"]}
END
"$real/redsweep" gate "$work/c.json" --device sim --baseline kernels --candidate "$work/planted" --out "$work/sim" \
    --csv "$work/sim.csv" >"$work/said" 2>&1 && fail "more instructions were not seen"
grep -q 'worse counts: 4 values' "$work/said" || fail "$(tail -1 "$work/said")"
tests/gpu/plant.sh kernels interleaved 0 "$work/none" "$work/counts" && cmp -s kernels/book/interleaved.cu "$work/none/book/interleaved.cu" ||
    fail "0 % changes something"
tests/gpu/plant.sh kernels unroll 3 "$work/none" "$work/counts" 2>/dev/null && fail "a kernel without counts was planted"

# For every size, the calibration finds how many iterations make a kernel 3 % slower, although its
# first guess is wrong and the first iterations take no time.
experiments/comparing/calibrate.sh experiments/comparing/power.json 3 "$work/calibration" >"$work/said" || fail "no calibration"
[ "$(grep -c '^n = ' "$work/said")" -eq 7 ] || fail "not all sizes: $(cat "$work/said")"
awk -F, 'NR > 1 { sum[$2] += $6; m[$2]++ }
    END { for (n in sum) if (sum[n] / m[n] < 2.8 || sum[n] / m[n] > 3.2) { print "n", n, sum[n] / m[n]; bad = 1 } exit bad }' \
    "$work/calibration/effects.csv" || fail "not 3 %"

# The table says that a change of 3 % is found and an unchanged copy passes.
TRIES="gate:3:8 gate:0:2 pair:3:2" OUT=$work/power experiments/comparing/power.sh 300 >"$work/said" 2>&1 || fail "power.sh: $(tail -3 "$work/said")"
grep -q '^gate,3,"kernel, all n",8,8,8,1.0000,0.67' "$work/power/power.csv" || fail "not found: $(cat "$work/power/power.csv")"
grep -q '^gate,0,"exit code 1",2,0,2,' "$work/power/power.csv" || fail "an unchanged copy"
grep -q '^| 16777216 | [23]\.[0-9]* % ' "$work/power/power.md" || fail "no true effect: $(head -5 "$work/power/power.md")"
grep -q '^| two runs | 3 % | kernel, all n ' "$work/power/power.md" || fail "no pairs"
[ "$(awk -F, '$3 == "\"kernel at n = 65536\"" && $1 == "gate" && $2 == 3 { print $13 }' "$work/power/power.csv")" = 8 ] ||
    fail "no second looks"

# Packs the runs. When another build compares the packed runs, it must find the same changes.
KEEP=yes TRIES="gate:3:4 gate:0:1" OUT=$work/kept/power experiments/comparing/power.sh 300 >"$work/said" 2>&1 || fail "power.sh: $(tail -3 "$work/said")"
experiments/comparing/power_pack.sh "$work/kept" "$work/kept.tar.xz" || fail "not packed"
experiments/comparing/power_again.sh "$work/kept.tar.xz" "$real" >"$work/said" || fail "not compared anew: $(tail -3 "$work/said")"
expected=$(awk -F'\t' '$5 ~ /^point/ && $2 == 3 && $6 == 1 { n++ } END { print n }' "$work/kept/power/verdicts.tsv")
awk -F'|' '/^. `power` . [0-9b]/ && NF > 6 { split($4, a, " "); split($5, b, " "); split($6, c, " "); split($7, d, " "); before += a[1] + c[1]; now += b[1] + d[1] }
    /`power` . 5 / { others = 1 }
    END { exit !(now == '"$expected"' && before == now && others) }' "$work/said" || fail "other verdicts: $(cat "$work/said")"

# In each comparison, a kernel other than the planted one is slower. The comparison reports this
# kernel, and the runs are kept.
code=0
WRONG=unroll TRIES="gate:0:8" OUT=$work/power experiments/comparing/power.sh 300 >"$work/said" 2>&1 || code=$?
[ $code -eq 1 ] || fail "$code instead of 1: $(tail -3 "$work/said")"
awk -F, '$1 == "gate" && $3 == "\"kernel at n = 65536\"" && $11 == 8 && $14 == 4 { found = 1 } END { exit !found }' \
    "$work/power/power.csv" || fail "wrong kernel: $(grep '65536' "$work/power/power.csv")"
[ -f "$work/power/tries/gate-0-1/candidate/results.csv" ] || fail "its runs are gone"

[ "$failed" -eq 0 ] && echo "test_power.sh: passed"
exit "$failed"
