#!/bin/sh
# Runs commands as users type them, on recorded runs, on the simulator and on this machine's CPU.
# Checks their output, files, and error messages.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(realpath "${BUILD:-build}")
redsweep=$build/redsweep
runs=$PWD/results
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
REDSWEEP_CACHE=$work/cache
export REDSWEEP_CACHE
failed=0 tried=0

# expect CODE PATTERN ARGUMENT …: redsweep must exit with CODE and print a line that matches.
expect() {
    wanted=$1 pattern=$2
    shift 2
    tried=$((tried + 1))
    "$redsweep" "$@" >"$work/said" 2>&1
    code=$?
    if [ "$code" -ne "$wanted" ] || ! grep -q -e "$pattern" "$work/said"; then
        echo "test_commands: FAILED: redsweep $* ended with $code instead of $wanted, or without '$pattern':"
        tail -3 "$work/said"
        failed=1
    fi
}

# also PATTERN: the same command's output must also have a line that matches.
also() {
    grep -q -e "$1" "$work/said" && return
    echo "test_commands: FAILED: no '$1' in:"
    tail -5 "$work/said"
    failed=1
}

holds() { # FILE PATTERN
    grep -q -e "$2" "$1" && return
    echo "test_commands: FAILED: no '$2' in $1"
    failed=1
}

expect 2 '^  redsweep run '
expect 0 '^  redsweep run ' --help
expect 0 '^  redsweep run ' help
expect 0 '^redsweep [0-9]' --version
expect 0 '^redsweep run ' help run
also '^Every key of a config is also an option'
expect 1 'every point was skipped: the kernel needs a block size that is a multiple of 32, not 100$' run --kernels unroll --blocks 100 --sizes 64 --device sim --out "$work/skipped"

for command in run resume merge status submit doctor list show diff gate best import new plots report tuned export racecheck; do
    expect 0 "^redsweep $command " "$command" --help
    [ "$(wc -l <"$work/said")" -ge 4 ] || { echo "test_commands: FAILED: $command --help says little"; failed=1; }
    also '^  --[a-z]'
    tr -s ' \n' ' ' <"$work/said" | grep -q '(default[^)]*) (default' &&
        { echo "test_commands: FAILED: $command --help gives an option two defaults"; failed=1; }
    expect 0 "^redsweep $command " "$command" x -h
done

# Options
expect 0 '^  points      4 in 2 groups' run --kernels unroll --unrolls 4 --sizes 2^4..2^5 --blocks 64,128 --dry-run --device sim
expect 0 '^  excluded    2 ' run --kernels unroll --unrolls 4 --sizes 16,32 --blocks 64,128 --exclude 'n = 16' --dry-run --device sim
expect 0 '^  points      8 in 1 groups' run --kernels vector --sizes 16 --tunables.LOADS 1,4 --tunables.BLOCKS_PER_SM 1,2,4,8 --dry-run --device sim
expect 0 '^  points      1 in 1 groups' run --kernels vector --sizes 16 --dry-run --device sim
expect 0 '^  points      16 in 6 groups' run --kernels redux,neighbored_less --types supported --sizes 16 --blocks 64 --dry-run --device sim
expect 0 '^  skipped     3$' run --kernels redux --types int32,float32 --ops supported --sizes 16 --blocks 64 --dry-run --device sim
expect 2 '^redsweep: the folder results/latest cannot be read' status
if [ ! -e /proc/driver/nvidia/version ]; then # with a GPU the exit code depends on the GPU
    expect 0 '^  compiler  *NVRTC' doctor
    also '^--device auto: simulator .*; not cuda: '
    also "^  machine  *$(uname -n), "
fi

# list
expect 0 '^atomic  ' list kernels
expect 0 '^| \[`atomic`\](../kernels/onepass/atomic.cu) ' list kernels --markdown
expect 0 '^| `measured_at` | text ' list columns --markdown
expect 0 '^time_us_median  *median of the samples (us)' list columns
expect 0 '"unit":' list columns --json
expect 0 '"name":	"atomic"' list kernels --json
expect 0 '"varies":	true' list kernels --json
expect 0 '^sim  ' list devices
expect 0 '"name":	"cuda"' list devices --json
expect 0 '^gld_transactions ' list metrics
expect 0 '^block   *the number of threads per block (config key: blocks)$' list axes
expect 0 '"key":	"offsets"' list axes --json
mkdir "$work/more"
sed 's/atomicAdd/atomicAdd/' kernels/onepass/atomic.cu >"$work/more/atomic.cu"
expect 2 'atomic' list kernels --kernel-folder "$work/more" # two kernels have the same name

