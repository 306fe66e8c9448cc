"""This module runs sweeps from Python and reads them as pandas tables.

    import redsweep
    folder = redsweep.run(kernels="interleaved,unroll", sizes="2^14..2^20")
    rows = redsweep.load(folder)
    redsweep.best(folder)
    redsweep.diff("results/before", folder)

The program `redsweep` does the work. This module starts it and passes on its messages. Tables need pandas
(`pip install redsweep[pandas]`).
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

if TYPE_CHECKING:
    import pandas

__all__ = ["RedsweepError", "best", "diff", "load", "program", "run"]

Folder = Union[str, "os.PathLike[str]"]

# Maps column types in run.json to pandas types, all of which can represent missing values.
DTYPES = {"text": "string", "number": "Float64", "count": "Int64"}


FIRST_DRIVER_OF_CUDA_13 = 580


class RedsweepError(Exception):
    """This error contains redsweep's message, without the name of the program, and redsweep's exit code.

    The code is 2 for a wrong command or config, 3 for a stopped run, and 4 for a locked run.
    """

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code


def _driver_major() -> int | None:
    """Returns the major version of NVIDIA's driver, or None without a driver."""
    try:
        return int(Path("/sys/module/nvidia/version").read_text(encoding="ascii").split(".")[0])
    except (OSError, ValueError):
        return None


def program() -> str:
    """Returns the path of the program.

    It is $REDSWEEP, or else the program of this package that fits the driver, or else the first one on the PATH.
    """
    driver = _driver_major()
    cuda = 12 if driver is not None and driver < FIRST_DRIVER_OF_CUDA_13 else 13
    here = Path(__file__).parent / "bin" / f"redsweep-cuda{cuda}"
    found = os.environ.get("REDSWEEP") or (str(here) if here.exists() else shutil.which("redsweep"))
    if not found:
        raise RedsweepError("the program redsweep is not in this package and not on the PATH; set REDSWEEP to it", 2)
    return found


