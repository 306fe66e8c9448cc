#!/usr/bin/env python3
"""Plants small faults in harness/, one at a time, and sees whether the tests of the room notice.

    tests/mutants/mutants.py [--rooms record,analyze] [--longest 5] [--again survived]

`make mutants` builds everything first. The faults are those of mutations.py, drawn at random, the same
ones for one --seed: 40 of each room, and 20 of one under 1000 lines. One that does not compile without
warnings, or gives the same machine code, is not counted. All others are linked into the room's test
programs and into redsweep, which run until one fails: the mutant is killed. The quickest tests run first, and
before them those that killed other mutants of the same file. A test that takes five times its usual time has
failed, once it was tried again alone on the machine. With --longest, tests that take longer are
left out; mutants that survive can be tried --again, with the tests that they have not passed yet.

Each worker has a copy of the tree and of the build under build/mutants, and each test has a /tmp, a home
and a separate process namespace, with limits of memory and time: nothing that a mutant does reaches
the checkout. The outcomes are kept in build/mutants/state.jsonl, so that an interrupted run goes on
where it was; --again SURVIVED|KILLED|ALL tries those once more. survivors.txt says for each survivor
why it lives; build/mutants/table.md is the table of tests/README.md.
"""

import argparse
import ctypes
import fcntl
import functools
import hashlib
import json
import os
import queue
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(__file__))
from mutations import Mutation, mutations

