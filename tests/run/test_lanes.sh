#!/bin/sh
# A command may name several devices, here simulators (sim:lanes=3) or fake GPUs. They share one
# sweep, and each row names its device. Devices that cannot work together are refused.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
redsweep=$build/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_CACHE="$work/cache" REDSWEEP_HOME="$root"
checks=0 failed=0
ok() { checks=$((checks + 1)); }
fail() { echo "test_lanes: FAILED: $*"; failed=1; }

cat >"$work/c.json" <<'J'
{"name": "c", "kernels": ["neighbored", "smem_unroll"], "sizes": {"log2": [12, 16]},
 "blocks": [64, 128], "unrolls": [2, 4], "types": ["int32", "float32"]}
J
rows() { "$root/tests/rows_of.sh" "$redsweep" "$1"; }
same() { rows "$1" >"$work/1"; rows "$2" >"$work/2"; [ "$(wc -l <"$work/1")" -eq 61 ] && cmp -s "$work/1" "$work/2"; }
cells() { "$redsweep" show "$1" --columns "$2" --csv - | sed 1d | sort -u | tr '\n' ' '; } # FOLDER COLUMN

"$redsweep" run "$work/c.json" --device sim --out "$work/one" >"$work/out" 2>&1 || fail "one: $(cat "$work/out")"
"$redsweep" run "$work/c.json" --device sim:lanes=3 --out "$work/three" >"$work/out" 2>&1 || fail "three: $(cat "$work/out")"
same "$work/one" "$work/three" && ok || fail "three simulators counted something else than one"
[ "$(cells "$work/three" device_uuid)" = "SIM-0 SIM-1 SIM-2 " ] && ok || fail "uuid: $(cells "$work/three" device_uuid)"
[ "$(cells "$work/three" device_index)" = "0 1 2 " ] && ok || fail "index: $(cells "$work/three" device_index)"
[ "$(cells "$work/three" session)" = "1 " ] && [ "$(cells "$work/one" device_index)" = " " ] && ok || fail "session, index of one"
"$redsweep" show "$work/three" --info | grep -q "^sessions.2.uuid	SIM-2" && ok || fail "sessions"

# A host has at most eight devices.
"$redsweep" run "$work/c.json" --device sim:lanes=8 --out "$work/eight" >"$work/out" 2>&1 && same "$work/one" "$work/eight" &&
    [ "$(cells "$work/eight" device_index)" = "0 1 2 3 4 5 6 7 " ] && ok || fail "eight: $(cells "$work/eight" device_index) $(cat "$work/out")"

# resume continues an incomplete run on all devices.
sed -i '5,$d' "$work/three/results.csv"
head -1 "$work/three/samples.csv" >"$work/s" && mv "$work/s" "$work/three/samples.csv"
"$redsweep" resume "$work/three" >"$work/out" 2>&1 && same "$work/one" "$work/three" && ok ||
    fail "resume: $(cat "$work/out")"

# --lanes limits how many devices measure.
"$redsweep" run "$work/c.json" --device sim:lanes=3 --lanes 2 --out "$work/two" >"$work/out" 2>&1
[ "$(cells "$work/two" device_uuid)" = "SIM-0 SIM-1 " ] && ok || fail "--lanes 2: $(cells "$work/two" device_uuid)"

# Several devices can share a shard.
"$redsweep" run "$work/c.json" --device sim:lanes=2 --shard 0/2 --out "$work/s" >"$work/out" 2>&1 &&
    "$redsweep" run "$work/c.json" --device sim:lanes=2 --shard 1/2 --out "$work/s" >"$work/out" 2>&1 &&
    "$redsweep" merge "$work/s" --out "$work/merged" >"$work/out" 2>&1 &&
    same "$work/one" "$work/merged" && ok || fail "shards: $(cat "$work/out")"

# With --each, every device measures every point into its own folder. The devices run at the same
# time or one after another.
"$redsweep" run "$work/c.json" --device sim:lanes=3 --each --out "$work/each" >"$work/out" 2>&1 &&
    same "$work/one" "$work/each/SIM-0" && same "$work/one" "$work/each/SIM-2" && ok || fail "each: $(cat "$work/out")"
[ "$(ls "$work/each" | tr '\n' ' ')" = "SIM-0 SIM-1 SIM-2 " ] && ok || fail "each: $(ls "$work/each")"
"$redsweep" run "$work/c.json" --device sim:lanes=2 --each --lanes 1 --out "$work/turns" >"$work/out" 2>&1 &&
    same "$work/one" "$work/turns/SIM-1" && ok || fail "each, one at a time: $(cat "$work/out")"
