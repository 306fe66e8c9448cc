#!/usr/bin/env python3
"""Makes a Python package of the library that `redsweep tuned` wrote.

  wheel.py OUT PREFIX VERSION INCLUDE RUNTIME

OUT contains PREFIX_tuned.h and its table. INCLUDE is the folder of CUDA's headers. RUNTIME is the path of
libcudart_static.a or libcudart.so. The program writes OUT/PREFIX_tuned-VERSION-cp310-abi3-linux_MACHINE.whl, which is
for Python 3.10 and newer. $CC is the compiler. $PYTHON_INCLUDE is the folder of Python.h, which may come from any of
these versions.
"""
import base64
import hashlib
import os
import platform
import shlex
import subprocess
import sys
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def refuse(why):
    sys.exit(f"redsweep tuned --wheel: {why}")


def compile_module(out, name, include, runtime):
    headers = os.environ.get("PYTHON_INCLUDE") or sysconfig.get_path("include")
    if not os.path.exists(os.path.join(headers, "Python.h")):
        refuse(f"there is no {headers}/Python.h; install it with apt-get install python3-dev (dnf install python3-devel), "
               "or $PYTHON_INCLUDE names the folder of another Python 3.10 or newer")
    if sys.version_info < (3, 10) and not os.environ.get("PYTHON_INCLUDE"):
        refuse(f"it needs the headers of Python 3.10 or newer, but this is {platform.python_version()}; name another one in $PYTHON")
    module = os.path.join(out, f"{name}.abi3.so")
    shared = [] if runtime.endswith(".a") else [f"-Wl,-rpath,{os.path.dirname(os.path.abspath(runtime))}"]
    command = shlex.split(os.environ.get("CC") or "cc") + [
        "-std=gnu11", "-O2", "-s", "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--exclude-libs,ALL", "-Wall",
        f"-I{os.path.dirname(HERE)}", f"-I{out}", "-isystem", include, "-isystem", headers,
        os.path.join(HERE, "python.c"), runtime, *shared, "-lpthread", "-ldl", "-lrt", "-lm", "-o", module]
    try:
        compiled = subprocess.run(command, check=False)
    except OSError as error:
        refuse(f"{command[0]}: {error.strerror}; name a C compiler in $CC")
    if compiled.returncode:
        refuse(f"{command[0]} failed (exit code {compiled.returncode})")
    return module


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def pack(path, files):
    """Writes a wheel whose bytes depend only on its files."""
    record = path["info"] + "/RECORD"
    lines = [f"{name},{digest(content)},{len(content)}\n" for name, content in files.items()] + [f"{record},,\n"]
    with zipfile.ZipFile(path["wheel"] + ".part", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, record: "".join(lines).encode()}.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    os.replace(path["wheel"] + ".part", path["wheel"])


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    out, prefix, version, include, runtime = sys.argv[1:]
    name = f"{prefix}_tuned"
    tag = f"cp310-abi3-linux_{platform.machine()}"
    path = {"wheel": os.path.join(out, f"{name}-{version}-{tag}.whl"), "info": f"{name}-{version}.dist-info"}
    module = compile_module(out, name, include, runtime)
    with open(module, "rb") as file:
        content = file.read()
    os.remove(module)
    about = f"""Metadata-Version: 2.1
Name: {name.replace("_", "-")}
Version: {version}
Summary: Reductions on a GPU, chosen by measurement (redsweep tuned)
Requires-Python: >=3.10
"""
    kind = f"Wheel-Version: 1.0\nGenerator: redsweep tuned\nRoot-Is-Purelib: false\nTag: {tag}\n"
    pack(path, {f"{name}.abi3.so": content, path["info"] + "/METADATA": about.encode(),
                path["info"] + "/WHEEL": kind.encode()})
    print(path["wheel"])


if __name__ == "__main__":
    main()