# This table lists the rooms and their tests, which are folders of tests/ or beginnings of the names of single
# tests in other folders. Longer names go first.
ROOMS = {
    "analyze": ["analyze/", "cli/test_commands", "cli/test_gate", "cli/test_l", "cli/test_output", "cli/test_width", "plots/",
                "run/test_shards", "texts/"],
    "base": ["base/", "texts/", "cli/test_commands", "spec/test_config", "devices/test_nvml"],
    "charts": ["plots/", "texts/test_drawn", "texts/test_outputs"],
    "cli": ["cli/", "texts/", "devices/test_cuda_command", "devices/test_cuda_doctor", "run/test_as_written",
            "tuned/test_wheel"],
    "cluster": ["cluster/", "cli/test_commands"],
    "compile": ["compile/", "devices/test_cpu", "measure/test_ceilings", "run/test_compile_limit", "run/test_resume"],
    "devices": ["devices/test_open", "texts/", "cli/test_commands"],
    "devices/cpu": ["devices/test_cpu", "run/test_no_counters"],
    "devices/cuda": ["devices/test_", "metrics/test_chips", "cli/test_list_metrics"],
    "devices/replay": ["devices/test_replay", "texts/test_texts", "run/test_search"],
    "devices/sim": ["devices/sim/", "texts/test_simulator", "run/test_planted", "run/test_load", "run/test_limits",
                    "faults/test_allocations"],
    "devices/sim/counts": ["devices/sim/", "texts/test_simulator"],
    "devices/sim/machine": ["devices/sim/", "texts/test_simulator", "run/test_hostile", "run/test_load"],
    "devices/sim/program": ["devices/sim/", "texts/test_simulator"],
    "devices/sim/ptx": ["devices/sim/", "texts/test_simulator"],
    "devices/sim/races": ["devices/sim/", "texts/test_simulator", "cli/test_racecheck"],
    "measure": ["measure/", "run/", "devices/test_cuda_", "devices/sim/test_races", "cli/test_racecheck",
                "texts/test_texts"],
    "metrics": ["metrics/", "texts/", "cli/"],
    "plan": ["plan/", "run/test_print", "run/test_offset", "run/test_shapes", "kernels/", "texts/", "cli/test_commands"],
    "record": ["record/", "run/test_resume", "run/test_order", "run/test_kill"],
    "run": ["run/", "cli/test_log", "cli/test_require_metrics", "cli/test_commands", "faults/test_no_", "texts/test_texts",
            "devices/test_cuda_command"],
    "search": ["search/", "run/test_search", "run/test_points"],
    "spec": ["spec/", "texts/", "run/test_bad_input", "cli/test_commands", "cli/test_gate"],
    "table": ["table/", "texts/", "record/", "analyze/"],
    "tuned": ["tuned/", "cli/test_commands", "texts/"],
    "workloads": ["workloads/", "run/test_planted", "run/test_rows"],
}
# Some files are executed by only a few of the room's tests. The table lists the beginnings of such files' names, and these
# tests. Other tests are not tried on these files, because that would take minutes for each survivor. Longer names go first.
NEAR = {
    "cli/best": ["cli/test_commands", "texts/"],
    "cli/doctor": ["devices/test_cuda_doctor", "cli/test_commands", "texts/test_texts"],
    "cli/gate": ["cli/test_gate", "texts/test_texts"],
    "cli/import": ["cli/test_import", "texts/test_texts"],
    "cli/list": ["cli/test_list_metrics", "cli/test_commands", "texts/", "devices/test_cuda_command"],
    "cli/new": ["cli/test_new", "texts/test_texts"],
    "cli/plots": ["cli/test_commands", "texts/"],
    "cli/racecheck": ["cli/test_racecheck", "texts/test_texts"],
    "cli/report": ["cli/test_commands", "cli/test_output", "texts/"],
    "cli/resume": ["cli/test_commands", "cli/test_output", "texts/"],
    "cli/tuned": ["cli/test_commands", "tuned/test_wheel", "texts/test_texts"],
    "measure/ceilings": ["measure/test_ceilings", "run/test_planted"],
    "measure/energy": ["measure/test_energy", "devices/test_cuda_command"],
    "measure/energy_group": ["measure/test_energy", "devices/test_cuda_command", "devices/test_cuda_sweep"],
    "measure/race_check": ["texts/test_texts", "cli/test_racecheck"],
    "measure/racing": ["measure/test_racing", "run/test_search"],
    "measure/sampled_check": ["measure/test_sampled", "run/test_inputs", "run/test_rows"],
    "measure/self_check": ["measure/test_ceilings", "run/test_no_counters"],
    "run/dry_run": ["texts/test_texts", "cli/test_commands"],
    "run/energy_plan": ["run/test_guesses", "devices/test_cuda_command"],
    "run/job_open": ["run/test_", "cli/test_require_metrics", "texts/test_texts"],
    "run/points": ["run/test_points", "run/test_shapes"],
    "run/provenance": ["texts/test_texts", "run/test_resume", "run/test_sweep"],
    "run/request_time": ["run/test_request_time", "run/test_time_left"],
    "run/run_command": ["texts/test_texts", "cli/test_commands", "run/test_points"],
    "run/source_asked": ["run/test_points", "run/test_signals"],
    "run/source_transfer": ["run/test_search", "run/test_signals", "texts/test_texts"],
    "run/time_left": ["run/test_guesses", "run/test_time_left", "run/test_request_time"],
}
# A room with fewer than SMALL lines of C gets FEW mutants, and any other room gets MANY.
SMALL, FEW, MANY = 1000, 20, 40

# These tests are not tried, because they test no object of harness/, or test recorded measurements and the
# scripts in experiments/.
LEFT_OUT = ["analyze/test_no_cuda", "spec/test_manual", "analyze/test_recorded", "analyze/test_power",
            "analyze/test_aa", "compile/test_architectures"]
# These long tests are tried only on the named files.
ONLY_FOR = {"analyze/test_merge": "merge", "analyze/test_gate": "diff", "run/test_memory": "sweep",
            "run/test_kill": "(sweep|supervisor|folder|writer|lock)"}

MEMORY = 16 << 30  # of address space, for each process of a test
SLOWER = 5  # times the usual time, and
AT_LEAST = 20  # seconds, is too long
QUICK = 2  # seconds: those run first

SCRATCH = "build/mutants"
PRCTL = ctypes.CDLL(None).prctl


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