"$redsweep" run "$work/c.json" --device sim:lanes=2 --each --shard 0/2 --out "$work/no" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "leave --shard out" "$work/out" && ok || fail "each and shard: $(cat "$work/out")"
"$redsweep" run "$work/c.json" --device sim:lanes=2 --each --out "$work/each" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "the folder is not empty" "$work/out" && ok || fail "each, again: $(cat "$work/out")"

# A signal to the process that the user started stops all of the run's processes. The rows written
# so far are kept.
cat >"$work/slow.json" <<'J'
{"name": "slow", "kernels": ["neighbored"], "sizes": {"log2": [16, 24]}, "blocks": [64, 128, 256, 512],
 "types": ["int32", "int64", "uint32", "uint64", "float32", "float64"], "ops": ["sum", "max", "min"]}
J
"$redsweep" run "$work/slow.json" --device sim:lanes=2 --each --out "$work/term" >"$work/out" 2>&1 &
pid=$!
for k in 0 1; do
    while kill -0 $pid 2>/dev/null && [ "$(cat "$work/term/SIM-$k/results.csv" 2>/dev/null | wc -l)" -lt 3 ]; do sleep 0.05; done
done
kill -TERM $pid
wait $pid
[ $? -eq 3 ] && ok || fail "TERM: $(cat "$work/out")"
for k in 0 1; do
    "$redsweep" show "$work/term/SIM-$k" --info | grep -q "^status	stopped" && ok || fail "TERM: SIM-$k is not stopped"
done

# Each GPU has its own UUID. Two names of one card cannot be combined, nor can two models.
gpu=$build/tests/devices/fake_gpu/redsweep
export REDSWEEP_CACHE="$build/tests/devices/fake_cache" FAKE_CUDA_DEVICES=3
export REDSWEEP_CUPTI="$build/tests/devices/fake_cupti.so" REDSWEEP_NVML="$build/tests/devices/fake_nvml.so"
export FAKE_CUPTI_CHIP=GH100
cat >"$work/g.json" <<'J'
{"name": "g", "kernels": ["smem", "interleaved"], "sizes": [1024, 4096, 8192], "blocks": 128,
 "timing": {"max_samples": 3, "contexts": 1}}
J
gpus() { FAKE_CUDA_ALIKE=1 "$gpu" run "$work/g.json" --device "$1" --out "$work/$2" >"$work/out" 2>&1; }
gpus cuda:all all && [ "$(cells "$work/all" status)" = "ok " ] && ok || fail "cuda:all: $(cat "$work/out")"
[ "$(cells "$work/all" device_index)" = "0 1 2 " ] && ok || fail "cuda:all: $(cells "$work/all" device_index)"
info() { "$gpu" show "$work/$1" --info | grep -q "^$2	$3"; }
info all sessions.1.card.pci 0000:3b:00.0 && info all sessions.1.card.ecc_corrected 5 &&
    info all sessions.2.card_end.pcie_width 16 && info all sessions.0.site.host "$(uname -n)" && ok || fail "the cards' state"
# In addition to its rows, each GPU measures the same few points as anchors, first alone and then
# alongside the other GPUs. A single GPU measures no anchors. Only merge reads anchors.csv, together
# with the rows.
anchors() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["n"] "/" $at["kernel"] "/" $at["anchored"] "/" $at["status"] }' "$work/$1/anchors.csv" | sort | uniq -c | tr -s ' \n' ' '
}
ends() { for n in 1024 8192; do for k in interleaved smem; do for when in end start together; do printf ' 3 %s/%s/%s/ok' $n $k $when; done; done; done; }
[ "$(anchors all)" = "$(ends) " ] && grep -q "^card GPU-.*: reads at 1.000 of the median speed, anchors take 1.000" "$work/out" && ok ||
    fail "anchors: $(anchors all) $(cat "$work/out")"
gpus cuda:0 alone && [ ! -e "$work/alone/anchors.csv" ] && ok || fail "anchors of one GPU"
[ ! -e "$work/three/anchors.csv" ] && ok || fail "anchors without times"
"$gpu" show "$work/all" --info | grep "^sessions.[12].seconds.measuring" | grep -vq "	0$" && ok || fail "seconds of the other lanes"

# If one GPU is slower than the others, the run is doubtful. The same goes for the merged run if
# each GPU measured a shard.
export FAKE_CUDA_SLOW=1:8
gpus cuda:all slow
[ $? -eq 1 ] && grep -q "trust this run: the card GPU-[0-9a-f-]*fefe is slow: it reads 7.4 % more slowly than the median of all 3 cards; to measure without it, use --device cuda:GPU-[0-9a-f-]*feff,GPU-[0-9a-f-]*fefd$" "$work/out" &&
    info slow status doubtful && ok || fail "a slow GPU: $(cat "$work/out")"
