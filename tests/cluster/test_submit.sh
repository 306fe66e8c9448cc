#!/bin/sh
# Runs redsweep submit with fakes of sbatch and scontrol. Checks the scripts, the order in which
# jobs are submitted, and which calls are refused. Runs the scripts like Slurm would. A stopped task
# must requeue itself only if it has made progress.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
redsweep=$build/redsweep devices=$build/tests/devices
export REDSWEEP_HOME="$root"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
checks=0 failed=0
ok() { checks=$((checks + 1)); }
fail() { echo "test_submit: FAILED: $*"; cat "$work/out"; failed=1; }
has() { grep -q -e "$1" "$2" || fail "$2 has no $1"; }

mkdir "$work/bin"
cat >"$work/bin/sbatch" <<J
#!/bin/sh
echo "sbatch \$*" >>"$work/calls"
[ ! -e "$work/refuse" ] || { echo "sbatch: error: Batch job submission failed: too many tasks" >&2; exit 1; }
n=\$(grep -c sbatch "$work/calls"); echo "\$((100 + n))"
J
cat >"$work/bin/scontrol" <<J
#!/bin/sh
echo "scontrol \$*" >>"$work/calls"
J
chmod +x "$work/bin/sbatch" "$work/bin/scontrol"
PATH=$work/bin:$PATH
submit() { : >"$work/calls"; "$redsweep" submit "$@" >"$work/out" 2>&1; }

# The large number of samples makes the estimate long enough for three tasks. The simulator takes no
# samples.
cat >"$work/c.json" <<'J'
{"name": "c", "kernels": ["neighbored", "smem_unroll"], "sizes": {"log2": [12, 15]},
 "blocks": [64, 128], "unrolls": [2, 4], "types": ["int32", "float32"],
 "timing": {"min_samples": 50000, "max_samples": 60000}}
J
cd "$work" || exit 1
d="$work/a \"folder\"'s #50%a"
in_directive=$(printf '%s' "$d" | sed 's/"/\\"/g; s/%/%%/g') # tests/cluster/slurm.sh tries the same with a real sbatch
submit c.json --tasks 3 --out "$d" --device sim --time 10 --limit 2 --exclusive --exclude-nodes n7 \
    --sbatch '--account=x --qos=y' && ok || fail "submit"