class Commands:
    """The commands of the Makefile: how each object is compiled and each program is linked."""

    def __init__(self):
        # Compiling without -g takes half the time and gives the same code.
        text = run(["make", "-nB", "V=1", "SETUP=no", "WERROR=1", "CFLAGS=-O2", "build-tests"]).stdout
        self.compile, self.link = {}, {}
        for line in text.replace("\\\n", " ").split("\n"):
            words = shlex.split(line) if re.match(r"\S+ .*-o build/", line) else []
            if "-o" not in words:
                continue
            target = words[words.index("-o") + 1]
            if "-c" in words:
                self.compile[words[-1]] = words
            elif any(w.endswith("libredsweep.a") for w in words):
                self.link[target] = words + ["-Wl,-s"]
        if not self.link or not self.compile:
            sys.exit(f"make -n build-tests shows no commands:\n{text[-2000:]}")
        # -MMD would write a file beside the output, which does not belong to the build.
        for words in self.compile.values():
            words[:] = [w for w in words if w not in ("-MMD", "-MP")]

    def members(self, program):
        """Returns the names of the library's objects that a program is linked with."""
        trace = run(self.link[program] + ["-Wl,-t,-t", "-o", os.devnull]).stdout
        return set(re.findall(r"libredsweep\.a\)?[(]?(\w+\.o)", trace)) | {
            os.path.basename(w) for w in self.link[program] if w.startswith("build/harness/")
        }


@functools.cache
def beside(folder):
    """Returns a hash of the files that tests of a folder may include or read, which are all files that are not tests."""
    paths = sorted(e.path for e in os.scandir(folder) if e.is_file() and not e.name.startswith("test_"))
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.digest()


class Test:
    """A test program or shell script, and the programs that it needs linked."""

    def __init__(self, path, commands):
        self.path = path
        self.program = path if path.endswith(".sh") else "build/tests/" + path[len("tests/") : -2]
        with open(path) as source:
            text = source.read()
        self.version = hashlib.sha256(text.encode() + beside(os.path.dirname(path))).hexdigest()[:8]
        self.needs = [] if path.endswith(".sh") else [self.program]
        if re.search(r"/redsweep\b|\$redsweep|\bREDSWEEP\b", text) or path.endswith(".sh") or path.startswith("tests/texts/"):
            self.needs.append("build/redsweep")
        if "fake_gpu" in text or "devices/test_cuda_" in path:
            self.needs += ["build/tests/devices/fake_gpu/redsweep", "build/tests/devices/fake_gpu/queue_slot"]
        self.needs = [n for n in self.needs if n in commands.link]
        self.seconds = 0.0

    def fits(self, file):
        for name, files in ONLY_FOR.items():
            if self.path.startswith("tests/" + name):
                return re.search(files, os.path.basename(file)) is not None
        near = max((n for n in NEAR if file.startswith("harness/" + n)), key=len, default=None)
        return near is None or self.is_one_of(NEAR[near])

    def is_one_of(self, prefixes):
        name = self.path[len("tests/") :]
        return any(name.startswith(prefix) and "/" not in name[len(prefix) :] for prefix in prefixes)

    def belongs(self, room):
        return not any(self.path[len("tests/") :].startswith(left) for left in LEFT_OUT) and self.is_one_of(ROOMS[room])


