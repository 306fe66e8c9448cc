"""Gives a malicious run folder to every command that reads a folder. test_hostile.sh calls this script.

    hostile.py REDSWEEP DEVICES ROOT WORK PART…

DEVICES is build/tests/devices, which contains the program for a fake GPU. PART is cells, samples, members or files.
Whatever the folder contains, the following must hold. Nothing in the folder is executed. Outside of the folder, no file
is written, emptied, created or removed. Pages and pictures contain no scripts except redsweep's own. Neither control
characters nor whole lines from the folder reach the terminal. No command hangs or is killed by a signal. All commands
of `redsweep --help` are tried, so a new command must be added to COMMANDS.
"""
import base64
import csv
import hashlib
import html.parser
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import xml.etree.ElementTree

REDSWEEP, DEVICES, ROOT, WORK = (pathlib.Path(a).resolve() for a in sys.argv[1:5])
LIMIT_S = 60
CANARY = WORK / "canary"  # a payload that gets executed leaves a file here
OUTSIDE = WORK / "outside"
PLACE = WORK / "place"  # where the commands run
FORGED = "redsweep: FORGED"
DO = f"touch {CANARY}/executed"
PAYLOAD = (f"*/\n{FORGED}\n'\"$({DO})`{DO}`;{DO};|{DO}&'+system('{DO}')+'%s%n%d\\ "
           f"<script>alert(1)</script><img src=x onerror=alert(2)>]]>--><svg onload=alert(3)></style></title></textarea>"
           f"[a](javascript:alert(4))| \x1b]0;owned\x07\x1b[2J\x9b\x7f\r\n{FORGED}\r{FORGED}\n\t{FORGED}")

failed = checks = 0


def check(what, holds, found=""):
    global failed, checks
    checks += 1
    if not holds:
        failed += 1
        print(f"test_hostile: FAILED: {what}" + (f": {found}" if found != "" else ""), flush=True)
    return holds


# ---- Commands -------------------------------------------------------------------------------------