[ "$(cat calls)" = "sbatch --parsable $d/submit.sh
sbatch --parsable --dependency=afterany:101 $d/merge.sh" ] && ok || fail "calls: $(cat calls)"
for line in 'array=0-2%2$' 'time=10$' 'gres=gpu:1$' 'requeue$' 'signal=B:TERM@120$' 'open-mode=append$' \
    'exclusive$' 'exclude=n7$' 'account=x$' 'qos=y$'; do
    has "^#SBATCH --$line" "$d/submit.sh"
done
[ "$(cat "$d/jobs.txt")" = "array 101
merge 102" ] && grep -q "scancel 101 102" out && grep -q "redsweep status" out && ok || fail "what it says"
cmp -s c.json "$d/sweep.json" && ok || fail "sweep.json"
[ "$(grep -h -e --output= "$d/submit.sh" "$d/merge.sh")" = "#SBATCH --output=\"$in_directive/logs/%a.log\"
#SBATCH --output=\"$in_directive/logs/merge.log\"" ] && ok || fail "the names of logs: $(grep -h -e --output= "$d"/*.sh)"
eval "set -- $(sed -n 's/^to see the progress: redsweep status \(.*\); squeue.*/\1/p' out)"
[ $# -eq 1 ] && [ "$1" = "$d" ] && ok || fail "the printed command would look at: $*"
echo changed >>c.json # the tasks use their own copy of it

# Runs the scripts as Slurm would run them. The merge runs once too early, and once after all tasks.
bash "$d/merge.sh" >out 2>&1; [ $? -eq 2 ] && ok || fail "a merge without shards"
SLURM_ARRAY_TASK_ID=1 bash "$d/submit.sh" >out 2>&1 && ok || fail "task 1"
bash "$d/merge.sh" >out 2>&1; [ $? -eq 3 ] && grep -q "shard 0 has not been started" out && [ ! -e "$d/merged" ] && ok || fail "a merge too early"
for k in 0 2; do SLURM_ARRAY_TASK_ID=$k bash "$d/submit.sh" >out 2>&1 && ok || fail "task $k"; done
bash "$d/merge.sh" >out 2>&1 && [ -s "$d/merged/report.html" ] && ok || fail "merge"
[ -d "$d/cache" ] && ok || fail "no cache in common"
sed -i '$d' c.json

# `submit` makes one array per partition, or one array over all partitions.
submit c.json --tasks 2 --out p --partition a100,h100 && [ "$(grep -c sbatch calls)" -eq 4 ] &&
    grep -q 'partition=a100$' p/a100/submit.sh && grep -q 'partition=h100$' p/h100/merge.sh && ok || fail "two partitions"
submit c.json --tasks 2 --out q --partition a100,h100 --same-model && [ "$(grep -c sbatch calls)" -eq 2 ] &&
    grep -q 'partition=a100,h100$' q/submit.sh && ok || fail "--same-model"
submit c.json --tasks 2 --out g --gpus-per-task 4 && grep -q 'gres=gpu:4$' g/submit.sh &&
    grep -q "device 'cuda:all' " g/submit.sh && ok || fail "--gpus-per-task"
submit c.json --tasks 2 --out g2 --gpus-per-task 4 --gres gpu:h100:4 && grep -q 'gres=gpu:h100:4$' g2/submit.sh && ok || fail "--gres"
# Before the points are measured again on other nodes, the old merged run must be moved. Otherwise
# the merge job could not write its run.
submit c.json --tasks 3 --out "$d" --device sim --only 1; [ $? -eq 2 ] && [ ! -s calls ] && grep -q "merged exists, and merge never" out && ok || fail "submit over an earlier merge"
rm -r "$d/shard-001" "$d/merged"
submit c.json --tasks 3 --out "$d" --device sim --only 1 && grep -q 'array=1$' "$d/submit.sh" && ok || fail "--only"
SLURM_ARRAY_TASK_ID=1 bash "$d/submit.sh" >out 2>&1 && bash "$d/merge.sh" >out 2>&1 && [ -s "$d/merged/report.html" ] && ok || fail "the merge after --only"
submit c.json --tasks 2 --out r --time 1 && grep -q 'TERM@15$' r/submit.sh && ok || fail "a short job"
submit c.json --tasks 2 --out none --dry-run && [ ! -e none ] && [ ! -s calls ] && grep -q 'exec ' out && ok || fail "--dry-run"
ln -s "$root/kernels/support" support
sed 's|^{|{"kernel_folders": ["support"],|' c.json >f.json
submit f.json --tasks 2 --out f && grep -q "$work/f.json" f/submit.sh && [ ! -e f/sweep.json ] && ok || fail "a config with folders of kernels stays where it is"
submit c.json --tasks 1000 --out s && grep -q "tasks instead of 1000" out && ! grep -q "array=0-999" s/submit.sh && ok || fail "too many tasks"

# The scripts are checked completely, once without options and once with all options. linked FOLDER
# prints the text between the directives and the commands
linked() {
    cat <<T

# If the log folder has been replaced by a link, nothing more is written there.
logs='$1'/logs
[ ! -L "\$logs" ] || {
    echo "\$logs is a link; remove it and submit again" >&2
    exit 2
}

T
}
merge_commands() {
    cat <<T
'$redsweep' status '$1'
'$redsweep' merge '$1' --out '$1/merged'
code=\$?
# 0 and 1 (a shard is doubtful): the shards were merged. Other codes: see the error above.
[ \$code -le 1 ] || exit \$code
'$redsweep' report '$1/merged' || exit
exit \$code

T
}
{
    cat <<T
# results/c-cluster/submit.sh
#!/bin/bash
#SBATCH --job-name=redsweep-c
#SBATCH --array=0-2
#SBATCH --time=30
#SBATCH --gres=gpu:1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@120
#SBATCH --output=results/c-cluster/logs/%a.log
T
    linked results/c-cluster
    cat <<T
# All tasks share this cache, so that each kernel is compiled only once.
export REDSWEEP_CACHE='results/c-cluster/cache'
exec '$redsweep' run 'c.json' --device 'cuda:0' --shard "\$SLURM_ARRAY_TASK_ID/3" --out 'results/c-cluster' --wait-lock 300 --requeue 3

# results/c-cluster/merge.sh
#!/bin/bash
#SBATCH --job-name=redsweep-c-merge
#SBATCH --time=30
#SBATCH --output=results/c-cluster/logs/merge.log
T
    linked results/c-cluster
    merge_commands results/c-cluster
} >want
submit c.json --tasks 3 --dry-run && cmp -s want out && ok || fail "the scripts without options: $(diff want out)"
for partition in 'x y' z; do
    quote='"' && [ "$partition" = z ] && quote=
    cat <<T
# a 5%/$partition/submit.sh
#!/bin/bash
#SBATCH --job-name=redsweep-c
#SBATCH --partition=$quote$partition$quote
#SBATCH --array=1,2%2
#SBATCH --time=7
#SBATCH --gres=gpu:h100:2
#SBATCH --exclude=n7,n8
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@105
#SBATCH --output="a 5%%/$partition/logs/%a.log"
#SBATCH --account=x
#SBATCH --qos=y
T
    linked "a 5%/$partition"
    cat <<T
# All tasks share this cache, so that each kernel is compiled only once.
export REDSWEEP_CACHE='a 5%/$partition/cache'
exec '$redsweep' run 'c.json' --device 'sim' --shard "\$SLURM_ARRAY_TASK_ID/2" --out 'a 5%/$partition' --wait-lock 300 --requeue 1

# a 5%/$partition/merge.sh
#!/bin/bash
#SBATCH --job-name=redsweep-c-merge
#SBATCH --partition=$quote$partition$quote
#SBATCH --time=30
#SBATCH --output="a 5%%/$partition/logs/merge.log"
#SBATCH --account=x
#SBATCH --qos=y
T
    linked "a 5%/$partition"
    merge_commands "a 5%/$partition"
done >want
submit c.json --tasks 2 --dry-run --out 'a 5%' --device sim --time 7 --limit 2 --exclusive --exclude-nodes n7,n8 \
    --sbatch ' --account=x  --qos=y ' --only 1,2 --requeue 1 --gpus-per-task 2 --gres gpu:h100:2 --partition 'x y,z' &&
    cmp -s want out && ok || fail "the scripts with all options: $(diff want out)"

# Checks how long before its time limit a task is asked to stop, and how many tasks `submit`
# recommends.
for pair in 7=105 8=120 9=120; do
    submit c.json --tasks 2 --dry-run --time ${pair%=*} && grep -q "TERM@${pair#*=}$" out && ok || fail "--time $pair"
done
# The samples of the sweep's 128 points take 3 minutes. If a task has several GPUs, they share the
# points.
sed 's/50000/5/; s/60000/6/' c.json >short.json
submit short.json --tasks 4 --dry-run && grep -q '1 task instead of 4 will run, because the sweep takes about [1-9][0-9]* s on the GPUs of one task. A task with less than 60 s of work would spend most of its time starting$' out &&
    grep -q 'array=0-0$' out && ok || fail "a short sweep"
# A task's four GPUs share its points.
one=$(submit c.json --tasks 1000 --dry-run && sed -n 's/ tasks* instead.*//p' out)
four=$(submit c.json --tasks 1000 --dry-run --gpus-per-task 4 && sed -n 's/ tasks* instead.*//p' out)
[ "$four" -eq $((one / 4)) ] && ok || fail "$one tasks of one GPU, but $four of four"

# sbatch prints the job's number, and the cluster's name if there are several.
cp bin/sbatch bin/sbatch.kept
long=1234567890123456789012345678901
for printed in 7 '7;north' "$long"; do
    printf '#!/bin/sh\necho "%s"\n' "$printed" >bin/sbatch
    submit c.json --tasks 2 --out number && [ "$(head -n 1 number/jobs.txt)" = "array ${printed%;*}" ] && ok || fail "a job $printed"
done
for printed in '' 'Submitted batch job 7' "${long}2"; do
    printf '#!/bin/sh\necho "%s"\n' "$printed" >bin/sbatch
    submit c.json --tasks 2 --out number; [ $? -eq 2 ] && grep -qF "sbatch --parsable printed no job number: $printed" out && ok || fail "no job: $printed"
done
mv bin/sbatch.kept bin/sbatch
# If a script cannot be written completely, here because it exceeds 1 KiB, nothing is submitted.
(trap '' XFSZ && ulimit -f 1 && submit c.json --tasks 2 --out full); [ $? -eq 2 ] && [ ! -s calls ] && grep -q "full/submit.sh.*: File too large" out && ok || fail "a script that cannot be written"
submit c.json; grep -qx "redsweep: submit needs a config and the number of tasks; write redsweep submit CONFIG --tasks N" out && ok || fail "without --tasks: what it says"
"$redsweep" submit --help >out && grep -q '^ *--gpus-per-task G ' out && grep -q '^Exit codes: 0 the jobs were submitted' out && ok || fail "--help"

touch refuse
submit c.json --tasks 2 --out t; [ $? -eq 2 ] && grep -q "too many tasks" out && grep -q "sbatch ended with exit code 1" out && ok || fail "refused"
rm refuse
submit c.json; [ $? -eq 2 ] && ok || fail "without --tasks"
PATH=/nowhere "$redsweep" submit c.json --tasks 2 --out u >out 2>&1; [ $? -eq 2 ] && grep -q "cannot start sbatch" out && ok || fail "without Slurm"

# A task is queued again only if it made progress, only a limited number of times, and only in a
# job.
# stopped MIN_SAMPLES RESTARTS: runs a shard on a fake GPU that sends SIGTERM to it at one launch
stopped() {
    rm -rf v; : >calls
    cat >l.json <<J
{"name": "l", "kernels": ["smem"], "sizes": [1024, 4096], "blocks": 128, "metrics": [],
 "timing": {"min_samples": $1, "max_samples": 100000, "relative_width": 0, "budget_s": 3600, "contexts": 1,
            "point_limit_s": 600}}
J
    SLURM_JOB_ID=77 SLURM_RESTART_COUNT=$2 FAKE_CUDA_KERNEL=smem=term-400 REDSWEEP_CUPTI="$devices/fake_cupti.so" \
        REDSWEEP_NVML="$devices/fake_nvml.so" "$devices/fake_gpu/redsweep" run l.json --device cuda --shard 0/1 --out v \
        --requeue 3 >out 2>&1
    [ $? -eq 3 ] || fail "a stopped task"
}
submit c.json --tasks 2 --out 'back\slash'; [ $? -eq 2 ] && grep -q "contains a backslash" out && [ ! -e 'back\slash' ] && ok || fail "a backslash in a folder's name"
submit c.json --tasks 2 --dry-run --partition 'a b"c#' && grep -q '^#SBATCH --partition="a b\\"c#"$' out && ok || fail "a value with a blank"

# Existing files in the folder are replaced. If one is a link, its target stays the same.
mkdir planted
echo precious >victim
for file in submit.sh merge.sh jobs.txt sweep.json; do ln -s ../victim "planted/$file"; done
submit c.json --tasks 2 --out planted && [ "$(cat victim)" = precious ] && [ -x planted/submit.sh ] && [ ! -L planted/submit.sh ] && ok || fail "links in the folder"
for file in submit.sh merge.sh jobs.txt sweep.json; do rm "planted/$file" && ln victim "planted/$file"; done
submit c.json --tasks 2 --out planted && [ "$(cat victim)" = precious ] && ok || fail "second names of a file in the folder"
# If a subfolder is a link to a folder elsewhere, submit replaces the link and does not use the
# folder behind it.
mkdir elsewhere
for folder in logs cache; do rm -rf "planted/$folder" && ln -s ../elsewhere "planted/$folder"; done
submit c.json --tasks 2 --out planted && [ ! -L planted/logs ] && [ -d planted/logs ] && [ ! -L planted/cache ] && ok || fail "links in place of folders"
# If somebody replaces these folders with links afterwards, neither a task nor the merge follows the
# links.
rm -r planted/cache && ln -s ../elsewhere planted/cache
SLURM_ARRAY_TASK_ID=0 bash planted/submit.sh >out 2>&1
grep -q "kernels are compiled again in each run, because .* not a folder but a symbolic link" out && [ -z "$(ls elsewhere)" ] && ok || fail "submit.sh with a link at cache"
rm -r planted/logs && ln -s ../elsewhere planted/logs
for script in submit merge; do
    SLURM_ARRAY_TASK_ID=0 bash "planted/$script.sh" >out 2>&1
    [ $? -eq 2 ] && grep -q "planted/logs is a link; " out && [ -z "$(ls elsewhere)" ] && ok || fail "$script.sh with a link at logs"
done
rm -r planted
# A line end in an option's value would make the script execute the text after it as a command.
for option in --partition --gres --exclude-nodes --only --out --sbatch --device; do
    submit c.json --tasks 2 --dry-run $option "a
touch planted
#" && fail "$option with a line end"
    grep -q -e "$option: character 2 is a line end" out && ok || fail "$option with a line end"
done

stopped 3 0; [ "$(cat calls)" = "scontrol requeue 77" ] && grep -q "requeued after it added 1 points" out && ok || fail "with progress"
stopped 3 3; [ ! -s calls ] && grep -q "requeued 3 times already" out && ok || fail "a fourth time"
stopped 100000 0; [ ! -s calls ] && grep -q "it added no points" out && ok || fail "without progress"

[ $failed -eq 0 ] && echo "test_submit: $checks checks passed"
exit $failed