class Place:
    """A worker's separate copy of the tree, in which tests run one after the other."""

    def __init__(self, number, commands):
        self.folder = os.path.realpath(f"{SCRATCH}/place-{number}")
        self.commands = commands
        self.changed = set()  # programs that contain a mutant now
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        for file in run(["git", "ls-files", "-co", "--exclude-standard"]).stdout.split("\n"):
            if os.path.isfile(file):
                os.makedirs(os.path.dirname(f"{self.folder}/{file}"), exist_ok=True)
                shutil.copy2(file, f"{self.folder}/{file}", follow_symlinks=False)
        other = shutil.ignore_patterns("mutants", "toolkit", "sanitize", "coverage", "fuzz", "bench")
        # Files that are only linked are not copied, because no test writes them.
        shutil.copytree(
            "build", self.folder + "/build", symlinks=True,
            copy_function=lambda a, b: os.link(a, b) if a.endswith((".o", ".a")) else shutil.copy2(a, b, follow_symlinks=False),
            ignore=lambda folder, names: other(folder, names) if folder == "build" else [],
        )
        if os.path.isdir("build/toolkit"):
            os.symlink(os.path.abspath("build/toolkit"), self.folder + "/build/toolkit")
        os.makedirs(self.folder + "/home")
        os.makedirs(self.folder + "/tmp")

    def link(self, program, source, mutant):
        """Links the program with the mutant in place of the source's object; as the mutant comes first, the
        library's object is not used."""
        if program not in self.changed:
            os.rename(f"{self.folder}/{program}", f"{self.folder}/{program}.whole")
        own = "build/" + source[:-2] + ".o"
        words = [mutant if w == own else w for w in self.commands.link[program]]
        if mutant not in words:
            words.insert(next(i for i, w in enumerate(words) if w.endswith("libredsweep.a")), mutant)
        done = run(words, cwd=self.folder)
        if done.returncode:
            sys.exit(f"{program} cannot be linked with {mutant}:\n{done.stdout}")
        self.changed.add(program)

    def restore(self, keep=()):
        for program in self.changed - set(keep):
            os.replace(f"{self.folder}/{program}.whole", f"{self.folder}/{program}")
        self.changed &= set(keep)

    def run(self, test, limit):
        """Returns (whether it passed, seconds, its last words). The first value is None if the test took too long."""
        # The test has its own /tmp and /dev/shm, its processes end with it, and its home is a copy.
        inside = (
            f"{own_tmp(self.folder)} && mount -t tmpfs -o size=2g none /dev/shm && "
            f"cp -r {shlex.quote(self.folder)}/home /tmp/home && HOME=/tmp/home && export HOME && "
            f'"$0"; code=$?; [ -z "$KEEP" ] || cp -r /tmp/home/. {shlex.quote(self.folder)}/home; exit $code'
        )
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("REDSWEEP", "XDG_", "MAKE"))}
        environment.update(BUILD=self.folder + "/build", KEEP="yes" if self.warming else "")
        start = time.monotonic()
        with open(self.folder + "/output", "w+", errors="replace") as output:
            process = subprocess.Popen(
                [*NAMESPACES, "sh", "-c", inside, self.folder + "/" + test.program],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=limits,
            )
            try:
                passed = process.wait(limit) == 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                passed = None
            output.seek(max(0, output.tell() - 4000))
            said = output.read()
        return passed, time.monotonic() - start, said[-1500:]

    warming = False


def own_tmp(place):
    """Returns commands that give a test an empty /tmp. A checkout below /tmp stays visible there."""
    root = os.path.realpath(".")
    if not root.startswith("/tmp/"):
        return "mount -t tmpfs -o size=3g none /tmp"
    own = shlex.quote(os.path.realpath(place) + "/tmp")
    seen, root = own + shlex.quote(root[len("/tmp") :]), shlex.quote(root)
    return (f"mount -t tmpfs -o size=3g none {own} && mkdir -p {seen} && mount --bind {root} {seen} && "
            f"mount --rbind {own} /tmp")