# show
sim=$runs/reference/sim-quick
expect 0 '^5 of 339 rows' show "$sim" --columns 'kernel,n,gld_*' --sort=-n,kernel --head 5
also '^kernel  *n  *gld_transactions'
also '^atomic  *1048576  *131072'
expect 0 '^smem_' show "$sim" --where 'kernel = "smem_*" and n = 2^14' --columns kernel,n,status
grep -q '^atomic' "$work/said" && { echo "test_commands: FAILED: --where kept other kernels"; failed=1; }
expect 0 '^kernel,"a, b",half$' show "$sim" --columns 'kernel,"a, b" = max(n, 2),half = n / 2' --csv - --head 1
expect 0 '^[a-z_]*,[0-9]*,8192$' show "$sim" --columns 'kernel,"a, b" = max(n, 2),half = n / 2' --csv - --sort n --head 1

# The manifest is printed for scripts.
expect 0 '^provenance.device.backend	sim$' show "$sim" --info
expect 0 '^provenance.device.backend	sim$' show "$sim/results.csv" --info

# diff
a=$runs/reference/h200-aa-a b=$runs/reference/h200-aa-b
# In this copy of b, all 72 points of one kernel take 30 % longer.
mkdir "$work/slow"
cp "$b/run.json" "$work/slow"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i; time[i] = $i ~ /^time_us_/ } }
    NR > 1 && $at["kernel"] == "neighbored" {
        for (i in time) if (time[i]) $i *= 1.3
        print $at["id"] > slowed
    }
    { print }' slowed="$work/slowed" "$b/results.csv" >"$work/slow/results.csv"
awk -F, -v OFS=, 'NR == FNR { slow[$1]; next } FNR > 1 && $1 in slow { $3 *= 1.3 } { print }' \
    "$work/slowed" "$b/samples.csv" >"$work/slow/samples.csv"
expect 1 '^Exit code 1: slower: 1 kernel, 18 kernels at one problem, 72 points\.' diff "$a" "$work/slow"
expect 0 '^Exit code 0: .*slower: 1 kernel, ' diff "$a" "$work/slow" --fail-on wrong,missing
# The chart has the same verdicts, and names the SLOW points.
expect 0 '^versus ' plots "$a" "$work/slow" versus --format svg --out "$work/versus"
holds "$work/versus/versus.gp" ' 0 FAST, 72 SLOW (filled), '
[ "$(grep -c '"SLOW"	7	' "$work/versus/versus.dat")" -eq 72 ] && grep -q '^"neighbored".*"SLOW"' "$work/versus/versus.dat" &&
    ! grep -q '^"[^n].*"SLOW"' "$work/versus/versus.dat" || { echo 'test_commands: FAILED: verdicts of the chart'; failed=1; }
expect 2 'nothing was compared: no count was measured in both runs' diff "$a" "$work/slow" --fail-on counts,missing
expect 1 '^  <testcase classname="redsweep.kernels" name="neighbored"><failure' \
    diff "$a" "$work/slow" --junit -
expect 1 '^[*][*]FAIL: [a-z_]* is [0-9.]* % slower ([0-9.]* to [0-9.]* %)' diff "$a" "$work/slow" --markdown -
expect 0 '.' diff "$a" "$b" --min-effect 50% --csv "$work/diff.csv" --json "$work/diff.json"
[ "$(wc -l <"$work/diff.csv")" -eq 793 ] || { echo "test_commands: FAILED: diff.csv"; failed=1; }
holds "$work/diff.json" '"minimum_effect": 0.5'
expect 3 'nothing fails, but --strict does not accept UNKNOWN' diff "$a" "$a" --error-rate '2.5 %' --strict
expect 1 '^Exit code 1: slower: 1 kernel, ' diff "$a" "$work/slow" --aa "$b"
# For runs of two devices, diff gives no verdicts. It says how well one device's configurations suit
# the other.
mkdir "$work/h100" "$work/broken"
for file in run.json results.csv samples.csv; do
    sed 's/NVIDIA H200/NVIDIA H100/' "$b/$file" >"$work/h100/$file"
