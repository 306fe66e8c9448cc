"""Installs redsweep with Spack, from the clone that contains this recipe:

    spack repo add setup/spack/spack_repo/redsweep
    spack install redsweep
"""

from pathlib import Path

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Redsweep(MakefilePackage):
    """How GPU reductions behave, and which one to use: sweeps of reduction kernels with times, counters and charts, on
    GPUs of NVIDIA and on a simulator that needs no GPU."""

    git = Path(__file__).resolve().parents[6].as_uri()

    license("MIT")

    version("main", branch="main")

    variant("plots", default=True, description="Charts, which gnuplot draws")

    depends_on("c", type="build")
    depends_on("binutils", type="build")
    depends_on("cjson")
    depends_on("cuda@12.4:", type=("build", "link", "run"))
    depends_on("gnuplot", type="run", when="+plots")

    # Only Spack's packages are fetched and installed, neither Debian packages nor NVIDIA's wheels.
    def settings(self):
        return ["SETUP=no", "TOOLKIT=installed", f"CUDA_HOME={self.spec['cuda'].prefix}", "BUNDLE=no"]

    @property
    def build_targets(self):
        return [*self.settings(), "all"]

    @property
    def install_targets(self):
        return [*self.settings(), f"PREFIX={self.prefix}", "install"]

    def check(self):
        """The tests need additional packages and take minutes."""

    def installcheck(self):
        """Runs a sweep on the simulator."""
        Executable(str(self.prefix.bin.redsweep))(
            "run", "--kernels", "interleaved", "--sizes", "4096", "--device", "sim", "--out", "sweep")
