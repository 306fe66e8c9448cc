"""Where tests run: copies of the tree that a mutant cannot leave."""

import ctypes
import functools
import hashlib
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

from rooms import LEFT_OUT, NEAR, ONLY_FOR, ROOMS, SCRATCH, run

MEMORY = 16 << 30  # address space for each of a test's processes
PRCTL = ctypes.CDLL(None).prctl


class Commands:
    """The Makefile's commands: how each object is compiled and each program is linked."""

    def __init__(self):
        # Without -g, compiling takes half as long and produces the same code.
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
        # -MMD would write a file next to the output, which does not belong to the build.
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
    """Returns a hash of all files that the tests of a folder may include or read: the files that are not tests."""
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
    """A worker's own copy of the tree, in which tests run one by one."""

    def __init__(self, number, commands, unshare):
        self.folder = os.path.realpath(f"{SCRATCH}/place-{number}")
        self.commands = commands
        self.unshare = unshare  # the command of namespaces()
        self.changed = set()  # programs that contain a mutant right now
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
        """Links the program with the mutant. The mutant comes before the library, so the linker does not use the library's
        object of the same source."""
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
        """Returns (whether it passed, seconds, the end of its output). If the test took too long, the first value is None."""
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
                [*self.unshare, "sh", "-c", inside, self.folder + "/" + test.program],
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
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup, the tests of this signal would wait forever
    PRCTL(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: the process ends with its parent
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