H, G, TIMED, OUT = "{hostile}", "{good}", "{timed}", "{out}"
# redsweep puts this element, which reloads the page, on the page of a run that is in progress or
# was killed.
REFRESH = {"http-equiv": "refresh", "content": "5"}
IN_IT = "in it"  # the command's working directory is the hostile folder
FAKE_GPU = "on a GPU that is none"
# Each command gets the hostile folder alone, and then with a good run before or after it.
COMMANDS = {
    "run": [["run", "{config}", "--device", f"replay:{H}", "--out", f"{OUT}/r", "--quiet"],
            ["run", "{timed}.json", "--device", f"replay:{H}", "--out", f"{OUT}/r", "--quiet"],
            ["run", "{config}", "--device", "sim", "--out", H, "--quiet"], [IN_IT, "run", "{config}", "--device", "sim", "--quiet"]],
    "resume": [["resume", H], ["resume", H, "--anyway", "--quiet", "--retry", "wrong,crashed,ok"]],
    "merge": [["merge", H, "--out", f"{OUT}/m"], ["merge", H, G, "--out", f"{OUT}/n"], ["merge", "{shard}", "--out", H]],
    "log": [["log", "."], ["log", H, "--json", "-", "--html", f"{OUT}/log.html"]],
    "history": [["history", "."], ["history", H, TIMED, "--json", "-", "--html", f"{OUT}/history.html", "--github", f"{OUT}/github.json"]],
    "status": [["status", H], ["status", H, G, "--json", "-"]],
    "submit": [["submit", "{config}", "--tasks", "2", "--out", H]],
    "doctor": [["doctor", "--device", f"replay:{H}"]],
    "list": [["list", "devices"]],
    "show": [["show", H], ["show", H, "--info"], ["show", H, "--json", "-", "--html", f"{OUT}/show.html"],
             ["show", H, "--where", "kernel != x", "--columns", "*"],
             ["show", H, "--columns", "kernel,'of a thousand' = time_us_median / 1000,twice = n * 2", "--csv", f"{OUT}/computed.csv",
              "--markdown", f"{OUT}/computed.md"]],
    "diff": [["diff", H, G], ["diff", G, H], ["diff", H, H, "--html", f"{OUT}/diff.html", "--markdown", f"{OUT}/diff.md",
             "--junit", f"{OUT}/diff.xml", "--json", f"{OUT}/diff.json"], ["diff", G, G, "--aa", H],
             ["diff", TIMED, H],
             ["diff", "--baseline", H, TIMED, "--candidate", TIMED, H, "--html", f"{OUT}/pooled.html", "--markdown", f"{OUT}/pooled.md",
              "--junit", f"{OUT}/pooled.xml"],
             ["diff", H, G, "--across-cards", "--html", f"{OUT}/cards.html", "--junit", f"{OUT}/cards.xml"]],
    "gate": [["gate", "{config}", "--baseline", "{kernels}", "--candidate", "{kernels}", "--device", "sim", "--out", H]],
    "best": [["best", H], ["best", H, TIMED], ["best", H, G, "--across-cards"], ["best", H, "--json", f"{OUT}/best.json", "--html", f"{OUT}/best.html"],
             ["best", H, "--at", "16x64,1024", "--html", f"{OUT}/at.html"], ["best", TIMED, H, "--at", "1024"]],
    "plots": [["plots", H, "time", "--format", "svg"], ["plots", H], ["plots", H, TIMED, "--format", "svg"],
              ["plots", TIMED, H, "bandwidth", "--format", "svg"], ["plots", TIMED, "search", "--truth", H, "--format", "svg"],
              ["plots", TIMED, "shapes", "--peers", H, "--format", "svg"], [IN_IT, "plots", ".", "time", "--format", "svg"],
              ["plots", H, "samples", "--format", "svg"], ["plots", H, "spread", "--format", "svg"]],
    "report": [["report", H], ["report", H, "--html", f"{OUT}/report.html"]],
    "tuned": [["tuned", H, "--out", f"{OUT}/lib"], ["tuned", TIMED, "--out", H],
              [FAKE_GPU, "tuned", H, TIMED, "--out", f"{OUT}/lib", "--shapes", "{shapes}", "--device", "cuda"],
              [FAKE_GPU, "tuned", TIMED, "--out", H, "--shapes", "{shapes}", "--device", "cuda"]],
    "export": [["export", H, "--out", f"{OUT}/t4"], ["export", G, "--out", H]],
    "racecheck": [], "import": [], "new": [],  # these read kernels but no run folder
}
# These commands read rows or a manifest. Each is tried on hundreds of folders, each damaged in one
# place.
ROW_READERS = {"show": [0], "plots": [0]}
SAMPLE_READERS = {"show": [0], "diff": [0, 4], "plots": [7, 8], "run": [1], "resume": [1]}
MANIFEST_READERS = {"show": [1], "report": [0]}
# Commands compare these members of run.json with the running version of redsweep, with the config
# or with another run.
COMPARED = {"kernels", "more_kernels", "config", "config_text", "config_overrides", "sources_hash", "status", "compiler", "device",
            "device_option", "uuid", "shard", "process"}


