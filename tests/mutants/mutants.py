#!/usr/bin/env python3
"""Plants small faults in harness/, one at a time, and finds out whether the tests of the room notice them.

    tests/mutants/mutants.py [--rooms record,analyze] [--longest 5] [--again survived]

`make mutants` builds everything first. mutations.py makes the faults. From those of each room, 40 are drawn, or 20 if the
room has fewer than 1000 lines. The same seed draws the same faults. A fault is not counted if it does not compile
without warnings, or if it does not change the machine code. Every other mutant is linked into the test programs of its
room and into redsweep. The tests run until one of them fails, and the mutant is then called killed. Tests that killed
other mutants of the same file run first, followed by the quickest tests. A test that takes five times its usual time
runs once more, alone on the machine. If it is too slow again, it has failed. With --longest, tests that take longer are
left out. With --again, mutants that survived are tried with the tests that they have not passed yet.

Each worker has a copy of the tree and of the build under build/mutants. Each test has a /tmp, a home and a separate
process namespace, with limits of memory and time, so nothing that a mutant does reaches the checkout. The outcomes are
kept in build/mutants/state.jsonl, so that an interrupted run continues where it stopped. `--again survived`, `--again
killed` and `--again all` try the mutants with this outcome once more. survivors.txt says why survivors are not killed.
The table for tests/README.md is written to build/mutants/table.md.
"""

import argparse
import fcntl
import hashlib
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(__file__))
from mutations import Mutation, mutations
from places import Commands, Place, Test, namespaces
from rooms import ROOMS, SCRATCH, room_of, run, tree

# A room with fewer than SMALL lines of C gets FEW mutants. All other rooms get MANY.
SMALL, FEW, MANY = 1000, 20, 40

# A test is stopped after SLOWER times its usual time, but never before AT_LEAST seconds.
SLOWER = 5
AT_LEAST = 20
QUICK = 2  # Tests that take at most this many seconds run first.


def identity(mutation):
    """Returns an id for a change to a line. It does not depend on the line number."""
    m = "\0".join([mutation.file, mutation.before.strip(), mutation.after.strip()])
    return hashlib.sha256(m.encode()).hexdigest()[:16]


def drawn(sources, seed, want):
    """Returns each room's mutations in the order in which they are tried, and how many are wanted."""
    order, size = {room: [] for room in ROOMS}, {room: 0 for room in ROOMS}
    for file in sources:
        with open(file) as source:
            text = source.read()
        order[room_of(file)] += mutations(file, text, seed)
        size[room_of(file)] += text.count("\n")
    for room in order:
        # Equal changes to equal lines are one mutant.
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
    """The outcomes so far, in a file with one line of JSON per mutant."""

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
    """Reads a file of this folder. Returns (file, lines before, line, its replacement, text below) for each entry."""
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
    """Reads survivors.txt. Returns, for each (file, line, replacement), why the mutant survives."""
    return {(b[0], b[2], b[3]): b[4] for b in blocks("survivors.txt")}


def planted():
    """Reads planted.txt. Returns each room's mutations, and how many there are."""
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
    """Returns the line of the table for each room, and the survivors for which no reason is known."""
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
    """Measures how long each test takes without a mutant. All places work at the same time, as they do later. The files
    that tests compile stay in the home, of which later tests get a copy. Returns the tests that pass within `longest`
    seconds."""
    path, home = f"{SCRATCH}/times.json", f"{SCRATCH}/home"
    limit = min(longest, 150)
    times, failed = {}, []  # negative: the test takes longer than the absolute value
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
    """Returns the outcome of one mutant: the first test that fails, or that no test fails."""
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
    """Returns the mutants of each room that are counted, as (mutation, object)."""
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