def limits():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup, tests of this signal would wait for ever
    PRCTL(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: nothing goes on after an interruption
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def namespaces():
    """Returns the command that gives a test its own mounts and processes, for root and for other users."""
    for words in (["unshare"], ["unshare", "--map-root-user"]):
        words += ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        if run(words + ["mount", "-t", "tmpfs", "none", "/tmp"]).returncode == 0:
            return words
    sys.exit("mutants: unshare (util-linux) cannot make namespaces here, and without them a mutant's "
             "processes and files could not be kept apart")


def room_of(file):
    return os.path.dirname(file)[len("harness/") :]


def tree():
    files = run(["git", "ls-files", "-co", "--exclude-standard", "harness", "tests"]).stdout.split("\n")
    sources = [f for f in files if f.startswith("harness/") and f.endswith(".c")]
    strange = sorted({room_of(f) for f in sources} - set(ROOMS))
    if strange:
        sys.exit(f"mutants: no tests are named for {', '.join(strange)} of harness/: see ROOMS")
    tests = [f for f in files if re.fullmatch(r"tests/(?:[^/]+/)+test_[^/]+\.(c|sh)", f)]
    return sources, tests


def identity(mutation):
    """Returns an identity that is the same for the same change to the same line, whatever the line's number is."""
    m = "\0".join([mutation.file, mutation.before.strip(), mutation.after.strip()])
    return hashlib.sha256(m.encode()).hexdigest()[:16]


def drawn(sources, seed, want):
    """Returns room -> mutations in the order in which they are tried, and room -> how many are wanted."""
    order, size = {room: [] for room in ROOMS}, {room: 0 for room in ROOMS}
    for file in sources:
        with open(file) as source:
            text = source.read()
        order[room_of(file)] += mutations(file, text, seed)
        size[room_of(file)] += text.count("\n")
    for room in order:
        # Equal changes of equal lines are one mutant.
        order[room] = list({identity(m): m for _, m in sorted(order[room])}.values())
    wanted = {room: want or (FEW if size[room] < SMALL else MANY) for room in ROOMS}
    return order, {room: min(wanted[room], len(order[room])) for room in ROOMS}


def stripped(path):
    subprocess.run(["objcopy", "--strip-debug", path, path + ".code"], check=True)
    with open(path + ".code", "rb") as code:
        data = code.read()
    os.unlink(path + ".code")
    return hashlib.sha256(data).hexdigest()


class Compiler:
    """Compiles a mutant in a separate copy of harness/, so the checkout is never changed."""

    def __init__(self, commands):
        self.commands = commands
        self.original = {}
        self.folders = queue.Queue()

    def add(self, folder):
        self.folders.put(folder)

    def object(self, folder, source, path):
        words = list(self.commands.compile[source])
        words[words.index("-o") + 1] = path
        return run(words, cwd=folder)

    def code(self, folder, source):
        if source not in self.original:
            path = f"{folder}/original.o"
            done = self.object(folder, source, path)
            if done.returncode:
                sys.exit(f"{source} does not compile:\n{done.stdout}")
            self.original[source] = stripped(path)
        return self.original[source]

    def compile(self, m):
        """Returns 'refused', 'same' or the object's path."""
        path = os.path.abspath(f"{SCRATCH}/objects/{identity(m)}.o")
        if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime("build/libredsweep.a"):
            return path
        folder = self.folders.get()
        try:
            original = self.code(folder, m.file)
            with open(f"{folder}/{m.file}") as source:
                text = source.read()
            lines = text.split("\n")
            assert lines[m.line - 1] == m.before
            lines[m.line - 1] = m.after
            with open(f"{folder}/{m.file}", "w") as source:
                source.write("\n".join(lines))
            try:
                if self.object(folder, m.file, path).returncode:
                    return "refused"
            finally:
                with open(f"{folder}/{m.file}", "w") as source:
                    source.write(text)
            if stripped(path) != original:
                return path
            os.unlink(path)
            return "same"
        finally:
            self.folders.put(folder)


class State:
    """The outcomes so far: one line of JSON per mutant, written when it is known."""

    def __init__(self, seed):
        self.path = f"{SCRATCH}/state.jsonl"
        self.found = {}
        self.lock = threading.Lock()
        if os.path.exists(self.path):
            with open(self.path) as lines:
                for line in lines:
                    entry = json.loads(line)
                    self.found[entry["id"]] = entry

    def entries(self):
        with self.lock:
            return list(self.found.values())

    def put(self, entry):
        with self.lock:
            self.found[entry["id"]] = entry
            with open(self.path, "a") as lines:
                lines.write(json.dumps(entry) + "\n")


def blocks(name):
    """Reads a file of this folder: (file, lines before, line, what takes its place, text below) for each entry."""
    found = []
    path = os.path.join(os.path.dirname(__file__), name)
    with open(path) as lines:
        for line in lines.read().split("\n"):
            if line.startswith("#"):
                continue
            if line.startswith("harness/"):
                found.append([line.strip(), [], None, None, ""])
            elif line.startswith("  "):
                found[-1][1].append(line.strip())
            elif line.startswith("- "):
                found[-1][2] = line[2:].strip()
            elif line.startswith("+"):
                found[-1][3] = line[1:].strip()
            elif line.strip():
                found[-1][4] = (found[-1][4] + " " + line.strip()).strip()
    return found


def reasons():
    """Reads survivors.txt: (file, line, its replacement) -> why the mutant survives."""
    return {(b[0], b[2], b[3]): b[4] for b in blocks("survivors.txt")}


def planted():
    """Reads planted.txt: room -> mutations."""
    order = {room: [] for room in ROOMS}
    for file, context, before, after, _ in blocks("planted.txt"):
        with open(file) as source:
            lines = source.read().split("\n")
        plain = [line.strip() for line in lines]
        k = len(context)
        places = [i for i in range(k, len(plain)) if plain[i] == before and plain[i - k : i] == context]
        if len(places) != 1:
            sys.exit(f"planted.txt: {file} has {len(places)} lines for: {before}")
        i = places[0]
        order[room_of(file)].append(Mutation(file, i + 1, "planted", lines[i], lines[i].replace(before, after)))
    return order, {room: len(m) for room, m in order.items()}


def table(chosen, state, why):
    """Returns the table's line for each room, and the survivors without a reason."""
    lines = ["| room | mutants | killed | equivalent | survived | killed of the others |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]
    total = [0, 0, 0, 0]
    unexplained = []

    def row(name, counts):
        mutants, killed, equivalent, survived = counts
        rate = f"{100 * killed / (mutants - equivalent):.0f} %" if mutants > equivalent else ""
        lines.append(f"| {name} | {mutants} | {killed} | {equivalent} | {survived} | {rate} |")

    for room in sorted(chosen):
        counts = [0, 0, 0, 0]
        for m in chosen[room]:
            entry = state.found.get(identity(m))
            if not entry or entry["outcome"] not in ("killed", "survived"):
                continue
            reason = why.get((m.file, m.before.strip(), m.after.strip()), "")
            counts[0] += 1
            if entry["outcome"] == "killed":
                counts[1] += 1
            elif reason.startswith("equivalent"):
                counts[2] += 1
            else:
                counts[3] += 1
            if entry["outcome"] == "survived" and not reason:
                unexplained.append(m)
        if counts[0]:
            row(room, counts)
        total = [a + b for a, b in zip(total, counts)]
    row("**all**", total)
    return lines, unexplained


def measure(tests, places, longest):
    """Measures how long each test takes without a mutant, with all places at work as they will be. The files that tests
    compile stay in the home, of which later tests get a copy. Returns those that pass within longest seconds."""
    path, home = f"{SCRATCH}/times.json", f"{SCRATCH}/home"
    limit = min(longest, 150)
    times, failed = {}, []  # a negative time: the test takes longer than that
    if os.path.exists(path):
        with open(path) as f:
            times = json.load(f)
    todo, lock = iter([t for t in tests if -limit < times.get(t.path, 0) <= 0]), threading.Lock()

    def worker(place):
        place.warming = True
        while True:
            with lock:
                test = next(todo, None)
            if not test:
                break
            passed, seconds, said = place.run(test, limit)
            print(f"{seconds:6.1f} s  {test.path}", flush=True)
            if passed is False:
                failed.append(f"{test.path}: {said}")
            else:
                with lock:
                    times[test.path] = seconds if passed else -limit
                    with open(path, "w") as f:
                        json.dump(times, f, indent=1)
        place.warming = False

    with ThreadPoolExecutor(len(places)) as pool:
        list(pool.map(worker, places))
    for place in places:
        shutil.copytree(place.folder + "/home", home, dirs_exist_ok=True)
    for said in failed:
        print(f"left out, as it fails without a mutant: {said}", flush=True)
    for place in places:
        shutil.copytree(home, place.folder + "/home", dirs_exist_ok=True)
    for test in tests:
        test.seconds = times.get(test.path, 0)
        if test.seconds < 0:
            print(f"left out, as it takes more than {limit:g} s: {test.path}", flush=True)
    return [t for t in tests if 0 < t.seconds <= longest]


def attempt(place, m, path, tests, members, state):
    """Returns the outcome of one mutant: the first test that fails, or none."""
    name = os.path.basename(m.file)[:-2] + ".o"
    passed_before = state.found.get(identity(m), {}).get("passed", {})
    fitting = [t for t in tests if t.fits(m.file) and any(name in members[n] for n in t.needs)
               and passed_before.get(t.path) != t.version]
    linked = set()
    slow = None
    killers = Counter(e["by"] for e in state.entries() if e["outcome"] == "killed" and e["file"] == m.file)
    for test in sorted(fitting, key=lambda t: (t.seconds > QUICK and not killers[t.path], t.seconds / (1 + killers[t.path]))):
        for program in test.needs:
            if name in members[program] and program not in linked:
                place.link(program, m.file, path)
                linked.add(program)
        place.restore(linked)
        passed, _, said = place.run(test, max(AT_LEAST, SLOWER * test.seconds))
        if passed:
            passed_before = {**passed_before, test.path: test.version}
        if passed is False:
            return {"outcome": "killed", "by": test.path, "said": said}
        if passed is None:
            slow = test
            break
    if slow:
        return {"outcome": "slow", "by": slow.path}
    return {"outcome": "survived", "passed": passed_before}


def choose(order, wanted, rooms, compiler, state, jobs):
    """Returns room -> the mutants that are counted, as (mutation, object)."""
    chosen, paths = {}, {}
    for room in rooms:
        chosen[room] = []
        left = list(order[room])
        with ThreadPoolExecutor(jobs) as pool:
            while left and len(chosen[room]) < wanted[room]:
                some, left = left[: 2 * jobs], left[2 * jobs :]
                known = [state.found.get(identity(m), {}).get("outcome") for m in some]
                built = pool.map(lambda pair: "refused" if pair[1] in ("refused", "same") else compiler.compile(pair[0]),
                                 zip(some, known))
                for m, was, path in zip(some, known, built):
                    if path in ("refused", "same"):
                        if not was:
                            state.put({"id": identity(m), "file": m.file, "outcome": path})
                    elif len(chosen[room]) < wanted[room]:
                        chosen[room].append(m)
                        paths[identity(m)] = path
        print(f"{room}: {len(chosen[room])} mutants", flush=True)
    return chosen, paths


def one(place, m, paths, tests, members, state):
    result = attempt(place, m, paths[identity(m)], tests, members, state)
    state.put({"id": identity(m), "file": m.file, "line": m.line, "before": m.before.strip(),
               "after": m.after.strip(), **result})
    print(f"{result['outcome']:9} {m.file}:{m.line}: {m.before.strip()}  =>  {m.after.strip()}  "
          f"[{result.get('by') or str(len(result['passed'])) + ' tests'}]", flush=True)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--seed", type=int, default=1, help="another one draws other mutants")
    ask.add_argument("--want", type=int, help=f"how many of each room (default: {MANY}, and {FEW} below {SMALL} lines)")
    ask.add_argument("--longest", type=float, default=float("inf"), help="leave out tests that take more seconds")
    ask.add_argument("--rooms", default=",".join(ROOMS), help="names, separated by commas")
    ask.add_argument("--jobs", type=int, default=os.cpu_count())
    ask.add_argument("--minutes", type=float, default=60, help="then it stops; the next call goes on")
    ask.add_argument("--again", choices=["survived", "killed", "all"], help="try these once more")
    ask.add_argument("--planted", action="store_true", help="those of planted.txt, none drawn")
    ask.add_argument("--table", action="store_true", help="only print what was found")
    a = ask.parse_args()
    rooms = a.rooms.split(",")
    for room in rooms:
        if room not in ROOMS:
            sys.exit(f"{room}: no room; there are: {' '.join(ROOMS)}")
    os.makedirs(f"{SCRATCH}/objects", exist_ok=True)
    end = time.monotonic() + 60 * a.minutes

    global NAMESPACES
    NAMESPACES = namespaces()
    state = State(a.seed)
    commands = Commands()
    sources, files = tree()
    if a.planted:
        order, wanted = planted()
    else:
        order, wanted = drawn([s for s in sources if s in commands.compile], a.seed, a.want)
    rooms = [room for room in rooms if wanted[room]]
    if a.table: # this is possible beside a run, too
        tried = ("killed", "survived")
        chosen = {}
        for room in rooms:
            chosen[room] = [m for m in order[room] if state.found.get(identity(m), {}).get("outcome") in tried]
    else:
        lock = open(f"{SCRATCH}/lock", "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"mutants: another run uses {SCRATCH}; --table shows what it found so far")
        places = [Place(i, commands) for i in range(a.jobs)]
        compiler = Compiler(commands)
        for place in places:
            compiler.add(place.folder)
        chosen, paths = choose(order, wanted, rooms, compiler, state, a.jobs)
        tests = [Test(f, commands) for f in files]
        tests = [t for t in tests if t.needs and any(t.belongs(r) for r in rooms)]
        tests = measure(tests, places, a.longest)
        members = {program: commands.members(program) for program in {n for t in tests for n in t.needs}}
        work = []
        for room in rooms:
            for k, m in enumerate(chosen[room]):
                was = state.found.get(identity(m), {}).get("outcome")
                if was in (None, "slow") or a.again in ("all", was):
                    # if the run is interrupted at any moment, all rooms have been tried equally far
                    work.append((k / len(chosen[room]), m, [t for t in tests if t.belongs(room)]))
        work.sort(key=lambda w: w[0])
        todo, turn = iter(work), threading.Lock()

        def worker(place):
            while time.monotonic() < end:
                with turn:
                    task = next(todo, None)
                if not task:
                    break
                one(place, task[1], paths, task[2], members, state)

        with ThreadPoolExecutor(len(places)) as pool:
            list(pool.map(worker, places))

        # A test that took too long may have been delayed by other tests, so it runs once more alone.
        for _, m, own in work:
            was = state.found.get(identity(m), {})
            if was.get("outcome") == "slow":
                test = next(t for t in own if t.path == was["by"])
                place = places[0]
                place.restore()
                for program in test.needs:
                    if os.path.basename(m.file)[:-2] + ".o" in members[program]:
                        place.link(program, m.file, paths[identity(m)])
                passed, _, _ = place.run(test, max(AT_LEAST, SLOWER * test.seconds))
                if passed:
                    one(place, m, paths, [t for t in own if t is not test], members, state)
                else:
                    state.put({**was, "outcome": "killed", "said": "too long, twice"})
                place.restore()

    lines, unexplained = table(chosen, state, reasons())
    print("\n".join(lines))
    with open(f"{SCRATCH}/table.md", "w") as f:
        f.write("\n".join(lines) + "\n")
    for m in unexplained:
        print(f"\n{m.file}\n- {m.before.strip()}\n+ {m.after.strip()}")
    left = sum(1 for r in chosen for m in chosen[r]
               if state.found.get(identity(m), {}).get("outcome") not in ("killed", "survived"))
    if left:
        print(f"{left} mutants are left: call it again")
    sys.exit(1 if unexplained or left else 0)


if __name__ == "__main__":
    main()
