#!/bin/sh
# The programs in docs/use-the-winner.md and examples/use must compile unchanged with a library of
# recorded winners. With a GPU, they are also run.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
page=$root/docs/use-the-winner.md
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() { echo "test_use: FAILED: $*"; tail -20 "$work/said"; exit 1; }
case ${BUILD:-build} in /*) build=$BUILD ;; *) build=$root/${BUILD:-build} ;; esac
cuda=$(sed -n 's/^CUDA := //p' "$build/toolkit.mk")
command -v pkg-config >/dev/null || { echo 'test_use: skipped: there is no pkg-config'; exit 0; }
for library in "$cuda/lib64/libcudart.so" "$cuda/include/cuda_runtime.h"; do
    [ -e "$library" ] || { echo "test_use: skipped: $library is missing"; exit 0; }
done

block() { # LANGUAGE: prints the page's only program in this language
    awk -v fence="^\`\`\`$1\$" '$0 ~ fence { inside = 1; next } /^```/ { inside = 0 } inside' "$page"
}
mkdir "$work/tuned"
tar xf results/reference/h200-search-live/runs.tar.xz -C "$work" pruned-201 >"$work/said" 2>&1 || fail 'the recorded run'
"$build/redsweep" tuned "$work/pruned-201" --out "$work/tuned" >"$work/said" 2>&1 || fail 'redsweep tuned'
# The run has sums of arrays only, and --at asks for rows.
"$build/redsweep" best "$work/pruned-201" --at 4096x5120 >"$work/said" 2>&1 || fail 'redsweep best --at'
grep -q 'has no function for such shapes' "$work/said" || fail 'what best --at says without functions along rows'
{ ${CC:-gcc} -O1 -fPIC -I. -I"$work/tuned" -I"$cuda/include" -c -o "$work/tuned.o" tuned/redsweep_tuned.c &&
    ar rcs "$work/tuned/libredsweep_tuned.a" "$work/tuned.o"; } >"$work/said" 2>&1 || fail 'the library'
# shellcheck disable=SC2016 # pkg-config's variable
CUDA=$cuda VERSION=0 setup/pkgconfig.sh redsweep '${pcfiledir}' '' '' >"$work/tuned/redsweep_tuned.pc"
CUDA=$cuda VERSION=0.3 setup/cmake_package.sh redsweep . . >"$work/tuned/redsweep_tuned-config.cmake"
CUDA=$cuda VERSION=0.3 setup/cmake_package.sh redsweep . . version >"$work/tuned/redsweep_tuned-config-version.cmake"
export PKG_CONFIG_PATH="$work/tuned"

cd "$work" || exit 1
programs=
cp "$root"/examples/use/sum.c "$root"/examples/use/sum.cpp "$root"/examples/use/CMakeLists.txt .
block python >sum.py
for file in sum.c sum.cpp CMakeLists.txt sum.py; do
    [ "$(wc -l <$file)" -gt 4 ] || fail "there is no program $file"
done
# shellcheck disable=SC2046 # words on purpose
${CC:-gcc} -O2 -Wall -Wextra -Werror -o sum sum.c $(pkg-config --cflags --libs redsweep_tuned) >said 2>&1 || fail 'the program in C'
programs=./sum
if command -v cmake >/dev/null && command -v g++ >/dev/null; then
    { cmake -B build-sum -S . -DCMAKE_PREFIX_PATH="$work/tuned" && cmake --build build-sum; } >said 2>&1 || fail 'the program in C++ by CMake'
    programs="$programs ./build-sum/sum"
    sed 's/find_package(redsweep_tuned/& 9.0/' CMakeLists.txt >newer.txt && mkdir newer && mv newer.txt newer/CMakeLists.txt
    cp sum.cpp newer/ && ! cmake -B build-newer -S newer -DCMAKE_PREFIX_PATH="$work/tuned" >said 2>&1 || fail 'a newer version was found'
    grep -q '0\.3' said || fail 'CMake does not name the version that is there'
else
    echo 'test_use: skipped: C++, as there is no CMake or no g++'
fi
python3 -m py_compile sum.py >said 2>&1 || fail 'the program in Python'
if python3 -c 'import os, sys, sysconfig
sys.exit(sys.version_info < (3, 10) or not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'; then
    (cd "$root" && "$build/redsweep" tuned "$work/pruned-201" --prefix mine --out "$work/mine" --wheel) >said 2>&1 || fail 'redsweep tuned --wheel'
    { python3 -m zipfile -e mine/mine_tuned-*.whl site && PYTHONPATH=site python3 -c 'import mine_tuned as m; assert callable(m.sum) and m.sum.__module__ == "mine_tuned"'; } >said 2>&1 ||
        fail 'the module of --prefix mine'
else
    echo 'test_use: skipped: the Python package, as there is no Python 3.10 with its headers'
fi

if nvidia-smi >/dev/null 2>&1; then
    for program in $programs; do
        $program >said 2>&1 || fail "$program"
        grep -qx '16777216\|42000' said || fail "$program: its result"
    done
    ! python3 -c 'import torch; torch.zeros(1, device="cuda")' 2>/dev/null || sed s/redsweep_tuned/mine_tuned/ sum.py | PYTHONPATH=site python3 - >said 2>&1 || fail sum.py
fi
echo "test_use: $programs and sum.py compile"
