#!/bin/sh
# Makes a Python wheel of redsweep for x86-64 or ARM and for glibc 2.28 and newer: setup/wheel.sh
# BUILD VERSION [MACHINE]
#
# MACHINE is x86_64 or aarch64; the default is this machine's. For the machine that is not this one,
# cJSON comes from Debian's package.
#
# The wheel contains the program twice, for drivers of CUDA 13 and of CUDA 12 (python/redsweep chooses), the
# kernels, the configs, the chart scripts, and cJSON. NVIDIA's libraries are separate wheels, which
# redsweep looks for beside its own folder (harness/base/library.h). The compiler is the Clang in PyPI's
# ziglang, because it can link against the C library of an older system. The compiler and the tools for wheels
# are installed in BUILD/wheel/tools.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL # the script's own calls of make are independent
version=$2 machine=${3:-$(uname -m)}
build=$1/wheel${3:+-$3}
here=$(cd "$(dirname "$0")/.." && pwd)
case $machine in
x86_64) debian=amd64 emulation=elf_x86_64 ;;
aarch64) debian=arm64 emulation=aarch64linux ;;
*) echo "wheel: a wheel for $machine cannot be built, only for x86_64 and aarch64; use make deb" >&2; exit 1 ;;
esac
"$here/setup/packages.sh" build pip venv
mkdir -p "$build"
build=$(cd "$build" && pwd)
tools=$build/tools
say() { printf 'wheel: %s\n' "$*"; }

if [ ! -x "$tools/bin/auditwheel" ]; then
    say "fetching ziglang, wheel and auditwheel from PyPI"
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q ziglang==0.17.1 wheel==0.48.0 auditwheel==6.8.2
fi
# Makes separate programs of ziglang's parts, in a folder that comes first on make's PATH.
mkdir -p "$build/bin"
part() { # NAME WORDS…
    printf '#!/bin/sh\nexec "%s/bin/python" -m ziglang %s "$@"\n' "$tools" "$2" >"$build/bin/$1"
    chmod +x "$build/bin/$1"
}
part cc "cc -target $machine-linux-gnu.2.28 -I\"$build/include\" -L\"$build/lib\""
part ld "ld.lld -m $emulation"
part ar ar

# Finds Debian's cJSON package for another machine, with separate package lists so that the system's
# do not change.
foreign_cjson() {
    mkdir -p "$build/apt/lists/partial" "$build/apt/cache/archives/partial"
    set -- -qq -o APT::Architecture="$debian" -o APT::Architectures="$debian" -o Dir::State::lists="$build/apt/lists" \
        -o Dir::State::status=/dev/null -o Dir::Cache="$build/apt/cache"
    (cd "$build/apt" && apt-get "$@" update && apt-get "$@" download libcjson1 && dpkg -x libcjson1_*.deb .) >"$build/apt/log" 2>&1
    find "$build/apt/usr" -name libcjson.so.1
}
# This folder contains just cJSON's headers and library, because the system's other headers are for
# another C library.
if [ "$machine" = "$(uname -m)" ]; then cjson=$(${CC:-gcc} -print-file-name=libcjson.so.1); else cjson=$(foreign_cjson); fi
[ -e "$cjson" ] || { echo "wheel: libcjson.so.1 for $machine was not found; install it with apt-get install libcjson-dev" >&2; exit 1; }
mkdir -p "$build/include" "$build/lib"
cp -r /usr/include/cjson "$build/include"
cp -L "$cjson" "$build/lib/libcjson.so.1"
ln -sf libcjson.so.1 "$build/lib/libcjson.so"

site=$build/site
rm -rf "$site"
mkdir -p "$site"
for major in 12 13; do # files that both versions write remain those of 13
    say "compiling for CUDA $major"
    toolkit=$major driver=
    if [ "$machine" != "$(uname -m)" ]; then # an installed toolkit is only for this machine
        toolkit=fetch
        [ $major = 12 ] && driver=525 || driver=580
    fi
    (cd "$here" && PATH="$build/bin:$PATH" WHEELS_FOR="$machine" make -s BUILD="$build/cuda$major" TOOLKIT=$toolkit NVIDIA_DRIVER=$driver \
        TOOLKIT_FOLDER="$build/toolkit$major" CC="$build/bin/cc" LD="$build/bin/ld" CFLAGS='-O2 -s' SETUP=user all)
    cp "$build/lib/libcjson.so.1" "$build/cuda$major" # beside the program, where its run path looks first
    (cd "$here" && BUILD="$build/cuda$major" BUNDLE=no MANUALS=no CUDA='NVIDIA'\''s wheels' CUDA_MAJOR=$major \
        VERSION="$version" setup/install.sh /redsweep "$site" >/dev/null)
    mv "$site/redsweep/bin/redsweep" "$site/redsweep/bin/redsweep-cuda$major"
done
cp "$build/lib/libcjson.so.1" "$site/redsweep/bin"
rm -rf "$site/redsweep/share/doc" "$site/redsweep/share/redsweep/files.txt"
cp "$here"/python/redsweep/*.py "$here/python/redsweep/py.typed" "$site/redsweep"

info=$site/redsweep-$version.dist-info
mkdir -p "$info/licenses"
cp "$here/LICENSE" "$info/licenses"
cat >"$info/WHEEL" <<END
Wheel-Version: 1.0
Generator: setup/wheel.sh
Root-Is-Purelib: false
Tag: py3-none-manylinux_2_28_$machine
END
printf '[console_scripts]\nredsweep = redsweep.__main__:main\n' >"$info/entry_points.txt"
{
    cat <<END
Metadata-Version: 2.4
Name: redsweep
Version: $version
Summary: How GPU reductions behave, and which one to use
License-File: LICENSE
Requires-Python: >=3.9
Requires-Dist: nvidia-cuda-nvrtc>=13,<14
END
    # Needed on a machine with a GPU: the compiler for the driver's CUDA version, headers, counters,
    # and the linker for kernels that launch kernels.
    for component in cuda-runtime cuda-cupti cuda-cccl nvjitlink cuda-crt; do
        echo "Requires-Dist: nvidia-$component>=13,<14; extra == \"cuda13\""
    done
    for component in cuda-nvrtc cuda-runtime cuda-cupti cuda-cccl nvjitlink; do
        echo "Requires-Dist: nvidia-$component-cu12>=12.4,<13; extra == \"cuda12\""
    done
    echo 'Requires-Dist: pandas; extra == "pandas"'
    for extra in cuda12 cuda13 pandas; do echo "Provides-Extra: $extra"; done
    printf 'Description-Content-Type: text/markdown\n\n'
    cat "$here/python/README.md"
} >"$info/METADATA"

mkdir -p "$here/dist"
"$tools/bin/wheel" pack -d "$here/dist" "$site" >/dev/null
wheel=$here/dist/redsweep-$version-py3-none-manylinux_2_28_$machine.whl
"$tools/bin/auditwheel" show "$wheel" >"$build/auditwheel.txt"
grep -q "manylinux_2_\(1[0-9]\|2[0-8]\)_$machine" "$build/auditwheel.txt" ||
    { cat "$build/auditwheel.txt"; echo "wheel: the program needs a newer C library than 2.28" >&2; exit 1; }
say "dist/${wheel##*/}: $(du -h "$wheel" | cut -f 1)"