done
expect 0 'rank correlation' diff "$a" "$work/h100" --json "$work/diff.json"
also "int32 *sum  *2^22 .*smem_unroll, block 256, unroll 16"
holds "$work/diff.json" '"cost_of_winner_a_on_b": '
# In this copy of a run, right points become wrong, and wrong points right.
cp "$a/run.json" "$a/samples.csv" "$work/broken"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "status") s = i }
    NR > 1 && NR <= 4 { $s = "wrong"; $(s + 1) = "7 and not 8" } { print }' \
    "$a/results.csv" >"$work/broken/results.csv"
expect 1 '^No longer right: 3' diff "$a" "$work/broken"
also 'ok *wrong  *7 and not 8'
expect 0 '^Right again: 3' diff "$work/broken" "$a"
also 'wrong *ok  *7 and not 8'

# best
expect 0 'One for all sizes: smem_unroll, block 256, unroll 16: [0-9.]* % slower' best "$a" --csv "$work/best.csv"
also '2^20 to 2^22: smem_unroll, block 256, unroll 16 (regret [0-9.]* %)'
holds "$work/best.csv" '^cuda,NVIDIA H200,smem_unroll,int32,sum,16384,128,2,cold,kernel,winner,4.208,'
expect 0 'NVIDIA H200' best "$a" "$b"
expect 0 'inst_per_warp' best "$sim" --metric inst_per_warp
expect 0 '^NVIDIA H100 80GB HBM3 (cuda): int32 sum' best "$runs/reference/h100-minute-cuda13"
head -1 "$work/said" | grep -q '^NVIDIA' || { echo 'test_commands: FAILED: the CPU stands before the GPU'; failed=1; }
expect 0 '^int32,sum,1048576,cold,kernel,"redux, block 512, unroll 4",5.632,' best "$runs/reference/h100-minute-cuda13" --brief --csv -
grep -q cpu_ "$work/said" && { echo 'test_commands: FAILED: the CPU wins on a GPU'; failed=1; }
expect 0 '^Fastest on NVIDIA H100' best "$runs/reference/h100-minute-cuda12" --brief
also '^… marks a shortened setting; redsweep best prints it in full$'
expect 0 '^  float32  sum  2^14 .* smem_unroll, block 128, unroll 2 * 4.2560  15.40 ' best "$runs/reference/h200-ladder" --brief
also '^redsweep best also prints 14 more rows$'
grep -q '^…:' "$work/said" && { echo 'test_commands: FAILED: a note about what is not there'; failed=1; }
expect 0 '^only CPU kernels have times in this run' best "$runs/reference/sim-quick" --brief

# Ties are measured again only on the run's device. Four rows have the smallest size.
mkdir "$work/few"
cp "$a/run.json" "$a/samples.csv" "$work/few"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print }
    NR > 1 && $at["n"] == 16384 && $at["cache"] == "cold" && $at["kernel"] == "smem_unroll"' \
    "$a/results.csv" >"$work/few/results.csv"
expect 2 'was measured on simulator' best "$work/few" --remeasure "$work/again" --device sim
holds "$work/again.config.json" '"kernels"'
expect 2 'cannot write' best "$work/few" --remeasure "$work/none/again" --device sim
for device in sim cpu "replay:$a"; do
    expect 2 'energy cannot be measured here: ' best "$work/few" --remeasure "$work/joules" --energy --device "$device"
    [ ! -e "$work/joules" ] || { echo "test_commands: FAILED: $device measured without energy"; failed=1; }
done
awk -F, 'NR < 3' "$work/few/results.csv" >"$work/one"
cp "$work/one" "$work/few/results.csv"
expect 0 'no configurations are tied' best "$work/few" --remeasure "$work/again2"

# report
expect 0 "^$work/page.html" report "$a" --out "$work/page.html"
holds "$work/page.html" '<title>.*aa'
holds "$work/page.html" 'NVIDIA H200'
mkdir "$work/copy"
cp "$sim"/results.* "$sim"/samples.csv "$work/copy"
expect 0 "^$work/copy/report.html" report "$work/copy"
holds "$work/copy/report.html" 'compensated'

