#!/bin/sh
# Exports a run in the schema T4. The files must contain every row and value, and -1 for each
# missing parameter. If Kernel Tuner is installed, its own schema must accept the files.
set -u
. "$(dirname "$0")/../scratch.sh"


"$redsweep" run "$root/configs/fastest-pruned.json" --sizes 2^14,2^26 --out "$work/run" --quiet \
    --device "replay:$root/results/reference/h200-fastest-search" >"$work/out.txt" 2>&1 ||
    fail "run: $(cat "$work/out.txt")"
"$redsweep" export "$work/run" --out "$work/t4" >"$work/out.txt" 2>&1 || fail "$(cat "$work/out.txt")"
grep -q ': 2 files$' "$work/out.txt" || fail "$(cat "$work/out.txt")"
"$redsweep" show "$work/run" --csv - >"$work/rows.csv" || fail "show"
python3 - "$work" <<'PY' || failed=1
import csv, glob, json, sys
work = sys.argv[1]
rows = list(csv.DictReader(open(work + "/rows.csv")))
samples = {}
for s in csv.DictReader(open(work + "/run/samples.csv")):
    samples.setdefault(s["id"], []).append(float(s["time_us"]))
for n in ("16384", "67108864"):
    mine = [r for r in rows if r["n"] == n]
    t4, = [json.load(open(f)) for f in glob.glob(f"{work}/t4/*-n{n}-*.json")]
    assert len(t4["results"]) == len(mine) and t4["schema_version"] == "1.0.0"
    for r, t in zip(mine, t4["results"]):
        value = lambda k: r[k] if k == "kernel" else int(r[k]) if r[k] else -1
        keys = list(t["configuration"])
        assert keys[:3] == ["kernel", "block", "unroll"] and "t_loads" in keys
        assert t["configuration"] == {k: value(k) for k in keys}
        if r["status"] != "ok":
            assert r["status"] == "skipped"
            assert t["invalidity"] == "constraints" and t["correctness"] == 0
            continue
        time, = [m for m in t["measurements"] if m["name"] == "time"]
        assert abs(time["value"] - float(r["time_us_median"]) / 1e3) < 1e-12 and time["unit"] == "ms"
        assert t["invalidity"] == "correct" and t["correctness"] == 1
        assert [round(x * 1e3, 6) for x in t["times"]["runtimes"]] == samples[r["id"]]
    assert any(r["status"] != "ok" for r in rows) and any(-1 in t["configuration"].values() for t in t4["results"])
PY
if python3 -c 'import kernel_tuner, jsonschema' 2>/dev/null; then
    python3 - "$work" >"$work/out.txt" 2>&1 <<'PY' || fail "Kernel Tuner: $(tail -3 "$work/out.txt")"
import glob, json, os, sys
import jsonschema, kernel_tuner
schema = json.load(open(os.path.dirname(kernel_tuner.__file__) + "/schema/T4/1.0.0/results-schema.json"))
for f in glob.glob(f"{sys.argv[1]}/t4/*.json"):
    jsonschema.validate(json.load(open(f)), schema)
PY
else
    echo "test_export: Kernel Tuner is not installed: its schema is not tried"
fi

# For each status, the file must have T4's word for it and the right value of `correctness`.
while read -r status word correct; do
    rm -rf "$work/other" "$work/t4-other" && cp -r "$work/run" "$work/other"
    sed -i "s/,skipped,/,$status,/" "$work/other/results.csv"
    "$redsweep" export "$work/other" --out "$work/t4-other" >"$work/out.txt" 2>&1 || fail "$status: $(cat "$work/out.txt")"
    cat "$work"/t4-other/*.json | tr '{' '\n' | grep -o '"invalidity":.*"correctness":[01]' | sort -u >"$work/out.txt"
    printf '"invalidity":"%s","correctness":%s\n' "$word" "$correct" correct 1 | sort -u >"$work/want.txt"
    cmp -s "$work/want.txt" "$work/out.txt" || fail "$status: $(cat "$work/out.txt")"
done <<'T'
wrong correctness 0
timeout timeout 0
compile_error compile 0
skipped constraints 0
unsupported constraints 0
crashed runtime 0
launch_error runtime 0
oom runtime 0
T

# Invalid calls are refused.
"$redsweep" export "$work/run" --format t1 --out "$work/x" >"$work/out.txt" 2>&1
[ $? -eq 2 ] && grep -q 'unknown option "--format"' "$work/out.txt" || fail "t1: $(cat "$work/out.txt")"
"$redsweep" export "$work/run" --out "$work/t4" >"$work/out.txt" 2>&1
[ $? -eq 2 ] || fail "a folder with files was overwritten"

[ "$failed" -eq 0 ] && echo "test_export: passed"
exit "$failed"
