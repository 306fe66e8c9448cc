"""Runs the program `redsweep` of this package, which replaces this process."""

import os
import sys

from . import RedsweepError, program


def main() -> None:
    try:
        path = program()
    except RedsweepError as error:
        sys.exit(f"redsweep: {error}")
    os.execv(path, ["redsweep", *sys.argv[1:]])  # the name shown in its hints


if __name__ == "__main__":
    main()