# A page has charts for just the 64 largest sizes, because selecting one size's rows takes time
# proportional to the number of all rows.
mkdir "$work/sizes"
awk 'BEGIN { print "kernel,type,op,n,block,unroll,cache,scope,status,time_us_median,time_us_ci95_lo,time_us_ci95_hi,bandwidth_gbs"
             for (n = 1; n <= 100; n++)
                 for (k = 1; k <= 3; k++)
                     print "k" k ",int32,sum," 1024 * n ",64,1,cold,kernel,ok," 10 * k ",9,31,100" }' >"$work/sizes/results.csv"
expect 0 "^$work/sizes/report.html" report "$work/sizes"
holds "$work/sizes/report.html" '"left_out": 72}'

# diff compares a run with one published table, cell by cell. setup/reproduce.sh compares a run with
# several tables.
k80=$runs/published/k80-reduce
expect 0 '^counts: 26 equal, 0 differ, 0 missing; orders: 17 the same, 0 differ, 0 missing' diff "$k80" "$k80"
expect 1 '^counts: 0 equal, 0 differ, 26 missing' diff "$k80" "$sim"
expect 1 'missing: the run contains no such row' diff "$k80" "$sim" --table published
code=0
setup/reproduce.sh "$redsweep" "$k80" "$k80" "$k80" >"$work/out" 2>&1 || code=$?
[ $code -eq 0 ] && grep -q '^counts: 52 equal, 0 differ, 0 missing; orders: 34 the same' "$work/out" ||
    { echo "test_commands: FAILED: reproduce.sh ended with $code"; tail -3 "$work/out"; failed=1; }
code=0
setup/reproduce.sh "$redsweep" "$sim" "$k80" >"$work/out" 2>&1 || code=$?
[ $code -eq 1 ] || { echo "test_commands: FAILED: reproduce.sh ended with $code, not 1"; failed=1; }
# On the simulator, the kernels in the K80's table have that table's counts.
expect 0 '' run configs/published-k80.json --sizes 16384 --device sim:kepler --out "$work/kepler" --quiet
expect 0 '^counts: 26 equal, 0 differ, 0 missing' diff "$k80" "$work/kepler"

# Every table can be written in every format.
expect 0 '^kernel,timed,' diff "$a" "$b" --table kernels --csv - --min-effect 50%
expect 0 '"transfers": \[' diff "$a" "$work/h100" --table transfers --json -
expect 0 'class="key">smem_unroll, block ' best "$a" --html -
expect 0 '^{' show "$a" --json - --head 3
expect 0 '^id,backend,device,kernel' show "$a" --csv - --head 3
expect 0 '^fact,value' report "$a" --out "$work/page.html" --table facts --csv -

# tuned
mkdir "$work/complete"
cp "$runs/reference/h200-fastest/run.json" "$work/complete"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 1 || ($at["op"] == "max" && $at["type"] == "float32")' \
    "$runs/reference/h200-fastest/results.csv" >"$work/complete/results.csv"
expect 0 '^redsweep_max_f32: [1-9]' tuned "$work/complete" --out "$work/tuned"
holds "$work/tuned/table.csv" '^redsweep_max_f32,1,[0-9]*,,,onepass_'
holds "$work/tuned/redsweep_tuned.h" 'redsweep_max_f32'
expect 2 'no times of max float32 along rows for kernels with the fact' tuned "$work/complete" --out "$work/tuned" --invariant
expect 2 '^redsweep: --prefix Mine is not a valid prefix; write a lower-case letter' tuned "$work/complete" --prefix Mine
expect 2 '/dev/null/tuned' tuned "$work/complete" --out /dev/null/tuned
expect 2 "$work/none" tuned "$work/complete" --out "$work/tuned" --kernel-folder "$work/none"
sed -i 's/\("name":"onepass_slots".*"source_hash":"\)[0-9a-f]*/\10123456789abcdef/' "$work/complete/run.json"
expect 2 'onepass_slots.cu has changed since' tuned "$work/complete" --out "$work/tuned"

# run --dry-run shows what would run, even without the device.
printf '{"name": "few", "kernels": ["interleaved", "compensated"], "sizes": [1000, 5000], "blocks": [64, 128],
    "unrolls": [1], "metrics": ["gld_transactions", "dram_read_bytes"], "exclude": ["block = 128 and n = 1000"]}' >"$work/few.json"