def _call(arguments: Sequence[str], fine: Sequence[int] = (0,), show: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs the program. `fine` contains the exit codes that are not errors. `show` shows the program's progress."""
    done = subprocess.run(
        [program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8",
        stderr=None if show else subprocess.PIPE, check=False,
    )
    if done.returncode not in fine:
        said = (done.stderr or "").strip() or done.stdout.strip()
        raise RedsweepError(said.removeprefix("redsweep: "), done.returncode)
    return done


def _word(value: Any) -> str:
    """Returns a value as the string that an option accepts. The entries of a list are separated by commas."""
    if isinstance(value, (list, tuple)):
        return ",".join(_word(entry) for entry in value)
    return str(value)


def _options(options: Mapping[str, Any], prefix: str = "--") -> list[str]:
    """Returns options as words: min_effect=3 as --min-effect 3, timing={"warmup": 5} as --timing.warmup 5.

    The entries of a list are separated by commas. Keys of a config contain _, and all other options contain -, as in
    the program.
    """
    words: list[str] = []
    for name, value in options.items():
        option = prefix + (name if prefix != "--" or name in _config_keys() else name.replace("_", "-"))
        if isinstance(value, Mapping):
            words += _options(value, f"--{name}.")
        elif value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, _word(value)]
    return words


_keys: set[str] = set()


def _config_keys() -> set[str]:
    if not _keys:
        _keys.update(json.loads(_call(["list", "schema"]).stdout)["properties"])
    return _keys


def _new_folder(name: str) -> Path:
    """Returns a folder for a run. It does not exist yet, even if another run began in the same second."""
    first = folder = Path("results") / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    count = 1
    while folder.exists():
        count += 1
        folder = first.with_name(f"{first.name}-{count}")
    return folder


def run(config: Folder | Mapping[str, Any] | None = None, *, out: Folder | None = None, show: bool = False,
        **options: Any) -> Path:
    """Runs a sweep and returns the folder of its results.

    config: the file of a config, or its content as a dict. With None, the options state what to measure.
    out: the folder, which must not exist or must be empty. With None, it is results/NAME-TIME.
    show: if true, the program's progress is shown on standard error.
    options: the options of `redsweep run`, including the keys of a config: kernels="unroll", sizes="2^14..2^20",
        device="sim", timing={"budget_s": 0.1}.

    Raises RedsweepError with the program's message. Points that failed or are wrong are rows of the results, which
    have a status and a reason. This function only warns about them.
    """
    name = "sweep"
    with tempfile.TemporaryDirectory() as scratch:
        path = None
        if isinstance(config, Mapping):
            name = str(config.get("name", name))
            path = Path(scratch) / "config.json"
            path.write_text(json.dumps(dict(config)), encoding="utf-8")
        elif config is not None:
            path = Path(config)
            name = path.stem
        folder = Path(out) if out is not None else _new_folder(name)
        words = ["run", *([str(path)] if path else []), "--out", str(folder), *_options(options)]
        done = _call(words, fine=(0, 1), show=show)
    if done.returncode == 1:
        warnings.warn(f"some points of {folder} failed or are wrong; see their status and reason", stacklevel=2)
    return folder


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("tables need pandas: pip install redsweep[pandas]") from None
    return pandas


def _frame(text: str, columns: Sequence[Mapping[str, Any]] = ()) -> pandas.DataFrame:
    """Reads CSV as a table. `columns` are the columns of run.json. The types of all other columns follow from their
    values."""
    dtypes = {column["name"]: DTYPES[column["type"]] for column in columns if "type" in column}
    frame: pandas.DataFrame = _pandas().read_csv(io.StringIO(text), dtype=dtypes, keep_default_na=False, na_values=[""])
    others = [name for name in frame.columns if name not in dtypes]
    frame[others] = frame[others].convert_dtypes()
    return frame


def load(folder: Folder, **options: Any) -> pandas.DataFrame:
    """Returns the rows of a run, with all columns of results.csv. An empty cell becomes a missing value.

    options: the options of `redsweep show`, such as where="kernel = unroll and n >= 2^20", columns=["kernel", "n"],
        sort="-time_us_median", head=5.

    `attrs["units"]` and `attrs["meanings"]` contain the unit and the meaning of each column. `attrs["provenance"]`
    states what was run, and where (run.json).
    """
    text = _call(["show", str(folder), "--csv", "-", *_options(options)]).stdout
    path = Path(folder)
    with open((path if path.is_dir() else path.parent) / "run.json", encoding="utf-8") as file:
        manifest = json.load(file)
    frame = _frame(text, manifest["columns"])
    frame.attrs["units"] = {c["name"]: c["unit"] for c in manifest["columns"] if c["unit"]}
    frame.attrs["meanings"] = {c["name"]: c["meaning"] for c in manifest["columns"] if "meaning" in c}
    frame.attrs["provenance"] = manifest["provenance"]
    return frame


def best(*folders: Folder, **options: Any) -> pandas.DataFrame:
    """Returns the fastest configuration of each problem of the runs, and its statistical ties (`standing`)."""
    return _frame(_call(["best", *map(str, folders), "--csv", "-", *_options(options)]).stdout)


def diff(a: Folder, b: Folder, **options: Any) -> pandas.DataFrame:
    """Returns each point of both runs with its times and its verdict.

    Verdicts are SLOW, FAST, SAME, UNKNOWN, BROKEN, FIXED and UNTIMED.

    options: the options of `redsweep diff`, such as min_effect=3.

    `attrs["exit_code"]` is the exit code of the program. It is 1 if a difference that --fail-on names was found.
    """
    done = _call(["diff", str(a), str(b), "--csv", "-", *_options(options)], fine=(0, 1, 3))
    frame = _frame(done.stdout)
    frame.attrs["exit_code"] = done.returncode
    return frame
