#!/bin/sh
# Sends signals at random moments to a run or its worker. The runs use lanes, shards, a race, a
# transfer, a gate, --each, or points that another program requests. No row may be lost or
# duplicated, and after resuming, all rows must equal those of an undisturbed run. A gate and a run
# of requested points cannot be resumed, so their rows must be a subset instead. SIGNALS is the
# number of signals (24 by default; 500 take five minutes). SEED seeds the random moments.
set -u
. "$(dirname "$0")/../scratch.sh"
python=$(command -v python3) || { echo "test_signals: skipped: python3 is missing"; exit 0; }
export REDSWEEP_CACHE="$work/cache" REDSWEEP_HOME="$root"
cat >"$work/c.json" <<'J'
{"name": "c", "kernels": ["neighbored", "smem_unroll"], "sizes": {"log2": [12, 17]},
 "blocks": [64, 128], "unrolls": [2, 4], "types": ["int32", "float32"]}
J
"$python" - "$redsweep" "$root" "$work" "${SIGNALS:-24}" "${SEED:-1}" <<'P'
import csv, os, random, shutil, signal, subprocess, sys, time

redsweep, root, work, count, seed = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
draw = random.Random(seed)
config, reference = work + "/c.json", root + "/results/reference/h200-fastest-search"
searched = [root + "/configs/fastest-pruned.json", "--device", "replay:" + reference, "--metrics=",
            "--sizes", "2^14,2^16"]
VARIES = {"run", "host", "device_uuid", "measured_at", "device_index", "shard", "session", "compile_ms", "reason"}
KINDS = {
    "plain": [config, "--device", "sim"],
    "lanes": [config, "--device", "sim:lanes=3"],
    "shard": [config, "--device", "sim:lanes=2", "--shard", "0/2"],
    "race": searched + ["--search.strategy", "race"],
    "transfer": searched + ["--search.strategy", "transfer"],
    "each": [config, "--device", "sim:lanes=2", "--each"],
    "points": [config, "--device", "sim", "--points", "-"],
    "gate": ["gate", config, "--device", "sim", "--baseline", root + "/kernels", "--candidate", root + "/kernels"],
}
RESUMED = {"plain", "lanes", "shard", "race", "transfer", "each"}

def folders(kind, out):
    return {"gate": [out + "/baseline", out + "/candidate"], "shard": [out + "/shard-000"],
            "each": [out + "/SIM-0", out + "/SIM-1"]}.get(kind, [out])

def rows(folder):
    """Returns a run's rows by id. Fails if a point has two rows, and ignores a last line that is incomplete."""
    found = {}
    try:
        text = open(folder + "/results.csv", newline="").read()
    except OSError:
        return found
    text = text[:text.rfind("\n") + 1]
    for row in csv.DictReader(text.splitlines()):
        if row["id"] in found:
            raise SystemExit(f"test_signals: FAILED: {folder}: point {row['id']} has two rows")
        found[row["id"]] = {k: v for k, v in row.items() if k not in VARIES}
    return found

def start(kind, out):
    command = KINDS[kind] if KINDS[kind][0] == "gate" else ["run"] + KINDS[kind]
    asked = open(work + "/asked.csv") if kind == "points" else subprocess.DEVNULL
    return subprocess.Popen([redsweep] + command + ["--out", out], stdin=asked,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def disturb(kind, process, delay):
    """Sends a signal to the run or to one of its children after a delay. Returns whether the run had not ended by then."""
    time.sleep(delay)
    number = draw.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True,
                              text=True).stdout.split()
    # Killing a search's worker would make a point fail, and the search would choose different
    # points.
    to_worker = children and kind not in ("race", "transfer") and draw.random() < 0.3
    early = process.poll() is None
    try:
        os.kill(int(children[0]) if to_worker else process.pid, signal.SIGKILL if to_worker else number)
    except ProcessLookupError:
        pass
    process.wait()
    return early

def check(kind, out, whole, expected):
    for folder, wanted in zip(folders(kind, out), expected):
        found = rows(folder)
        for point, row in found.items():
            if row["status"] in ("crashed", "compile_error"):  # a signal killed the worker
                continue
            if row != wanted.get(point):
                odd = {k: (v, wanted.get(point, {}).get(k)) for k, v in row.items() if v != wanted.get(point, {}).get(k)}
                raise SystemExit(f"test_signals: FAILED: {kind}: point {point} is another one: {odd}")
        if whole and set(found) != set(wanted):
            raise SystemExit(f"test_signals: FAILED: {kind}: {len(found)} rows of {len(wanted)}")

expected, seconds = {}, {}
subprocess.run([redsweep, "run"] + KINDS["plain"] + ["--out", work + "/first"], check=True,
               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
with open(work + "/first/results.csv", newline="") as all_rows, open(work + "/asked.csv", "w") as asked:
    writer = csv.writer(asked)
    columns = ["kernel", "type", "op", "n", "block", "unroll"]
    writer.writerow(columns)
    writer.writerows([row[c] for c in columns] for row in csv.DictReader(all_rows))
for kind in KINDS:
    out, began = f"{work}/{kind}", time.time()
    start(kind, out).wait()
    seconds[kind] = time.time() - began
    expected[kind] = [rows(folder) for folder in folders(kind, out)]
    if not all(expected[kind]):
        raise SystemExit(f"test_signals: FAILED: {kind}: no rows")
# The points of an incomplete group must not race only against each other, so the whole group is
# measured again.
shutil.copytree(f"{work}/race", f"{work}/out")
with open(f"{work}/out/results.csv", "r+") as torn:
    lines = torn.readlines()
    torn.seek(0)
    torn.truncate()
    torn.writelines(lines[:-3])
subprocess.run([redsweep, "resume", f"{work}/out"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
check("race", f"{work}/out", True, expected["race"])
sent, in_time = 0, 0
while sent < count:
    kind = list(KINDS)[sent % len(KINDS)]
    out = f"{work}/out"
    shutil.rmtree(out, ignore_errors=True)
    in_time += disturb(kind, start(kind, out), draw.random() * seconds[kind])
    sent += 1
    check(kind, out, False, expected[kind])
    begun = folders(kind, out) if kind in RESUMED else []
    if not all(os.path.exists(folder + "/run.json") for folder in begun):
        shutil.rmtree(out, ignore_errors=True)
        start(kind, out).wait()
        begun = []
    for folder in begun:
        for again in range(20):
            process = subprocess.Popen([redsweep, "resume", folder, "--retry", "crashed,compile_error"],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if sent == count or draw.random() >= 0.3:
                process.wait()
                break
            in_time += disturb(kind, process, draw.random() * seconds[kind])
            sent += 1
            check(kind, out, False, expected[kind])
    check(kind, out, kind in RESUMED, expected[kind])
print(f"test_signals: passed: {sent} signals, {in_time} of them before the end: 0 rows lost, 0 differences")
P
