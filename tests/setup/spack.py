"""Loads the Spack recipe of setup/spack with a substitute for Spack, and prints what the recipe's phases would do:

    tests/setup/spack.py PREFIX CUDA

The script prints lines of the form `depends NAME`, `git URL`, `version NAME BRANCH`, `build ARGUMENTS`, `install ARGUMENTS` (both
are arguments of make) and `run COMMAND`. The substitute defines only the names of spack.package (API v2) that the recipe uses. It
can therefore show that the recipe is valid Python and what it calls, but not that Spack accepts it.
"""

import pathlib
import runpy
import sys
import types

RECIPE = "setup/spack/spack_repo/redsweep/packages/redsweep/package.py"


class Prefix(str):
    """A path whose attributes are the paths below it, as in prefix.bin.redsweep."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Prefix(f"{self}/{name}")


def directive(name, shown, allowed):
    def called(what, **options):
        unknown = set(options) - set(allowed)
        if unknown:
            raise TypeError(f"{name}: {unknown}")
        if shown:
            print(name, what, *(str(options[key]) for key in shown if key in options))

    return called


def executable(path):
    return lambda *arguments: print("run", path, *arguments)


def main():
    package = types.ModuleType("spack.package")
    package.license = directive("license", (), ())
    package.version = directive("version", ("branch",), ("branch",))
    package.variant = directive("variant", (), ("default", "description"))
    package.depends_on = directive("depends", (" ",), ("type", "when"))
    package.Executable = executable
    makefile = types.ModuleType("spack_repo.builtin.build_systems.makefile")
    makefile.MakefilePackage = object
    for name in ["spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"]:
        sys.modules[name] = types.ModuleType(name)
    for module in [package, makefile]:
        sys.modules[module.__name__] = module
    recipe = runpy.run_path(str(pathlib.Path(RECIPE).resolve()))["Redsweep"]()
    recipe.prefix = Prefix(sys.argv[1])
    recipe.spec = {"cuda": types.SimpleNamespace(prefix=Prefix(sys.argv[2]))}
    print("git", recipe.git)
    print("build", *recipe.build_targets)
    print("install", *recipe.install_targets)
    recipe.installcheck()


main()