expect 0 '^few on simulator' run "$work/few.json" --dry-run --device sim
also 'the kernel does not support int32'
also 'excluded    [1-9]'
also 'dram_read_bytes will be empty: '
also 'times       none'
grep -q '^ *0    ' "$work/said" && { echo "test_commands: FAILED: a reason for no point"; failed=1; }
if ! nvidia-smi >"$work/smi" 2>&1; then
    expect 0 '^few on no device' run "$work/few.json" --dry-run --device cuda
    also 'device      no device is available'
    expect 2 'nvidia-smi\|driver' run "$work/few.json" --device cuda --out "$work/cuda"
fi
expect 2 'did you mean' run "$work/few.json" --dry-run --device simm
expect 0 '^few on .*takes about\|^few on ' run "$work/few.json" --dry-run --device cpu
also 'takes about'

# Without --out, the results go to results/<name>-<device>-<time>, and `latest` is a link to that
# folder.
mkdir "$work/here"
REDSWEEP_HOME=$PWD
export REDSWEEP_HOME
cd "$work/here" || exit 1
expect 0 '^results/few-.*/results.csv$' run "$work/few.json" --device sim
[ -f results/latest/results.csv ] || { echo "test_commands: FAILED: no results/latest"; failed=1; }
expect 0 '^results/few-.*/results.csv$' run "$work/few.json" --device sim
[ "$(ls -d results/few-* | wc -l)" -eq 2 ] || { echo "test_commands: FAILED: not two runs"; failed=1; }
expect 0 'compensated' show
expect 0 '^results/latest/results.csv$' resume results/latest
also '^this run has no new rows; redsweep show .* prints the recorded ones'
expect 0 '^results/latest/results.csv$' resume results/latest --retry crashed,timeout
"$redsweep" show results/latest --json - >"$work/latest.json"
cmp -s "$work/latest.json" results/latest/results.json ||
    { echo "test_commands: FAILED: show --json is not results.json"; failed=1; }
expect 2 'the folder is not empty' run "$work/few.json" --device sim --out results/latest
expect 0 "^$work/over/results.csv" run "$work/few.json" --sizes 1000 --device sim --out "$work/over"
holds "$work/over/run.json" '"config_overrides": {"sizes":"1000"}'
expect 0 "^$work/over/results.csv" resume "$work/over" # other sizes in the file are allowed
sed 's/"blocks"/"seed": 3, "blocks"/' "$work/few.json" >"$work/other.json"
cp "$work/few.json" "$work/kept.json"
cp "$work/other.json" "$work/few.json"
expect 2 'config .*line [0-9]* was' resume "$work/over"
cp "$work/kept.json" "$work/few.json"
expect 2 'not a directory\|Not a directory' run "$work/few.json" --device sim --out "$work/few.json/run"
expect 2 'longer than\|too long' run "$work/few.json" --device sim --out "$(printf '%05000d' 0)"
expect 2 'No such file' run "$work/few.json" --device sim --kernel-folder "$work/none" --out "$work/k"
mkdir "$work/empty" "$work/locked" "$work/locked/.lock"
expect 0 "^$work/empty/results.csv" run "$work/few.json" --device sim --out "$work/empty"
also '^The ladder: counts on simulator .*(the device has no clock)$'
also '^  kernel  .*gld_'
also '^Recorded on an NVIDIA H200 (results/reference/h200-catalogue), not measured here: int32 sum'
also '^- fastest, or tied with the fastest: redux at n = 2^24$'
also '^device: simulator'
also "^next: $redsweep show $work/empty"
[ "$(tail -n 1 "$work/said")" = "$work/empty/report.html" ] && holds "$work/empty/report.html" 'Conclusion</h2>' ||
    { echo "test_commands: FAILED: the last line is not the page"; tail -n 2 "$work/said"; failed=1; }