def arguments():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--seed", type=int, default=1, help="another seed draws other mutants")
    ask.add_argument("--want", type=int,
                     help=f"number of mutants of each room (default: {MANY}, and {FEW} below {SMALL} lines)")
    ask.add_argument("--longest", type=float, default=float("inf"), help="leave out tests that take more seconds")
    ask.add_argument("--rooms", default=",".join(ROOMS), help="names, separated by commas")
    ask.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of tests that run at a time")
    ask.add_argument("--minutes", type=float, default=60, help="stop after this time; the next call continues")
    ask.add_argument("--again", choices=["survived", "killed", "all"], help="try the mutants with this outcome again")
    ask.add_argument("--planted", action="store_true", help="try the mutants of planted.txt, and draw none")
    ask.add_argument("--table", action="store_true", help="only print what was found")
    a = ask.parse_args()
    a.rooms = a.rooms.split(",")
    for room in a.rooms:
        if room not in ROOMS:
            sys.exit(f"mutants: {room} is not a room; the rooms are {' '.join(ROOMS)}")
    return a


def work_of(chosen, tests, state, again):
    """Returns (mutant, the tests of its room) for each mutant to try. The order makes sure that about the same share of
    every room has been tried if the run is interrupted."""
    work = []
    for room, mutants in chosen.items():
        for k, m in enumerate(mutants):
            was = state.found.get(identity(m), {}).get("outcome")
            if was in (None, "slow") or again in ("all", was):
                work.append((k / len(mutants), m, [t for t in tests if t.belongs(room)]))
    work.sort(key=lambda w: w[0])
    return [(m, own) for _, m, own in work]


def try_all(work, places, paths, members, state, end):
    todo, turn = iter(work), threading.Lock()

    def worker(place):
        while time.monotonic() < end:
            with turn:
                task = next(todo, None)
            if not task:
                break
            one(place, task[0], paths, task[1], members, state)

    with ThreadPoolExecutor(len(places)) as pool:
        list(pool.map(worker, places))


def retry_slow(work, place, paths, members, state):
    """If a test took too long, runs it once more, alone, because other tests may have delayed it."""
    for m, own in work:
        was = state.found.get(identity(m), {})
        if was.get("outcome") != "slow":
            continue
        test = next(t for t in own if t.path == was["by"])
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


def try_mutants(a, commands, files, order, wanted, state):
    """Chooses mutants and tries them until the time limit of the call has passed. Returns the mutants of each room."""
    end = time.monotonic() + 60 * a.minutes
    unshare = namespaces()
    lock = open(f"{SCRATCH}/lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"mutants: another run uses {SCRATCH}; --table shows what it found so far")
    places = [Place(i, commands, unshare) for i in range(a.jobs)]
    compiler = Compiler(commands)
    for place in places:
        compiler.add(place.folder)
    chosen, paths = choose(order, wanted, a.rooms, compiler, state, a.jobs)
    tests = [Test(f, commands) for f in files]
    tests = [t for t in tests if t.needs and any(t.belongs(r) for r in a.rooms)]
    tests = measure(tests, places, a.longest)
    members = {program: commands.members(program) for program in {n for t in tests for n in t.needs}}
    work = work_of(chosen, tests, state, a.again)
    try_all(work, places, paths, members, state, end)
    retry_slow(work, places[0], paths, members, state)
    return chosen


def main():
    a = arguments()
    os.makedirs(f"{SCRATCH}/objects", exist_ok=True)
    state = State(a.seed)
    commands = Commands()
    sources, files = tree()
    if a.planted:
        order, wanted = planted()
    else:
        order, wanted = drawn([s for s in sources if s in commands.compile], a.seed, a.want)
    a.rooms = [room for room in a.rooms if wanted[room]]
    tried = ("killed", "survived")
    if a.table:  # another call may be trying mutants at the same time
        chosen = {room: [m for m in order[room] if state.found.get(identity(m), {}).get("outcome") in tried]
                  for room in a.rooms}
    else:
        chosen = try_mutants(a, commands, files, order, wanted, state)

    lines, unexplained = table(chosen, state, reasons())
    print("\n".join(lines))
    with open(f"{SCRATCH}/table.md", "w") as f:
        f.write("\n".join(lines) + "\n")
    for m in unexplained:
        print(f"\n{m.file}\n- {m.before.strip()}\n+ {m.after.strip()}")
    left = sum(1 for r in chosen for m in chosen[r] if state.found.get(identity(m), {}).get("outcome") not in tried)
    if left:
        print(f"{left} mutants have not been tried; call the command again")
    sys.exit(1 if unexplained or left else 0)


if __name__ == "__main__":
    main()
