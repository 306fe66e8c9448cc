#!/bin/sh
# A run in the formats of other autotuners: every row and every value is there, a missing parameter
# is -1, and where Kernel Tuner is installed its schemas accept the files and it replays the cache.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "test_export: FAILED: $*"
    failed=1
}

"$redsweep" run "$root/configs/fastest-pruned.json" --sizes 2^14,2^26 --out "$work/run" --quiet \
    --device "replay:$root/results/reference/h200-fastest-search" >"$work/out.txt" 2>&1 ||
    fail "run: $(cat "$work/out.txt")"
for format in kernel-tuner t4 t1; do
    "$redsweep" export "$work/run" --format "$format" --out "$work/$format" >"$work/out.txt" 2>&1 ||
        fail "$format: $(cat "$work/out.txt")"
    grep -q ': 2 files$' "$work/out.txt" || fail "$format: $(cat "$work/out.txt")"
done
python3 - "$work" <<'PY' || failed=1
import csv, glob, json, sys
work = sys.argv[1]
rows = list(csv.DictReader(open(work + "/run/results.csv")))
samples = {}
for s in csv.DictReader(open(work + "/run/samples.csv")):
    samples.setdefault(s["id"], []).append(float(s["time_us"]))
for n in ("16384", "67108864"):
    mine = [r for r in rows if r["n"] == n]
    cache, = [json.load(open(f)) for f in glob.glob(f"{work}/kernel-tuner/*-n{n}-*.json")]
    t4, = [json.load(open(f)) for f in glob.glob(f"{work}/t4/*-n{n}-*.json")]
    t1, = [json.load(open(f)) for f in glob.glob(f"{work}/t1/*-n{n}-*.json")]
    keys = cache["tune_params_keys"]
    assert keys[:3] == ["kernel", "block", "unroll"] and len(cache["cache"]) == len(mine)
    assert [p["Name"] for p in t1["ConfigurationSpace"]["TuningParameters"]] == keys
    assert len(t4["results"]) == len(mine) and t4["schema_version"] == "1.0.0"
    for r, t in zip(mine, t4["results"]):
        value = lambda k: r[k] if k == "kernel" else int(r[k]) if r[k] else -1
        entry = cache["cache"][",".join(str(value(k)) for k in keys)]
        assert t["configuration"] == {k: value(k) for k in keys}
        assert all(value(k) in cache["tune_params"][k] for k in keys)
        if r["status"] != "ok":
            assert r["status"] == "skipped" and entry["time"] == "InvalidConfig"
            assert t["invalidity"] == "constraints" and t["correctness"] == 0
            continue
        assert abs(entry["time"] - float(r["time_us_median"]) / 1e3) < 1e-12
        assert t["invalidity"] == "correct" and t["correctness"] == 1
        for times in (entry["times"], t["times"]["runtimes"]):
            assert [round(x * 1e3, 6) for x in times] == samples[r["id"]]
    assert any(r["status"] != "ok" for r in rows) and any(-1 in v for v in cache["tune_params"].values())
PY
if python3 -c 'import kernel_tuner, jsonschema' 2>/dev/null; then
    python3 - "$work" >"$work/out.txt" 2>&1 <<'PY' || fail "Kernel Tuner: $(tail -3 "$work/out.txt")"
import glob, json, os, sys
import jsonschema, kernel_tuner
schemas = os.path.dirname(kernel_tuner.__file__) + "/schema/"
for kind, file in (("t4", "T4/1.0.0/results-schema.json"), ("t1", "T1/1.0.0/input-schema.json")):
    for f in glob.glob(f"{sys.argv[1]}/{kind}/*.json"):
        jsonschema.validate(json.load(open(f)), json.load(open(schemas + file)))
cache, = glob.glob(sys.argv[1] + "/kernel-tuner/*-n16384-*.json")
found, _ = kernel_tuner.interface.tune_cache(cache, strategy="random_sample",
                                             strategy_options={"max_fevals": 20})
assert len(found) == 20 and min(r["time"] for r in found if isinstance(r["time"], float)) < 0.006
PY
else
    echo "test_export: Kernel Tuner is not installed: its schemas and its simulation are not tried"
fi

# What is refused.
"$redsweep" export "$work/run" --format t5 --out "$work/x" >"$work/out.txt" 2>&1
[ $? -eq 2 ] && grep -q 'expected kernel-tuner, t4, t1' "$work/out.txt" || fail "t5: $(cat "$work/out.txt")"
"$redsweep" export "$work/run" --format t4 --out "$work/t4" >"$work/out.txt" 2>&1
[ $? -eq 2 ] || fail "a folder with files was overwritten"

[ "$failed" -eq 0 ] && echo "test_export: passed"
exit "$failed"