also "^      $redsweep plots $work/empty"
expect 0 '^device: simulator .*; not cuda: \|^device: ' run "$work/few.json" --sizes 1000 --out "$work/auto" # auto says why
expect 0 '^note: exclude\[1\] excludes no point: kernel = unrol$' run "$work/few.json" --device sim --exclude 'kernel = unrol' --dry-run
expect 0 '^note: no chosen kernel supports the unroll factor 3' run --kernels unroll --unrolls 3,4 --sizes 64 --dry-run --device sim
"$redsweep" run "$work/few.json" --device sim --quiet --out "$work/quiet" >"$work/said" 2>"$work/err"
[ "$(cat "$work/said")" = "$work/quiet/results.csv" ] && ! grep -q "^device:\|points:" "$work/err" || # scripts get one line
    { echo "test_commands: FAILED: --quiet says:"; cat "$work/said"; failed=1; }
[ -s "$work/quiet/report.html" ] || { echo "test_commands: FAILED: --quiet writes no page"; failed=1; }
# The browser is started once, with the page's path.
printf '#!/bin/sh\necho "$1" >>"%s/opened"\n' "$work" >"$work/browser" && chmod +x "$work/browser"
BROWSER=$work/browser expect 0 "^$work/seen/report.html" run "$work/few.json" --device sim --out "$work/seen" --open
for i in 1 2 3 4 5 6 7 8 9 10; do [ -s "$work/opened" ] || sleep 0.2; done
[ "$(cat "$work/opened")" = "$work/seen/report.html" ] || { echo "test_commands: FAILED: --open opened:"; cat "$work/opened"; failed=1; }
BROWSER=/nowhere/at-all expect 0 'note: no browser can be started' report "$work/seen" --open
cp results/latest/* "$work/locked"
expect 2 'cannot lock ' resume "$work/locked"
rm results/latest
mkdir -p results/latest/taken
expect 3 'the link results/latest cannot be changed to point to ' run "$work/few.json" --device sim
rm -r results
: >results
expect 2 'the folder results/[^ ]* cannot be created' run "$work/few.json" --device sim

# redsweep finds the kernels next to the program, wherever the program is.
mkdir "$work/elsewhere"
cp "$redsweep" "$work/elsewhere"
(
    unset REDSWEEP_HOME
    "$work/elsewhere/redsweep" list kernels >"$work/said" 2>&1
)
also "folder 'kernels' is neither beside the program"
ln -s "$REDSWEEP_HOME/kernels" "$work/elsewhere/kernels"
(
    unset REDSWEEP_HOME
    "$work/elsewhere/redsweep" list kernels >"$work/said" 2>&1
)
also '^atomic  '

# No kernels are found here. The cache can be in any of three places.
home=$REDSWEEP_HOME
REDSWEEP_HOME=$work
REDSWEEP_HOME=$home
cd / || exit 1
for place in REDSWEEP_CACHE XDG_CACHE_HOME HOME; do
    (
        unset REDSWEEP_CACHE XDG_CACHE_HOME HOME
        export "$place=$work/$place"
        "$redsweep" run "$work/few.json" --device sim --out "$work/run-$place" >"$work/said" 2>&1
    )
    [ -n "$(find "$work/$place" -name '*.image' 2>/dev/null)" ] && continue
    echo "test_commands: FAILED: no cache in $place"
    failed=1
done

# A run on the machine's CPU has times, but no GPU metrics.
printf '{"name": "cpu", "kernels": ["cpu_loop", "cpu_recursive"], "sizes": [1000, 4000], "types": ["int32", "float32"],
    "timing": {"max_samples": 12, "min_samples": 5}}' >"$work/cpu.json"
expect 0 '^4\|^8 points' run "$work/cpu.json" --device cpu --out "$work/cpu"
expect 0 'cpu_loop' show "$work/cpu" --columns kernel,time_us_median --where 'time_us_median > 0'
expect 0 'cpu_' best "$work/cpu"

# A terminal gets a progress line that is redrawn.
if command -v script >"$work/where"; then
    printf '{"name": "line", "kernels": "interleaved", "sizes": [4000000, 8000000, 12000000], "blocks": [64, 128, 256]}' >"$work/line.json"
    PROGRAM=$redsweep script -qec "\"\$PROGRAM\" run '$work/line.json' --device sim --out '$work/line'" /dev/null >"$work/said" 2>&1 </dev/null
    also 'measuring [0-9]*/9 .*left'
fi

[ "$failed" -eq 0 ] && echo "test_commands: $tried commands did as they should"
exit "$failed"