def known_commands():
    text = subprocess.run([REDSWEEP, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  redsweep ([a-z]+) ", text, re.M)
    check("the commands of --help are those that are tried here", sorted(names) == sorted(COMMANDS),
          sorted(set(names) ^ set(COMMANDS)))
    return names


def environment():
    env = dict(os.environ, REDSWEEP_HOME=str(ROOT), REDSWEEP=str(REDSWEEP), REDSWEEP_CACHE=str(WORK / "cache"),
               PATH=f"{WORK}/bin:{os.environ['PATH']}", HOME=str(WORK / "home"), LC_ALL="C.UTF-8",
               REDSWEEP_CUPTI=str(DEVICES / "fake_cupti.so"), REDSWEEP_NVML=str(DEVICES / "fake_nvml.so"))
    for name in ("GNUPLOT_LIB", "PAGER"):
        env.pop(name, None)
    return env


def call(arguments, what, cwd=None, program=None):
    """Runs a redsweep command. Returns its exit code, or None after a failure that it has reported."""
    try:
        done = subprocess.run([program or REDSWEEP, *arguments], capture_output=True, stdin=subprocess.DEVNULL, cwd=cwd or PLACE,
                              env=ENVIRONMENT, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        check(f"{what} ends", False)
        return None
    check(f"{what} is not killed", 0 <= done.returncode < 128, done.returncode)
    printed = done.stdout + done.stderr
    try:
        text = printed.decode()
    except UnicodeDecodeError as e:
        check(f"{what} prints UTF-8", False, e)
        return None
    control = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    check(f"{what} prints no control character", not control, control and repr(text[max(0, control.start() - 60):control.end() + 20]))
    if "-" not in arguments:  # a quoted CSV cell may contain a line break
        forged = re.search(rf"^\s*{FORGED}.*", text, re.M)
        check(f"{what} prints no line of the folder", not forged, forged and repr(text[max(0, forged.start() - 100):forged.end()]))
    return done.returncode


# ---- What the commands wrote ----------------------------------------------------------------------

class Page(html.parser.HTMLParser):
    """Collects the parts of a page that a browser would execute."""
    VOID = ("script", "style")

    def __init__(self):
        super().__init__()
        self.scripts, self.policy, self.wrong, self.inside, self.tags = [], "", [], None, set()
        self.data, self.is_data = [], False  # script elements that hold data; browsers do not execute their type

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag == "script":
            self.inside = ""
            self.is_data = attributes == [("type", "application/json"), ("id", "charts-data")]
        if tag in ("iframe", "object", "embed", "base", "link", "foreignobject"):
            self.wrong.append(tag)
        for name, value in attributes:
            value = value or ""
            if name.startswith("on") or name in ("srcdoc", "style", "formaction", "action"):
                self.wrong.append(f"{tag} {name}")
            if name in ("href", "src", "xlink:href", "data") and not re.match(r"(#|data:image/|[./A-Za-z0-9_-]+$)", value):
                self.wrong.append(f"{tag} {name}={value[:80]}")
        attributes = dict(attributes)
        if tag == "meta" and attributes.get("http-equiv", "").lower() == "content-security-policy":
            self.policy = attributes["content"]
        elif tag == "meta" and "http-equiv" in attributes and attributes != REFRESH:
            self.wrong.append(f"meta {attributes}")

    def handle_data(self, data):
        if self.inside is not None:
            self.inside += data

    def handle_endtag(self, tag):
        if tag == "script" and self.inside is not None:
            (self.data if self.is_data else self.scripts).append(self.inside)
            self.inside = None


def read_page(path, what):
    page = Page()
    page.feed(path.read_text())
    page.close()
    check(f"{what}: nothing runs in {path.name}", not page.wrong, page.wrong)
    check(f"{what}: {path.name} has the script that pages have", [hashlib.sha256(s.encode()).hexdigest() for s in page.scripts] == OWN_SCRIPTS or not OWN_SCRIPTS, len(page.scripts))
    check(f"{what}: {path.name} has data of charts once, as JSON", len(page.data) <= 1 and all("<" not in d and json.loads(d) for d in page.data), page.data)
    allowed = ["'sha256-" + base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() + "'" for s in page.scripts]
    policy = dict(p.strip().split(" ", 1) for p in page.policy.split(";") if " " in p.strip())
    check(f"{what}: {path.name} allows its own script alone", policy.get("script-src", "").split() == allowed and policy.get("default-src") == "'none'", page.policy)
    return page


def read_picture(path, what):
    try:
        tree = xml.etree.ElementTree.parse(path)
    except xml.etree.ElementTree.ParseError as e:
        check(f"{what}: {path.name} is well-formed", False, e)
        return
    for node in tree.iter():
        tag = node.tag.split("}")[-1]
        check(f"{what}: {path.name} has no {tag}", tag not in ("script", "foreignObject", "iframe", "a", "animate", "set", "handler"))
        for name, value in node.attrib.items():
            name = name.split("}")[-1]
            check(f"{what}: {path.name} has no {name}", not name.startswith("on"))
            if name == "href":
                check(f"{what}: {path.name} refers to itself alone", value.startswith("#"), value)


def read_written(folder, what, planted):
    """Reads and checks every file in a folder that a command has added."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file() or path in planted:
            continue
        if path.suffix == ".html":
            read_page(path, what)
        elif path.suffix == ".svg":
            read_picture(path, what)
        elif path.suffix == ".xml":
            try:
                xml.etree.ElementTree.parse(path)
            except xml.etree.ElementTree.ParseError as e:
                check(f"{what}: {path.name} is well-formed", False, e)
        elif path.suffix == ".md":
            text = path.read_text()
            check(f"{what}: {path.name} has no element of the folder", not re.search(r"(?<!\\)<(script|img|svg)", text), re.findall(r".{20}<(?:script|img|svg).{20}", text)[:1])
            check(f"{what}: {path.name} has no line of the folder", not re.search(rf"^\s*{FORGED}", text, re.M))
        elif path.suffix == ".json" and path.stat().st_size:
            json.loads(path.read_text())
        elif path.suffix in (".c", ".h", ".cu"):
            text = path.read_text(errors="replace")
            check(f"{what}: {path.name} has nothing of the folder outside of comments", FORGED not in re.sub(r"/\*.*?\*/", "", text, flags=re.S))
            check(f"{what}: {path.name} has no line of the folder", not re.search(rf"^\s*{FORGED}", text, re.M))


def state(folder):
    """Returns the name, kind, content and time of every file below a folder. Does not follow links."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        st = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(st.st_mode) else os.readlink(path) if path.is_symlink() else ""
        found[str(path)] = (stat.S_IFMT(st.st_mode), content, st.st_mtime_ns)
    return found


# ---- Folders --------------------------------------------------------------------------------------

def make_outside():
    shutil.rmtree(OUTSIDE, ignore_errors=True)
    (OUTSIDE / "folder").mkdir(parents=True)
    (OUTSIDE / "folder" / "kept").write_text("kept\n")
    for i in range(60):
        (OUTSIDE / f"victim{i}").write_text("precious\n")
    CANARY.mkdir(exist_ok=True)


def copy_run(source, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)


def edit_rows(folder, edit):
    """Calls edit(header, row) for each row, which changes the row."""
    path = folder / "results.csv"
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    for row in rows[1:]:
        edit(rows[0], row)
    with open(path, "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows(rows)


def member_paths(value, at=()):
    """Yields the path of each plain value in a manifest. In a list, visits only the first element."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from member_paths(inner, (*at, name))
        yield (*at, None)
    elif isinstance(value, list):
        if value:
            yield from member_paths(value[0], (*at, 0))
    else:
        yield at


def plant_member(manifest, at):
    """Replaces the value at the path with the payload. If the path ends with None, adds a member whose name is the payload."""
    value = manifest
    for name in at[:-1]:
        value = value[name]
    if at[-1] is None:
        value[PAYLOAD] = PAYLOAD
    else:
        value[at[-1]] = PAYLOAD


def edit_manifest(folder, paths):
    path = folder / "run.json"
    manifest = json.loads(path.read_text())
    for at in paths:
        plant_member(manifest, at)
    path.write_text(json.dumps(manifest))


def fill(words):
    """Returns a command's words, whether it runs in the hostile folder, and the program that runs it."""
    values = {"hostile": HOSTILE_NAME, "good": str(GOOD), "timed": str(WORK / "timed"), "shard": str(WORK / "shard"), "out": "out",
              "config": str(CONFIG), "kernels": str(KERNELS), "shapes": str(WORK / "shapes")}
    inside, fake = words[0] == IN_IT, words[0] == FAKE_GPU
    return [w.format(**values) for w in words[inside or fake:]], inside, DEVICES / "fake_gpu" / "redsweep" if fake else REDSWEEP


def try_commands(folder, what, which=None):
    """Runs each command on a fresh copy of the folder and returns the exit codes."""
    codes = {}
    for name in NAMES if which is None else which:
        for i, words in enumerate(COMMANDS[name]):
            if which is not None and which[name] is not None and i not in which[name]:
                continue
            hostile = PLACE / HOSTILE_NAME
            shutil.rmtree(PLACE, ignore_errors=True)
            out = PLACE / "out"
            out.mkdir(parents=True)
            copy_tree(folder, hostile)
            before = set(hostile.rglob("*"))
            words, inside, program = fill(words)
            title = f"{what}: {name} {i}"
            codes[name, i] = call(words, title, cwd=hostile if inside else PLACE, program=program)
            check(f"{title} executes nothing", not any(CANARY.iterdir()))
            for left in CANARY.iterdir():
                left.unlink()
            if state(OUTSIDE) != OUTSIDE_STATE:
                now = state(OUTSIDE)
                changed = [p for p in {*now, *OUTSIDE_STATE} if now.get(p) != OUTSIDE_STATE.get(p)]
                check(f"{title} touches nothing outside", False, changed)
                reset_outside()
            strange = {p.name for p in PLACE.iterdir()} - {HOSTILE_NAME, "out", "results", HOSTILE_NAME + ".part"}
            check(f"{title} writes into its folders alone", not strange, strange)
            read_written(out, title, ())
            read_written(hostile, title, before)
            if (PLACE / "results").exists():
                read_written(PLACE / "results", title, ())
    return codes


def copy_tree(source, folder):
    """Copies a folder with cp -a, which keeps links, pipes and hard links."""
    subprocess.run(["cp", "-a", str(source), str(folder)], check=True)


def reset_outside():
    global OUTSIDE_STATE
    make_outside()
    OUTSIDE_STATE = state(OUTSIDE)


# ---- The cases ------------------------------------------------------------------------------------

def every_cell(source):
    """Adds the payload to each column in turn. Returns the columns that accept it, which are the text columns."""
    with open(source / "results.csv", newline="") as f:
        header = next(csv.reader(f))
    folder = WORK / "case"
    accepted = []
    for column in header:
        copy_run(source, folder)
        at = header.index(column)
        edit_rows(folder, lambda _, row, at=at: row.__setitem__(at, row[at] + PAYLOAD))
        codes = try_commands(folder, f"column {column}", ROW_READERS)
        if codes["show", 0] == 0:
            accepted.append(column)
    check("some columns of text are accepted", len(accepted) >= 8, accepted)
    return accepted


def all_cells(source, accepted):
    """Adds the payload to all text columns at once, and tries all commands."""
    folder = WORK / "case"
    copy_run(source, folder)

    def edit(header, row):
        for column in accepted:
            if column in header and column not in ("status", "id"):  # so rows are still used
                row[header.index(column)] += PAYLOAD
    edit_rows(folder, edit)
    codes = try_commands(folder, "all cells")
    check("show and report read what is in all cells", codes["show", 0] == 0 and codes["report", 0] == 0, codes)


SAMPLES = {"a payload": PAYLOAD, "no number": "fast", "nothing": "", "a number and more": "5+0*system('" + DO + "')", "nan": "nan",
           "infinite": "inf", "negative": "-5", "hexadecimal": "0x10", "huge": "9" * 400, "long": "1" * 100000, "quotes": '"5\n6"',
           "a byte 0": "5\0006"}


def every_sample(source):
    """Puts invalid numbers into each column of samples.csv, drops or adds a line, and changes the header. Every command
    that reads samples must refuse the file."""
    folder = WORK / "case"
    text = (source / "samples.csv").read_text()
    lines = text.splitlines(keepends=True)
    cases = {f"{title} as {name}": lambda row, at=at, value=value: [*row[:at], value, *row[at + 1:]]
             for at, name in enumerate(lines[0].strip().split(",")) for title, value in SAMPLES.items()}
    cases |= {"a cell too many": lambda row: [*row, PAYLOAD], "a cell too few": lambda row: row[:2]}
    whole = {"another header": [PAYLOAD + "\n", *lines[1:]], "a line too few": lines[:-1], "a line too many": [*lines, lines[-1]],
             "no sample": lines[:1], "nothing at all": []}
    for title, edit in cases.items():
        row = edit(lines[-2].rstrip("\n").split(","))
        whole[title] = [*lines[:-2], ",".join(row) + "\n", lines[-1]]
    for title, changed in whole.items():
        copy_run(source, folder)
        (folder / "samples.csv").write_text("".join(changed))
        codes = try_commands(folder, f"samples: {title}", SAMPLE_READERS)
        accepted = [f"{name} {i}" for (name, i), code in codes.items() if code == 0]
        # A replay draws from the samples in the file, even if the rows state a different number of
        # samples.
        expected = ["run 1"] if title in ("a line too few", "a line too many", "no sample") else []
        if title != "nothing as sample":
            check(f"samples: {title}: refused", accepted == expected, accepted)


def every_member(source, alone):
    """Plants the payload in each member of the manifest alone, and tries the commands that read the manifest. Then plants
    it in all members for which it was accepted, and tries all commands. If requested, does the same for each member of
    COMPARED alone."""
    folder = WORK / "case"
    accepted = []
    paths = list(member_paths(json.loads((source / "run.json").read_text())))
    for at in paths:
        copy_run(source, folder)
        edit_manifest(folder, [at])
        codes = try_commands(folder, "member " + ".".join("NEW" if a is None else str(a) for a in at), MANIFEST_READERS)
        if codes["show", 1] == 0:
            accepted.append(at)
    check("many members are accepted", len(accepted) >= 40, len(accepted))
    copy_run(source, folder)
    edit_manifest(folder, sorted(accepted, key=lambda at: at[-1] is None))
    try_commands(folder, "all members")
    # Many commands refuse a run because of a member that they compare with this version, the config
    # or another run. A payload there would hide the rest of the file from them. Such members
    # therefore get the payload one at a time (if requested), and never along with the others.
    compared = [at for at in accepted if COMPARED & set(at)]
    for at in compared if alone else ():
        copy_run(source, folder)
        edit_manifest(folder, [at])
        try_commands(folder, "only " + ".".join("NEW" if a is None else str(a) for a in at))
    copy_run(source, folder)
    edit_manifest(folder, sorted(set(accepted) - set(compared), key=lambda at: (at[-1] is None, str(at))))
    codes, right = try_commands(folder, "members that are not compared"), try_commands(source, "the run itself")
    check("they change no exit code", codes == right, {k: (codes[k], right[k]) for k in right if codes[k] != right[k]})
    return accepted


def every_file(source, names):
    """Replaces each file with a link to a file, then a hard link, a dangling link, a link to a folder, a pipe and a folder."""
    def link(path, i):
        path.symlink_to(OUTSIDE / f"victim{i}")

    def second_name(path, i):
        os.link(OUTSIDE / f"victim{i}", path)

    def link_to_nothing(path, i):
        path.symlink_to(OUTSIDE / f"new{i}")

    def link_to_folder(path, _):
        path.symlink_to(OUTSIDE / "folder")

    def pipe(path, _):
        os.mkfifo(path)

    def empty_folder(path, _):
        path.mkdir()

    read = [n for n in names if (source / n).is_file()]
    for plant in (link, second_name, link_to_nothing, link_to_folder, pipe, empty_folder):
        # A command exits at once if .lock is not a regular file, so .lock is replaced on its own.
        for replaced in [[n for n in names if n not in read and n != ".lock"], [".lock"], *([n] for n in read)]:
            folder = WORK / "case"
            shutil.rmtree(folder, ignore_errors=True)
            copy_tree(source, folder)
            for i, name in enumerate(replaced):
                path = folder / name
                path.parent.mkdir(exist_ok=True)
                if path.is_dir() and not path.is_symlink():
                    continue
                path.unlink(missing_ok=True)
                plant(path, i)
            several = len(replaced) > 1
            try_commands(folder, f"{plant.__name__} as {'what is written' if several else replaced[0]}", None if several else FIRST)


def written_names(source):
    """Returns the names of the files that commands leave in a harmless run's folder, and the names of their temporary files."""
    names = {p.relative_to(source).as_posix() for p in source.rglob("*") if p.is_file()}
    global HOSTILE_NAME
    kept, HOSTILE_NAME = HOSTILE_NAME, "harmless"
    for name in NAMES:
        for words in COMMANDS[name]:
            if not {H, f"replay:{H}", IN_IT} & set(words):
                continue
            shutil.rmtree(PLACE, ignore_errors=True)
            (PLACE / "out").mkdir(parents=True)
            if H not in words or words[words.index(H) - 1] != "--out":
                copy_tree(source, PLACE / HOSTILE_NAME)
            words, inside, program = fill(words)
            call(words, f"harmless: {name}", cwd=PLACE / HOSTILE_NAME if inside else PLACE, program=program)
            names |= {p.relative_to(PLACE / HOSTILE_NAME).as_posix() for p in (PLACE / HOSTILE_NAME).rglob("*") if p.is_file()}
    HOSTILE_NAME = kept
    check("the commands write what they are known to", {"report.html", "run.json", "submit.sh", "table.csv"} <= names, sorted(names))
    names = {n for n in names if not n.startswith("results/")}
    return sorted(names | {f"{n}.part" for n in names} | {".lock", ".merge", "anchors.csv", "plots/time.svg", "logs", "cache", "results/latest"})


def main():
    global NAMES, ENVIRONMENT, GOOD, CONFIG, KERNELS, OUTSIDE_STATE, OWN_SCRIPTS, HOSTILE_NAME, FIRST
    GOOD, CONFIG, KERNELS = WORK / "good", WORK / "c.json", WORK / "kernels"
    HOSTILE_NAME = f"it's a $({DO.replace('/', '%2f')}) <b>\x1b[2J\x9b\n{FORGED}\r"
    OWN_SCRIPTS = []
    ENVIRONMENT = environment()
    for folder in (CANARY, PLACE, WORK / "bin", WORK / "home"):
        folder.mkdir(parents=True)
    for name in ("id", "sbatch", "scontrol", "curl", "xdg-open"):
        trap = WORK / "bin" / name
        trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >{CANARY}/{name}\n" if name not in ("sbatch", "scontrol") else "#!/bin/sh\necho 1\n")
        trap.chmod(0o755)
    reset_outside()
    NAMES = known_commands()
    FIRST = {name: [0] for name in NAMES}
    KERNELS.mkdir()
    shutil.copy(next((ROOT / "kernels").rglob("interleaved.cu")), KERNELS)
    CONFIG.write_text('{"kernels": ["interleaved", "cpu_loop"], "sizes": [64, 128, 4096], "types": ["int32"], "metrics": ["gld_transactions"]}')
    made = call(["run", str(CONFIG), "--device", "sim", "--out", str(GOOD), "--quiet"], "the good run")
    check("the good run", made == 0, made)
    call(["report", str(GOOD)], "the good page")
    OWN_SCRIPTS = [hashlib.sha256(s.encode()).hexdigest() for s in read_page(GOOD / "report.html", "the good page").scripts]
    check("a page has one script", len(OWN_SCRIPTS) == 1, OWN_SCRIPTS)
    (GOOD / "report.html").unlink()
    # Some tests also need a run whose times `tuned` accepts, a shard, a GPU run with few rows, and
    # a stopped run.
    (WORK / "shapes").write_text("int32 sum 1024\n")
    timed = WORK / "timed.json"
    timed.write_text('{"kernels": ["onepass_ticket", "onepass_slots"], "sizes": [1024, 4096], "types": ["int32"], "scope": ["kernel", "complete"], "metrics": []}')
    made = [call(["run", str(timed), "--device", "cuda", "--out", str(WORK / "timed"), "--quiet"], "the timed run", program=DEVICES / "fake_gpu" / "redsweep"),
            call(["run", str(CONFIG), "--device", "sim", "--shard", "0/1", "--out", str(WORK / "shard"), "--quiet"], "the shard")]
    check("the timed run and the shard", made == [0, 0], made)
    gpu, stopped = WORK / "gpu", WORK / "stopped"
    copy_run(ROOT / "results" / "reference" / "h100-minute-cuda13", gpu)
    with open(gpu / "results.csv", newline="") as f:
        rows = list(csv.reader(f))
    rows = [rows[0], *rows[1::len(rows) // 12]]
    with open(gpu / "results.csv", "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows(rows)
    (gpu / "samples.csv").unlink()
    copy_run(GOOD, stopped)
    (stopped / "results.json").unlink()
    lines = (stopped / "results.csv").read_text().splitlines(keepends=True)
    (stopped / "results.csv").write_text("".join(lines[:3]))
    which = sys.argv[5:]
    if "cells" in which:
        texts = every_cell(gpu)
        all_cells(gpu, texts)
        all_cells(WORK / "timed", texts)
    if "samples" in which:
        every_sample(WORK / "timed")
    if "members" in which:
        every_member(WORK / "timed", True)
        every_member(stopped, False)
    if "files" in which:
        every_file(stopped, written_names(stopped))
    print(f"test_hostile: {sys.argv[5]}: {checks} checks, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