for k in 0 1 2; do
    FAKE_CUDA_ALIKE=1 "$gpu" run "$work/g.json" --device cuda:$k --shard $k/3 --out "$work/gs" >"$work/out" 2>&1 || fail "shard $k: $(cat "$work/out")"
done
"$gpu" merge "$work/gs" --out "$work/gm" >"$work/out" 2>&1
[ $? -eq 1 ] && grep -q "^shard 1 was measured on the doubtful card GPU-[0-9a-f-]*fefe of .*: it reads 7.4 % more slowly than" "$work/out" &&
    grep -q -- "--tasks 3 --only 1 --exclude-nodes '[^']*' --out '$work/gs'" "$work/out" &&
    grep -q "fefe: reads at 0.926 of the median speed, anchors take 1.080" "$work/out" && info gm status doubtful && ok ||
    fail "merging a slow GPU: $(cat "$work/out")"
[ "$(wc -l <"$work/gm/anchors.csv")" -eq 25 ] && ok || fail "merged anchors"
unset FAKE_CUDA_SLOW

# A problem with a card, such as memory errors, makes the run doubtful, and the run says why.
doubtful() { # SETTING WORDS
    rm -rf "$work/doubt"
    env "$1" "$gpu" run "$work/g.json" --device cuda:0 --out "$work/doubt" >"$work/out" 2>&1
    [ $? -eq 1 ] && grep -q "do not trust this run: the card GPU-.*$2" "$work/out" && info doubt status doubtful && ok ||
        fail "$1: $(cat "$work/out")"
}
doubtful FAKE_NVML_ECC=2 "2 uncorrected memory errors"
doubtful FAKE_NVML_MIG=1 "MIG is on"
doubtful FAKE_NVML_LIMIT=750000 "its power limit is 700 W instead of 750 W"
doubtful FAKE_NVML_PCIE=8 "its PCIe link uses 8 lanes instead of 16"
doubtful FAKE_NVML_PROCESSES=2 "1 other process computes on it"
gpus cuda:0,2 pair && [ "$(cells "$work/pair" device_uuid)" = \
    "GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfefd GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff " ] && ok ||
    fail "cuda:0,2: $(cells "$work/pair" device_uuid)"
# diff judges times from different cards only if their anchors agree.
diffs() { "$gpu" diff "$work/$1" "$work/$2" >"$work/out" 2>&1; tail -1 "$work/out"; }
case $(diffs all all) in *"are not judged"*) fail "the same cards: $(cat "$work/out")" ;; *) ok ;; esac
for pair in "all slow" "gm slow"; do # merged shards know their cards, too
    case $(diffs $pair) in
    *"The times of several cards of one model, whose anchors differ by up to 8.0 %, are not judged"*) ok ;;
    *) fail "$pair: $(cat "$work/out")" ;;
    esac
done
case $(diffs all pair) in *"several cards of one model"*"are not judged"*) ok ;; *) fail "other cards: $(cat "$work/out")" ;; esac
gpus cuda:0,GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff same
[ $? -eq 2 ] && grep -q "the same device" "$work/out" && ok || fail "same: $(cat "$work/out")"
gpus cuda:0,7 seven; [ $? -eq 2 ] && grep -q "write a number of at most 2" "$work/out" && ok || fail "seven: $(cat "$work/out")"
gpus cuda:0, comma; [ $? -eq 2 ] && grep -q "cuda:0,2" "$work/out" && ok || fail "comma: $(cat "$work/out")"
FAKE_CUDA_DEVICES=2 "$gpu" run "$work/g.json" --device cuda:all --out "$work/models" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "are different models" "$work/out" && [ ! -e "$work/models" ] && ok || fail "models: $(cat "$work/out")"
FAKE_CUDA_DEVICES=2 "$gpu" run "$work/g.json" --device cuda:all --each --out "$work/models" >"$work/out" 2>&1 &&
    [ "$(cells "$work/models/GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfefe" device)" = "NVIDIA Fake 1 (no GPU) " ] && ok ||
    fail "two models, each: $(cat "$work/out")"
FAKE_CUDA_DEVICES=0 "$gpu" run "$work/g.json" --device cuda:all --out "$work/none" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "has no visible NVIDIA GPU" "$work/out" && ok || fail "none: $(cat "$work/out")"

[ $failed -eq 0 ] && echo "test_lanes: $checks checks passed"
exit $failed
